package offline

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// enum returns the first member that the message mentions, or the first one; in
// an array, the next.
func (b *argumentBuilder) enum(all []*jsonschema.Node) value {
	mentioned := slices.DeleteFunc(slices.Clone(all), func(m *jsonschema.Node) bool { return !b.words.mention(m.Raw()) })
	if b.nth < len(mentioned) {
		return value{mentioned[b.nth], true}
	}
	return value{all[b.nth%len(all)], false}
}

// boolean is true if the message mentions the name of the property.
func (b *argumentBuilder) boolean(name string) value {
	spoken := b.nth == 0 && b.words.mention(name)
	return value{jsonschema.Bool(spoken || b.nth%2 == 1), spoken}
}

// number takes the next number that fits, or else a simple one.
func (b *argumentBuilder) number(s *jsonschema.Node) (value, bool) {
	fits := b.fits(s, "type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
	if n, ok := takeText(&b.words.numbers, jsonschema.Number, fits); ok {
		return value{n, true}, true
	}
	simple := simpleNumbers(s, b.nth)
	n, ok := takeText(&simple, jsonschema.Number, fits)
	return value{n, false}, ok
}

// simpleNumbers returns numbers to try: simple ones and those near the limits
// of s.
func simpleNumbers(s *jsonschema.Node, nth int) []string {
	step, ok := numberKeyword(s, "multipleOf")
	if !ok {
		step = 1
	}
	near, middle := []float64{1, 0, step}, 0.0
	for _, keyword := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"} {
		if limit, ok := numberKeyword(s, keyword); ok {
			below := math.Floor(limit/step) * step
			near = append(near, limit, below, below+step, below-step)
			middle += limit / 2
		}
	}
	var all []string
	for _, x := range append(near, middle) {
		up, down := x+float64(nth)*step, x-float64(nth)*step
		all = append(all, strconv.FormatFloat(up, 'g', 15, 64), strconv.FormatFloat(down, 'g', 15, 64))
	}
	return append(all, s.Get("minimum").Raw(), s.Get("maximum").Raw()) // with all their digits
}

// string takes a name, a quoted text or a word that fits, or else the message.
func (b *argumentBuilder) string(name string, s *jsonschema.Node) (value, bool) {
	fits := b.fits(s, "type", "minLength", "maxLength", "pattern", "format")
	if given := jsonschema.String(b.words.name); b.words.name != "" && b.nth == 0 && strings.HasSuffix(plainWords(name), " name ") && fits(given) {
		return value{given, true}, true
	}
	if text, ok := takeText(&b.words.quotes, jsonschema.String, fits); ok {
		return value{text, true}, true
	}
	if s.Get("format") != nil || s.Get("pattern") != nil {
		if text, ok := takeText(&b.words.tokens, jsonschema.String, fits); ok {
			return value{text, true}, true
		}
	}
	var simple []string
	for _, text := range append([]string{b.words.message}, simpleTexts(s, b.nth)...) {
		if text != "" || s.Get("maxLength") != nil {
			simple = append(simple, sizedText(text, s), text)
		}
	}
	text, ok := takeText(&simple, jsonschema.String, fits)
	return value{text, false}, ok
}

package offline

import (
	"cmp"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// enum returns the member that the message mentions first, or the first one.
func (b *builder) enum(all []json.RawMessage) value {
	if found := b.mentioned(all); len(found) > 0 {
		return value{found[0], spoken}
	}
	return value{all[b.nth%len(all)], invented}
}

// mentioned returns the members that the message mentions, in its order.
func (b *builder) mentioned(all []json.RawMessage) []json.RawMessage {
	if b.words == nil {
		return nil
	}
	type hit struct {
		member   json.RawMessage
		at, size int
	}
	var hits []hit
	for _, m := range all {
		text := string(m)
		json.Unmarshal(m, &text)
		if at := b.words.find(text); at >= 0 {
			hits = append(hits, hit{m, at, len(text)})
		}
	}
	slices.SortStableFunc(hits, func(x, y hit) int { return cmp.Or(x.at-y.at, y.size-x.size) })
	var out []json.RawMessage
	for _, h := range hits {
		out = append(out, h.member)
	}
	return out
}

// boolean listens for the name of the property, then for yes and no.
func (b *builder) boolean(name string) value {
	if b.words == nil {
		return truth(b.nth%2 == 1, invented)
	}
	said := split(b.words.message)
	if at := mention(said, name); at >= 0 {
		no := at > 0 && slices.Contains(strings.Fields("no not non without dont never"), said[at-1])
		return truth(!no, spoken)
	}
	for _, w := range said {
		switch w {
		case "true", "yes":
			return truth(true, spoken)
		case "false", "no":
			return truth(false, spoken)
		}
	}
	return truth(false, invented)
}

func truth(b bool, q quality) value { return value{strconv.AppendBool(nil, b), q} }

const numberKeywords = "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"

// number takes the next number that fits, or makes up a simple one.
func (b *builder) number(kind string, n node) (value, bool) {
	schema := n.only(kind, numberKeywords)
	fits := func(text string) bool { return b.fits(schema, json.RawMessage(text)) }
	if b.words != nil {
		if text, ok := b.words.takeNumber(fits); ok {
			return value{json.RawMessage(text), spoken}, true
		}
	}
	for _, text := range simpleNumbers(n, b.nth) {
		if fits(text) {
			return value{json.RawMessage(text), invented}, true
		}
	}
	return value{}, false
}

// simpleNumbers returns numbers to try, simple ones and those near the limits
// of n.
func simpleNumbers(n node, nth int) []string {
	one, half := big.NewRat(1, 1), big.NewRat(1, 2)
	step := rational(n["multipleOf"])
	if step == nil || step.Sign() <= 0 {
		step = one
	}
	all := []*big.Rat{one, new(big.Rat), step}
	var limits []*big.Rat
	for _, k := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"} {
		if r := rational(n[k]); r != nil {
			limits = append(limits, r)
			below := new(big.Rat).Mul(floor(new(big.Rat).Quo(r, step)), step)
			all = append(all, r, floor(r), new(big.Rat).Add(floor(r), one), new(big.Rat).Sub(r, one),
				below, new(big.Rat).Add(below, step), new(big.Rat).Sub(below, step))
		}
	}
	for i := 1; i < len(limits); i++ {
		middle := new(big.Rat).Add(limits[i-1], limits[i])
		all = append(all, middle.Mul(middle, half))
	}
	shift := new(big.Rat).Mul(step, big.NewRat(int64(nth), 1))
	var out []string
	for _, r := range all {
		out = append(out, decimal(new(big.Rat).Add(r, shift)), decimal(new(big.Rat).Sub(r, shift)))
	}
	return out
}

// rational reads a limit; nil for none, and for one too far away to matter.
func rational(raw json.RawMessage) *big.Rat {
	if f, err := strconv.ParseFloat(string(raw), 64); err != nil || math.Abs(f) > 1e100 || f != 0 && math.Abs(f) < 1e-100 {
		return nil
	}
	r, _ := new(big.Rat).SetString(string(raw))
	return r
}

func floor(r *big.Rat) *big.Rat {
	q := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean, and the divisor is positive
	return new(big.Rat).SetInt(q)
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(110), "0")
}

const stringKeywords = "minLength maxLength pattern format"

// string takes a name, a quoted text or a word that fits, or else the message.
func (b *builder) string(name string, n node) (value, bool) {
	schema := n.only("string", stringKeywords)
	fits := func(text string) bool { return b.fits(schema, plainjson.String(text)) }
	if b.words != nil {
		if text, ok := b.spokenText(name, n, fits); ok {
			return value{plainjson.String(text), spoken}, true
		}
		text, q := b.words.message, message
		if personal(name) {
			text, q = "friend", invented
		}
		if text = sized(text, n); text != "" && fits(text) {
			return value{plainjson.String(text), q}, true
		}
	}
	for _, text := range simpleTexts(n, b.nth) {
		if fits(text) {
			return value{plainjson.String(text), invented}, true
		}
	}
	return value{}, false
}

func (b *builder) spokenText(name string, n node, fits func(string) bool) (string, bool) {
	w := b.words
	if personal(name) {
		if text, ok := w.takeQuote(func(q string) bool { return looksLikeName(q) && fits(q) }); ok {
			return text, true
		}
		part := partOfName(name, w.name)
		return part, part != "" && fits(part)
	}
	if text, ok := w.takeQuote(fits); ok {
		return text, true
	}
	if n["format"] != nil || n["pattern"] != nil {
		for _, t := range w.tokens() {
			if fits(t) {
				return t, true
			}
		}
	}
	if slices.Contains([]string{"expression", "formula", "calculation"}, strings.ToLower(name)) {
		text := strings.TrimSpace(arithmetic().FindString(w.message))
		return text, text != "" && fits(text)
	}
	return "", false
}

// personal reports whether a property is for the name of a person.
func personal(property string) bool {
	parts := split(property)
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	if last == "name" && len(parts) > 1 {
		return !slices.Contains(thingsWithNames, parts[len(parts)-2])
	}
	return slices.Contains([]string{"name", "surname", "firstname", "lastname", "fullname", "username", "nickname",
		"who", "person", "user", "guest", "customer", "recipient", "friend"}, last)
}

var thingsWithNames = strings.Fields(`agent branch city class column company country database directory domain event field file folder
	function host key model package path place product project property repo repository server table tool type unit variable`)

func partOfName(property, name string) string {
	parts := strings.Fields(name)
	switch strings.Join(split(property), "") {
	case "firstname", "givenname":
		return strings.Join(parts[:min(1, len(parts))], "")
	case "lastname", "surname", "familyname":
		return strings.Join(parts[min(1, len(parts)):], " ")
	}
	return name
}

func looksLikeName(text string) bool {
	parts := strings.Fields(text)
	for _, p := range parts {
		if first, _ := utf8.DecodeRuneInString(p); !unicode.IsUpper(first) {
			return false
		}
	}
	return len(parts) > 0 && len(parts) <= 3
}

// sized repeats and cuts text until it has the length that n asks for.
func sized(text string, n node) string {
	least, _ := n.count("minLength")
	most, limited := n.count("maxLength")
	runes := []rune(text)
	if len(runes) == 0 || least > 1<<20 {
		return text
	}
	for len(runes) < least {
		runes = append(append(runes, ' '), []rune(text)...)
	}
	if limited && len(runes) > most {
		runes = runes[:most]
	}
	return string(runes)
}

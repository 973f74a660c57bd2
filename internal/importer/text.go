package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// maxQuoted is how many characters of foreign text a message repeats.
const maxQuoted = 60

// quote returns text in quotes, cut where it is long.
func quote(text string) string { return strconv.Quote(clip(text)) }

func clip(text string) string { return excerpt.Short(text, maxQuoted) }

// hides reports whether a character does not show in a text, or changes how
// the text around it looks. Line ends and tabs do show.
func hides(r rune) bool {
	switch {
	case r == '\n', r == '\t', r == '\r', r == '\b', r == '\f':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0, unicode.Is(unicode.Bidi_Control, r):
		return true
	}
	return r == 0xad || r == 0x200b || r == 0x2028 || r == 0x2029 || r == 0x2060 || r == 0xfeff || r >= 0xe0000 && r <= 0xe007f
}

// hidden reports whether a text should be written with escapes, which gram
// knows only inside type expressions and JSON values.
func hidden(text string) bool { return strings.IndexFunc(text, hides) >= 0 }

// stringValue returns a text as a gram value in the quotes that need the fewest
// escapes. Prose of several lines becomes a fence if that is exact.
func stringValue(text string, prose bool) *ast.String {
	s := &ast.String{Text: text}
	single, double := strings.Count(text, "'"), strings.Count(text, `"`)
	switch {
	case prose && fits(text):
		s.Quote = ast.QuoteFence
	case double == 0:
	case single == 0:
		s.Quote = ast.QuoteSingle
	case !strings.Contains(text, "`"):
		s.Quote = ast.QuoteBacktick
	case single < double:
		s.Quote = ast.QuoteSingle
	}
	return s
}

// fits reports whether a fence is exactly a text: the last line end of a fence
// does not count, and other readers of gram drop line ends at its start.
func fits(text string) bool {
	return strings.Contains(text, "\n") && !strings.Contains(text, "```") &&
		!strings.HasPrefix(text, "\n") && !strings.HasPrefix(text, "\r\n") && !strings.HasSuffix(text, "\r")
}

// appendJSON appends a value as JSON in which no character is hidden.
func appendJSON(b []byte, n *jsonschema.Node) []byte {
	switch n.Kind {
	case jsonschema.KindString:
		return appendString(b, n.Text())
	case jsonschema.KindArray:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case jsonschema.KindObject:
		b = append(b, '{')
		for i, m := range n.Members {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(appendString(b, m.Key), ": "...)
			b = appendJSON(b, m.Value)
		}
		return append(b, '}')
	}
	return append(b, n.Raw()...)
}

func appendString(b []byte, text string) []byte {
	for _, r := range string(plainjson.String(text)) {
		if !hides(r) {
			b = utf8.AppendRune(b, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			b = fmt.Appendf(b, `\u%04x`, unit)
		}
	}
	return b
}

// jsonText returns a value as JSON in which no character is hidden.
func jsonText(n *jsonschema.Node) string { return string(appendJSON(nil, n)) }

// isPlain reports whether gram has a notation of its own for a value: a text
// that shows all its characters, a number without exponent, true or false.
func isPlain(n *jsonschema.Node) bool {
	const maxNumber = 1000 // bytes
	switch n.Kind {
	case jsonschema.KindString:
		return !hidden(n.Text())
	case jsonschema.KindNumber:
		return len(n.Raw()) <= maxNumber && !strings.ContainsAny(n.Raw(), "eE")
	}
	return n.IsBool()
}

// scalar returns a plain value, or null, as a gram value.
func scalar(n *jsonschema.Node) ast.Value {
	switch n.Kind {
	case jsonschema.KindString:
		return stringValue(n.Text(), false)
	case jsonschema.KindNumber:
		number := &ast.Number{Raw: n.Raw()}
		if strings.Contains(number.Raw, ".") {
			number.Kind = ast.Decimal
		}
		return number
	case jsonschema.KindNull:
		return &ast.Symbol{Text: "null"}
	}
	return &ast.Bool{Value: n.Is(jsonschema.KindTrue)}
}

// maxRaw is how deep JSON is nested that is written as it is.
const maxRaw = 80

// depthOf returns how many levels a value has.
func depthOf(n *jsonschema.Node) int {
	deepest := 0
	for _, item := range n.Items {
		deepest = max(deepest, depthOf(item))
	}
	for _, m := range n.Members {
		deepest = max(deepest, depthOf(m.Value))
	}
	return deepest + 1
}

// isWritable reports whether gram writes a value in records and in type
// expressions alike: without null inside, and not nested deep.
func isWritable(n *jsonschema.Node, null bool) bool {
	if n.Is(jsonschema.KindNull) {
		return null
	}
	if len(n.Items)+len(n.Members) == 0 && n.Kind != jsonschema.KindArray && n.Kind != jsonschema.KindObject {
		return isPlain(n)
	}
	bad := false
	n.Walk(func(part *jsonschema.Node) bool {
		bad = bad || part.Is(jsonschema.KindNull)
		return !bad
	})
	return !bad && depthOf(n) <= maxNesting
}

// whole returns the digits of an integer.
func whole(n *jsonschema.Node) string {
	if r := n.Rational(); r != nil && r.IsInt() {
		return r.Num().String()
	}
	return n.Raw()
}

// tagged returns a value as json`…`.
func tagged(n *jsonschema.Node) *ast.Tagged { return &ast.Tagged{Tag: "json", Text: jsonText(n)} }

// value returns any JSON value as a gram value: arrays of plain values as
// arrays, other arrays, objects and what gram cannot write as json`…`. Null is a
// word only if the second argument says that the word is known.
func value(n *jsonschema.Node, null bool) ast.Value {
	switch {
	case isPlain(n), n.Is(jsonschema.KindNull) && null:
		return scalar(n)
	case len(n.Items) > 0:
		return listValue(n, false)
	}
	return tagged(n)
}

// listValue returns an array as a gram value, with null as a word if orNull says
// that the word is known.
func listValue(n *jsonschema.Node, orNull bool) ast.Value {
	if len(n.Items) > maxList || slices.ContainsFunc(n.Items, func(item *jsonschema.Node) bool {
		return !isPlain(item) && !(orNull && item.Is(jsonschema.KindNull))
	}) {
		return tagged(n)
	}
	a := &ast.Array{Elements: make([]ast.Value, len(n.Items))}
	for i, item := range n.Items {
		a.Elements[i] = scalar(item)
	}
	return a
}

// maxList is how many elements an array has in gram: longer ones are read faster
// as one text.
const maxList = 10_000

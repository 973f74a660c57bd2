package importer

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/excerpt"
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
// escapes. Prose of several lines becomes a fence where that says the same.
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

// fits reports whether a fence holds a text exactly: of a fence the last line
// end does not count, and other readers of gram drop line ends at its start.
func fits(text string) bool {
	return strings.Contains(text, "\n") && !strings.Contains(text, "```") &&
		!strings.HasPrefix(text, "\n") && !strings.HasPrefix(text, "\r\n") && !strings.HasSuffix(text, "\r")
}

// appendJSON appends a value as compact JSON in which no character is hidden.
func appendJSON(b []byte, n *node) []byte {
	switch n.kind {
	case kindString:
		return appendString(b, n.text)
	case kindArray:
		b = append(b, '[')
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case kindObject:
		b = append(b, '{')
		for i := range n.members {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(appendString(b, n.members[i].key), ": "...)
			b = appendJSON(b, n.members[i].value)
		}
		return append(b, '}')
	}
	return append(b, n.text...)
}

func appendString(b []byte, text string) []byte {
	quoted := string(plainjson.String(text))
	for {
		i := strings.IndexFunc(quoted, hides)
		if i < 0 {
			return append(b, quoted...)
		}
		b = append(b, quoted[:i]...)
		for _, r := range quoted[i:] {
			if r < 0x10000 {
				b = fmt.Appendf(b, `\u%04x`, r)
			} else {
				high, low := utf16.EncodeRune(r)
				b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
			}
			quoted = quoted[i+len(string(r)):]
			break
		}
	}
}

// jsonText returns a value as JSON text.
func jsonText(n *node) string { return string(appendJSON(nil, n)) }

// isPlainNumber reports whether gram writes a number as JSON does: without an
// exponent, and not too long.
func isPlainNumber(text string) bool {
	const most = 1000
	return len(text) <= most && !strings.ContainsAny(text, "eE")
}

// number returns a plain number as a gram value.
func number(text string) *ast.Number {
	n := &ast.Number{Raw: text}
	if strings.Contains(text, ".") {
		n.Kind = ast.Decimal
	}
	return n
}

// tagged returns a value as json`…`.
func tagged(n *node) *ast.Tagged { return &ast.Tagged{Tag: "json", Text: jsonText(n)} }

// isPlain reports whether gram has a notation of its own for a value: a text
// that shows all its characters, a number without exponent, true or false.
func isPlain(n *node) bool {
	switch n.kind {
	case kindString:
		return !hidden(n.text)
	case kindNumber:
		return isPlainNumber(n.text)
	}
	return n.kind == kindBool
}

// scalar returns a plain value, or null, as a gram value.
func scalar(n *node) ast.Value {
	switch n.kind {
	case kindString:
		return stringValue(n.text, false)
	case kindNumber:
		return number(n.text)
	case kindBool:
		return &ast.Bool{Value: n.text == "true"}
	}
	return &ast.Symbol{Text: "null"}
}

// value returns any JSON value as a gram value: lists of plain values as
// lists, other lists, objects and what gram cannot write as json`…`. Null is a
// word only where that is known.
func value(n *node, null bool) ast.Value {
	switch {
	case isPlain(n), n.kind == kindNull && null:
		return scalar(n)
	case n.kind == kindArray && len(n.items) > 0 && len(n.items) <= maxList && allPlain(n.items, false):
		return list(n.items)
	}
	return tagged(n)
}

// listValue returns the values of an enum, or examples. Null may be among
// them where it is known.
func listValue(n *node, null bool) ast.Value {
	if len(n.items) <= maxList && allPlain(n.items, null) {
		return list(n.items)
	}
	return tagged(n)
}

// maxList is how many elements a list in gram gets: longer ones are read faster
// as one text.
const maxList = 10_000

func allPlain(items []*node, orNull bool) bool {
	for _, item := range items {
		if !isPlain(item) && !(orNull && item.kind == kindNull) {
			return false
		}
	}
	return true
}

func list(items []*node) *ast.Array {
	a := &ast.Array{Elements: make([]ast.Value, len(items))}
	for i, item := range items {
		a.Elements[i] = scalar(item)
	}
	return a
}

package importer

import (
	"fmt"
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

// quoteText returns text in quotes, cut where it is long.
func quoteText(text string) string { return strconv.Quote(clipText(text)) }

func clipText(text string) string { return excerpt.Short(text, maxQuoted) }

// hidesText reports whether a character does not show in a text, or changes how
// the text around it looks. Line ends and tabs do show.
func hidesText(r rune) bool {
	switch {
	case r == '\n', r == '\t', r == '\r', r == '\b', r == '\f':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0, unicode.Is(unicode.Bidi_Control, r):
		return true
	}
	return r == 0xad || r == 0x200b || r == 0x2028 || r == 0x2029 || r == 0x2060 || r == 0xfeff || r >= 0xe0000 && r <= 0xe007f
}

// hiddenText reports whether a text should be written with escapes, which gram
// knows only inside type expressions and JSON values.
func hiddenText(text string) bool { return strings.IndexFunc(text, hidesText) >= 0 }

// textValue returns a text as a gram value in the quotes that need the fewest
// escapes. Prose of several lines becomes a fence if that is exact.
func textValue(text string, prose bool) *ast.String {
	s := &ast.String{Text: text}
	single, double := strings.Count(text, "'"), strings.Count(text, `"`)
	switch {
	case prose && textFitsFence(text):
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

// textFitsFence reports whether a fence is exactly a text: the last line end of a fence
// does not count, and other readers of gram drop line ends at its start.
func textFitsFence(text string) bool {
	return strings.Contains(text, "\n") && !strings.Contains(text, "```") &&
		!strings.HasPrefix(text, "\n") && !strings.HasPrefix(text, "\r\n") && !strings.HasSuffix(text, "\r")
}

// appendJSONText appends a value as JSON in which no character is hidden.
func appendJSONText(b []byte, n *jsonschema.Node) []byte {
	switch n.Kind {
	case jsonschema.KindString:
		return appendText(b, n.Text())
	case jsonschema.KindArray:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendJSONText(b, item)
		}
		return append(b, ']')
	case jsonschema.KindObject:
		b = append(b, '{')
		for i, m := range n.Members {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(appendText(b, m.Key), ": "...)
			b = appendJSONText(b, m.Value)
		}
		return append(b, '}')
	}
	return append(b, n.Raw()...)
}

func appendText(b []byte, text string) []byte {
	for _, r := range string(plainjson.String(text)) {
		if !hidesText(r) {
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
func jsonText(n *jsonschema.Node) string { return string(appendJSONText(nil, n)) }

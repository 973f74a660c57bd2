package grammar

import (
	"strings"

	"github.com/gram-lang/gramc/source"
)

// Classes returns for each byte of a text what it is: s of a string, c of a
// comment, n of a number, and . of anything else. A ? is no gram, up to the end
// of its line, or it is after a fence that is never closed.
func Classes(text string) string {
	classes := []byte(strings.Repeat(".", len(text)))
	fill := func(start, end int, class byte) {
		for i := start; i < end; i++ {
			classes[i] = class
		}
	}
	type span struct{ start, end int }
	var bad []span
	scan := gramLexer{file: source.NewFile("text", text), text: text}
	var t token
	for scan.next(&t); t.kind != tokEnd; scan.next(&t) {
		switch t.kind {
		case tokSingle, tokDouble, tokBacktick, tokFence:
			fill(t.begin(), t.end(), 's')
		case tokInteger, tokNumber:
			fill(t.begin(), t.end(), 'n')
		case tokBadText, tokBadBreak, tokBadTriple, tokBadQuotes, tokBadChars, tokBadNumber, tokTooDeep:
			bad = append(bad, span{t.begin(), lexLineEnd(text, t.end())})
		case tokBadFence:
			bad = append(bad, span{t.begin(), len(text)})
		}
	}
	for _, c := range scan.comments {
		fill(c.Span.Start, c.Span.End, 'c')
	}
	for _, p := range scan.problems { // comments of other languages
		bad = append(bad, span{p.start, lexLineEnd(text, p.end)})
	}
	for _, b := range bad {
		fill(b.start, b.end, '?')
	}
	return string(classes)
}

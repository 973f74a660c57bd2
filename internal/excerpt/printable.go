package excerpt

import (
	"strings"
	"unicode"
)

// Printable returns at most so many characters of text, with "…" behind them
// where it goes on: control characters and the invisible ones are dropped,
// white space becomes one blank.
func Printable(text string, most int) string {
	var out strings.Builder
	blank := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			blank = out.Len() > 0
			continue
		case !unicode.IsPrint(r) || r == unicode.ReplacementChar:
			continue
		}
		if most <= 0 {
			out.WriteString("…")
			return out.String()
		}
		if blank {
			out.WriteByte(' ')
			most--
			blank = false
		}
		out.WriteRune(r)
		most--
	}
	return out.String()
}

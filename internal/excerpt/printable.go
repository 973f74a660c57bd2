package excerpt

import (
	"strings"
	"unicode"
)

// Printable returns at most that many characters of text, followed by "…" if it
// has more: control characters and invisible ones are removed, and whitespace
// becomes one space.
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

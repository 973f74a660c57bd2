package markdown

import (
	"strings"
	"unicode"
)

// clean removes from a text what could control a terminal or reorder its
// characters. Line ends and tabs stay; bytes that are no text become "\ufffd".
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == zeroWidthJoiner:
			return r
		case r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
}

// zeroWidthJoiner makes one emoji of several.
const zeroWidthJoiner = '\u200d'

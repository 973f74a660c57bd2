package interp

import (
	"strings"
	"unicode"
)

// isBlank reports whether a text has nothing that can be seen.
func isBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) })
}

package visible

import (
	"regexp"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/diag"
)

var betweenSpaces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^\n\t\p{Zs}]+`) })

// Text returns text that is safe to print to a terminal: control characters are
// escaped. Line ends, tabs and spaces of any width stay.
func Text(text string) string {
	return betweenSpaces().ReplaceAllStringFunc(strings.ReplaceAll(text, "\r\n", "\n"), diag.Escape)
}

// Line is [Text] for text that must stay on its line.
func Line(text string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(Text(text))
}

package terminal

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/visible"
)

// safe returns foreign text that cannot control the terminal.
func safe(text string) string { return strings.ReplaceAll(visible.Text(text), "\t", "    ") }

// withoutBidi drops the characters that change the direction of a text, which have no
// width: what is pasted into the prompt stands there in the order in which it is sent.
func withoutBidi(r rune) rune {
	if unicode.Is(unicode.Bidi_Control, r) {
		return -1
	}
	return r
}

// safeLines is safe for text of several lines.
func safeLines(text string) []string {
	return strings.Split(strings.TrimRight(safe(text), "\n"), "\n")
}

// maxShown is how many bytes of a value are considered for one line.
const maxShown = 1000

// safeLine returns foreign text on a line of so many columns.
func safeLine(text string, columns int) string {
	return ansi.Truncate(visible.Line(excerpt.Bytes(text, maxShown)), max(columns, 1), "…")
}

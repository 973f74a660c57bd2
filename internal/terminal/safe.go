package terminal

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/visible"
)

// safe returns foreign text that cannot control the terminal.
func safe(text string) string { return strings.ReplaceAll(visible.Text(text), "\t", "    ") }

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

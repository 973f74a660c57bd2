package terminal

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/runtime"
)

// A style styles text, if colours are wanted. The colours are those that the user
// chose for the terminal.
type style struct{ color bool }

func (s style) render(as lipgloss.Style, text string) string {
	if !s.color || text == "" {
		return text
	}
	return as.Render(text)
}

func (s style) faint(text string) string {
	return s.render(lipgloss.NewStyle().Foreground(lipgloss.BrightBlack), text)
}
func (s style) strong(text string) string { return s.render(lipgloss.NewStyle().Bold(true), text) }
func (s style) good(text string) string {
	return s.render(lipgloss.NewStyle().Foreground(lipgloss.Green), text)
}
func (s style) bad(text string) string {
	return s.render(lipgloss.NewStyle().Foreground(lipgloss.Red), text)
}
func (s style) warning(text string) string {
	return s.render(lipgloss.NewStyle().Foreground(lipgloss.Yellow), text)
}

// safe returns foreign text that cannot control the terminal.
func safe(text string) string { return strings.ReplaceAll(visible.Text(text), "\t", "    ") }

// safeLines is safe for text of several lines.
func safeLines(text string) []string {
	return strings.Split(strings.TrimRight(safe(text), "\n"), "\n")
}

// maxShown is how many bytes of a value are considered for one line.
const maxShown = 1000

// oneLine returns foreign text on a line of so many columns.
func oneLine(text string, columns int) string {
	return ansi.Truncate(visible.Line(excerpt.Bytes(text, maxShown)), max(columns, 1), "…")
}

// usageText returns the tokens of requests; "" where they are unknown.
func usageText(u runtime.Usage) string {
	if u.Input == 0 && u.Output == 0 {
		return ""
	}
	text := visible.Number(u.Input) + " tokens in"
	if u.CacheRead > 0 {
		text += " (" + visible.Number(u.CacheRead) + " cached)"
	}
	return text + ", " + visible.Number(u.Output) + " out"
}

package terminal

import (
	"charm.land/lipgloss/v2"

	"github.com/gram-lang/gramc/internal/markdown"
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

// styles returns those of Markdown.
func (t *Terminal) styles() markdown.Styles {
	switch {
	case t.Plain:
		return markdown.NoStyles
	case t.Color:
		return markdown.Colors
	}
	return markdown.NoColors
}

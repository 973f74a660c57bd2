package runtime

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/internal/spell"
)

// ToolNotFound returns the error for a call of an unknown tool. It names the known
// tools, and the nearest one.
func ToolNotFound(name string, known []string) *ToolError {
	return &ToolError{
		Kind:    ToolExecution,
		Message: fmt.Sprintf("tool %q: %s", shorten(name), notFound(name, known)),
		Err:     ErrToolNotFound,
	}
}

func notFound(name string, known []string) string {
	if len(known) == 0 {
		return "no such tool; there are no tools"
	}
	text := "no such tool; known tools: " + strings.Join(known, ", ")
	word := name[strings.LastIndexByte(name, '.')+1:] // models like to write functions.NAME
	if best := spell.Nearest(word, known); best != "" {
		text += fmt.Sprintf("; did you mean %q?", best)
	}
	return text
}

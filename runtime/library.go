package runtime

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/spell"
)

// A Library holds tools by name. It is immutable: adding a tool returns a new
// library. The zero Library is empty.
type Library struct{ tools map[string]Tool }

// Add returns the library with one more tool, in place of the tool that had
// that name. The name must be the tool's own. Its error is a *[BindError].
func (l Library) Add(name string, t Tool) (Library, error) {
	switch {
	case name == "" || t.config.Name == "":
		return l, &BindError{Tool: cmp.Or(name, t.config.Name), Reason: ReasonEmptyName, Detail: "the name is empty"}
	case name != t.config.Name:
		return l, &BindError{
			Tool: name, Reason: ReasonNameMismatch,
			Detail: fmt.Sprintf("the tool is named %q; add it under that name", t.config.Name),
		}
	}
	tools := make(map[string]Tool, len(l.tools)+1)
	maps.Copy(tools, l.tools)
	tools[name] = t
	return Library{tools}, nil
}

// Handled returns the library with other handlers: around returns the one of each tool
// in place of run, which it may call.
func (l Library) Handled(around func(tool string, run Handler) Handler) Library {
	tools := maps.Clone(l.tools)
	for name, t := range tools {
		t.config.Execute = around(name, t.config.Execute)
		if of := t.config.For; of != nil {
			t.config.For = func(c Contract) Handler { return around(name, of(c)) }
		}
		tools[name] = t
	}
	return Library{tools}
}

// Lookup returns the tool with that name.
func (l Library) Lookup(name string) (Tool, bool) {
	t, ok := l.tools[name]
	return t, ok
}

// Names returns the names of all tools, sorted.
func (l Library) Names() []string { return slices.Sorted(maps.Keys(l.tools)) }

// ToolNotFound returns the error for a call of an unknown tool. It names the known
// tools, and the nearest one.
func ToolNotFound(name string, known []string) *ToolError {
	return &ToolError{
		Kind:    ToolExecution,
		Message: fmt.Sprintf("tool %q: %s", shortenProblem(name), notFound(name, known)),
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

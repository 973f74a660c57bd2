package host

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/spell"
	"github.com/gram-lang/gramc/runtime"
)

// A Set is what libraries come to when they are open. It is safe for use by
// several goroutines until it is closed.
type Set struct {
	library   runtime.Library
	given     bool // there was a library to open
	origins   map[string]Origin
	openWorld map[string]bool // tools that their servers declare open-world
	refused   []Refusal
	closed    []string // tools that nobody needs
	redact    redactor
	close     []func()
}

// A Refusal is a tool that a server offers and that cannot be taken.
type Refusal struct {
	Origin
	Tool, Reason string
}

// Library returns the tools.
func (s *Set) Library() runtime.Library { return s.library }

// Origin returns where a tool comes from.
func (s *Set) Origin(tool string) (o Origin, found bool) {
	o, found = s.origins[tool]
	return o, found
}

// Refused returns what servers offer and cannot be taken.
func (s *Set) Refused() []Refusal { return s.refused }

// Redact returns a text in which the secrets of the libraries have given way to
// the names of their variables.
func (s *Set) Redact(text string) string { return s.redact.text(text) }

// Close ends everything that was started. The tools cannot be called after it.
// It returns nil.
func (s *Set) Close() error {
	for _, end := range slices.Backward(s.close) {
		end()
	}
	s.close = nil
	return nil
}

func (s *Set) refuse(o Origin, tool, reason string) {
	s.refused = append(s.refused, Refusal{o, s.Redact(tool), s.Redact(reason)})
}

// unfit returns why a tool of a server is not taken. A server may offer another
// tool tomorrow: what its entry does not name takes the place of nothing.
func (s *Set) unfit(o Origin, tool string) string {
	if o.Entry.Kind != library.EntryMCP {
		return ""
	}
	other, taken := s.origins[tool]
	switch {
	case s.Redact(tool) != tool:
		return "its name holds a secret"
	case !taken || other.Library == o.Library || o.Entry.Replaces || o.Entry.MCP.Allow != nil:
		return ""
	case other.Entry == nil:
		return "gramc has a tool of this name; to replace it, name the tool in allow, or write replaces: true"
	}
	return fmt.Sprintf("the %s %q of an earlier library has this name; to replace it, name the tool in allow, or write replaces: true",
		other.Entry.Kind, other.Entry.Name)
}

// add adds a tool as its entry and its library want it.
func (s *Set) add(o Origin, c runtime.ToolConfig) error {
	if other, known := s.origins[c.Name]; known && other.Library == o.Library {
		return fmt.Errorf("the %s %q has a tool %q too; a prefix keeps them apart", other.Entry.Kind, other.Entry.Name, c.Name)
	}
	o.settle(&c)
	s.redact.tool(&c)
	if o.Entry.Kind == library.EntryMCP {
		s.redact.definition(&c)
	}
	t, err := runtime.NewTool(c)
	if err != nil {
		return err
	}
	if s.library, err = s.library.Add(c.Name, t); err != nil {
		return err
	}
	s.origins[c.Name] = o
	return nil
}

// Names returns the names of all tools that come from libraries, sorted.
func (s *Set) Names() []string {
	names := slices.Sorted(maps.Keys(s.origins))
	return slices.DeleteFunc(names, func(name string) bool { return s.origins[name].Library == nil })
}

// NotFound returns the message for a tool that no library has, with the name that
// was probably meant.
func (s *Set) NotFound(name string) string {
	known := slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.library.Names(), s.closed))))
	text := "no library has this tool; the libraries have " + strings.Join(known, ", ")
	if !s.given {
		text = "no library is given; without one there is " + strings.Join(known, ", ")
	}
	if near := spell.Nearest(name, known); near != "" {
		text += "; did you mean " + near + "?"
	}
	return text
}

package compat

import (
	"strings"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/source"
)

// A Revision is one version of a file of agents, or of a file of tools.
type Revision struct {
	Program    *compile.Program // nil for a file of tools
	Tools      []*compile.Tool  // of a file of tools
	FromSource bool             // parameters have spans in gram files
}

// A Difference is a change with its places.
type Difference struct {
	Change
	Place source.Place `json:"place,omitzero"` // in the new revision
	Was   source.Place `json:"was,omitzero"`   // in the old revision
}

// Revisions returns what changed between two revisions, either both with agents
// or both without: as [Agents] or [Contracts] do, with places.
func Revisions(old, new *Revision) []Difference {
	var changes []Change
	if new.Program != nil {
		changes = Agents(old.agents(), new.agents())
	} else {
		changes = Contracts(interp.Contracts(old.Tools), interp.Contracts(new.Tools))
	}
	list := make([]Difference, len(changes))
	for i := range changes {
		list[i] = Difference{changes[i], new.place(&changes[i]), old.place(&changes[i])}
	}
	return list
}

// agents returns the agents of a program as a run has them.
func (v *Revision) agents() (list []*interp.Agent) {
	for _, a := range v.Program.Agents {
		agent, err := interp.FromProgram(&compile.Program{Agents: []*compile.Agent{a}}, "")
		if err != nil {
			panic("compat: " + err.Error())
		}
		list = append(list, agent)
	}
	return list
}

// place returns where a revision has what a change is about; the zero Place
// where it has no such thing.
func (v *Revision) place(c *Change) source.Place {
	var where source.Place
	tools := v.Tools
	if v.Program != nil {
		for _, a := range v.Program.Agents {
			if a.Name == c.Agent || len(v.Program.Agents) == 1 {
				where, tools = a.Place, a.Tools
			}
		}
	}
	if c.Tool == "" {
		return where
	}
	for _, t := range tools {
		if t.Name == c.Tool {
			return v.parameter(t, c.Path)
		}
	}
	return source.Place{}
}

// parameter returns the place of the parameter that a pointer leads to, or else
// of the tool.
func (v *Revision) parameter(t *compile.Tool, pointer string) source.Place {
	rest, found := strings.CutPrefix(pointer, "/input/properties/")
	if !found || !v.FromSource {
		return t.Place
	}
	token, _, _ := strings.Cut(rest, "/")
	for _, p := range t.Signature.Params {
		if p.Name == jsonpointer.Key(token) && !p.Span.IsZero() {
			at := p.Span.Pos()
			return source.Place{File: p.Span.File.Name(), Start: p.Span.Start, End: p.Span.End, Line: at.Line, Column: at.Column}
		}
	}
	return t.Place
}

package compile

import (
	"cmp"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/report"
)

// Names are the agents, tools and types that a file defines, and what a name
// in it refers to, there or in the files that it imports.
type Names struct {
	agents    []ast.Agent
	tools     []ast.Tool                // all, in the order of the text
	types     []*ast.Pattern            // all, imported ones behind those of the file
	libraries []*ast.Pattern            // those of the file, in the order of the text
	foreign   []ast.Agent               // those of imported files
	sameName  map[string][]*ast.Pattern // the tools of each name
	others    map[string]*ast.Pattern   // the first of each other name that is defined
}

// ResolveNames collects the names of a file, and those that it may use of the files
// that it imports, directly or not.
func ResolveNames(f *ast.File, imported ...*ast.File) *Names {
	n := &Names{sameName: make(map[string][]*ast.Pattern, len(f.Patterns)), others: map[string]*ast.Pattern{}}
	for _, p := range f.Patterns {
		n.top(p)
	}
	agents, tools, libraries := n.agents, n.tools, n.libraries
	for _, other := range imported {
		for _, p := range other.Patterns {
			n.top(p)
		}
	}
	n.foreign = n.agents[len(agents):]
	n.agents, n.tools, n.libraries = agents, tools, libraries
	return n
}

// Agents returns the agents of the file, in the order of the text.
func (n *Names) Agents() []ast.Agent { return slices.Clone(n.agents) }

// Tools returns the tools of the file, in the order of the text.
func (n *Names) Tools() []ast.Tool { return slices.Clone(n.tools) }

// Shared returns the names of the tools and types that other files can use.
func (n *Names) Shared() []string {
	var list []string
	for name := range n.sameName {
		list = append(list, name)
	}
	for _, p := range n.types {
		list = append(list, p.Identity())
	}
	return list
}

// Definitions returns the tools and types that are known by a name, the first of
// each, by file and in the order of the text.
func (n *Names) Definitions() []*ast.Pattern {
	var list []*ast.Pattern
	seen := map[string]bool{}
	for _, same := range n.sameName {
		list = append(list, same[0])
	}
	for _, p := range n.types {
		if name := p.Identity(); name != "" && !seen[name] {
			seen[name] = true
			list = append(list, p)
		}
	}
	file := func(p *ast.Pattern) string {
		if f := p.Span().File; f != nil {
			return f.Name()
		}
		return "" // it was made in code
	}
	slices.SortStableFunc(list, func(a, b *ast.Pattern) int {
		return cmp.Or(cmp.Compare(file(a), file(b)), cmp.Compare(a.Span().Start, b.Span().Start))
	})
	return list
}

// Tool returns the tool that an element of an agent is or refers to. A name
// may be used before it is defined; of several tools of one name it is the
// first.
func (n *Names) Tool(element *ast.Pattern) (ast.Tool, bool) {
	if element.Form == ast.FormRef {
		if same := n.sameName[element.Identity()]; len(same) > 0 {
			return ast.Tool{Pattern: same[0]}, true
		}
		return ast.Tool{}, false
	}
	return ast.AsTool(element)
}

// top adds a pattern at the top of a file. What stands inside of a library has
// no name outside.
func (n *Names) top(p *ast.Pattern) {
	if library.IsLibrary(p) {
		n.libraries = append(n.libraries, p)
		return
	}
	n.collect(p, false)
}

// collect adds p and everything below it. What stands inside a tool has no
// name outside.
func (n *Names) collect(p *ast.Pattern, inTool bool) {
	agent, isAgent := ast.AsAgent(p)
	tool, isTool := ast.AsTool(p)
	name := p.Identity()
	switch {
	case isAgent:
		n.agents = append(n.agents, agent)
	case isTool:
		n.tools = append(n.tools, tool)
	case ast.IsNamedType(p):
		n.types = append(n.types, p)
		return // what stands inside is its fields
	}
	switch {
	case inTool || name == "":
	case isTool && !isAgent:
		n.sameName[name] = append(n.sameName[name], p)
	case p.Form == ast.FormBracket || len(p.Subject.Labels) > 0 || p.Subject.Record != nil:
		if _, defined := n.others[name]; !defined {
			n.others[name] = p
		}
	}
	for _, e := range p.Elements {
		n.collect(e, inTool || isTool)
	}
}

// toolNames returns the names that a reference may use, for suggestions.
func (n *Names) toolNames() []string {
	names := []string{}
	for _, t := range n.tools {
		if len(names) == report.MaxCandidates {
			break
		}
		if same := n.sameName[t.Name()]; len(same) > 0 && same[0] == t.Pattern {
			names = append(names, t.Name())
		}
	}
	return names
}

package compile

import (
	"cmp"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// A Use is a place that speaks of something by the name that another place
// gives it.
type Use struct {
	Span source.Span // the name; a reference with its quotes
	// Definition is the pattern that the name stands for, in the file or in one
	// that it imports: a tool, a named type, or a parameter, which is a node.
	Definition *ast.Pattern
	Mention    bool // the name stands in backticks in an instruction
}

// Uses returns the places of a file that speak of tools, of named types and,
// in instructions, of parameters, in the order of the text. Names that nothing
// defines are left out.
func Uses(f *ast.File, o *Options) []Use {
	recording := Options{}
	if o != nil {
		recording = *o
	}
	recording.record = true
	c := newCompiler(f, &recording)
	c.file(f)
	for _, a := range c.names.agents {
		for e := range a.Tools() {
			if t, ok := c.names.Tool(e); ok && e.Form == ast.FormRef {
				c.use(e.Span(), t.Pattern)
			}
		}
		c.mentions(a)
	}
	uses := slices.DeleteFunc(c.recorded, func(u Use) bool { return u.Span.File != f.Source || u.Span.IsZero() })
	slices.SortStableFunc(uses, func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	return slices.CompactFunc(uses, func(a, b Use) bool { return a.Span == b.Span })
}

// use notes that a place speaks of a definition.
func (c *compiler) use(s source.Span, definition *ast.Pattern) {
	c.recorded = append(c.recorded, Use{Span: s, Definition: definition})
}

// mentions notes the tools and parameters that the instruction of an agent names
// in backticks.
func (c *compiler) mentions(a ast.Agent) {
	p := a.Property("instruction")
	if p == nil || p.Value == nil {
		return
	}
	text, ok := ast.TextOf(p.Value)
	if !ok {
		return
	}
	known := map[string]*ast.Pattern{}
	for e := range a.Tools() {
		if t, ok := c.names.Tool(e); ok {
			for _, param := range Parameters(t) {
				if known[param.Identity()] == nil {
					known[param.Identity()] = param
				}
			}
		}
	}
	for e := range a.Tools() {
		if t, ok := c.names.Tool(e); ok {
			known[t.Name()] = t.Pattern
		}
	}
	place := newQuotation(p.Value, text)
	for start := 0; ; {
		word, at, ok := nextMention(text, start)
		if !ok {
			return
		}
		start = at + len(word) + 1
		if known[word] != nil {
			c.recorded = append(c.recorded, Use{Span: place.at(at, at+len(word)), Definition: known[word], Mention: true})
		}
	}
}

// Parameters returns the nodes of a tool's signature that have a name: its
// parameters, and the result if that has one.
func Parameters(t ast.Tool) []*ast.Pattern {
	signature := t.Signature()
	switch {
	case signature == nil:
		return nil
	case signature.Form == ast.FormNode:
		return named([]*ast.Pattern{signature})
	}
	return named(signature.Elements)
}

func named(nodes []*ast.Pattern) []*ast.Pattern {
	return slices.DeleteFunc(slices.Clone(nodes), func(n *ast.Pattern) bool { return n.Form != ast.FormNode || n.Identity() == "" })
}

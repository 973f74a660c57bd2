package compile

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// This file holds what takes more than one agent or tool to go wrong.

// duplicateAgents reports agents that have the name of an earlier one.
func (c *compiler) duplicateAgents() {
	first := make(map[string]ast.Agent, len(c.names.agents))
	for _, a := range c.names.agents {
		name := a.Name()
		if name == "" {
			continue
		}
		earlier, defined := first[name]
		if !defined {
			first[name] = a
			continue
		}
		d := c.Diags.Errorf(report.NameSpan(a.Pattern), diag.CodeDuplicateAgent, "there are two agents %s", report.Quote(name))
		report.Relate(d, report.NameSpan(earlier.Pattern), "first here")
	}
}

// redefinitions reports tools that differ from the first of their name: a
// reference could mean either. The same text twice is only not needed.
func (c *compiler) redefinitions(same []*ast.Pattern) {
	name, text := same[0].Identity(), ast.Print(same[0])
	for _, p := range same[1:] {
		if c.reported[p] || p == same[0] {
			continue
		}
		c.reported[p] = true
		if ast.Print(p) != text {
			at, other := c.Conflict(report.NameSpan(same[0]), report.NameSpan(p))
			d := c.Diags.Errorf(at, diag.CodeDuplicateTool, "the tool %s is defined differently elsewhere", report.Quote(name))
			report.Relate(d, other, "here")
			continue
		}
		if c.IsImported(report.NameSpan(p)) {
			continue
		}
		d := c.Diags.Hintf(report.NameSpan(p), diag.CodeDuplicateTool, "the tool %s is defined twice in the same words; its name alone refers to it", report.Quote(name))
		report.Relate(d, report.NameSpan(same[0]), "first here")
	}
}

// vocabulary warns of parameters of different tools that have one name but
// differ in type or default: models mix them up.
func (c *compiler) vocabulary() {
	type use struct {
		param  *types.Param
		tool   string
		schema []byte // of its type; made when it is compared
	}
	first := map[string]*use{}
	for _, t := range c.tools {
		if t.Signature == nil {
			continue
		}
		for _, p := range t.Signature.Params {
			earlier, used := first[p.Name]
			if !used {
				first[p.Name] = &use{param: p, tool: t.Name}
				continue
			}
			if earlier.schema == nil && !sameWord(earlier.param.Type, p.Type) {
				earlier.schema = types.BareSchema(earlier.param.Type)
			}
			if sameDefault(earlier.param, p) && (sameWord(earlier.param.Type, p.Type) || bytes.Equal(earlier.schema, types.BareSchema(p.Type))) {
				continue
			}
			d := c.Diags.Warnf(p.Span, diag.CodeVocabulary,
				"the parameter %s means something else in the tool %s; models do better when one name has one type and default",
				report.Quote(p.Name), report.Quote(earlier.tool))
			report.Relate(d, earlier.param.Span, "there")
		}
	}
}

// sameWord reports whether two types are the same word and nothing else, which
// is seen at a glance.
func sameWord(t, u *types.Type) bool {
	plain := func(t *types.Type) bool {
		return len(t.Fields)+len(t.Union)+len(t.Keywords) == 0 && t.Fields == nil && t.Elem == nil && t.Rest == nil
	}
	return plain(t) && plain(u) && t.Kind == u.Kind && t.Def == u.Def
}

// sameDefault reports whether two parameters have one default; null is as good
// as any.
func sameDefault(p, q *types.Param) bool {
	null := func(text []byte) bool { return string(text) == "null" }
	return bytes.Equal(p.Default, q.Default) || null(p.Default) || null(q.Default)
}

// limit reports when a small file makes a huge program, by many agents that
// refer to the same large tools.
func (c *compiler) limit(agents []*Agent, libraries []*library.Library) {
	size := 0
	for i, l := range libraries {
		for _, e := range l.Entries {
			size += len(e.Schema()) + len(e.OutputSchema())
		}
		if size > types.MaxProgram {
			c.Diags.Errorf(report.NameSpan(c.names.libraries[i]), diag.CodeTooLarge,
				"with the entries of this library the program is larger than %d MiB", types.MaxProgram>>20)
			return
		}
	}
	for i, a := range agents {
		for _, t := range a.Tools {
			if t.Signature == nil {
				continue
			}
			size += len(t.Schema()) + len(t.OutputSchema()) + len(t.TypeSignature) + len(t.Description)
		}
		if size > types.MaxProgram {
			c.Diags.Errorf(report.NameSpan(c.names.agents[i].Pattern), diag.CodeTooLarge,
				"with the tools of this agent the program is larger than %d MiB", types.MaxProgram>>20)
			return
		}
	}
}

// place notes where agents, tools, libraries and entries are defined. Columns are
// counted on from one place to the next: counting each from the start of its
// line takes quadratic time in a file of one line.
func (c *compiler) place(agents []*Agent, libraries []*library.Library) {
	type item struct {
		place *source.Place
		span  source.Span
	}
	items := make([]item, 0, len(agents)+len(c.tools))
	for i, a := range agents {
		items = append(items, item{&a.Place, c.names.agents[i].Span()})
	}
	for _, t := range c.tools {
		items = append(items, item{&t.Place, t.span})
	}
	for _, l := range libraries {
		items = append(items, item{&l.Place, l.Pattern.Span()})
		for _, e := range l.Entries {
			items = append(items, item{&e.Place, e.Pattern.Span()})
		}
	}
	items = slices.DeleteFunc(items, func(it item) bool { return it.span.IsZero() })
	slices.SortStableFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.span.File.Name(), b.span.File.Name()), a.span.Start-b.span.Start)
	})
	at := &source.Cursor{}
	for _, it := range items {
		if it.span.File != at.File {
			at = &source.Cursor{File: it.span.File}
		}
		*it.place = at.Move(it.span)
	}
}

package compile

import (
	"slices"
	"sync/atomic"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A Memo makes the checks of the versions of one file faster, as somebody types
// in it: a tool is lowered once for all versions that have it in the same words
// and the same types. It belongs to one file, and may be shared by goroutines.
type Memo struct{ last atomic.Pointer[kept] }

// kept is what one check leaves for the next. It is not changed.
//
// What is kept of an earlier version mentions places in that version. So only
// that is kept of which nothing is reported; and if something is reported of it later,
// the check begins anew and keeps nothing.
type kept struct {
	opts  Options
	texts []string // of the types, in the order of the text
	types types.NamedTypes
	tools map[string]keptTool // by their text
}

// A keptTool is a tool that was lowered without a problem.
type keptTool struct {
	tool    *Tool
	uses    []*types.TypeDef
	written int // size of its schemas
}

// check is Check with what the last check has left.
func (m *Memo) check(f *ast.File, o *Options) diag.List {
	problems, left := checkAgain(f, o, m.last.Load())
	m.last.Store(left)
	return problems
}

func checkAgain(f *ast.File, o *Options, last *kept) (problems diag.List, left *kept) {
	if c := prepare(f, o); last != nil && last.holds(c) {
		c.Named, c.Named.Used = last.types, map[*types.TypeDef]bool{}
		c.kept, c.noted = last.tools, map[*ast.Pattern]keptTool{}
		if problems = c.check(f); !c.stale(problems) {
			return problems, c.keep(problems)
		}
	}
	withLazyTypes(f, o, func(c *compiler) {
		c.noted = map[*ast.Pattern]keptTool{}
		problems = c.check(f)
		left = c.keep(problems)
	})
	return problems, left
}

// holds reports whether what was kept holds for a file: all that a tool depends
// on besides its own text is as it was.
func (k *kept) holds(c *compiler) bool {
	return len(c.names.tools) > 0 && k.opts.Equal(&c.opts) &&
		slices.EqualFunc(k.texts, c.names.types, func(text string, p *ast.Pattern) bool { return text == p.Span().Text() })
}

// again returns a tool that was lowered in an earlier version, nil if there is
// none in the same words.
func (c *compiler) again(t ast.Tool) *Tool {
	known, ok := c.kept[t.Span().Text()]
	if !ok {
		return nil
	}
	for _, d := range known.uses {
		c.Named.Used[d] = true
	}
	*c.Written += known.written
	c.noted[t.Pattern] = known
	return known.tool
}

// note lowers a tool for this version and those to come.
func (c *compiler) note(t ast.Tool) *Tool {
	used, reported, written := c.Named.Used, len(c.Diags), *c.Written
	c.Named.Used = map[*types.TypeDef]bool{}
	lowered := c.lowerTool(t)
	one := keptTool{tool: lowered, written: *c.Written - written}
	for d := range c.Named.Used {
		one.uses = append(one.uses, d)
		used[d] = true
	}
	c.Named.Used = used
	if len(c.Diags) == reported && lowered.Signature != nil {
		c.noted[t.Pattern] = one
	}
	return lowered
}

// maxVersions is of how many versions of a file tools are kept: their texts stay
// in memory.
const maxVersions = 4

// keep returns what the check leaves for the next one, nil for nothing.
func (c *compiler) keep(problems diag.List) *kept {
	var places []source.Span
	for _, p := range problems {
		eachSpan(p, func(s source.Span) { places = append(places, s) })
	}
	touched := func(p *ast.Pattern) bool {
		at := p.Span()
		return slices.ContainsFunc(places, func(s source.Span) bool { return s.File == at.File && s.Start <= at.End && at.Start <= s.End })
	}
	if c.Broken || c.Missed || len(c.Named.Order) < len(c.names.types) || len(places) > diag.MaxPerList || slices.ContainsFunc(c.names.types, touched) {
		return nil
	}
	k := &kept{opts: c.opts, types: c.Named, tools: make(map[string]keptTool, len(c.noted))}
	k.opts.Elsewhere, k.opts.Memo = nil, nil // which may hold much
	for _, p := range c.names.types {
		k.texts = append(k.texts, p.Span().Text())
	}
	for _, d := range c.Named.Order {
		(&types.Type{Def: d}).AcceptsNull() // which is noted, before others look at the types too
	}
	versions := map[*source.File]bool{}
	for _, t := range c.names.tools {
		if one, ok := c.noted[t.Pattern]; ok && !touched(t.Pattern) {
			k.tools[t.Span().Text()] = one
			versions[one.tool.span.File] = true
		}
	}
	if len(versions) > maxVersions {
		return nil
	}
	return k
}

// stale reports whether something is reported of a place in an earlier version.
func (c *compiler) stale(problems diag.List) bool {
	found := false
	for _, p := range problems {
		eachSpan(p, func(s source.Span) {
			found = found || s.File != nil && s.File != c.main.Source && !c.IsImported(s)
		})
	}
	return found
}

// eachSpan calls do with all places that a diagnostic mentions.
func eachSpan(d *diag.Diagnostic, do func(source.Span)) {
	do(d.Span)
	for _, r := range d.Related {
		do(r.Span)
	}
	for _, f := range d.Fixes {
		for _, e := range f.Edits {
			do(e.Span)
		}
	}
}

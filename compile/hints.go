package compile

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// This file reports what is not wrong but probably not meant. It reports little:
// nothing in a file that was written with care.

// addHints runs after all agents and tools of the file are lowered.
func (c *compiler) addHints(agents []*Agent) {
	for i, a := range c.names.agents {
		c.hintMentionedTools(a, agents[i])
	}
	c.hintUnusedDefinitions()
	c.hintUnusedImports()
	for _, t := range c.tools {
		if t.Signature != nil && !c.IsImported(t.span) {
			c.hintUntyped(t)
		}
	}
	c.hintUndescribed()
}

// hintMentionedTools warns of tools that an instruction names in backticks though
// the agent does not have them: the model would be reported to use what it cannot
// see.
func (c *compiler) hintMentionedTools(a ast.Agent, lowered *Agent) {
	p := a.Property("instruction")
	elements := c.elements[lowered]
	if p == nil || p.Value == nil || elements == nil {
		return
	}
	var params map[string]bool // which may be mentioned too
	var names []string
	for _, mention := range report.Mentions(p.Value) {
		word := mention.Text
		if elements[word] != nil || word == lowered.Name {
			continue
		}
		if params == nil {
			params, names = hintedNames(lowered.Tools)
		}
		if params[word] {
			continue
		}
		near := ""
		if len(c.names.sameName[word]) == 0 {
			if near = c.Guess(word, names); near == "" || strings.EqualFold(near, word) && near == word {
				continue
			}
		}
		d := c.Diags.Warnf(mention.Span, diag.CodeMissingTool,
			"the instruction mentions the tool %s, which the agent %s does not have", report.Quote(word), report.Quote(a.Name()))
		if near != "" {
			d.Message += "; did you mean " + near + "?"
			c.hintToolName(d, word, near)
			continue
		}
		report.Relate(d, report.NameSpan(c.names.sameName[word][0]), "the tool")
		report.AddTool(d, a, word)
	}
}

// hintToolName adds the fixes of the name of a tool that is like that of another one.
func (c *compiler) hintToolName(d *diag.Diagnostic, name, near string) {
	if same := c.names.sameName[near]; len(same) == 1 && same[0].Subject.Identity != nil {
		report.FixName(d, name, same[0])
		return
	}
	report.Fix(d, "write "+near, d.Span, near)
}

// hintedNames returns the names of the parameters of tools, and those of the tools.
func hintedNames(tools []*Tool) (params map[string]bool, names []string) {
	params = map[string]bool{}
	for _, t := range tools {
		names = append(names, t.Name)
		if t.Signature == nil {
			continue
		}
		for _, p := range t.Signature.Params {
			params[p.Name] = true
		}
	}
	return params, names
}

// hintUnusedDefinitions hints at tools and types that nothing uses, in a file with
// agents. Other files are libraries.
func (c *compiler) hintUnusedDefinitions() {
	unresolved := func(d *diag.Diagnostic) bool {
		return d.Code == diag.CodeUndefinedReference || d.Code == diag.CodeUnknownType || d.Code == diag.CodeUnknownEntry
	}
	if len(c.names.agents) == 0 || c.Broken || len(c.Conflicts) > 0 || slices.ContainsFunc(c.Diags, unresolved) {
		return // what seems unused may have been meant
	}
	for _, t := range c.names.tools {
		if c.lowered[t.Pattern].used {
			continue
		}
		if same := c.names.sameName[t.Name()]; len(same) > 0 && same[0] == t.Pattern {
			d := c.Diags.Hintf(report.NameSpan(t.Pattern), diag.CodeUnusedTool, "no agent of this file has the tool %s", report.Quote(t.Name()))
			if len(c.names.agents) == 1 {
				report.AddTool(d, c.names.agents[0], t.Name())
			}
			c.hintRemovable(d, t.Pattern)
		}
	}
	reached := c.ReachedNamedTypes()
	for _, d := range c.Named.Order {
		if !reached[d] && !d.Wrong && !c.IsImported(report.NameSpan(d.Pattern)) {
			hint := c.Diags.Hintf(report.NameSpan(d.Pattern), diag.CodeUnusedType, "nothing uses the type %s", report.Quote(d.Name))
			c.hintRemovable(hint, d.Pattern)
		}
	}
}

// hintRemovable adds the fix that takes a pattern away which stands at the top.
func (c *compiler) hintRemovable(d *diag.Diagnostic, p *ast.Pattern) {
	if slices.Contains(c.main.Patterns, p) && !p.Span().IsZero() {
		d.Fixes = append(d.Fixes, diag.Fix{Title: "remove " + report.Clip(p.Identity()), Edits: []diag.Edit{report.RemovePattern(p)}})
	}
}

// hintUnusedImports hints at imports of which the file uses nothing. A file that
// defines nothing itself gathers others for those that import it.
func (c *compiler) hintUnusedImports() {
	if c.opts.ReachableFrom == nil || c.Broken || c.Diags.HasErrors() {
		return
	}
	used := map[*source.File]bool{}
	own := len(c.names.agents)+len(c.names.tools)+len(c.names.libraries) > 0
	var last *source.File
	for _, t := range c.tools {
		if t.used && t.span.File != last {
			last = t.span.File
			used[last] = true
		}
	}
	for _, d := range c.Named.Order {
		mine := !c.IsImported(d.Pattern.Span())
		own = own || mine
		if c.Named.Used[d] {
			used[d.Pattern.Span().File] = true
		}
		for _, part := range d.Uses {
			used[part.Pattern.Span().File] = used[part.Pattern.Span().File] || mine
		}
	}
	if !own {
		return
	}
	for _, i := range Imports(c.main) {
		files, known := c.opts.ReachableFrom[i.Path]
		if known && !slices.ContainsFunc(files, func(f *ast.File) bool { return used[f.Source] }) {
			d := c.Diags.Hintf(i.Span, diag.CodeUnusedImport, "nothing of %s is used here", report.Quote(i.Path))
			RemoveImport(d, c.main, i.Span, "remove the import")
		}
	}
}

// hintUndescribed hints at parameters without description where most others of their tool have
// one: an oversight, if few tools of the file have such parameters.
func (c *compiler) hintUndescribed() {
	const few = 3
	overlooked := map[*Tool][]*types.Param{}
	for _, t := range c.tools {
		if without := undescribed(t); len(without) > 0 && !c.IsImported(t.span) {
			overlooked[t] = without
		}
	}
	if len(overlooked) > few {
		return
	}
	for t, params := range overlooked {
		for _, p := range params {
			c.Diags.Hintf(p.Span, diag.CodeMissingDescription,
				"the parameter %s has no description; most others of the tool %s have one", report.Quote(p.Name), report.Quote(t.Name))
		}
	}
}

// undescribed returns the parameters of a tool without description if most others have one.
func undescribed(t *Tool) (without []*types.Param) {
	if t.Signature == nil {
		return nil
	}
	described := 0
	for _, p := range t.Signature.Params {
		switch {
		case p.Description != "":
			described++
		case p.Type.Keyword("description") == nil:
			without = append(without, p)
		}
	}
	if described < max(1, 2*len(without)) {
		return nil
	}
	return without
}

// hintUntyped hints at parameters that take any object or any list: a model has
// to guess what belongs inside.
func (c *compiler) hintUntyped(t *Tool) {
	for _, p := range t.Signature.Params {
		switch u := p.Type.Resolved(); {
		case p.Default != nil || p.Description != "" || u.Keyword("properties") != nil || u.Keyword("items") != nil:
		case u.Kind == types.KindObject && u.Fields == nil && u.Rest == nil && u.Keyword("additionalProperties") == nil:
			c.Diags.Hintf(p.Span, diag.CodeUntyped, "the parameter %s takes any object; name its fields, {a::Text}, or describe it", report.Quote(p.Name))
		case u.Kind == types.KindArray && u.Elem == nil:
			c.Diags.Hintf(p.Span, diag.CodeUntyped, "the parameter %s takes a list of anything; say of what, {of::Text}, or describe it", report.Quote(p.Name))
		}
	}
}

// hintDeprecatedTools hints at the tools that agents refer to, that instructions name
// in backticks, and that entries of libraries do the work of.
func (c *compiler) hintDeprecatedTools(libraries []*library.Library) {
	agents := c.names.agents
	if !c.deprecated {
		agents = nil
	}
	for _, a := range agents {
		has := map[string]*ast.Pattern{}
		for e := range a.Tools() {
			t, ok := c.names.Tool(e)
			if !ok {
				continue
			}
			has[t.Name()] = t.Pattern
			if e.Form == ast.FormRef {
				c.Deprecated(e.Span(), "tool", t.Pattern, func(name string) bool { return len(c.names.sameName[name]) > 0 })
			}
		}
		p := a.Property("instruction")
		if p == nil || p.Value == nil {
			continue
		}
		for _, word := range report.Mentions(p.Value) {
			if t := has[word.Text]; t != nil {
				c.Deprecated(word.Span, "tool", t, func(name string) bool { return has[name] != nil })
			}
		}
	}
	for _, l := range libraries {
		for _, e := range l.Entries {
			places := e.ToolSpans()
			for i, name := range e.Tools() {
				if same := c.names.sameName[name]; len(same) > 0 {
					c.Deprecated(places[i], "tool", same[0], func(string) bool { return false })
				}
			}
		}
	}
}

package lsp

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// refactorTool offers to share a tool of an agent, and to put a shared one into
// the only agent that has it.
func (o *selection) refactorTool() {
	if tool, ok := ast.AsTool(o.top()); ok && o.start <= report.NameSpan(tool.Pattern).End {
		if ref := o.onlyToolReference(tool.Name()); ref != nil {
			o.inlineTool(ref)
		}
		return
	}
	for i := len(o.path) - 1; i > 1; i-- {
		p, ok := o.path[i].(*ast.Pattern)
		if !ok {
			continue
		}
		agent, ok := o.path[i-1].(*ast.Pattern)
		if !ok {
			continue
		}
		if _, isAgent := ast.AsAgent(agent); !isAgent {
			continue
		}
		switch _, isTool := ast.AsTool(p); {
		case isTool && p.Form == ast.FormBracket && p.Identity() != "":
			o.shareTool(p)
		case p.Form == ast.FormRef:
			o.inlineTool(p)
		}
		return
	}
}

// giveMentionedTool offers to give an agent the tool of another file that its text
// mentions at the place. The fix of a problem adds those that the file knows.
func (o *selection) giveMentionedTool() {
	at := o.doc.index().at(o.start)
	a, isAgent := ast.AsAgent(o.top())
	if !isAgent || at == nil || at.purpose != mention || len(o.finderOf(o.visible(o.doc)).resolve(o.doc, at)) > 0 {
		return
	}
	for from := range o.importFixPaths(at.name, false) {
		o.add("add the tool "+at.name+" of "+from+" to the agent", kindRewrite, func(c *changes) {
			added := &diag.Diagnostic{}
			report.AddTool(added, a, at.name)
			c.addFix(added.Fixes[0].Edits)
			c.addImports(o.doc, from)
		})
	}
}

// shareTool offers to put a tool behind the pattern at the top that it is in,
// where all agents can refer to it.
func (o *selection) shareTool(tool *ast.Pattern) {
	if !o.isDefinedOnce(tool.Identity()) {
		return
	}
	top := o.top()
	o.add("share the tool "+tool.Identity()+" between agents", kindExtract, func(c *changes) {
		start := tool.Span().Start
		if comments := tool.Comments(); comments != nil && len(comments.Before) > 0 {
			start = comments.Before[0].Span.Start
		}
		c.replace(o.doc, start, tool.Span().End, tool.Subject.Identity.Span().Text())
		c.after(o.doc, top, o.doc.laidOut(o.doc.text[start:tool.Span().End]))
	})
}

// inlineTool offers to put the tool that an element refers to in its place, if
// nothing else in the document refers to it. Agents of other files find it there
// too.
func (o *selection) inlineTool(ref *ast.Pattern) {
	tool, ok := o.examinedNames(o.doc).Tool(ref)
	if !ok || !o.isDefinedOnce(tool.Name()) || !slices.Contains(o.doc.ast().Patterns, tool.Pattern) ||
		len(tool.Annotations) > 0 || o.onlyToolReference(tool.Name()) != ref || o.isBroken(tool.Pattern) {
		return
	}
	o.add("move the tool "+tool.Name()+" into the agent", kindInline, func(c *changes) {
		text, start := o.doc.wholePattern(tool.Pattern), ref.Span().Start
		by := o.doc.indentOf(start)
		if !o.doc.isSpaced(start) {
			by += "  "
			if c := tool.Comments(); c != nil {
				text = o.doc.lineBreak() + text
				start = len(strings.TrimRight(o.doc.text[:start], " \t"))
			}
		}
		c.replace(o.doc, start, ref.Span().End, indentText(text, by))
		c.remove(tool.Pattern)
	})
}

// onlyToolReference returns the element of an agent that refers to a name, nil when
// there is none, or any other reference.
func (o *selection) onlyToolReference(name string) *ast.Pattern {
	var only *place
	for _, u := range o.doc.index().named(name) {
		switch {
		case u.purpose != element:
		case only != nil || u.in == nil || u.in.kind != agentKind:
			return nil
		default:
			only = u
		}
	}
	if only == nil {
		return nil
	}
	return patternAround(ast.PathTo(o.doc.ast(), int(only.start)))
}

package library

import (
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
	"github.com/gram-lang/gramc/source"
)

// A Lowerer lowers libraries.
type Lowerer struct{ *types.Checker }

// HasLibraryLabel reports whether a pattern is labelled as a library.
func HasLibraryLabel(p *ast.Pattern) bool {
	return p.Form == ast.FormBracket && p.HasLabel(ast.LabelLibrary)
}

// IsLibrary reports whether a pattern of any file is a library of tools. A
// graph may hold libraries of another sort, with books in them.
func IsLibrary(p *ast.Pattern) bool {
	if !HasLibraryLabel(p) {
		return false
	}
	return len(p.Elements) == 0 && p.Subject.Record == nil ||
		slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return e.Form == ast.FormBad || meansEntry(e) }) ||
		p.Property("approve") != nil || p.Property("timeout") != nil
}

// meansEntry reports whether a pattern is an entry of a library, maybe with a
// mistake: by its label, or by what it says.
func meansEntry(p *ast.Pattern) bool {
	if p.Form != ast.FormBracket {
		return false
	}
	foreign := func(l *ast.Label) bool { return foreignKind(l.Name.Text) != "" }
	return slices.ContainsFunc(p.Subject.Labels, foreign) || kindByProperties(p) != ""
}

// Libraries lowers the libraries of the file.
func (c *Lowerer) Libraries(patterns []*ast.Pattern) []*Library {
	var libraries []*Library
	first := map[string]*ast.Pattern{}
	for _, p := range patterns {
		libraries = append(libraries, c.Library(p))
		name := p.Identity()
		if name == "" {
			continue
		}
		if earlier := first[name]; earlier != nil {
			d := c.Diags.Errorf(report.NameSpan(p), diag.CodeDuplicateEntry, "there are two libraries %s", report.Quote(name))
			report.Relate(d, report.NameSpan(earlier), "first here")
			continue
		}
		first[name] = p
	}
	return libraries
}

// Library lowers a library. What it returns is whole only if no error was reported.
func (c *Lowerer) Library(p *ast.Pattern) *Library {
	r := &entryReader{Lowerer: c, pattern: p, what: "the library"}
	if name := p.Identity(); name != "" {
		r.what = "the library " + report.Quote(name)
	}
	r.known("a library", vocabulary.Keys(vocabulary.OwnerLibrary))
	l := &Library{
		Name: p.Identity(), Description: r.plain("description"), Pattern: p,
		TimeoutMS: c.Timeout(p.Property("timeout"), r.what),
		Approve:   Approval(r.word("approve", vocabulary.Values(vocabulary.OwnerLibrary, "approve"))),
		Entries:   make([]*Entry, 0, len(p.Elements)),
	}
	for _, e := range p.Elements {
		if e.Form == ast.FormBad {
			continue // which the parser has reported
		}
		if kind := c.kindOfEntry(e, r.what); kind != "" {
			l.Entries = append(l.Entries, c.entry(e, kind))
		}
	}
	if len(p.Elements) == 0 && !types.Incomplete(p) {
		d := c.Diags.Warnf(report.NameSpan(p), diag.CodeUnknownEntry, "%s has no entries, and so no tools", r.what)
		if p.Subject.Record == nil {
			report.Fix(d, "add one", p.Subject.Span().Tail(), ` | [name:Command {run: ["./program"]}]`)
		}
	}
	c.duplicateEntries(l)
	return l
}

// duplicateEntries reports entries that have the name of an earlier one, and
// of servers that may give the same tool. An entry of its own comes before a
// tool of a server that has its name.
func (c *Lowerer) duplicateEntries(l *Library) {
	entries, served := map[string]*Entry{}, map[string]source.Span{}
	for _, e := range l.Entries {
		if first := entries[e.Name]; first != nil && e.Name != "" {
			d := c.Diags.Errorf(report.NameSpan(e.Pattern), diag.CodeDuplicateEntry, "the library has two entries %s", report.Quote(e.Name))
			report.Relate(d, report.NameSpan(first.Pattern), "first here")
			continue
		}
		entries[e.Name] = e
		if e.MCP == nil {
			continue
		}
		places := e.ToolSpans()
		for i, name := range e.Tools() {
			place := places[i]
			if first, twice := served[name]; twice {
				d := c.Diags.Errorf(place, diag.CodeDuplicateEntry, "two servers give the tool %s; a prefix would tell them apart: {prefix: %q}", report.Quote(name), e.Name+"_")
				report.Relate(d, first, "first here")
				continue
			}
			served[name] = place
		}
	}
}

// kindOfEntry returns what does the work of an element of a library; "" when
// it reported that nothing does.
func (c *Lowerer) kindOfEntry(e *ast.Pattern, what string) EntryKind {
	const written = `an entry is written [name:Command {run: ["./program"]}], with one of the labels Command, Http, Mcp and Builtin`
	if e.Form != ast.FormBracket {
		c.Diags.Errorf(e.Span(), diag.CodeUnknownEntry, "this element of %s is not an entry; %s", what, written)
		return ""
	}
	switch kinds := labelled(e); {
	case len(kinds) == 1:
		return kinds[0]
	case len(kinds) > 1:
		c.Diags.Errorf(report.NameSpan(e), diag.CodeUnknownEntry, "an entry is of one kind; here are %s and %s", kinds[0], kinds[1])
		return ""
	}
	name := report.Quote(e.Identity())
	if e.Subject.Identity == nil {
		name = "an entry of " + what
	}
	if len(e.Subject.Labels) == 0 {
		d := c.Diags.Errorf(report.NameSpan(e), diag.CodeUnknownEntry, "%s has no label that says what does its work: Command, Http, Mcp or Builtin", name)
		if kind := kindByProperties(e); kind != "" && e.Subject.Identity != nil {
			report.Fix(d, fmt.Sprintf("label it %s", kind), e.Subject.Identity.Span().Tail(), ":"+string(kind))
		}
		return ""
	}
	c.unknownKind(e, name)
	return ""
}

// unknownKind reports that none of the labels of an entry says what does its
// work.
func (c *Lowerer) unknownKind(e *ast.Pattern, name string) {
	label := e.Subject.Labels[0].Name
	d := c.Diags.Errorf(label.Span(), diag.CodeUnknownEntry, "%s does not say what does the work of %s; an entry is a Command, Http, Mcp or Builtin", report.Clip(label.Text), name)
	near := string(foreignKind(label.Text))
	if near == "" {
		near = c.Guess(label.Text, []string{"Command", "Http", "Mcp", "Builtin"})
	}
	if _, isTool := ast.AsTool(e); isTool {
		d.Message = fmt.Sprintf("the tool %s is what a model sees, and stands in the file of an agent; an entry of a library says what does its work: Command, Http, Mcp or Builtin", name)
	}
	if near == "" {
		near = string(kindByProperties(e))
	}
	if near != "" {
		d.Message += fmt.Sprintf("; did you mean %s?", near)
		report.Respell(d, label.Span(), label.Text, near)
	}
}

// ReportMissing reports that a file has no library, if possible at the pattern that
// was meant to be one.
func (c *Lowerer) ReportMissing(f *ast.File) {
	for _, p := range f.Patterns {
		switch {
		case p.Form == ast.FormBad:
			return
		case p.Form == ast.FormBracket && slices.ContainsFunc(p.Elements, meansEntry):
			c.noLibraryLabel(p)
			return
		case meansEntry(p):
			c.Diags.Errorf(report.NameSpan(p), diag.CodeNoLibrary, "%s stands outside of a library; write [local:Library | %s]", report.Quote(p.Identity()), report.Clip(ast.Print(p)))
			return
		}
	}
	c.Diags.Errorf(f.Span().Head(), diag.CodeNoLibrary, `there is no library; write [local:Library | [name:Command {run: ["./program"]}]]`)
}

func (c *Lowerer) noLibraryLabel(p *ast.Pattern) *diag.Diagnostic {
	d := c.Diags.Errorf(report.NameSpan(p), diag.CodeNoLibrary, "%s looks like a library but is not labelled Library", report.Quote(p.Identity()))
	c.FixLabel(d, p, ast.LabelLibrary)
	return d
}

// HasOwnRules reports whether a pattern has rules of its own.
func HasOwnRules(p *ast.Pattern) bool {
	for _, l := range p.Subject.Labels {
		switch l.Name.Text {
		case ast.LabelAgent, ast.LabelTool, ast.LabelToolSpecification, "Type", "Enum", "Union":
			return true
		}
	}
	return IsLibrary(p)
}

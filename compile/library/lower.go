package library

import (
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
		r.what = report.Named("the library", name)
	}
	r.lowerKnownProperties("a library", vocabulary.Keys(vocabulary.OwnerLibrary))
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
			l.Entries = append(l.Entries, c.lowerEntry(e, kind))
		}
	}
	if len(p.Elements) == 0 && !types.IncompleteProperties(p) {
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
				d := c.Diags.Errorf(place, diag.CodeDuplicateEntry, "two servers give the tool %s; a prefix would distinguish them: {prefix: %q}", report.Quote(name), e.Name+"_")
				report.Relate(d, first, "first here")
				continue
			}
			served[name] = place
		}
	}
}

// ReportMissing reports that a file has no library, if possible at the pattern that
// was meant to be one.
func (c *Lowerer) ReportMissing(f *ast.File) {
	for _, p := range f.Patterns {
		switch {
		case p.Form == ast.FormBad:
			return
		case p.Form == ast.FormBracket && slices.ContainsFunc(p.Elements, meansEntryKind):
			c.noLibraryLabel(p)
			return
		case meansEntryKind(p):
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

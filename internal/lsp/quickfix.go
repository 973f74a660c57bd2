package lsp

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/workspace"
)

// quickFixes offers the fixes of the problems at the place.
func (o *selection) quickFixes(ctx context.Context) {
	for _, p := range o.examine(o.doc).problems {
		if p.Span.File != o.doc.source() || p.Span.Start > o.end || p.Span.End < o.start {
			continue
		}
		solved := []diagnostic{o.diagnostic(o.doc, p)}
		if p.Code == diag.CodeInvalidTypeName && len(p.Fixes) > 0 {
			o.fixTypeName(ctx, p, solved)
			continue
		}
		for i, f := range p.Fixes {
			if !o.changes().addFix(f.Edits) {
				continue
			}
			o.offer(codeAction{Title: f.Title, Kind: kindQuickFix, Diagnostics: solved, IsPreferred: i == 0 && f.Safe}, func(c *changes) { c.addFix(f.Edits) })
		}
		if p.Code == diag.CodeUndefinedReference || p.Code == diag.CodeUnknownType {
			o.importFixes(p, solved)
		}
	}
}

// fixTypeName offers to write the name of a type as it should be, at all
// references, if nothing else has that name. The fix itself does so at the
// definition alone.
func (o *selection) fixTypeName(ctx context.Context, p *diag.Diagnostic, solved []diagnostic) {
	to := p.Fixes[0].Edits[0].NewText
	r, err := o.renaming(ctx, o.doc, o.doc.position(p.Span.Start))
	if err != nil || r == nil || r.check(to) != nil {
		return
	}
	o.offer(codeAction{Title: "rename the type to " + to, Kind: kindQuickFix, Diagnostics: solved}, func(c *changes) { r.change(c, to) })
}

// maxImports is how many files are offered for one name.
const maxImports = 8

// importFixes offers to import the files of the project that define a name which the
// document does not know, besides the one that the compiler has found.
func (o *selection) importFixes(p *diag.Diagnostic, solved []diagnostic) {
	for from := range o.importFixPaths(strings.Trim(p.Span.Text(), "`"), true) {
		title := "import " + from
		if !slices.ContainsFunc(o.actions, func(a action) bool { return a.Title == title }) {
			o.offer(codeAction{Title: title, Kind: kindQuickFix, Diagnostics: solved}, func(c *changes) { c.addImports(o.doc, from) })
		}
	}
}

// importFixPaths yields the paths by which the document would import the other files of the
// project that define a tool of a name, or also a type.
func (o *selection) importFixPaths(name string, types bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		if o.doc.path == "" {
			return
		}
		found := 0
		for path := range o.Defining(o.units.Root(o.doc.path), name) {
			from, ok := workspace.ImportPath(o.doc.path, path)
			if d, err := o.file(path); err != nil || !ok || d == o.doc || !types && len(d.indexedDefinitions(toolKind, name)) == 0 {
				continue
			}
			if found++; found > maxImports || !yield(from) {
				return
			}
		}
	}
}

// fixAll offers to apply all safe fixes of the document.
func (o *selection) fixAll() {
	if !o.wants(kindFixAll) || len(o.examine(o.doc).problems.SafeFixes()) == 0 {
		return
	}
	o.add("apply all safe fixes", kindFixAll, func(c *changes) {
		c.add(o.doc, o.doc.editsTo(o.quickFixed(o.doc))...)
	})
}

// quickFixed returns the text of a document after all safe fixes.
func (s *snapshot) quickFixed(d *document) string {
	e := s.examine(d)
	imported := slices.DeleteFunc(slices.Clone(e.linked), func(p *diag.Diagnostic) bool { return p.Span.File == d.source() })
	return diag.ApplySafe(d.text, e.problems, func(text string) diag.List {
		tree, parsing := grammar.Parse(d.key, text)
		options := *e.options
		options.Unlinked = options.Unlinked || len(compile.Imports(tree)) != len(compile.Imports(d.ast()))
		return workspace.ExamineUnit(tree, append(parsing, imported...), &options)
	}).Text
}

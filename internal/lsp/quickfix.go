package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/workspace"
)

// quickFixes offers the fixes of the problems at the place.
func (o *offer) quickFixes(ctx context.Context) error {
	for _, p := range o.examine(o.doc).problems {
		if p.Span.File != o.doc.source() || p.Span.Start > o.end || p.Span.End < o.start {
			continue
		}
		solved := []diagnostic{o.diagnostic(o.doc, p)}
		if p.Code == diag.CodeInvalidTypeName && len(p.Fixes) > 0 {
			o.renameType(ctx, p, solved)
			continue
		}
		for i, f := range p.Fixes {
			if !o.changes().addFix(f.Edits) {
				continue
			}
			o.actions = append(o.actions, action{
				title: f.Title, kind: kindQuickFix, solves: solved, preferred: i == 0 && f.Safe,
				change: func(_ context.Context, c *changes) error { c.addFix(f.Edits); return nil },
			})
		}
		if p.Code == diag.CodeUndefinedReference || p.Code == diag.CodeUnknownType {
			if err := o.imports(ctx, p, solved); err != nil {
				return err
			}
		}
	}
	return nil
}

// renameType offers to write the name of a type as it should be, at all
// references, if nothing else has that name. The fix itself does so at the
// definition alone.
func (o *offer) renameType(ctx context.Context, p *diag.Diagnostic, solved []diagnostic) {
	to := p.Fixes[0].Edits[0].NewText
	r, err := o.renaming(ctx, o.doc, o.doc.position(p.Span.Start))
	if err != nil || r == nil || r.check(to) != nil {
		return
	}
	o.actions = append(o.actions, action{
		title: "rename the type to " + to, kind: kindQuickFix, solves: solved,
		change: func(_ context.Context, c *changes) error { return r.change(c, to) },
	})
}

// maxImports is how many files are offered for one name.
const maxImports = 8

// imports offers to import the files of the project that define a name which the
// document does not know, besides the one that the compiler has found.
func (o *offer) imports(ctx context.Context, p *diag.Diagnostic, solved []diagnostic) error {
	if o.doc.path == "" {
		return nil
	}
	name := strings.Trim(p.Span.Text(), "`")
	found := 0
	for path := range o.Defining(o.units.Root(o.doc.path), name) {
		if err := ctx.Err(); err != nil {
			return err
		}
		from, ok := workspace.ImportPath(o.doc.path, path)
		title := "import " + from
		if !ok || path == o.doc.path || slices.ContainsFunc(o.actions, func(a action) bool { return a.title == title }) {
			continue
		}
		if found++; found > maxImports {
			break
		}
		o.actions = append(o.actions, action{
			title: title, kind: kindQuickFix, solves: solved,
			change: func(_ context.Context, c *changes) error { c.addImports(o.doc, []string{from}); return nil },
		})
	}
	return nil
}

// addImports makes a document import more files.
func (c *changes) addImports(d *document, paths []string) {
	var quoted []string
	for _, path := range paths {
		quoted = append(quoted, ast.Print(&ast.String{Text: path}))
	}
	list := strings.Join(quoted, ", ")
	header := d.ast().Header
	property := header.Get("import")
	switch {
	case len(paths) == 0:
	case header == nil:
		start := len(d.text) - len(strings.TrimPrefix(d.text, "\ufeff"))
		c.replace(d, start, start, "{import: ["+list+"]}"+d.lineBreak()+d.lineBreak())
	case property == nil || property.Value == nil:
		c.addProperty(d, &ast.Subject{Base: ast.At(header.Span()), Record: header}, "import: ["+list+"]")
	default:
		switch v := property.Value.(type) {
		case *ast.Array:
			if n := len(v.Elements); n > 0 {
				end := v.Elements[n-1].Span().End
				c.replace(d, end, end, ", "+list)
			} else {
				c.replace(d, v.Span().Start, v.Span().End, "["+list+"]")
			}
		default:
			c.replace(d, v.Span().Start, v.Span().End, "["+v.Span().Text()+", "+list+"]")
		}
	}
}

// fixAll offers to apply all safe fixes of the document.
func (o *offer) fixAll() {
	if !o.wants(kindFixAll) || len(o.examine(o.doc).problems.SafeFixes()) == 0 {
		return
	}
	o.add("apply all safe fixes", kindFixAll, func(_ context.Context, c *changes) error {
		fixed := o.fixed(o.doc)
		c.add(o.doc, o.doc.replaced(fixed)...)
		return nil
	})
}

// maxRounds is how often a text is fixed and checked again: a fix can reveal
// another problem. It ends when there are more mistakes than before.
const maxRounds = 10

// fixed returns the text of a document after all safe fixes.
func (s *snapshot) fixed(d *document) string {
	e := s.examine(d)
	text, problems := d.text, e.problems
	_, parsing := d.file()
	mistakes := len(parsing)
	for range maxRounds {
		fixed, applied := diag.Apply(text, problems.SafeFixes())
		if len(applied) == 0 {
			break
		}
		tree, parsing := grammar.Parse(d.key, fixed)
		imported := slices.DeleteFunc(slices.Clone(e.linked), func(p *diag.Diagnostic) bool { return p.Span.File == d.source() })
		options := *e.options
		options.Incomplete = options.Incomplete || len(compile.Imports(tree)) != len(compile.Imports(d.ast()))
		left := workspace.Examine(tree, append(parsing, imported...), &options)
		if syntax := len(parsing); syntax > mistakes || syntax == mistakes && countErrors(left) > countErrors(problems) {
			break
		}
		text, problems, mistakes = fixed, left, len(parsing)
	}
	return text
}

func countErrors(list diag.List) int {
	n := 0
	for _, d := range list {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

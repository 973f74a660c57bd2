package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/workspace"
)

// maxTargets is how many files are offered to move a thing to.
const maxTargets = 8

// move offers to move a tool or a type at the top into another file, one that
// the document imports or a new one.
func (o *selection) move() {
	p := o.top()
	_, isTool := ast.AsTool(p)
	if !o.wants(kindMove) || !o.doc.isFile() || p.Identity() == "" || p.Form != ast.FormBracket || !isTool && !ast.IsNamedType(p) {
		return
	}
	if name := report.NameSpan(p); o.start < p.Span().Start || o.start > max(name.End, p.Subject.Span().Start) {
		return // the cursor is on something inside
	}
	if !o.isDefinedOnce(p.Identity()) {
		return
	}
	targets := 0
	for _, i := range compile.Imports(o.doc.ast()) {
		path := filepath.Join(filepath.Dir(o.doc.path), filepath.FromSlash(i.Path))
		other, err := o.file(path)
		if err != nil || other == o.doc || targets == maxTargets {
			continue
		}
		if _, problems := other.file(); len(problems) > 0 {
			continue
		}
		targets++
		o.add("move "+p.Identity()+" to "+i.Path, kindMove, func(c *changes) {
			o.moveInto(c, p, other)
		})
	}
	if path := filepath.Join(filepath.Dir(o.doc.path), movedFileName(p.Identity())); o.canCreate() && path != o.doc.path {
		if _, err := o.file(path); err != nil {
			o.add("move "+p.Identity()+" to the new file "+filepath.Base(path), kindMove, func(c *changes) {
				o.moveNew(c, p, path)
			})
		}
	}
}

// movedFileName returns a name for the file of a tool or a type: sayHello makes
// say-hello.gram.
func movedFileName(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case 'A' <= r && r <= 'Z':
			if i > 0 && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
			b.WriteRune(r - 'A' + 'a')
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	base := strings.Trim(b.String(), "-")
	if base == "" {
		base = "moved"
	}
	return base + ".gram"
}

// moveInto moves a pattern to the end of a file that the document imports.
func (o *selection) moveInto(c *changes, p *ast.Pattern, target *document) {
	c.remove(p)
	c.addImports(target, o.movedImports(p, target.path, o.moveTargets(target))...)
	body := strings.TrimRight(target.text, whitespace)
	lineBreak := target.lineBreak()
	text := lineBreak + withLineBreaks(o.doc.wholePattern(p), lineBreak) + lineBreak
	if body != "" {
		text = lineBreak + text
	}
	c.replace(target, len(body), len(target.text), text)
}

// moveNew moves a pattern into a file of its own, which the document imports.
func (o *selection) moveNew(c *changes, p *ast.Pattern, path string) {
	lineBreak := o.doc.lineBreak()
	text := o.doc.wholePattern(p) + lineBreak
	if paths := o.movedImports(p, path, nil); len(paths) > 0 {
		text = "{import: [" + compile.ImportList(paths...) + "]}" + lineBreak + lineBreak + text
	}
	c.create(path, text)
	if to, ok := workspace.ImportPath(o.doc.path, path); ok {
		c.addImports(o.doc, to)
	}
	c.remove(p)
}

// moveTargets returns the paths of the files that a document imports, directly or
// not.
func (o *selection) moveTargets(d *document) []string {
	u, err := o.unit(d)
	if err != nil {
		return nil
	}
	var paths []string
	for _, other := range u.Imports() {
		paths = append(paths, other.Name())
	}
	return paths
}

// movedImports returns the paths by which a target imports the files that define what
// a pattern uses, each once, without those that it knows: of the document, and of
// those that it imports.
func (o *selection) movedImports(p *ast.Pattern, target string, known []string) []string {
	text := p.Span().Text()
	var paths []string
	for _, file := range o.files() {
		from := file.Source.Name()
		path, ok := workspace.ImportPath(target, from)
		if !ok || from == target || slices.Contains(known, from) {
			continue
		}
		if slices.ContainsFunc(compile.ResolveNames(file).Shared(), func(name string) bool { return name != p.Identity() && countWord(text, name) > 0 }) {
			paths = append(paths, path)
		}
	}
	return paths
}

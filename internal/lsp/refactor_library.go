package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
	"github.com/gram-lang/gramc/internal/workspace"
)

// libraryEntries offers to write an entry for each tool of the agent at the place
// that no library has: into the nearest library, or else into a new file.
func (o *selection) libraryEntries() {
	a, isAgent := ast.AsAgent(o.top())
	if !isAgent || !o.wants(kindRewrite) || !o.doc.isFile() || a.Name() == "" || o.start > report.NameSpan(a.Pattern).End {
		return
	}
	f := o.finderOf(o.withShown(o.searched()))
	names := o.examinedNames(o.doc)
	var entries []string
	for e := range a.Tools() {
		if t, ok := names.Tool(e); ok && t.Name() != "" && !f.isInLibrary(o.doc, t.Name()) {
			entries = append(entries, libraryEntryStub(t.Name()))
		}
	}
	if len(entries) == 0 {
		return
	}
	title := "generate library entries for the tools of " + a.Name()
	if d, p := f.nearestLibrary(o.doc); p != nil {
		o.add(title, kindRewrite, func(c *changes) {
			lineBreak := d.lineBreak() + "  "
			text, at := strings.Join(entries, ","+lineBreak), p.Subject.Span().End
			if n := len(p.Elements); n > 0 {
				at, text = p.Elements[n-1].Span().End, ","+lineBreak+text
			} else {
				text = " |" + lineBreak + text
			}
			c.replace(d, at, at, text)
		})
		return
	}
	path := filepath.Join(filepath.Dir(o.doc.path), "library.gram")
	if _, err := o.file(path); err == nil || !o.canCreate() {
		return
	}
	o.add(title, kindRewrite, func(c *changes) {
		text := "[" + ast.Print(ast.NewName(a.Name())) + ":Library |\n" + strings.Join(entries, ",\n") + "\n]"
		c.create(path, withLineBreaks(o.doc.laidOut(text)+"\n", o.doc.lineBreak()))
	})
}

// isInLibrary reports whether an entry of a library, or a server of one, does the
// work of a tool that a document knows.
func (f *finder) isInLibrary(d *document, tool string) bool {
	known := f.definitionOf(d, toolKind, tool)
	for _, other := range f.all {
		if !slices.ContainsFunc(other.index().named(tool), func(p *place) bool {
			return p.purpose == served || p.definition != nil && p.definition.kind == entryKind
		}) {
			continue
		}
		if slices.ContainsFunc(f.contracts(other, tool), func(def *definition) bool { return slices.Contains(known, def) }) {
			return true
		}
	}
	return false
}

// nearestLibrary returns a library of the folder of a document, or of the nearest
// one around that; nil when there is none.
func (f *finder) nearestLibrary(d *document) (in *document, library *ast.Pattern) {
	depth := 0
	for _, other := range f.all {
		folder := filepath.Dir(other.path)
		if !other.isFile() || !workspace.Within(folder, d.path) || len(folder) <= depth {
			continue
		}
		for _, def := range other.index().definitions {
			if _, problems := other.file(); def.kind == libraryKind && len(problems) == 0 {
				in, library, depth = other, def.pattern, len(folder)
				break
			}
		}
	}
	return in, library
}

// libraryEntryStub returns an entry of a library for a tool: the built-in of that name, or
// a program.
func libraryEntryStub(tool string) string {
	name := ast.Print(ast.NewName(tool))
	b, isBuiltin := library.BuiltinNamed(tool)
	if !isBuiltin {
		return "[" + name + `:Command {run: ["./` + strings.TrimSuffix(movedFileName(tool), ".gram") + `"]}]`
	}
	var properties []string
	for _, key := range b.Required {
		p, _ := vocabulary.PropertyOf(vocabulary.OwnerBuiltin, key)
		properties = append(properties, p.Example)
	}
	return "[" + name + ":Builtin" + typeRecord(properties) + "]"
}

package lsp

import (
	"context"
	"iter"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/workspace"
)

// This file finds what the documents of a project share with each other.

// A export is a tool or a type that a document defines for others.
type export struct {
	name    string
	isType  bool
	pattern *ast.Pattern
}

// exports returns the tools and types of d that other documents can use.
func (d *document) exports() []export {
	d.exporting.Do(func() {
		if len(d.text) > workspace.MaxSearchedSize {
			return
		}
		names := compile.ResolveNames(d.ast())
		for _, p := range names.Definitions() {
			d.exported = append(d.exported, export{p.Identity(), ast.IsNamedType(p), p})
		}
	})
	return d.exported
}

// exportsName reports whether other files can use a tool or a type of that name.
func (d *document) exportsName(name string) bool {
	return slices.ContainsFunc(d.exports(), func(o export) bool { return o.name == name })
}

// otherExports returns the other documents of the project of d in which names are
// searched, until the request is cancelled.
func (s *snapshot) otherExports(ctx context.Context, d *document) iter.Seq[*document] {
	return func(yield func(*document) bool) {
		if d.path == "" {
			return
		}
		root := s.units.Root(d.path)
		for _, other := range s.withShown(s.searched()) {
			if ctx.Err() != nil {
				return
			}
			if other != d && other.isFile() && workspace.Within(root, other.path) && !yield(other) {
				return
			}
		}
	}
}

// exportedElsewhere returns the path, as an import of d would write it, of a file of
// its project that defines a name. None is found before the files of the
// workspace have been listed.
func (s *snapshot) exportedElsewhere(d *document, name string) (path string, found bool) {
	if d.path == "" {
		return "", false
	}
	return s.units.Elsewhere(d.path, name)
}

package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/source"
)

// This file finds what a name stands for, and where else it stands.

// uses returns the places of a document that speak of tools, types and
// parameters.
func (s *snapshot) uses(d *document) []compile.Use {
	e := s.examine(d)
	e.using.Do(func() { e.uses = compile.Uses(d.ast(), e.options) })
	return e.uses
}

// definitionAt returns the tool, the named type, the agent, the library, the
// entry or the parameter whose name stands at a position, and the span of that
// name there; nil when there is none. What it returns may stand in a file that
// the document imports.
func (s *snapshot) definitionAt(d *document, p protocol.Position) (*ast.Pattern, source.Span) {
	offset := d.offset(p)
	for _, u := range s.uses(d) {
		if u.Span.Start <= offset && offset <= u.Span.End {
			return u.Definition, u.Span
		}
	}
	nodes := ast.PathTo(d.ast(), offset)
	for i := len(nodes) - 1; i >= 2; i-- {
		name, isName := nodes[i].(*ast.Name)
		subject, isSubject := nodes[i-1].(*ast.Subject)
		pattern, isPattern := nodes[i-2].(*ast.Pattern)
		if isName && isSubject && isPattern && subject.Identity == name && pattern.Form != ast.FormRef {
			return pattern, name.Span()
		}
	}
	return nil, source.Span{}
}

// A reference is a place of a document that speaks of a definition, or is it.
type reference struct {
	*document
	span        source.Span
	mention     bool // in backticks in an instruction
	declaration bool // the name of the definition itself
}

// references returns the places of the workspace that speak of a definition,
// its own name first.
func (s *snapshot) references(ctx context.Context, definition *ast.Pattern) ([]reference, error) {
	all, err := s.workspace(ctx)
	if err != nil {
		return nil, err
	}
	var list []reference
	for _, d := range all {
		if d.ast().Source == definition.Span().File {
			list = append(list, reference{document: d, span: nameOf(definition), declaration: true})
		}
	}
	for _, d := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, u := range s.uses(d) {
			if u.Definition == definition {
				list = append(list, reference{document: d, span: u.Span, mention: u.Mention})
			}
		}
	}
	return list, nil
}

// An implementation is an entry of a library.
type implementation struct {
	*document
	entry *ast.Pattern
}

// implementations returns the entries of the libraries of the workspace that
// have a name.
func (s *snapshot) implementations(ctx context.Context, name string) ([]implementation, error) {
	all, err := s.workspace(ctx)
	if err != nil {
		return nil, err
	}
	var list []implementation
	for _, d := range all {
		for _, p := range d.ast().Patterns {
			if !p.HasLabel(ast.LabelLibrary) {
				continue
			}
			for _, e := range p.Elements {
				if e.Form == ast.FormBracket && e.Identity() == name {
					list = append(list, implementation{d, e})
				}
			}
		}
	}
	return list, nil
}

// documentOf returns the document that a span stands in, nil when the snapshot
// does not have it.
func (s *snapshot) documentOf(span source.Span) *document {
	if span.IsZero() {
		return nil
	}
	if d := s.open[span.File.Name()]; d != nil {
		return d
	}
	d, _ := s.file(span.File.Name())
	return d
}

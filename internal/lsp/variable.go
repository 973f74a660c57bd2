package lsp

import (
	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/source"
)

// variables returns where the libraries of the document name environment
// variables.
func (d *document) variables() []source.Span {
	var names []source.Span
	for _, p := range d.ast().Patterns {
		if !library.IsLibrary(p) {
			continue
		}
		for n := range ast.Preorder(p) {
			if text, ok := n.(*ast.String); ok {
				names = append(names, variableNames(text.Span())...)
			}
		}
	}
	return names
}

// variableNames returns the names of the environment variables in a text of a
// library.
func variableNames(s source.Span) []source.Span {
	var names []source.Span
	parts, ranges, _ := template.Parse(s.Text(), false)
	for i, p := range parts {
		if p.Kind == template.Environment {
			end := s.Start + ranges[i].End - len("}")
			names = append(names, s.File.Span(end-len(p.Text), end))
		}
	}
	return names
}

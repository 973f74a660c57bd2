package lsp

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
)

// patternPropertyText returns the text that a property of a pattern is, "" when there is none.
func patternPropertyText(p *ast.Pattern, key string) string {
	property := p.Property(key)
	if property == nil {
		return ""
	}
	text, _ := ast.TextOf(property.Value)
	return text
}

// patternHasElement reports whether a pattern has an element of a name.
func patternHasElement(p *ast.Pattern, name string) bool {
	return slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return e.Identity() == name })
}

// patternAround returns the innermost pattern of some nodes, an empty one when
// there is none.
func patternAround(nodes []ast.Node) *ast.Pattern {
	for _, n := range slices.Backward(nodes) {
		if p, ok := n.(*ast.Pattern); ok {
			return p
		}
	}
	return &ast.Pattern{Subject: &ast.Subject{}}
}

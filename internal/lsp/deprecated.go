package lsp

import (
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
)

// This file marks deprecated names in the ways in which the protocol makes editors
// strike them through.

func isDeprecated(r *ast.Record) bool {
	_, yes := types.Deprecation(r)
	return yes
}

// deprecatedNames returns the names of the deprecated tools and types that a
// document knows.
func (s *snapshot) deprecatedNames(d *document) map[string]bool {
	names := map[string]bool{}
	note := func(p *ast.Pattern) {
		if isDeprecated(p.Subject.Record) {
			names[p.Identity()] = true
		}
	}
	for _, p := range d.ast().Patterns {
		note(p)
		if a, isAgent := ast.AsAgent(p); isAgent {
			for e := range a.Tools() {
				note(e)
			}
		}
	}
	for _, f := range s.basisOf(d).Imported {
		if other, err := s.file(f.Source.Name()); err == nil && other != nil {
			for _, o := range other.exports() {
				note(o.pattern)
			}
		}
	}
	return names
}

func symbolTags(p *ast.Pattern) []protocol.SymbolTag {
	return tagged(p, protocol.SymbolTagDeprecated)
}

func itemTags(p *ast.Pattern) []protocol.CompletionItemTag {
	return tagged(p, protocol.CompletionItemTagDeprecated)
}

// tagged returns a tag if a pattern is deprecated.
func tagged[T any](p *ast.Pattern, tag T) []T {
	if !isDeprecated(p.Subject.Record) {
		return nil
	}
	return []T{tag}
}

// deprecation adds that a pattern is deprecated, if it is.
func (p *page) deprecation(of *ast.Pattern) {
	reason, yes := types.Deprecation(of.Subject.Record)
	switch {
	case !yes:
	case reason == "":
		p.para("**Deprecated**")
	default:
		p.para("**Deprecated**: %s", plainText(cut(reason)))
	}
}

package lsp

import (
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
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
	for _, p := range compile.ResolveNames(d.ast(), s.refreshBasis(d).Imported...).Definitions() {
		if isDeprecated(p.Subject.Record) {
			names[p.Identity()] = true
		}
	}
	return names
}

func deprecatedSymbolTags(p *ast.Pattern) []protocol.SymbolTag {
	return deprecatedTag(p, protocol.SymbolTagDeprecated)
}

func deprecatedItemTags(p *ast.Pattern) []protocol.CompletionItemTag {
	return deprecatedTag(p, protocol.CompletionItemTagDeprecated)
}

// deprecatedTag returns a tag if a pattern is deprecated.
func deprecatedTag[T any](p *ast.Pattern, tag T) []T {
	if !isDeprecated(p.Subject.Record) {
		return nil
	}
	return []T{tag}
}

// deprecation adds that a pattern is deprecated, if it is.
func (p *markdownPage) deprecation(of *ast.Pattern) {
	reason, yes := types.Deprecation(of.Subject.Record)
	switch {
	case !yes:
	case reason == "":
		p.para("**Deprecated**")
	default:
		p.para("**Deprecated**: %s", plainMarkdown(cutMarkdown(reason)))
	}
}

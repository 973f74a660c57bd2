package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/report"
)

// documentSymbols handles textDocument/documentSymbol: as a tree, or as a list
// for clients without support for trees.
func documentSymbols(_ context.Context, s *snapshot, d *document, p *protocol.DocumentSymbolParams) (any, error) {
	tree := d.documentSymbolTree(d.ast().Patterns)
	if s.capabilities.TextDocument.DocumentSymbol.Hierarchical {
		return tree, nil
	}
	return d.flatDocumentSymbols([]protocol.SymbolInformation{}, tree, nil), nil
}

// flatDocumentSymbols adds symbols to a list, each before those that it holds.
func (d *document) flatDocumentSymbols(list []protocol.SymbolInformation, tree []protocol.DocumentSymbol, container *string) []protocol.SymbolInformation {
	for _, symbol := range tree {
		list = append(list, protocol.SymbolInformation{
			Name: symbol.Name, Kind: symbol.Kind, Tags: symbol.Tags, ContainerName: container,
			Location: protocol.Location{URI: d.uri, Range: symbol.Range},
		})
		list = d.flatDocumentSymbols(list, symbol.Children, &symbol.Name)
	}
	return list
}

// documentSymbolTree returns what patterns define, with what those hold.
func (d *document) documentSymbolTree(patterns []*ast.Pattern) []protocol.DocumentSymbol {
	list := []protocol.DocumentSymbol{}
	for _, p := range patterns {
		if p.Form != ast.FormBracket || p.Identity() == "" {
			continue
		}
		symbol := protocol.DocumentSymbol{
			Name: p.Identity(), Kind: documentSymbolKind(p),
			Range: d.rangeOf(p.Span()), SelectionRange: d.rangeOf(report.NameSpan(p)), Tags: deprecatedSymbolTags(p),
		}
		if labels := p.Subject.Labels; len(labels) > 0 {
			symbol.Detail = &labels[0].Name.Text
		}
		if _, isTool := ast.AsTool(p); !isTool && !ast.IsNamedType(p) {
			symbol.Children = d.documentSymbolTree(p.Elements)
		}
		list = append(list, symbol)
	}
	return list
}

func documentSymbolKind(p *ast.Pattern) protocol.SymbolKind {
	if _, isAgent := ast.AsAgent(p); isAgent {
		return protocol.SymbolKindClass
	}
	if _, isTool := ast.AsTool(p); isTool {
		return protocol.SymbolKindFunction
	}
	switch {
	case p.HasLabel(ast.LabelEnum):
		return protocol.SymbolKindEnum
	case ast.IsNamedType(p):
		return protocol.SymbolKindStruct
	case p.HasLabel(ast.LabelLibrary):
		return protocol.SymbolKindModule
	}
	return protocol.SymbolKindObject
}

package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// findReferences handles textDocument/references.
func findReferences(ctx context.Context, s *snapshot, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	f, defs, err := s.definitionsAt(ctx, p.TextDocumentPositionParams, true)
	if len(defs) == 0 {
		return nil, err
	}
	found := f.symbol(defs)
	all, err := f.symbolOccurrences(ctx, found)
	list := []protocol.Location{}
	for _, o := range all {
		if p.Context.IncludeDeclaration || o.definition == nil || !found.declares(o.definition) {
			list = append(list, protocol.Location{URI: o.uri, Range: o.indexedRange(o.spelling)})
		}
	}
	return list, err
}

package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// findReferences answers textDocument/references.
func findReferences(ctx context.Context, s *snapshot, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	pattern, _ := s.definitionAt(d, p.Position)
	if pattern == nil {
		return nil, nil
	}
	all, err := s.references(ctx, pattern)
	list := []protocol.Location{}
	for _, r := range all {
		if !r.declaration || p.Context.IncludeDeclaration {
			list = append(list, r.location(r.span))
		}
	}
	return list, err
}

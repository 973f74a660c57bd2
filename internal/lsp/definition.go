package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// definition answers textDocument/definition.
func definition(_ context.Context, s *snapshot, p *protocol.DefinitionParams) ([]protocol.Location, error) {
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	pattern, _ := s.definitionAt(d, p.Position)
	if pattern == nil {
		return nil, nil
	}
	if in := s.documentOf(pattern.Span()); in != nil {
		return []protocol.Location{in.location(nameOf(pattern))}, nil
	}
	return nil, nil
}

package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
)

// findImplementations answers textDocument/implementation: the entries of the
// libraries of the workspace that do the work of a tool.
func findImplementations(ctx context.Context, s *snapshot, p *protocol.ImplementationParams) ([]protocol.Location, error) {
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	pattern, _ := s.definitionAt(d, p.Position)
	if pattern == nil {
		return nil, nil
	}
	tool, ok := ast.AsTool(pattern)
	if !ok {
		return nil, nil
	}
	all, err := s.implementations(ctx, tool.Name())
	list := []protocol.Location{}
	for _, i := range all {
		list = append(list, i.location(nameOf(i.entry)))
	}
	return list, err
}

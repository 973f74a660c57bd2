package lsp

import (
	"context"
	"slices"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
)

// hover answers textDocument/hover.
func hover(_ context.Context, s *snapshot, p *protocol.HoverParams) (*protocol.Hover, error) {
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	for _, n := range slices.Backward(d.nodesAt(p.Position)) {
		pattern, ok := n.(*ast.Pattern)
		if !ok {
			continue
		}
		tool, ok := s.names(d).Tool(pattern)
		if !ok {
			continue
		}
		text := "**" + tool.Name() + "** " + tool.Description()
		if signature := tool.Signature(); signature != nil {
			text += "\n\n```gram\n" + ast.Print(signature) + "\n```"
		}
		at := d.rangeOf(nameOf(pattern))
		return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}, Range: &at}, nil
	}
	return nil, nil
}

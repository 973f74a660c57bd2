package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// textParams are the parameters of gram/text.
type textParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
}

// viewText answers gram/text, which is not part of the protocol: the text of a
// document as the server has it, null when it has none. A client can tell by it
// whether both have the same.
func viewText(_ context.Context, s *snapshot, p *textParams) (*string, error) {
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	return &d.text, nil
}

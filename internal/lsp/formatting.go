package lsp

import (
	"context"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/format"
)

// formatting answers textDocument/formatting.
func formatting(_ context.Context, s *snapshot, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	return d.replaced(format.File(d.ast(), nil)), nil
}

// replaced returns the edits that make text of the document: none, or one of
// the lines that differ.
func (d *document) replaced(text string) []protocol.TextEdit {
	if text == d.text {
		return []protocol.TextEdit{}
	}
	start := 0
	for n := min(len(text), len(d.text)); start < n && text[start] == d.text[start]; {
		start++
	}
	start = strings.LastIndexByte(d.text[:start], '\n') + 1
	end := 0
	for n := min(len(text), len(d.text)) - start; end < n && text[len(text)-1-end] == d.text[len(d.text)-1-end]; {
		end++
	}
	tail := d.text[len(d.text)-end:]
	if i := strings.IndexByte(tail, '\n'); i >= 0 {
		end -= i + 1
	} else {
		end = 0
	}
	return []protocol.TextEdit{{Range: d.span(start, len(d.text)-end), NewText: text[start : len(text)-end]}}
}

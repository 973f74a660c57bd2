package lsp

import (
	"context"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// documentLinks handles textDocument/documentLink: the files that a document
// imports. Addresses in texts are no links here: editors find those of pages
// themselves, and those of services are not to be opened by a click.
func documentLinks(_ context.Context, s *snapshot, d *document, p *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	list := []protocol.DocumentLink{}
	for _, u := range d.index().places {
		if u.purpose != imported {
			continue
		}
		other, err := s.file(u.name)
		if err != nil || other == nil {
			continue // the diagnostics report it
		}
		start, end := int(u.start), int(u.end)
		if strings.IndexByte("\"'`", d.text[start]) >= 0 && end-start > 2 { // without the quotes
			start, end = start+1, end-1
		}
		tooltip := s.shownPath(other)
		list = append(list, protocol.DocumentLink{Range: d.span(start, end), Target: &other.uri, Tooltip: &tooltip})
	}
	return list, nil
}

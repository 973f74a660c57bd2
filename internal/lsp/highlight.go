package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// highlight handles textDocument/documentHighlight.
func highlight(ctx context.Context, s *snapshot, d *document, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	f, err := s.finderAt(ctx, d)
	if err != nil {
		return nil, err
	}
	defs, at := f.at(d, p.Position)
	if at == nil {
		return nil, nil
	}
	var all []occurrence
	if len(defs) > 0 {
		all = f.symbolOccurrencesIn(d, f.symbol(defs))
	} else {
		all = d.highlightedReferences(at)
	}
	list := make([]protocol.DocumentHighlight, 0, len(all))
	for _, o := range all {
		kind := protocol.DocumentHighlightKindRead
		switch {
		case o.definition != nil:
			kind = protocol.DocumentHighlightKindWrite
		case o.purpose == mention:
			kind = protocol.DocumentHighlightKindText
		}
		list = append(list, protocol.DocumentHighlight{Range: d.indexedRange(o.spelling), Kind: &kind})
	}
	return list, nil
}

// highlightedReferences returns the references that have the same name and purpose as
// one without a definition: an unknown tool, an argument of an entry.
func (d *document) highlightedReferences(u *place) []occurrence {
	var list []occurrence
	for _, other := range d.index().named(u.name) {
		if other.purpose == u.purpose && (u.purpose != argument || other.in == u.in) {
			list = append(list, occurrence{document: d, place: other})
		}
	}
	return list
}

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
	all, err := f.occurrences(ctx, found)
	list := []protocol.Location{}
	for _, o := range all {
		if p.Context.IncludeDeclaration || o.definition == nil || !found.declares(o.definition) {
			list = append(list, protocol.Location{URI: o.uri, Range: o.rangeAt(o.spelling)})
		}
	}
	return list, err
}

// declares reports whether a definition of the symbol declares it. An entry of
// a library does only if no agent of the workspace has the tool.
func (s *symbol) declares(def *definition) bool {
	if topmost(def).kind != entryKind {
		return true
	}
	for other := range s.definitions {
		if topmost(other).kind != entryKind {
			return false
		}
	}
	return true
}

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
		all = f.occurrencesIn(d, f.symbol(defs))
	} else {
		all = d.sameReferences(at)
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
		list = append(list, protocol.DocumentHighlight{Range: d.rangeAt(o.spelling), Kind: &kind})
	}
	return list, nil
}

// sameReferences returns the references that have the same name and purpose as
// one without a definition: an unknown tool, an argument of an entry.
func (d *document) sameReferences(u *place) []occurrence {
	var list []occurrence
	for _, other := range d.index().named(u.name) {
		if other.purpose == u.purpose && (u.purpose != argument || other.in == u.in) {
			list = append(list, occurrence{document: d, place: other})
		}
	}
	return list
}

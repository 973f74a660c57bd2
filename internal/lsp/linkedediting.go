package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// maxLinked is how many ranges change together while one is edited.
const maxLinked = 200

// linkedEditing handles textDocument/linkedEditingRange: the ranges of a name
// that change while one of them is edited. It needs a name that the document
// defines and that no other document of the workspace has; other names need a
// rename.
func linkedEditing(ctx context.Context, s *snapshot, d *document, p *protocol.LinkedEditingRangeParams) (*protocol.LinkedEditingRanges, error) {
	f, err := s.finder(ctx)
	if err != nil {
		return nil, err
	}
	defs, at := f.at(d, p.Position)
	if len(defs) != 1 || wordLength(at.name) != len(at.name) {
		return nil, nil
	}
	places, err := f.symbolOccurrences(ctx, f.symbol(defs))
	if err != nil || len(places) < 2 || len(places) > maxLinked {
		return nil, err
	}
	pattern := "[A-Za-z_][A-Za-z0-9_]*"
	linked := &protocol.LinkedEditingRanges{WordPattern: &pattern}
	for _, o := range places {
		if o.document != d || !o.certain || d.text[o.start:o.end] != at.name {
			return nil, nil
		}
		linked.Ranges = append(linked.Ranges, d.indexedRange(o.spelling))
	}
	if elsewhere, err := s.wordOccursElsewhere(ctx, d, at.name, countWord(d.text, at.name)); err != nil || elsewhere {
		return nil, err
	}
	return linked, nil
}

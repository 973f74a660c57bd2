package lsp

import (
	"context"
	"slices"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// maxLinked is how many ranges change together while one is edited.
const maxLinked = 200

// linkedEditing handles textDocument/linkedEditingRange: the ranges of a name
// that change while one of them is edited. It needs a name that the document
// defines and that no other document of the workspace has; other names need a
// rename.
func linkedEditing(ctx context.Context, s *snapshot, d *document, p *protocol.LinkedEditingRangeParams) (*protocol.LinkedEditingRanges, error) {
	offset := d.offset(p.Position)
	tokens := d.tokens(nil)
	i := slices.IndexFunc(tokens, func(t semanticToken) bool { return t.start <= offset && offset <= t.end && isName(t.kind) })
	if i < 0 {
		return nil, nil
	}
	name, around := d.text[tokens[i].start:tokens[i].end], d.scope(tokens[i])
	if scanWord(name) != len(name) {
		return nil, nil
	}
	linked := &protocol.LinkedEditingRanges{}
	defined := 0
	for _, t := range tokens {
		if sameKind(t.kind, tokens[i].kind) && d.text[t.start:t.end] == name && around.Start <= t.start && t.end <= around.End {
			linked.Ranges = append(linked.Ranges, d.span(t.start, t.end))
			if t.modifiers&modifierDefinition != 0 {
				defined++
			}
		}
	}
	if len(linked.Ranges) < 2 || len(linked.Ranges) > maxLinked || defined != 1 {
		return nil, nil
	}
	elsewhere, err := s.occursElsewhere(ctx, d, name, countWord(d.text, name))
	if err != nil || elsewhere {
		return nil, err
	}
	pattern := "[A-Za-z_][A-Za-z0-9_]*"
	linked.WordPattern = &pattern
	return linked, nil
}

// isName reports whether tokens of a kind are names that occur in several
// places.
func isName(k tokenKind) bool {
	return k == tokenTool || k == tokenType || k == tokenEnum || k == tokenParameter
}

func sameKind(a, b tokenKind) bool {
	return a == b || a == tokenType && b == tokenEnum || a == tokenEnum && b == tokenType
}

// scope returns where a name means the same: the entry of a parameter, and else
// the document.
func (d *document) scope(t semanticToken) source.Span {
	scope := d.source().Span(0, len(d.text))
	if t.kind != tokenParameter {
		return scope
	}
	for _, n := range ast.PathTo(d.ast(), t.start) {
		if p, ok := n.(*ast.Pattern); ok && p.Form == ast.FormBracket {
			scope = p.Span()
		}
	}
	return scope
}

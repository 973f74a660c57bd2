package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// selectionRanges handles textDocument/selectionRange: for each position the
// ranges around it, from the word to the file.
func selectionRanges(ctx context.Context, s *snapshot, d *document, p *protocol.SelectionRangeParams) ([]*protocol.SelectionRange, error) {
	list := make([]*protocol.SelectionRange, len(p.Positions))
	for i, at := range p.Positions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, around := range d.selectionRangesAround(d.offset(at)) {
			list[i] = &protocol.SelectionRange{Range: d.rangeOf(around), Parent: list[i]}
		}
	}
	return list, nil
}

// selectionRangesAround returns the spans around an offset, the outermost first, each larger
// than the next.
func (d *document) selectionRangesAround(offset int) []source.Span {
	file := d.ast()
	whole := file.Source.Span(0, len(d.text))
	spans := []source.Span{whole}
	add := func(s source.Span) {
		last := spans[len(spans)-1]
		if s.Start >= last.Start && s.End <= last.End && s != last && s.Start <= offset && offset <= s.End && s.Start < s.End {
			spans = append(spans, s)
		}
	}
	nodes := ast.PathTo(file, offset)
	for _, n := range nodes {
		add(n.Span())
		switch n := n.(type) {
		case *ast.Pattern:
			add(rangeOfElements(n))
		case *ast.Record, *ast.Array:
			add(rangeWithoutQuotes(n.Span()))
		case *ast.String, *ast.Tagged:
			if content, _, ok := embeddedContent(n); ok {
				add(content)
			} else if text, isString := n.(*ast.String); isString && text.Raw != "" {
				add(rangeWithoutQuotes(n.Span()))
			}
		case *ast.Name:
			if n.Kind != ast.NameSymbol && n.Kind != ast.NameInteger {
				add(rangeWithoutQuotes(n.Span()))
			}
		}
	}
	if c := d.commentAt(offset); c != nil {
		add(c.Span)
	}
	add(d.wordAt(offset))
	return spans
}

// rangeWithoutQuotes returns a span without its first and its last byte.
func rangeWithoutQuotes(s source.Span) source.Span {
	if s.End-s.Start < 2 {
		return s
	}
	return s.File.Span(s.Start+1, s.End-1)
}

// rangeOfElements returns the span of the elements of a bracket.
func rangeOfElements(p *ast.Pattern) source.Span {
	if p.Form != ast.FormBracket || len(p.Elements) == 0 {
		return source.Span{}
	}
	return p.Elements[0].Span().To(p.Elements[len(p.Elements)-1].Span())
}

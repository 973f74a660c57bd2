package lsp

import (
	"context"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

// foldingRanges handles textDocument/foldingRange. Of several that start on one
// line the outermost comes first, which is the one that editors keep.
func foldingRanges(ctx context.Context, s *snapshot, d *document, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	f := &folding{document: d, list: []protocol.FoldingRange{}}
	for n := range ast.Preorder(d.ast()) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.node(n)
	}
	f.comments()
	if limit := s.capabilities.TextDocument.FoldingRange.RangeLimit; limit > 0 && len(f.list) > limit {
		f.list = f.list[:limit]
	}
	return f.list, nil
}

// A folding collects what can be folded.
type folding struct {
	*document
	list []protocol.FoldingRange
}

func (f *folding) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Pattern:
		if n.Form == ast.FormRef || n.Form == ast.FormBad {
			return
		}
		if f.lineOf(n.Span().Start) == f.lineOf(n.Span().End) {
			return
		}
		f.brackets(n.Span(), "")
		if bar := f.barOf(n); bar >= 0 && f.lineOf(bar) > f.lineOf(n.Span().Start) {
			f.brackets(source.Span{File: n.Span().File, Start: bar, End: n.Span().End}, "")
		}
	case *ast.Record:
		kind := protocol.FoldingRangeKind("")
		if n == f.ast().Header {
			kind = protocol.FoldingRangeKindImports
		}
		f.brackets(n.Span(), kind)
	case *ast.Array, *ast.String, *ast.Tagged:
		f.brackets(n.Span(), "")
	}
}

// barOf returns the offset of the bar between head and elements of a bracket,
// -1 if there is none.
func (f *folding) barOf(p *ast.Pattern) int {
	if p.Form != ast.FormBracket || len(p.Elements) == 0 {
		return -1
	}
	scan := grammar.NewScanner(f.text)
	scan.Seek(p.Subject.Span().End)
	next := scan.Next()
	for next.Kind == grammar.CommentToken {
		next = scan.Next()
	}
	if p.Subject.Span().IsZero() || f.text[next.Start:next.End] != "|" {
		return -1
	}
	return next.Start
}

// brackets adds a span. The line of the closing bracket stays when there is
// nothing before it.
func (f *folding) brackets(s source.Span, kind protocol.FoldingRangeKind) {
	if s.End <= s.Start {
		return
	}
	start, end := f.lineOf(s.Start), f.lineOf(s.End)
	if start == end {
		return
	}
	last := strings.TrimSpace(f.text[f.lines[end]:s.End])
	if last == "]" || last == "}" || last == ")" || last == "```" {
		end--
	}
	f.add(start, end, kind)
}

func (f *folding) add(start, end int, kind protocol.FoldingRangeKind) {
	if start >= end {
		return
	}
	if n := len(f.list); n > 0 && int(f.list[n-1].StartLine) == start && int(f.list[n-1].EndLine) == end {
		return
	}
	r := protocol.FoldingRange{StartLine: uint32(start), EndLine: uint32(end)}
	if kind != "" {
		name := string(kind)
		r.Kind = &name
	}
	f.list = append(f.list, r)
}

// comments adds each run of lines that hold only a comment.
func (f *folding) comments() {
	all := slices.Collect(f.document.comments())
	slices.SortFunc(all, func(a, b *ast.Comment) int { return a.Span.Start - b.Span.Start })
	first, last := -1, -2
	for _, c := range all {
		if c.Suffix {
			continue
		}
		line := f.lineOf(c.Span.Start)
		if line != last+1 {
			f.add(first, last, protocol.FoldingRangeKindComment)
			first = line
		}
		last = line
	}
	f.add(first, last, protocol.FoldingRangeKindComment)
}

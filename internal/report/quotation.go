package report

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// A Quotation finds places inside the content of a node that is a name or a
// text, where quotes and escapes stand around and in it.
type Quotation struct {
	span source.Span
	raw  []int // where each byte of the content starts; nil without escapes
	open int   // where the content starts
}

// NewQuotation returns the quotation of a node whose content is known.
func NewQuotation(n ast.Node, content string) *Quotation {
	q := &Quotation{span: n.Span()}
	raw := q.span.Text()
	if i := strings.IndexAny(raw, "\"'`"); i >= 0 {
		q.open = i + 1
		if strings.HasPrefix(raw[i:], "```") {
			q.open = strings.IndexByte(raw, '\n') + 1
		}
	}
	if !strings.HasPrefix(raw[q.open:], content) {
		q.escapes(raw, len(content))
	}
	return q
}

// escapes finds where each of the n bytes of the content starts, and where the
// last ends.
func (q *Quotation) escapes(raw string, n int) {
	q.raw = make([]int, 0, n+1)
	at := q.open
	for range n {
		q.raw = append(q.raw, at)
		if at < len(raw) && raw[at] == '\\' {
			at++
		}
		at = min(at+1, len(raw))
	}
	q.raw = append(q.raw, at)
}

// At returns the place of the bytes start to end of the content.
func (q *Quotation) At(start, end int) source.Span {
	switch {
	case q.span.IsZero():
		return q.span
	case q.raw == nil:
		start, end = q.open+start, q.open+end
	default:
		start, end = q.raw[start], q.raw[end]
	}
	return source.Span{File: q.span.File, Start: q.span.Start + start, End: q.span.Start + end}
}

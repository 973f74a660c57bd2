package lsp

import (
	"context"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/source"
)

// formatting handles textDocument/formatting.
func formatting(_ context.Context, s *snapshot, d *document, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	return d.formatted(), nil
}

// maxEdits is how many edits formatting returns; more become one.
const maxEdits = 10_000

// formatted returns the edits that lay the document out. Each changes little
// whitespace, so that cursors, folds and marks stay where they are.
func (d *document) formatted() []protocol.TextEdit {
	return d.formattingEdits(formattingChanges(d.text, format.File(d.ast(), nil)))
}

// rangeFormatting handles textDocument/rangeFormatting: it makes those changes
// of formatting that lie on the lines of the range.
func rangeFormatting(_ context.Context, s *snapshot, d *document, p *protocol.DocumentRangeFormattingParams) ([]protocol.TextEdit, error) {
	start, end := d.offsets(p.Range)
	if start < end && int(d.lines[d.lineOf(end)]) == end { // nothing of that line
		end--
	}
	return d.formattingBetween(int(d.lines[d.lineOf(start)]), d.lineEnd(d.lineOf(end))), nil
}

// formattingBetween returns the changes of formatting between two offsets.
func (d *document) formattingBetween(start, end int) []protocol.TextEdit {
	return d.formattingEdits(d.formattingChangesIn(start, end))
}

func (d *document) formattingEdits(list []byteChange) []protocol.TextEdit {
	if len(list) > maxEdits {
		first, last := list[0].start, list[len(list)-1].end
		list = []byteChange{{first, last, applyByteChanges(d.text[:last], list)[first:]}}
	}
	edits := make([]protocol.TextEdit, 0, len(list)) // never null
	for _, r := range list {
		edits = append(edits, protocol.TextEdit{Range: d.span(r.start, r.end), NewText: r.text})
	}
	return edits
}

// formattingChangesIn returns the changes of formatting between two offsets that
// nothing else depends on: where something did not parse, the layout around it
// shows what was meant.
func (d *document) formattingChangesIn(start, end int) []byteChange {
	whole := d.formattableItems()
	var list []byteChange
	for _, r := range formattingChanges(d.text, format.File(d.ast(), nil)) {
		for len(whole) > 0 && whole[0].End <= r.start {
			whole = whole[1:]
		}
		if start <= r.start && r.end <= end && len(whole) > 0 && whole[0].Start < r.start && r.end < whole[0].End {
			list = append(list, r)
		}
	}
	return list
}

// formattableItems returns the header and the patterns at the top that parsed; all of
// the document if all did.
func (d *document) formattableItems() []source.Span {
	file, problems := d.file()
	if len(problems) == 0 {
		return []source.Span{{Start: -1, End: len(d.text) + 1}}
	}
	var items []source.Span
	if file.Header != nil {
		items = append(items, file.Header.Span())
	}
	for _, p := range file.Patterns {
		items = append(items, p.Span())
	}
	return slices.DeleteFunc(items, func(item source.Span) bool {
		for len(problems) > 0 && problems[0].Span.End < item.Start {
			problems = problems[1:]
		}
		return len(problems) > 0 && problems[0].Span.Start <= item.End
	})
}

// onTypeFormatting handles textDocument/onTypeFormatting. A closing bracket lays
// out what it closes; a line end indents the next line.
func onTypeFormatting(_ context.Context, s *snapshot, d *document, p *protocol.DocumentOnTypeFormattingParams) ([]protocol.TextEdit, error) {
	offset := d.offset(p.Position)
	if p.Ch == "\n" {
		return d.formattedIndent(offset), nil
	}
	for _, n := range slices.Backward(ast.PathTo(d.ast(), offset)) {
		switch n.(type) {
		case *ast.Pattern, *ast.Record, *ast.Array:
			if at := n.Span(); at.End == offset && strings.HasSuffix(d.text[:offset], p.Ch) {
				return d.formattingBetween(at.Start, at.End-1), nil
			}
		}
	}
	return []protocol.TextEdit{}, nil
}

// formattedIndent returns the edit that indents the line of an offset by what is open
// before it.
func (d *document) formattedIndent(offset int) []protocol.TextEdit {
	start := int(d.lines[d.lineOf(offset)])
	end := start
	for end < len(d.text) && (d.text[end] == ' ' || d.text[end] == '\t') {
		end++
	}
	if offset > end || d.contextAt(start).isInText() || d.contextAt(end).isInText() {
		return []protocol.TextEdit{}
	}
	want := d.indentAt(start, d.text[end:])
	if d.text[start:end] == want {
		return []protocol.TextEdit{}
	}
	return []protocol.TextEdit{{Range: d.span(start, end), NewText: want}}
}

// indentWidth is the number of spaces for each level.
const indentWidth = 2

// This file finds the single changes that formatting makes, so that a part of a
// document can be formatted alone. They change whitespace, and the order of what
// is around comments.

// formattingChanges returns the changes that make a text of another, in the order
// of the text: of each run of whitespace, and of what changed places around a
// comment, which is bytes that both have taken in whatever order.
func formattingChanges(text, laid string) []byteChange {
	var list []byteChange
	var ahead [256]int // how many of each byte the one has taken and the other has not
	open := 0          // bytes that are not even
	note := func(b byte, n int) {
		if ahead[b] == 0 {
			open++
		}
		if ahead[b] += n; ahead[b] == 0 {
			open--
		}
	}
	i, j, from, to := 0, 0, 0, 0 // what is read; where what has not been even since starts
	for {
		nextI, nextJ := skipWhitespace(text, i), skipWhitespace(laid, j)
		ends := nextI == len(text) || nextJ == len(laid)
		if open == 0 && (text[from:i] == laid[to:j] || nextI > i && nextJ > j || ends) {
			if text[from:i] != laid[to:j] {
				list = append(list, byteChange{from, i, laid[to:j]})
			}
			list = appendFormattingChange(list, i, text[i:nextI], laid[j:nextJ])
			from, to = nextI, nextJ
		}
		if i, j = nextI, nextJ; ends {
			break
		}
		note(text[i], 1)
		note(laid[j], -1)
		i, j = i+1, j+1
	}
	if text[from:] != laid[to:] {
		list = append(list, byteChange{from, len(text), laid[to:]})
	}
	return list
}

// appendFormattingChange adds the change of a run of whitespace: of as many lines each
// by itself.
func appendFormattingChange(list []byteChange, start int, before, after string) []byteChange {
	lineEnd := "\n"
	if strings.Contains(before, "\r\n") {
		lineEnd = "\r\n"
	}
	old, laid := strings.Split(before, lineEnd), strings.Split(after, lineEnd)
	if len(old) != len(laid) || strings.ContainsAny(strings.Join(append(old, laid...), ""), "\r\n") {
		old, laid = []string{before}, []string{after}
	}
	for i, line := range old {
		if line != laid[i] {
			list = append(list, byteChange{start, start + len(line), laid[i]})
		}
		start += len(line) + len(lineEnd)
	}
	return list
}

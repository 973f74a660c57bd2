package diag

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/source"
)

// snippetWidth is the number of runes of a source line that is shown.
const snippetWidth = 100

// snippet writes the line of a span, or its first and last line.
func (p *diagnosticPrinter) snippet(s source.Span, hue string) {
	if s.IsZero() {
		return
	}
	text := strings.TrimRight(s.Text(), " \t\r\n")
	first, last := s, s
	n := strings.IndexByte(text, '\n')
	if n < 0 {
		p.snippetLine(s, hue)
		return
	}
	first.End = s.Start + len(strings.TrimRight(text[:n], " \t\r"))
	p.snippetLine(first, hue)
	tail := strings.TrimLeft(text[strings.LastIndexByte(text, '\n')+1:], " \t")
	last.End = s.Start + len(text)
	last.Start = last.End - len(tail)
	if strings.Count(text[n+1:], "\n") > 0 {
		p.out.WriteString("  ... |\n")
	}
	p.snippetLine(last, hue)
}

// snippetLine writes the line in which a span starts, with carets below. A long line
// is cut around the span.
func (p *diagnosticPrinter) snippetLine(s source.Span, hue string) {
	line := s.File.LineText(s.Pos().Line)
	before, rest := splitSnippet(line, s.File.LineStart(s.Start), s.Start)
	firstLine, _, _ := strings.Cut(s.Text(), "\n")
	marked := []rune(excerpt.Runes(strings.TrimSuffix(firstLine, "\r"), snippetWidth))
	rest = cutSnippet(rest, snippetWidth-len(before))
	marked = marked[:min(len(marked), len(rest))]
	gutter := fmt.Sprintf("%5d", s.Pos().Line)
	pad := utf8.RuneCountInString(snippetCells(before))
	fmt.Fprintf(&p.out, "%s | %s%s\n%*s | %*s", gutter, snippetCells(before), snippetCells(rest), len(gutter), "", pad, "")
	p.paint(hue, strings.Repeat("^", max(1, utf8.RuneCountInString(snippetCells(marked)))))
	p.out.WriteByte('\n')
}

// maxChange and maxChangeLines are the bytes and lines of the largest change
// that is shown.
const (
	maxChange      = 400
	maxChangeLines = 4
)

// snippetChange writes the lines of a fix as they would be, unless its title contains
// the new text or the change is too large.
func (p *diagnosticPrinter) snippetChange(f Fix) {
	if len(f.Edits) == 0 || f.Edits[0].Span.IsZero() || len(f.Edits) == 1 && f.inSnippetTitle() {
		return
	}
	file := f.Edits[0].Span.File
	f, ok := f.sortedToApply(file.Text())
	if !ok {
		return
	}
	start, end := f.Edits[0].Span.Start, f.Edits[len(f.Edits)-1].Span.End
	if end-start > maxChange {
		return
	}
	var b strings.Builder
	for i, e := range f.Edits {
		if i > 0 {
			b.WriteString(file.Text()[f.Edits[i-1].Span.End:e.Span.Start])
		}
		b.WriteString(e.NewText)
	}
	if b.Len() > maxChange || strings.Count(b.String(), "\n") >= maxChangeLines {
		return
	}
	number := file.Position(start).Line
	before, _ := splitSnippet(file.LineText(number), file.LineStart(start), start)
	_, after := splitSnippet(file.LineText(file.Position(end).Line), file.LineStart(end), end)
	after = cutSnippet(after, max(snippetWidth/4, snippetWidth-len(before)-utf8.RuneCountInString(b.String())))
	changed := string(before) + b.String() + string(after)
	for i, line := range strings.Split(changed, "\n") {
		fmt.Fprintf(&p.out, "%5d ", number+i)
		p.paint(green, "+")
		fmt.Fprintf(&p.out, " %s\n", snippetCells([]rune(strings.TrimSuffix(line, "\r"))))
	}
}

// inSnippetTitle reports whether the title of a fix contains its new text, except for
// the punctuation around it.
func (f Fix) inSnippetTitle() bool {
	text := strings.Trim(f.Edits[0].NewText, " ,:|{}[]()")
	return text != "" && strings.Contains(f.Title, text)
}

// splitSnippet returns the text before and after an offset in its line: the part of
// the first that is shown, and the longest part of the second that could be.
func splitSnippet(line string, lineStart, offset int) (before, rest []rune) {
	const perRune = 4 // bytes, at most
	at := min(offset-lineStart, len(line))
	before = []rune(line[max(0, at-perRune*snippetWidth):at])
	before = before[max(0, len(before)-snippetWidth):]
	if len(before) > snippetWidth*3/4 {
		before = before[len(before)-snippetWidth/2:]
		before[0] = '…'
	}
	return before, []rune(excerpt.Runes(line[at:], snippetWidth+1))
}

// cutSnippet shortens runes to room.
func cutSnippet(runes []rune, room int) []rune {
	if len(runes) > room {
		runes = runes[:room]
		runes[room-1] = '…'
	}
	return runes
}

// snippetCells returns runes so that each takes one terminal cell if possible.
func snippetCells(line []rune) string {
	return Escape(strings.ReplaceAll(string(line), "\t", " "))
}

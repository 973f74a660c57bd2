package report

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// RemovePattern returns the edit that takes a pattern at the top of a file away,
// with its comments and its lines.
func RemovePattern(p *ast.Pattern) diag.Edit {
	s := p.Span()
	text, start, end := s.File.Text(), s.Start, s.End
	if comments := p.Comments(); comments != nil {
		for _, c := range slices.Concat(comments.Before, comments.Suffix) {
			start, end = min(start, c.Span.Start), max(end, c.Span.End)
		}
	}
	if line := strings.LastIndexByte(text[:start], '\n') + 1; strings.TrimSpace(text[line:start]) == "" {
		start = line
	}
	rest := strings.TrimLeft(text[end:], " \t\r\n")
	if rest == "" { // it is the last
		before := strings.TrimRight(text[:start], " \t\r\n")
		lineBreak := ""
		switch {
		case before == "" || before == "\ufeff":
		case strings.Contains(text, "\r\n"):
			lineBreak = "\r\n"
		default:
			lineBreak = "\n"
		}
		return diag.Edit{Span: s.File.Span(len(before), len(text)), NewText: lineBreak}
	}
	end += strings.LastIndexByte(text[end:len(text)-len(rest)], '\n') + 1
	return diag.Edit{Span: s.File.Span(start, end)}
}

// RemoveElement returns the span of an element of a list with more elements, and
// of a comma beside it.
func RemoveElement[N ast.Node](list []N, i int) source.Span {
	s := list[i].Span()
	if i+1 < len(list) {
		s.End = list[i+1].Span().Start
	} else {
		s.Start = list[i-1].Span().End
	}
	return s
}

// RemoveRepeated adds the fix that removes an element of a list which repeats an earlier
// one. There is none where a comment would go too.
func RemoveRepeated[N ast.Node](d *diag.Diagnostic, list []N, i int) {
	if s := RemoveElement(list, i); !s.IsZero() && s.Start < s.End && !strings.Contains(s.Text(), "//") {
		d.Fix("remove the second one", s, "").MarkSafe()
	}
}

package report

import (
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// NameSpan returns the place of the name of a pattern, or what comes closest
// to one.
func NameSpan(p *ast.Pattern) source.Span {
	switch {
	case p.Subject.Identity != nil:
		return p.Subject.Identity.Span()
	case len(p.Subject.Labels) > 0:
		return p.Subject.Labels[0].Span()
	}
	return p.Span()
}

// EndOf returns the place where a property is missing: the closing brace of
// the record, or the end of a subject without one.
func EndOf(s *ast.Subject) source.Span {
	if s.Record == nil {
		return s.Span().Tail()
	}
	return LastByte(s.Record.Span(), "}")
}

// LastByte returns the place of the bracket that closes a span; of the whole
// when it was forgotten.
func LastByte(s source.Span, closing string) source.Span {
	if strings.HasSuffix(s.Text(), closing) {
		s.Start = s.End - 1
	}
	return s
}

// RuneEnd returns the end of the rune of text that starts at i.
func RuneEnd(text string, i int) int {
	_, size := utf8.DecodeRuneInString(text[i:])
	return i + size
}

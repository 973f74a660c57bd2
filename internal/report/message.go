package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/source"
)

// MaxQuoted is how many runes of the author's text a message repeats.
const MaxQuoted = 60

// Quote returns text in quotes, cut where it is long.
func Quote(text string) string {
	if len(text) <= MaxQuoted && IsPlain(text) { // nearly always
		return `"` + text + `"`
	}
	return strconv.Quote(Clip(text))
}

// Named returns what a message calls the thing of a kind ("the tool") that has a name.
func Named(kind, name string) string {
	if len(name) <= MaxQuoted && IsPlain(name) {
		return kind + ` "` + name + `"`
	}
	return kind + " " + Quote(name)
}

// IsPlain reports whether a text is made of letters, digits and _ of ASCII alone.
func IsPlain(text string) bool {
	for _, b := range []byte(text) {
		if !('a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_') {
			return false
		}
	}
	return true
}

// Clip returns text, cut where it is long.
func Clip(text string) string { return excerpt.Short(text, MaxQuoted) }

// Blank reports whether text says nothing.
func Blank(text string) bool { return strings.TrimSpace(text) == "" }

// KindOf names the kind of a value for a message.
func KindOf(v ast.Value) string {
	switch v := v.(type) {
	case *ast.String:
		return "text"
	case *ast.Tagged:
		return "tagged text"
	case *ast.Number:
		switch v.Kind {
		case ast.Decimal:
			return "a decimal number"
		case ast.Measurement:
			return "a measurement"
		}
		return "an integer"
	case *ast.Bool:
		return "a boolean"
	case *ast.Symbol:
		return "the word " + Clip(v.Text)
	case *ast.Range:
		return "a range"
	case *ast.Array:
		return "an array"
	}
	return "a map"
}

// NotText reports that the value of key is not the text that it must be.
func (c *Reporter) NotText(p *ast.Property, code diag.Code, what string) {
	d := c.Diags.Errorf(p.Value.Span(), code, "the %s of %s is %s; it must be text", p.Key.Text, what, KindOf(p.Value))
	if word, ok := p.Value.(*ast.Symbol); ok && unicode.IsUpper(rune(word.Text[0])) {
		Fix(d, "put it in quotes", word.Span(), strconv.Quote(word.Text)) // it may be a type
	} else if ok {
		SafeFix(d, "put it in quotes", word.Span(), strconv.Quote(word.Text))
	}
}

// Relate adds a place where there is one.
func Relate(d *diag.Diagnostic, s source.Span, message string) {
	if !s.IsZero() {
		d.Relate(s, "%s", message)
	}
}

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

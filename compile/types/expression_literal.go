package types

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/internal/lint"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/report"
)

// literalType reads a type of one value: "circle", 42, true, null.
func (e *expression) literalType() *Type {
	start := e.pos
	v := e.readLiteral()
	if v == nil {
		return nil
	}
	span := e.At(start, e.pos)
	t := &Type{Span: span}
	var text json.RawMessage
	switch v := v.(type) {
	case *ast.String:
		t.Kind, text = KindString, schemaString(nil, v.Text)
	case *ast.Bool:
		t.Kind, text = KindBoolean, json.RawMessage(e.text[start:e.pos])
	case *ast.Number:
		t.Kind, text = KindInteger, json.RawMessage(v.Raw)
		if v.Kind == ast.Decimal && !jsonschema.DecimalOf(v.Raw).IsInteger() {
			t.Kind = KindNumber
		}
	case *ast.Symbol:
		t.Kind = KindNull // the only word that gets here
		return t
	default:
		e.fail(start, e.pos, diag.CodeSyntax, "%s is not a type; a type of one value is a text, a number, true, false or null", report.KindOf(v))
		return nil
	}
	t.Keywords = []Keyword{{"const", text, span}}
	return t
}

// literalValue reads a value: a text, a number, a range, a word, an array, an object.
// The nodes stand where their text does.
func (e *expression) literalValue() ast.Value {
	e.enter("a value")
	defer e.leave()
	first := e.peek()
	start := e.pos
	switch {
	case e.failed:
		return nil
	case first == '"' || first == '\'':
		text := e.literalString()
		return &ast.String{Base: ast.At(e.At(start, e.pos)), Text: text}
	case first == '-' || first == '.' || '0' <= first && first <= '9':
		return e.literalNumberOrRange()
	case first == '[':
		return e.literalArray()
	case first == '{':
		return e.literalRecord()
	case isFieldNameStart(first):
		word := e.name()
		base := ast.At(e.At(start, e.pos))
		if word == "true" || word == "false" {
			return &ast.Bool{Base: base, Value: word == "true"}
		}
		return &ast.Symbol{Base: base, Text: word}
	}
	e.unexpected("a value")
	return nil
}

func (e *expression) literalArray() ast.Value {
	start := e.pos
	e.pos++
	a := &ast.Array{}
	e.list(']', func() { a.Elements = append(a.Elements, e.literalValue()) })
	a.Base = ast.At(e.At(start, e.pos))
	return a
}

func (e *expression) literalRecord() ast.Value {
	start := e.pos
	e.pos++
	r := &ast.Record{}
	e.list('}', func() {
		next, at := e.peek(), e.pos
		p := &ast.Property{Separator: ":"}
		switch {
		case next == '"' || next == '\'':
			p.Key = ast.NewName(e.literalString())
		case isFieldNameStart(next):
			p.Key = ast.NewName(e.name())
		default:
			e.unexpected("a key")
			return
		}
		p.Key.Base = ast.At(e.At(at, e.pos))
		e.expect(':')
		p.Value = e.literalValue()
		p.Base = ast.At(e.At(at, e.pos))
		r.Properties = append(r.Properties, p)
	})
	r.Base = ast.At(e.At(start, e.pos))
	if !e.failed {
		lint.DuplicateKeys(e.c.Reporter, r)
	}
	return r
}

// literalNumberOrRange reads 1, -1.5e3, 1..5, 1... or ...5 .
func (e *expression) literalNumberOrRange() ast.Value {
	start := e.pos
	var lower, upper *ast.Number
	if e.text[e.pos] != '.' {
		if lower = e.literalNumber(); lower == nil {
			return nil
		}
	}
	switch rest := e.text[e.pos:]; {
	case strings.HasPrefix(rest, "...") && lower != nil:
		e.pos += len("...")
	case strings.HasPrefix(rest, "..."):
		e.pos += len("...")
		upper = e.literalNumber()
	case strings.HasPrefix(rest, "..") && lower != nil:
		e.pos += len("..")
		upper = e.literalNumber()
	case lower == nil:
		e.unexpected("a value")
		return nil
	default:
		return lower
	}
	return &ast.Range{Base: ast.At(e.At(start, e.pos)), Lower: lower, Upper: upper}
}

// maxExponent is how many digits an exponent may have: what a run accepts.
const maxExponent = 3

// literalNumber reads a number as RawJSON has it.
func (e *expression) literalNumber() *ast.Number {
	start := e.pos
	for e.pos < len(e.text) && strings.IndexByte("+-0123456789.eE", e.text[e.pos]) >= 0 && !strings.HasPrefix(e.text[e.pos:], "..") {
		e.pos++
	}
	raw := e.text[start:e.pos]
	if !json.Valid([]byte(raw)) {
		e.fail(start, e.pos, diag.CodeSyntax, "%s is not a number", report.Quote(raw))
		return nil
	}
	if i := strings.IndexAny(raw, "eE"); i >= 0 && len(strings.TrimLeft(raw[i+1:], "+-0")) > maxExponent {
		e.fail(start, e.pos, diag.CodeSyntax, "the exponent of %s has more than %d digits", report.Quote(raw), maxExponent)
		return nil
	}
	n := &ast.Number{Base: ast.At(e.At(start, e.pos)), Raw: raw}
	if strings.ContainsAny(raw, ".eE") {
		n.Kind = ast.Decimal
	}
	return n
}

// literalString reads a text in quotes, with the escapes of RawJSON.
func (e *expression) literalString() string {
	start, quote := e.pos, e.text[e.pos]
	var b strings.Builder
	for e.pos++; e.pos < len(e.text); e.pos++ {
		switch ch := e.text[e.pos]; ch {
		case quote:
			e.pos++
			return b.String()
		case '\\':
			if !e.literalEscape(&b) {
				return ""
			}
		default:
			b.WriteByte(ch)
		}
	}
	e.fail(start, e.pos, diag.CodeSyntax, "the text is never closed with %c", quote)
	return ""
}

// literalEscape reads an escape; pos is moved to its last byte.
func (e *expression) literalEscape(b *strings.Builder) bool {
	start := e.pos
	e.pos++
	if e.pos == len(e.text) {
		e.fail(start, e.pos, diag.CodeSyntax, "the text ends with a backslash")
		return false
	}
	const names, meant = `"'\/bfnrt`, "\"'\\/\b\f\n\r\t"
	ch := e.text[e.pos]
	if i := strings.IndexByte(names, ch); i >= 0 {
		b.WriteByte(meant[i])
		return true
	}
	if r, ok := literalHex4(e.text[e.pos:]); ok {
		e.pos += len("0000")
		if utf16.IsSurrogate(r) && strings.HasPrefix(e.text[e.pos+1:], `\u`) {
			if low, ok := literalHex4(e.text[e.pos+2:]); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
				r = utf16.DecodeRune(r, low)
				e.pos += len(`\u0000`)
			}
		}
		b.WriteRune(r)
		return true
	}
	end := report.RuneEnd(e.text, e.pos)
	e.fail(start, end, diag.CodeSyntax, "unknown escape %s in a text; for a backslash write two", report.Clip(e.text[start:end]))
	return false
}

// literalHex4 reads u and four hexadecimal digits.
func literalHex4(text string) (r rune, ok bool) {
	if len(text) < len("u0000") || text[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:len("u0000")], 16, 16)
	return rune(n), err == nil
}

// literalJSON reads the text of json`…`. It returns nil when it reported a mistake.
func (c *Checker) literalJSON(v *ast.Tagged, what, word string) ast.Value {
	if !json.Valid([]byte(v.Text)) {
		c.Diags.Errorf(v.Span(), diag.CodeDefaultTypeMismatch, "the %s of %s is tagged json, but its text is not JSON", word, what)
		return nil
	}
	return newExpression(c, v.Text, v).readLiteral()
}

// LiteralJSON returns the value of a text json`…`, whose nodes stand where its text
// does; nil when it is no RawJSON.
func LiteralJSON(v *ast.Tagged) ast.Value {
	if v.Tag != tagJSON || !json.Valid([]byte(v.Text)) {
		return nil
	}
	return newExpression(&Checker{Reporter: &report.Reporter{}}, v.Text, v).readLiteral()
}

// readLiteral reads a value, nil when there is a mistake in it. An outline holds whole
// values only.
func (e *expression) readLiteral() ast.Value {
	outer := e.out
	e.out = nil
	v := e.literalValue()
	e.out = outer
	if e.failed {
		return nil
	}
	return v
}

// literalUnion returns the enum that a union of literals of one kind is, nil
// when it is none.
func literalUnion(t *Type) *Type {
	values := []byte{'['}
	var kind Kind
	nullable := false
	for _, a := range t.Union {
		value := a.keyword("const")
		switch {
		case a.Kind == KindNull && !a.attributed:
			nullable = true
			continue
		case value == nil || a.attributed || a.Nullable || kind != KindAny && a.Kind != kind:
			return nil
		case kind != KindAny:
			values = append(values, ',')
		}
		kind = a.Kind
		values = append(values, value...)
	}
	if kind == KindAny {
		return nil
	}
	return &Type{
		Kind: kind, Name: t.Name, Nullable: nullable, Span: t.Span,
		Keywords: []Keyword{{"enum", append(values, ']'), t.Span}},
	}
}

package types

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/internal/lint"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// maxTypeDepth is how deep a type expression may be nested.
const maxTypeDepth = 100

// kinds are the types of the language by their names, kindNames their first
// names by their kinds. They are not changed.
var kinds, kindNames = namedKinds()

// An expression is a type expression that is being read. Its grammar is that of
// grammar.ReferenceType; a fuzz test compares the two. It is parsed by hand because
// names are resolved on the way: the first mistake of the text, be it one of syntax
// or of meaning, ends the reading and is the one that is reported, with a fix for
// the types of other languages.
type expression struct {
	c      *Checker
	text   string
	pos    int
	depth  int
	failed bool
	out    *Outline // of the type that is being read; nil when it is lowered
	*report.Quotation
}

func newExpression(c *Checker, text string, n ast.Node) *expression {
	return &expression{c: c, text: text, Quotation: report.NewQuotation(n, text)}
}

// whole reads the whole text. The type is nil when there is a mistake.
func (e *expression) whole() (t *Type, optional bool) {
	t, optional = e.typ()
	if !e.failed && (e.peek() != 0 || e.pos < len(e.text)) {
		e.unexpected("the end of the type")
	}
	if e.failed {
		return nil, false
	}
	return t, optional
}

// enter counts a level of nesting; leave must follow.
func (e *expression) enter(what string) {
	if e.depth++; e.depth > maxTypeDepth && !e.failed {
		e.fail(e.pos, e.pos, diag.CodeTooDeep, "%s nested deeper than %d", what, maxTypeDepth)
	}
}

func (e *expression) leave() { e.depth-- }

// typ reads one type or a union, and reports whether it is Maybe.
func (e *expression) typ() (t *Type, optional bool) {
	e.peek()
	start := e.pos
	t, optional = e.postfix()
	if e.failed || e.peek() != '|' {
		return t, optional
	}
	alternatives := []*Type{t}
	for e.accept('|') {
		if next := e.plain("an alternative of a union"); next != nil {
			alternatives = append(alternatives, next)
		}
		if e.failed {
			return nil, false
		}
	}
	if optional {
		e.fail(start, e.pos, diag.CodeInvalidType, "an alternative of a union cannot be Maybe; write Maybe (A | B)")
		return nil, false
	}
	return e.unionOf(alternatives, start), false
}

// unionOf returns the type of several alternatives. Literals alone are an enum,
// which Null among them makes nullable. Elsewhere Null is an alternative as any
// other: T | Null accepts what T? does, and its schema has an anyOf.
func (e *expression) unionOf(alternatives []*Type, start int) *Type {
	t := &Type{Name: e.text[start:e.pos], Span: e.At(start, e.pos)}
	for _, a := range alternatives {
		switch {
		case a.Union != nil && a.Def == nil && !a.attributed && !a.Exclusive:
			t.Union = append(t.Union, a.Union...)
			t.Nullable = t.Nullable || a.Nullable
		default:
			t.Union = append(t.Union, a)
		}
	}
	if enum := literalUnion(t); enum != nil {
		return enum
	}
	return t
}

// plain reads a type that cannot be Maybe.
func (e *expression) plain(what string) *Type {
	e.peek()
	start := e.pos
	t, optional := e.postfix()
	return e.notMaybe(t, optional, what, start)
}

// inner is plain, but reads a union too.
func (e *expression) inner(what string) *Type {
	e.peek()
	start := e.pos
	t, optional := e.typ()
	return e.notMaybe(t, optional, what, start)
}

func (e *expression) notMaybe(t *Type, optional bool, what string, start int) *Type {
	if optional && !e.failed {
		e.fail(start, e.pos, diag.CodeInvalidType, "%s cannot be Maybe", what)
	}
	return t
}

// postfix reads a primary and what stands behind it.
func (e *expression) postfix() (t *Type, optional bool) {
	e.enter("a type")
	defer e.leave()
	e.peek()
	start := e.pos
	t, optional = e.primary()
	for !e.failed && t != nil {
		switch next := e.peek(); {
		case next == '?':
			e.pos++
			t.Nullable = true
		case next == '[' && strings.HasPrefix(strings.TrimLeft(e.text[e.pos+1:], " \t"), "]"):
			e.pos = strings.IndexByte(e.text[e.pos:], ']') + e.pos + 1
			t = &Type{Kind: KindArray, Elem: t}
		case next == '(':
			e.attributes(t)
		default:
			return t, optional
		}
		t.Name, t.Span = e.text[start:e.pos], e.At(start, e.pos)
	}
	return t, optional
}

// primary reads a type without what may stand behind it.
func (e *expression) primary() (t *Type, optional bool) {
	first := e.peek()
	start := e.pos
	switch {
	case e.failed:
		return nil, false
	case first == '[':
		e.pos++
		elem := e.inner("the elements of an array")
		e.expect(']')
		t = &Type{Kind: KindArray, Elem: elem}
	case first == '{':
		t = e.object()
	case first == '(':
		e.pos++
		t, optional = e.typ()
		e.expect(')')
	case isFieldNameStart(first):
		return e.named()
	case first == '"', first == '\'', first == '-', '0' <= first && first <= '9':
		t = e.literalType()
	default:
		e.unexpected("a type")
	}
	if e.failed || t == nil {
		return nil, false
	}
	t.Name, t.Span = e.text[start:e.pos], e.At(start, e.pos)
	return t, optional
}

// isTypeExpression reports whether a text is a type expression without mistakes.
func (c *Checker) isTypeExpression(text string) bool {
	scratch := c.Fork()
	scratch.Named.current = nil
	t, _ := newExpression(scratch, text, &ast.String{Text: text}).whole()
	return t != nil
}

// attributes reads (name=value, …) behind a type.
func (e *expression) attributes(t *Type) {
	start := e.pos
	e.expect('(')
	r := &ast.Record{}
	e.list(')', func() {
		if !isFieldNameStart(e.peek()) {
			e.unexpected("the name of an attribute")
			return
		}
		r.Properties = append(r.Properties, e.attribute())
	})
	if e.out != nil {
		e.out.attributes(r)
	}
	if e.failed || e.out != nil {
		return
	}
	r.Base = ast.At(e.At(start, e.pos))
	what := "the type " + report.Clip(e.text[:start])
	t.attributed = true
	e.c.UnknownProperties(r, "a type", typeKeys)
	lint.DuplicateKeys(e.c.Reporter, r)
	e.c.lowerTypeStructure(t, r, what)
	e.c.readAttributes(t, r, what)
}

func (e *expression) attribute() *ast.Property {
	start := e.pos
	p := &ast.Property{Separator: ":"}
	p.Key = ast.NewName(e.name())
	p.Key.Base = ast.At(e.At(start, e.pos))
	if !e.accept('=') && !e.accept(':') {
		e.unexpected(`"=" and a value`)
		return p
	}
	p.Value = e.readLiteral()
	p.Base = ast.At(e.At(start, e.pos))
	return p
}

// peek skips whitespace and returns the next byte, 0 at the end.
func (e *expression) peek() byte {
	for e.pos < len(e.text) && strings.IndexByte(" \t\r\n\v\f", e.text[e.pos]) >= 0 {
		e.pos++
	}
	if e.pos == len(e.text) {
		return 0
	}
	return e.text[e.pos]
}

func (e *expression) accept(b byte) bool {
	if e.peek() != b {
		return false
	}
	e.pos++
	return true
}

func (e *expression) expect(b byte) {
	if !e.failed && !e.accept(b) {
		e.unexpected(fmt.Sprintf("%q", string(b)))
	}
}

func (e *expression) name() string {
	start := e.pos
	for e.pos < len(e.text) && isFieldNamePart(e.text[e.pos]) {
		e.pos++
	}
	return e.text[start:e.pos]
}

// list reads members with commas between them, up to a closing bracket.
func (e *expression) list(closing byte, member func()) {
	for more := !e.failed && e.peek() != closing; more; more = e.anotherInOutline(closing) {
		member()
	}
	e.expect(closing)
}

// unexpected reports that something else than what stands at the reading
// position is wanted.
func (e *expression) unexpected(wanted string) {
	if e.peek(); e.pos == len(e.text) {
		e.fail(e.pos, e.pos, diag.CodeSyntax, "the type ends where %s is expected", wanted)
		return
	}
	start, end := e.pos, report.RuneEnd(e.text, e.pos)
	if isFieldNameStart(e.text[start]) {
		end = start + len(e.name())
	}
	e.fail(start, end, diag.CodeSyntax, "unexpected %s in a type; expected %s", report.Quote(e.text[start:end]), wanted)
}

// fail reports the first mistake, after which nobody reads on.
func (e *expression) fail(start, end int, code diag.Code, format string, args ...any) *diag.Diagnostic {
	e.failed = true
	return e.c.Diags.Errorf(e.At(start, end), code, format, args...)
}

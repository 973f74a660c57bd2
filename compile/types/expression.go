package types

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// maxTypeDepth is how deep a type expression may be nested.
const maxTypeDepth = 100

// kinds are the types of the language by their names, kindNames their first
// names by their kinds. They are not changed.
var kinds, kindNames = namedKinds()

func namedKinds() (map[string]Kind, map[Kind]string) {
	byName, names := map[string]Kind{}, map[Kind]string{}
	for _, t := range vocabulary.TypeNames() {
		k := Kind(t.Kind)
		byName[t.Name] = k
		if names[k] == "" {
			names[k] = t.Name
		}
	}
	return byName, names
}

// kindNamed returns the kind of the types that have names of their own.
func kindNamed(name string) (k Kind, known bool) {
	k, known = kinds[name]
	return k, known
}

// IsTypeName reports whether a word names a type of the language.
func IsTypeName(name string) bool {
	_, known := kindNamed(name)
	return known
}

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

package types

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/internal/lint"
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

// foreignType returns what other languages call otherwise.
func foreignType(name string) string {
	switch strings.ToLower(name) {
	case "str", "char", "varchar":
		return "Text"
	case "long", "short", "int32", "int64":
		return "Int"
	case "float", "decimal", "real", "float64":
		return "Double"
	case "list", "vector", "sequence", "tuple", "set":
		return "Array"
	case "dict", "record", "struct", "hash":
		return "Object"
	case "nil", "none", "void":
		return "Null"
	}
	return ""
}

// formatNamed returns the format of texts that other languages have a type for.
func formatNamed(name string) string {
	switch name = strings.ToLower(name); name {
	case "datetime", "timestamp", "instant":
		return "date-time"
	case "url":
		return "uri"
	case "guid":
		return "uuid"
	case "date", "time", "duration", "email", "uuid", "uri":
		return name
	}
	return ""
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
	case isNameStart(first):
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

// named reads a name, or Maybe and a type.
func (e *expression) named() (t *Type, optional bool) {
	start := e.pos
	name := e.name()
	next := e.peek()
	kind, known := kindNamed(name)
	applied := isNameStart(next) || next != 0 && strings.IndexByte("{<", next) >= 0
	array := next == '[' && !strings.HasPrefix(strings.TrimLeft(e.text[e.pos+1:], " \t"), "]")
	switch {
	case name == "true" || name == "false" || name == "null":
		e.pos = start
		return e.literalType(), false
	case name == "Maybe" && next != '<' && (applied || next != 0 && strings.IndexByte("[(\"'", next) >= 0):
		t, _ = e.postfix()
		return t, e.out == nil // an outline needs no modifiers
	case name == "Maybe":
		e.fail(start, start+len(name), diag.CodeSyntax, "Maybe needs a type behind it: Maybe Text")
		return nil, false
	case name == "Map" && next == '<':
		return e.mapType(start), false
	case e.out != nil:
		e.out.mention(name, e.At(start, start+len(name)))
		return &Type{Kind: kind}, false
	case applied && e.atField():
		e.unexpected(`","`)
		return nil, false
	case applied || array || name == "IO" || next == '(' && !known && e.c.TypeNamed(name) == nil:
		e.applied(start, name)
		return nil, false
	}
	if known {
		return &Type{Kind: kind, Name: name, Span: e.At(start, start+len(name))}, false
	}
	if def := e.c.TypeNamed(name); def != nil {
		t := e.c.use(def, e.At(start, start+len(name)))
		e.failed = e.failed || t == nil
		return t, false
	}
	e.unknown(start, name)
	return nil, false
}

// mapType reads <T> behind Map.
func (e *expression) mapType(start int) *Type {
	e.expect('<')
	rest := e.mapValues()
	e.expect('>')
	return &Type{Kind: KindObject, Rest: rest, Name: e.text[start:e.pos], Span: e.At(start, e.pos)}
}

// mapValues reads the type of the values of a map.
func (e *expression) mapValues() *Type {
	outer := e.out
	if outer != nil {
		e.out = outer.rest()
	}
	t := e.inner("the values of a map")
	e.out = outer
	return t
}

// atField reports whether a name and a colon follow, so that what stands
// before them lacks a comma.
func (e *expression) atField() bool {
	ahead := *e
	return isNameStart(ahead.peek()) && ahead.name() != "" && ahead.peek() == ':'
}

// applied reports that a name is applied to arguments, as Haskell does.
func (e *expression) applied(start int, name string) {
	argument := strings.Trim(strings.TrimSpace(e.text[e.pos:]), "<>()[]{} ")
	inner := "Text"
	if IsTypeName(argument) || e.c.TypeNamed(argument) != nil {
		inner = argument
	}
	switch {
	case name == "IO":
		e.fail(start, len(e.text), diag.CodeHaskellType, "IO is a Haskell type and has no place in a signature; write just %s", inner)
	case foreignType(name) == "Array" || name == "Array":
		d := e.fail(start, len(e.text), diag.CodeHaskellType, "%s takes no argument; write [%s] for an array of %s", name, inner, inner)
		if rest := strings.TrimSpace(e.text[e.pos:]); rest == "<"+inner+">" || rest == "["+inner+"]" {
			report.Fix(d, "write ["+inner+"]", d.Span, "["+inner+"]")
		}
	case name == "Optional" || name == "Nullable":
		e.fail(start, len(e.text), diag.CodeHaskellType, "%s is not of gram; write %s? for what may be null, Maybe %s for what may be left out", name, inner, inner)
	case foreignType(name) == "Object":
		e.fail(start, len(e.text), diag.CodeHaskellType, "%s is not of gram; write Map<%s> for a map of %s", name, inner, inner)
	default:
		e.fail(start, len(e.text), diag.CodeHaskellType, "%s takes no argument; only Maybe does", report.Clip(name))
	}
}

// unknown reports that there is no type of that name.
func (e *expression) unknown(start int, name string) {
	if e.c.Incomplete && foreignType(name) == "" {
		e.failed, e.c.Broken = true, true
		return
	}
	if e.c.SuggestImport != nil {
		d := e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s", report.Quote(name))
		if e.c.SuggestImport(d, name) {
			return
		}
		e.c.Diags = e.c.Diags[:len(e.c.Diags)-1] // it is reported below, in other words
	}
	near := foreignType(name)
	if near == "" {
		near = e.c.Guess(name, e.c.typeSuggestions())
	}
	if format := formatNamed(name); near == "" && format != "" {
		e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s; that is a Text with a format: {format: %s}", report.Quote(name), format)
		return
	}
	if near == "" {
		e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s; the types are Text, Int, Double, Bool, Object, Array, Map, Any and the types that the file defines with [Name:Type …]",
			report.Quote(name))
		return
	}
	d := e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s; did you mean %s?", report.Quote(name), near)
	report.Respell(d, d.Span, name, near)
}

// object reads {a: T, b?: T = 1, *: T}.
func (e *expression) object() *Type {
	start := e.pos
	e.pos++
	fields, byName := []*Param{}, map[string]*Param{}
	var rest *Type
	e.list('}', func() {
		if e.peek() == '*' && (rest == nil || e.out != nil) {
			e.pos++
			e.expect(':')
			rest = e.mapValues()
			return
		}
		if f := e.field(); !e.failed {
			e.c.duplicate(byName, f, diag.CodeDuplicateField, "field")
			fields = append(fields, f)
		}
	})
	t := &Type{Kind: KindObject, Name: e.text[start:e.pos], Rest: rest}
	if len(fields) > 0 || rest == nil {
		t.setFields(fields)
	}
	return t
}

// list reads members with commas between them, up to a closing bracket.
func (e *expression) list(closing byte, member func()) {
	for more := !e.failed && e.peek() != closing; more; more = e.another(closing) {
		member()
	}
	e.expect(closing)
}

func (e *expression) field() *Param {
	next := e.peek()
	start := e.pos
	f := &Param{}
	switch {
	case next == '"' || next == '\'':
		f.Name = e.string()
	case isNameStart(next):
		f.Name = e.name()
	default:
		e.unexpected("the name of a field")
		return nil
	}
	f.Span = e.At(start, e.pos)
	optional := e.accept('?')
	e.expect(':')
	if e.pos < len(e.text) && e.text[e.pos] == ':' {
		e.pos++
	}
	outer, shape := e.out, &Outline{}
	if outer != nil && !e.failed {
		outer.Fields = append(outer.Fields, OutlineField{report.Reference{Text: f.Name, Span: f.Span}, shape, nil})
		e.out = shape
	}
	f.Type, f.Optional = e.typ()
	e.out = outer
	f.Optional = f.Optional || optional
	if !e.failed && e.accept('=') {
		f.Optional = true
		what := "the field " + report.Quote(f.Name)
		switch v := e.read(); {
		case outer != nil:
			outer.Fields[len(outer.Fields)-1].Default = v
		case v != nil:
			e.c.soon(compare, func() { f.Default = e.c.typedValue(v, f.Type, what, "default") })
		}
	}
	return f
}

// attributes reads (name=value, …) behind a type.
func (e *expression) attributes(t *Type) {
	start := e.pos
	e.expect('(')
	r := &ast.Record{}
	e.list(')', func() {
		if !isNameStart(e.peek()) {
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
	e.c.structure(t, r, what)
	e.c.keywords(t, r, what)
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
	p.Value = e.read()
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

// isNameStart reports whether a name may start with b. Letters outside ASCII
// may stand in the names of fields.
func isNameStart(b byte) bool { return b == '_' || 'a' <= b|0x20 && b|0x20 <= 'z' || b >= 0x80 }

func isNamePart(b byte) bool {
	return isNameStart(b) || '0' <= b && b <= '9' || b == '.' || b == '@' || b == '-'
}

func (e *expression) name() string {
	start := e.pos
	for e.pos < len(e.text) && isNamePart(e.text[e.pos]) {
		e.pos++
	}
	return e.text[start:e.pos]
}

// unexpected reports that something else than what stands at the reading
// position is wanted.
func (e *expression) unexpected(wanted string) {
	if e.peek(); e.pos == len(e.text) {
		e.fail(e.pos, e.pos, diag.CodeSyntax, "the type ends where %s is expected", wanted)
		return
	}
	start, end := e.pos, report.RuneEnd(e.text, e.pos)
	if isNameStart(e.text[start]) {
		end = start + len(e.name())
	}
	e.fail(start, end, diag.CodeSyntax, "unexpected %s in a type; expected %s", report.Quote(e.text[start:end]), wanted)
}

// fail reports the first mistake, after which nobody reads on.
func (e *expression) fail(start, end int, code diag.Code, format string, args ...any) *diag.Diagnostic {
	e.failed = true
	return e.c.Diags.Errorf(e.At(start, end), code, format, args...)
}

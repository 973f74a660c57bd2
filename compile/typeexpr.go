package compile

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/diag"
)

// maxTypeDepth is how deep a type expression may be nested.
const maxTypeDepth = 100

// kindNamed returns the kind of a type name, "" when there is no such type.
func kindNamed(name string) Kind {
	switch name {
	case "Text", "String":
		return KindString
	case "Int", "Integer":
		return KindInteger
	case "Double", "Number":
		return KindNumber
	case "Bool", "Boolean":
		return KindBoolean
	case "Object":
		return KindObject
	case "Array":
		return KindArray
	}
	return ""
}

// typeNames returns the types that have names, for suggestions.
func typeNames() []string {
	return []string{"Text", "String", "Int", "Integer", "Double", "Number", "Bool", "Boolean", "Object", "Array"}
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
	}
	return ""
}

// An expression is a type expression that is being read:
//
//	type   = "Maybe" type | name | "[" type "]" | "{" field { "," field } "}" | "(" type ")" .
//	field  = name ( ":" | "::" ) type .
//
// The first mistake ends the reading.
type expression struct {
	c      *compiler
	text   string
	pos    int
	depth  int
	failed bool
	*quotation
}

// whole reads the whole text. The type is nil when there is a mistake.
func (e *expression) whole() (t *Type, optional bool) {
	t, optional = e.typ()
	if !e.failed && e.peek() != 0 {
		e.unexpected("the end of the type")
	}
	if e.failed {
		return nil, false
	}
	return t, optional
}

// typ reads one type and reports whether it is Maybe.
func (e *expression) typ() (t *Type, optional bool) {
	if e.depth++; e.depth > maxTypeDepth {
		e.fail(e.pos, e.pos, diag.CodeTooDeep, "a type nested deeper than %d", maxTypeDepth)
	}
	defer func() { e.depth-- }()
	first := e.peek()
	start := e.pos
	switch {
	case e.failed:
	case first == '[':
		e.pos++
		elem := e.plain("the elements of an array")
		e.expect(']')
		t = &Type{Kind: KindArray, Name: e.text[start:e.pos], Elem: elem}
	case first == '{':
		t = e.object()
	case first == '(':
		e.pos++
		t, optional = e.typ()
		e.expect(')')
	case isNameStart(first):
		return e.named()
	default:
		e.unexpected("a type")
	}
	return t, optional
}

// plain reads a type that cannot be Maybe.
func (e *expression) plain(what string) *Type {
	e.peek()
	start := e.pos
	t, optional := e.typ()
	if optional && !e.failed {
		e.fail(start, e.pos, diag.CodeInvalidType, "%s cannot be Maybe", what)
	}
	return t
}

// named reads a name, or Maybe and a type.
func (e *expression) named() (t *Type, optional bool) {
	start := e.pos
	name := e.name()
	next := e.peek()
	applied := isNameStart(next) || next != 0 && strings.IndexByte("[{(<", next) >= 0
	switch {
	case name == "Maybe" && next != '<' && applied:
		t, _ = e.typ()
		return t, true
	case name == "Maybe":
		e.fail(start, start+len(name), diag.CodeSyntax, "Maybe needs a type behind it: Maybe Text")
		return nil, false
	case next == '[' && strings.HasPrefix(strings.TrimLeft(e.text[e.pos+1:], " \t"), "]"):
		e.fail(e.pos, len(e.text), diag.CodeSyntax, "an array of %s is written [%s]", clip(name), clip(name))
		return nil, false
	case applied && e.atField():
		e.unexpected(`","`)
		return nil, false
	case applied || name == "IO":
		e.applied(start, name)
		return nil, false
	}
	kind := kindNamed(name)
	if kind == "" {
		e.unknown(start, name)
		return nil, false
	}
	return &Type{Kind: kind, Name: name}, false
}

// atField reports whether a name and a colon follow, so that what stands
// before them lacks a comma.
func (e *expression) atField() bool {
	ahead := *e
	return isNameStart(ahead.peek()) && ahead.name() != "" && ahead.peek() == ':'
}

// applied tells that a name is applied to arguments, as Haskell does.
func (e *expression) applied(start int, name string) {
	argument := strings.Trim(strings.TrimSpace(e.text[e.pos:]), "<>()[]{} ")
	inner := "Text"
	if kindNamed(argument) != "" {
		inner = argument
	}
	switch {
	case name == "IO":
		e.fail(start, len(e.text), diag.CodeHaskellType, "IO is of Haskell and has no place in a signature; write just %s", inner)
	case foreignType(name) == "Array" || name == "Array":
		e.fail(start, len(e.text), diag.CodeHaskellType, "%s takes no argument; write [%s] for an array of %s", name, inner, inner)
	default:
		e.fail(start, len(e.text), diag.CodeHaskellType, "%s takes no argument; only Maybe does", clip(name))
	}
}

// unknown tells that there is no type of that name.
func (e *expression) unknown(start int, name string) {
	near := foreignType(name)
	if near == "" {
		near = e.c.guess(name, typeNames())
	}
	if near == "" {
		e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s; the types are %s",
			quote(name), "Text, Int, Double, Bool, Object and Array")
		return
	}
	d := e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s; did you mean %s?", quote(name), near)
	respell(d, d.Span, name, near)
}

// object reads {a: T, b: T}.
func (e *expression) object() *Type {
	start := e.pos
	e.pos++
	fields, byName := []*Param{}, map[string]*Param{}
	for more := e.peek() != '}'; more && !e.failed; more = e.accept(',') {
		f := e.field()
		if e.failed {
			return nil
		}
		e.c.duplicate(byName, f, diag.CodeDuplicateField, "field")
		fields = append(fields, f)
	}
	e.expect('}')
	return objectType(e.text[start:e.pos], fields)
}

func (e *expression) field() *Param {
	if next := e.peek(); !isNameStart(next) {
		e.unexpected("the name of a field")
		return nil
	}
	start := e.pos
	f := &Param{Name: e.name()}
	f.Span = e.at(start, e.pos)
	e.expect(':')
	if e.pos < len(e.text) && e.text[e.pos] == ':' {
		e.pos++
	}
	f.Type, f.Optional = e.typ()
	return f
}

// peek skips blanks and returns the next byte, 0 at the end.
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

func (e *expression) name() string {
	start := e.pos
	for e.pos < len(e.text) && (isNameStart(e.text[e.pos]) || strings.IndexByte("0123456789.@-", e.text[e.pos]) >= 0) {
		e.pos++
	}
	return e.text[start:e.pos]
}

// unexpected tells that something else than what stands at the reading
// position is wanted.
func (e *expression) unexpected(wanted string) {
	if e.peek() == 0 {
		e.fail(e.pos, e.pos, diag.CodeSyntax, "the type ends where %s is expected", wanted)
		return
	}
	start, end := e.pos, runeEnd(e.text, e.pos)
	if isNameStart(e.text[start]) {
		end = start + len(e.name())
	}
	e.fail(start, end, diag.CodeSyntax, "unexpected %s in a type; expected %s", quote(e.text[start:end]), wanted)
}

// fail tells the first mistake, after which nobody reads on.
func (e *expression) fail(start, end int, code diag.Code, format string, args ...any) *diag.Diagnostic {
	e.failed = true
	return e.c.diags.Errorf(e.at(start, end), code, format, args...)
}

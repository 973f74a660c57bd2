package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// inExpression reports whether only a type expression can express an attribute:
// gram texts have no escapes for characters that do not show, and gram numbers
// no exponents. An empty description counts only there.
func inExpression(a attr) bool {
	switch a.key {
	case "enum", "examples":
		return false
	case "description":
		return a.value.Text() == "" || isHidden(a.value)
	case "const":
		return isHidden(a.value)
	}
	return !isPlain(a.value)
}

// isHidden reports whether a value is a text that only a type expression can
// show.
func isHidden(n *jsonschema.Node) bool { return n.Is(jsonschema.KindString) && hidden(n.Text()) }

// open returns an expression with what follows it. A union without anything
// there needs no parentheses.
func open(text, end string) string {
	if end == "" && strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		return text[1 : len(text)-1]
	}
	return text + end
}

// parenthesis returns the end of a type expression with attributes.
func parenthesis(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// maxExpression is how long a part of a type expression may be before it gets
// a name, and maxNesting how deep it may be.
const (
	maxExpression = 100
	maxNesting    = 20
)

// expression returns a type as a type expression. What is too long for one gets
// a name.
func (w *writer) expression(t *typ, p *path, depth int) string {
	if t.text == "" {
		t.uses = w.collect(func() { t.text = w.newExpression(t, p, depth) })
	}
	w.uses = append(w.uses, t.uses...)
	return t.text
}

func (w *writer) newExpression(t *typ, p *path, depth int) string {
	switch {
	case t.whole != "":
		return w.use(t.whole)
	case isLiteral(t):
		return jsonText(t.attr("const"))
	case depth > maxNesting || holdsNull(t):
		return w.hoist(t, p)
	}
	whole := t
	t = w.outline(t, p, false)
	text := w.primary(t, p, depth)
	if t.nullable {
		text += "?"
	}
	var parts []string
	if len(t.types) > 0 {
		parts = append(parts, "types=["+strings.Join(t.types, ", ")+"]")
	}
	for _, a := range t.attrs {
		parts = append(parts, a.key+"="+jsonText(a.value))
	}
	if t.value != nil {
		parts = append(parts, "default="+jsonText(t.value))
	}
	text = open(text, parenthesis(parts))
	if len(text) > maxExpression {
		return w.hoist(whole, p)
	}
	return text
}

// holdsNull reports whether a type expression cannot express a value of t.
func holdsNull(t *typ) bool {
	values := []*jsonschema.Node{t.attr("const"), t.attr("examples"), t.attr("enum"), t.value}
	return slices.ContainsFunc(values, func(v *jsonschema.Node) bool { return v != nil && hidesNull(t, v) })
}

// hidesNull reports whether a type expression cannot express a value: it has null
// in it, which would be read as a word, or it is nested too deep.
func hidesNull(t *typ, v *jsonschema.Node) bool {
	if v.Is(jsonschema.KindNull) {
		return !t.knowsNull()
	}
	return !isExpressible(v, maxNesting)
}

// isExpressible reports whether a value has no null and at most so many levels.
func isExpressible(v *jsonschema.Node, levels int) bool {
	return levels > 0 && !v.Is(jsonschema.KindNull) &&
		!slices.ContainsFunc(v.Items, func(item *jsonschema.Node) bool { return !isExpressible(item, levels-1) }) &&
		!slices.ContainsFunc(v.Members, func(m jsonschema.Member) bool { return !isExpressible(m.Value, levels-1) })
}

// primary returns the expression of a type without its attributes.
func (w *writer) primary(t *typ, p *path, depth int) string {
	switch {
	case t.ref != nil:
		return w.sharedName(t.ref, p)
	case t.name != "":
		return w.use(t.name)
	case t.union != nil:
		text, _ := w.unionExpression(t, p)
		return "(" + text + ")"
	case t.kind == "Array" && t.elem != nil:
		return "[" + w.expression(t.elem, p.part("Item"), depth+1) + "]"
	case t.kind == "Object" && len(t.fields) > 0:
		text, _ := w.objectExpression(t, p, depth)
		return text
	case t.kind == "Object" && t.rest != nil && !t.declared:
		return "Map<" + w.expression(t.rest, p.part("Value"), depth+1) + ">"
	case t.kind == "Object" && t.rest != nil:
		return "{}(of=" + jsonText(jsonschema.String(w.expression(t.rest, p.part("Value"), depth+1))) + ")"
	case t.kind == "Object" && t.declared:
		return "{}"
	}
	return t.kind
}

// objectExpression returns {a: Text, b?: Int = 1} for an object that is simple
// enough to be read there.
func (w *writer) objectExpression(t *typ, p *path, depth int) (string, bool) {
	const most = 4
	if !hasEmptyName(t) && (len(t.fields) > most || slices.ContainsFunc(t.fields, func(f *field) bool { return !isBrief(f) })) {
		return "", false
	}
	var parts []string
	for _, f := range t.fields {
		name := f.name
		if !isSymbol(name) {
			name = jsonText(jsonschema.String(name))
		}
		bare, mark, tail := *f.typ, "", ""
		bare.text, bare.outer = "", nil
		switch {
		case f.required:
		case bare.value != nil && !hidesNull(&bare, bare.value):
			tail, bare.value = " = "+jsonText(bare.value), nil
		default:
			mark = "?"
		}
		parts = append(parts, name+mark+": "+w.expression(&bare, p.down(f.name), depth+1)+tail)
	}
	if t.rest != nil {
		parts = append(parts, "*: "+w.expression(t.rest, p.part("Value"), depth+1))
	}
	return "{" + strings.Join(parts, ", ") + "}", true
}

// isBrief reports whether a field of an object can be read in an expression.
func isBrief(f *field) bool {
	t := f.typ
	return isSymbol(f.name) && t.union == nil && len(t.fields) == 0 && t.attr("description") == nil && t.attr("title") == nil &&
		len(t.attrs) <= 1 && (t.elem == nil || isWord(t.elem))
}

// isLiteral reports whether a type is a single value that is its own expression:
// "circle", 42, true.
func isLiteral(t *typ) bool {
	if len(t.attrs) != 1 || t.attrs[0].key != "const" || t.nullable || t.value != nil || t.ref != nil || t.union != nil || len(t.types) > 0 {
		return false
	}
	v := t.attrs[0].value
	return valueKind(v) == t.kind && v.Kind != jsonschema.KindNull && v.Kind != jsonschema.KindArray && v.Kind != jsonschema.KindObject
}

// unionExpression returns A | B, if that means exactly what the schema means:
// literals alone would become an enum, and oneOf has no notation.
func (w *writer) unionExpression(t *typ, p *path) (string, bool) {
	const most = 4
	if t.exclusive || len(t.union) < 2 || len(t.union) > most {
		return "", false
	}
	isLong := func(u *typ) bool {
		return u.union != nil && u.ref == nil || u.value != nil || u.attr("description") != nil || u.attr("title") != nil || len(u.attrs) > 2
	}
	isOther := func(u *typ) bool { return !isLiteral(u) && (u.kind != "Null" || len(u.attrs) > 0) }
	if slices.ContainsFunc(t.union, isLong) || !slices.ContainsFunc(t.union, isOther) {
		return "", false
	}
	parts := make([]string, len(t.union))
	for i, u := range t.union {
		parts[i] = w.expression(u, p.down(optionWord(i)), 1)
	}
	text := strings.Join(parts, " | ")
	return text, len(text) <= maxExpression
}

// isSymbol reports whether a type expression takes a text as the name of a
// field.
func isSymbol(text string) bool { return ast.NewName(text).Kind == ast.NameSymbol }

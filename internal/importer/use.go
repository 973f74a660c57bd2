package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A use is a type as it is written where it is used: as a type expression, or as
// the label and the record of a node.
type use struct {
	label   string // the expression without what follows
	of      string // the type of undeclared fields beside the label, "" for none
	literal string // the expression of a type with one value
	types   []string
	attrs   []attr
	raw     []jsonschema.Member
	value   *jsonschema.Node // the default
	null    bool             // the word null is null in values
	depth   int              // of the expression
}

// Limits of what is written where it is used; what is longer gets a name.
const (
	maxExpression  = 100 // bytes
	maxInline      = 60  // bytes of an object or a union
	maxNesting     = 20
	maxFields      = 4 // of an object
	maxAlternative = 4
)

// attributesUse returns the use of a type without its label.
func (w *gramWriter) attributesUse(t *typ) *use {
	return &use{types: t.types, attrs: t.attrs, raw: t.raw, value: t.value, null: t.knowsNull()}
}

// use writes a type, with what has to have a name before it.
func (w *gramWriter) use(t *typ, p *namePath) *use {
	u := w.attributesUse(t)
	switch {
	case t.ref != nil:
		u.label = w.sharedName(t.ref, p)
	case t.union != nil:
		w.unionUse(u, t, p)
	case len(t.fields) > 0:
		w.objectUse(u, t, p)
	case t.kind == "Array" && t.elem != nil:
		u.label = "[" + w.partUse(u, t.elem, p.item()) + "]"
	case t.kind == "Object" && t.rest != nil && t.declared:
		u.label, u.of = "{}", w.partUse(u, t.rest, p.part("Value"))
	case t.kind == "Object" && t.rest != nil:
		u.label = "Map<" + w.partUse(u, t.rest, p.part("Value")) + ">"
	case t.kind == "Object" && t.declared:
		u.label = "{}"
	default:
		u.label = t.kind
	}
	if t.nullable {
		u.label += "?"
	}
	if isLiteralPattern(t) {
		u.literal = jsonText(t.attr("const"))
	}
	return u
}

// innerUse writes a type as an expression, or the name of what is too long for one.
func (w *gramWriter) innerUse(t *typ, p *namePath) string { return w.partUse(&use{}, t, p) }

// partUse is innerUse for a part of the type that u is a use of.
func (w *gramWriter) partUse(u *use, t *typ, p *namePath) string {
	var part *use
	uses := w.collect(func() { part = w.use(t, p) })
	text := part.expression()
	if len(text) > maxExpression || part.depth >= maxNesting {
		return w.name(aliasPattern(part), uses, p)
	}
	w.uses = append(w.uses, uses...)
	u.depth = max(u.depth, part.depth+1)
	return text
}

// alternativesUse writes the alternatives of a union.
func (w *gramWriter) alternativesUse(t *typ, p *namePath) (list []*use) {
	for _, a := range t.union {
		list = append(list, w.use(a, p.alternative(a, t.union)))
	}
	return list
}

// unionUse writes A | B, if that is short and means exactly what the schema means:
// literals alone would become an enum, and oneOf has no notation.
func (w *gramWriter) unionUse(u *use, t *typ, p *namePath) {
	var list []*use
	uses := w.collect(func() { list = w.alternativesUse(t, p) })
	fits := !t.exclusive && 1 < len(list) && len(list) <= maxAlternative
	values := true
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = a.expression()
		u.depth = max(u.depth, a.depth+1)
		values = values && (a.literal != "" || a.label == "Null" && len(a.attrs) == 0)
		fits = fits && a.value == nil && !a.isDescribed() && !strings.HasPrefix(a.label, "(")
	}
	text := strings.Join(parts, " | ")
	if fits && !values && len(text) <= maxInline && u.depth < maxNesting {
		w.uses = append(w.uses, uses...)
		u.label = "(" + text + ")"
		return
	}
	u.depth = 0
	u.label = w.name(unionPattern(t, &use{}, list), uses, p.titled(t))
}

// fieldUses writes the types of the fields of an object.
func (w *gramWriter) fieldUses(t *typ, p *namePath) (list []*use) {
	for _, f := range t.fields {
		list = append(list, w.use(f.typ, p.down(f.name)))
	}
	return list
}

// objectUse writes {a: Text, b?: Int = 1} for an object that is simple enough to be
// read there. Of another one what only describes it stays at its use.
func (w *gramWriter) objectUse(u *use, t *typ, p *namePath) {
	var fields []*use
	uses := w.collect(func() { fields = w.fieldUses(t, p) })
	parts := make([]string, len(t.fields))
	fits := len(fields) <= maxFields
	for i, f := range t.fields {
		parts[i] = fields[i].inObject(f)
		u.depth = max(u.depth, fields[i].depth+1)
		fits = fits && isSymbolInUse(f.name) && !fields[i].isDescribed()
	}
	if t.rest != nil {
		uses = append(uses, w.collect(func() { parts = append(parts, "*: "+w.partUse(u, t.rest, p.part("Value"))) })...)
	}
	text := "{" + strings.Join(parts, ", ") + "}"
	if patternHasEmptyName(t) || fits && len(text) <= maxInline && u.depth < maxNesting {
		w.uses = append(w.uses, uses...)
		u.label = text
		return
	}
	whole := &use{raw: u.raw}
	kept := u.attrs
	u.attrs, u.raw, u.depth = nil, nil, 0
	for _, a := range kept {
		if isNoteType(a.key) || a.key == "enum" || a.key == "const" {
			u.attrs = append(u.attrs, a)
		} else {
			whole.attrs = append(whole.attrs, a)
		}
	}
	u.label = w.name(w.objectPattern(t, whole, fields, p), uses, p.titled(t))
}

// isDescribed reports whether a type has more to read than an expression should
// hold.
func (u *use) isDescribed() bool {
	return len(u.attrs) > 2 || slices.ContainsFunc(u.attrs, func(a attr) bool { return a.key == "description" || a.key == "title" })
}

// inObject returns the field of an object expression.
func (u *use) inObject(f *field) string {
	name, mark, tail := f.name, "", ""
	if !isSymbolInUse(name) {
		name = jsonText(jsonschema.String(name))
	}
	bare := *u
	switch {
	case f.required:
	case u.value != nil:
		tail, bare.value = " = "+jsonText(u.value), nil
	default:
		mark = "?"
	}
	return name + mark + ": " + bare.expression() + tail
}

// expression returns the type as a type expression.
func (u *use) expression() string {
	if u.literal != "" {
		return u.literal
	}
	var parts []string
	if len(u.types) > 0 {
		parts = append(parts, "types=["+strings.Join(u.types, ", ")+"]")
	}
	for _, a := range u.attrs {
		parts = append(parts, a.key+"="+jsonText(a.value))
	}
	if len(u.raw) > 0 {
		parts = append(parts, "schema="+jsonText(jsonschema.Object(u.raw...)))
	}
	if u.of != "" {
		parts = append(parts, "of="+jsonText(jsonschema.String(u.of)))
	}
	if u.value != nil {
		parts = append(parts, "default="+jsonText(u.value))
	}
	if len(parts) > 0 {
		return u.label + "(" + strings.Join(parts, ", ") + ")"
	}
	return u.bare()
}

// bare returns the label. A union needs no parentheses where nothing follows.
func (u *use) bare() string {
	if strings.HasPrefix(u.label, "(") && strings.HasSuffix(u.label, ")") {
		return u.label[1 : len(u.label)-1]
	}
	return u.label
}

// node returns the type as a node. If the value is required, its default is not
// in the record, where it would make the value optional.
func (u *use) node(name string, required bool) *ast.Pattern {
	if u.value == nil || !required {
		return nodePattern(name, u.bare(), u.record())
	}
	rest := *u
	rest.value = nil
	return nodePattern(name, u.label+"(default="+jsonText(u.value)+")", rest.record())
}

// field returns a parameter, or a field of a named type.
func (u *use) field(f *field) *ast.Pattern {
	p := u.node(f.name, f.required)
	if !f.required && u.value == nil {
		if p.Subject.Record == nil {
			p.Subject.Record = &ast.Record{}
		}
		addToPattern(p.Subject.Record, "optional", &ast.Bool{Value: true})
	}
	return p
}

// record returns the attributes as a record.
func (u *use) record() *ast.Record {
	r := &ast.Record{}
	if len(u.types) > 0 {
		list := &ast.Array{}
		for _, name := range u.types {
			list.Elements = append(list.Elements, &ast.Symbol{Text: name})
		}
		addToPattern(r, "types", list)
	}
	for _, a := range u.attrs {
		addToPattern(r, a.key, a.useInRecord(u.null))
	}
	addElementPattern(r, u.of)
	if len(u.raw) > 0 {
		addToPattern(r, "schema", taggedValue(jsonschema.Object(u.raw...)))
	}
	if u.value != nil {
		addToPattern(r, "default", gramValue(u.value, u.null))
	}
	return r
}

// useInRecord returns the value of an attribute in a record. Null says whether the
// word null is known as null in it.
func (a attr) useInRecord(null bool) ast.Value {
	switch a.key {
	case "description", "title":
		return textValue(a.value.Text(), true)
	case "format":
		if text := a.value.Text(); isSymbolInUse(text) && text != "true" && text != "false" {
			return &ast.Symbol{Text: text}
		}
	case "enum", "examples":
		return listValue(a.value, null)
	}
	return gramValue(a.value, null)
}

// isSymbolInUse reports whether a type expression takes a text as the name of a
// field.
func isSymbolInUse(text string) bool { return ast.NewName(text).Kind == ast.NameSymbol }

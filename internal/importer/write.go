package importer

import (
	"slices"
	"strconv"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// A named is a type with a name of its own in the gram text.
type named struct {
	pattern *ast.Pattern
	uses    []string     // the named types that it is made of
	stub    *ast.Pattern // of a shared type, the same without what it is made of
	stubbed bool         // the stub takes its place in the tool that is written now
	written bool
}

// A library has the named types that were made.
type library struct {
	names  typeNames
	byName map[string]*named
	same   map[string]string // the names by the content of their types
}

// A writer writes the types of one definition.
type writer struct {
	*library
	uses []string // the named types that are used where it writes now
}

// use notes that a named type is used.
func (w *writer) use(name string) string {
	w.uses = append(w.uses, name)
	return name
}

// collect returns the named types that are used while write runs, instead of
// noting them.
func (w *writer) collect(write func()) []string {
	outside := w.uses
	w.uses = nil
	write()
	inside := w.uses
	w.uses = outside
	return inside
}

// hoist writes a type as a named one, once, and returns its name.
func (w *writer) hoist(t *typ, p *path) string {
	if t.whole == "" {
		t.whole = w.define(t, p, &shared{})
	}
	return w.use(t.whole)
}

// sharedName writes a shared type, once, and returns its name.
func (w *writer) sharedName(s *shared, p *path) string {
	own := &path{p.top(), s.key}
	switch {
	case s.name != "":
	case s.writing: // it contains itself
		s.name = w.names.unique(own)
	default:
		s.writing = true
		s.name = w.define(s.typ, own, s)
	}
	return w.use(s.name)
}

// define writes a type as a named one and returns its name: that of a type with
// the same content, if there is one.
func (w *writer) define(t *typ, p *path, s *shared) string {
	var pattern *ast.Pattern
	uses := w.collect(func() { pattern = w.definition(t, p) })
	name := s.name
	if name == "" {
		content := camel(p.word) + "\x00" + s.key + "\x00" + ast.Print(pattern)
		if known := w.same[content]; known != "" {
			return known
		}
		name = w.names.unique(p)
		w.same[content] = name
	}
	pattern.Subject.Identity = ast.NewName(name)
	made := &named{pattern: pattern, uses: uses}
	if s.key != "" {
		made.share(s.key)
	}
	w.byName[name] = made
	return name
}

// share makes a type one that schemas refer to by a key of $defs.
func (t *named) share(key string) {
	subject := t.pattern.Subject
	var value ast.Value = &ast.Bool{Value: true}
	if key != subject.Identity.Text {
		value = stringValue(key, false)
	}
	stub, record := *subject, &ast.Record{}
	add(record, "shared", value)
	stub.Labels = []*ast.Label{{Separator: ":", Name: ast.NewName(ast.LabelType)}}
	stub.Record = &ast.Record{Properties: record.Properties}
	t.stub = &ast.Pattern{Form: ast.FormBracket, Subject: &stub, Elements: []*ast.Pattern{nodeOf("", "Any", nil)}}
	if subject.Record != nil {
		record.Properties = slices.Concat(record.Properties, subject.Record.Properties)
	}
	subject.Record = record
}

// definition returns the pattern of a named type, without its name.
func (w *writer) definition(t *typ, p *path) *ast.Pattern {
	r := &ast.Record{}
	pattern := &ast.Pattern{Form: ast.FormBracket, Subject: &ast.Subject{Record: r}}
	label := ast.LabelType
	switch {
	case t.name != "" || t.nullable || !recordFits(t):
	case t.union != nil && len(t.types) == 0 && !slices.ContainsFunc(t.attrs, func(a attr) bool { return !slices.Contains(unionKeys, a.key) }):
		label = ast.LabelUnion
		if t.exclusive {
			add(r, "exclusive", &ast.Bool{Value: true})
		}
		attributes(r, t, false)
		for i, u := range t.union {
			l, record := w.node(u, p.down(optionWord(i)), false)
			pattern.Elements = append(pattern.Elements, nodeOf("", l, record))
		}
	case len(t.fields) > 0 && !hasEmptyName(t):
		attributes(r, t, false)
		w.restOf(r, t, p)
		for _, f := range t.fields {
			pattern.Elements = append(pattern.Elements, w.fieldNode(f, p.down(f.name)))
		}
	}
	if len(pattern.Elements) == 0 {
		l, record := w.node(t, p, false)
		pattern.Elements = []*ast.Pattern{nodeOf("", l, record)}
	}
	pattern.Subject.Labels = []*ast.Label{{Separator: ":", Name: ast.NewName(label)}}
	if len(r.Properties) == 0 {
		pattern.Subject.Record = nil
	}
	return pattern
}

// unionKeys are the properties of named unions.
var unionKeys = vocabulary.Keys(vocabulary.OwnerUnion)

func optionWord(i int) string { return "Option" + strconv.Itoa(i+1) }

// recordFits reports whether the attributes of a type can be in the record of
// its named type.
func recordFits(t *typ) bool {
	return !slices.ContainsFunc(t.attrs, inExpression) && !isHidden(t.value)
}

// hasEmptyName reports whether a field has an empty name, which only type
// expressions can express.
func hasEmptyName(t *typ) bool {
	return slices.ContainsFunc(t.fields, func(f *field) bool { return f.name == "" })
}

// fieldNode returns a parameter, or a field of a named type.
func (w *writer) fieldNode(f *field, p *path) *ast.Pattern {
	t := f.typ
	if f.required && t.value != nil && hidesNull(t, t.value) { // which only a record can express
		w.collect(func() { t = &typ{name: w.hoist(t, p)} })
	}
	label, r := w.node(t, p, f.required)
	if !f.required && r.Get("default") == nil {
		add(r, "optional", &ast.Bool{Value: true})
	}
	return nodeOf(f.name, label, r)
}

// node returns a type as the label and the record of a node. If it is required,
// its default cannot be in the record, where it would make the field optional.
func (w *writer) node(t *typ, p *path, required bool) (string, *ast.Record) {
	r := &ast.Record{}
	if t.whole != "" {
		return w.use(t.whole), r
	}
	t = w.outline(t, p, true)
	structure := &ast.Record{}
	label := w.label(t, p, structure)
	if t.nullable {
		label += "?"
	}
	label = open(label, attributes(r, t, required))
	r.Properties = append(r.Properties, structure.Properties...)
	return label, r
}

// outline returns a type whose structure has a name, if it is too large to be
// written where it is used.
func (w *writer) outline(t *typ, p *path, inNode bool) *typ {
	if t.outer != nil {
		return t.outer
	}
	var bare *typ
	kept := t.attrs
	switch {
	case t.name != "" || t.ref != nil:
		return t
	case t.union != nil:
		if w.readsInline(t, p, inNode) {
			return t
		}
		bare = &typ{kind: "Any", union: t.union, exclusive: t.exclusive, span: t.span}
	case len(t.fields) > 0:
		if hasEmptyName(t) || inNode && declares(t) || w.readsInline(t, p, inNode) {
			return t
		}
		bare = &typ{kind: "Object", fields: t.fields, declared: true, rest: t.rest, span: t.span}
		kept = nil
		for _, a := range t.attrs {
			if isNote(a.key) || a.key == "enum" || a.key == "const" {
				kept = append(kept, a)
			} else {
				bare.attrs = append(bare.attrs, a)
			}
		}
	default:
		return t
	}
	t.outer = &typ{kind: t.kind, types: t.types, nullable: t.nullable, attrs: kept, value: t.value, span: t.span, texts: !t.knowsNull()}
	w.collect(func() { t.outer.name = w.hoist(bare, p) }) // label notes the use
	return t.outer
}

// readsInline reports whether a union, or the fields of an object, can be read
// where they are used.
func (w *writer) readsInline(t *typ, p *path, inNode bool) (ok bool) {
	const most = 40
	w.collect(func() { // label notes the uses
		if t.union != nil {
			_, ok = w.unionExpression(t, p)
			return
		}
		var text string
		text, ok = w.objectExpression(t, p, 0)
		ok = ok && (!inNode || len(text) <= most)
	})
	return ok
}

// label returns the type expression of t without its attributes. What there is
// a notation for in the record of a node goes there.
func (w *writer) label(t *typ, p *path, r *ast.Record) string {
	switch {
	case t.name != "" || t.ref != nil || t.union != nil || t.kind == "Array":
	case len(t.fields) > 0 && declares(t):
		w.declare(r, t, p)
		return "Object"
	case t.kind == "Object" && len(t.fields) == 0 && t.rest != nil:
		w.restOf(r, t, p)
		if t.declared {
			return "{}"
		}
		return "Map"
	}
	return w.primary(t, p, 0)
}

// restOf adds the type of the undeclared fields of an object to its record.
func (w *writer) restOf(r *ast.Record, t *typ, p *path) {
	if t.rest != nil {
		add(r, "of", typeValue(w.expression(t.rest, p.part("Value"), 0)))
	}
}

// typeValue returns a type expression as a value.
func typeValue(text string) ast.Value {
	if isSymbol(text) {
		return &ast.Symbol{Text: text}
	}
	return &ast.Tagged{Tag: "type", Text: text}
}

// attributes adds the attributes of a type to a record. It returns those that
// only type expressions can express as the end of one: (default=3).
func attributes(r *ast.Record, t *typ, required bool) string {
	var parts []string
	if len(t.types) > 0 {
		list := &ast.Array{}
		for _, name := range t.types {
			list.Elements = append(list.Elements, &ast.Symbol{Text: name})
		}
		add(r, "types", list)
	}
	for _, a := range t.attrs {
		if inExpression(a) {
			parts = append(parts, a.key+"="+jsonText(a.value))
		} else {
			add(r, a.key, attributeValue(a, t.knowsNull()))
		}
	}
	switch {
	case t.value == nil:
	case required || isHidden(t.value):
		parts = append(parts, "default="+jsonText(t.value))
	default:
		add(r, "default", value(t.value, t.knowsNull()))
	}
	return parenthesis(parts)
}

// attributeValue returns the value of an attribute in a record. In it the
// word null can be known as null.
func attributeValue(a attr, null bool) ast.Value {
	switch a.key {
	case "description", "title":
		return stringValue(a.value.Text(), true)
	case "format":
		if text := a.value.Text(); isSymbol(text) && text != "true" && text != "false" {
			return &ast.Symbol{Text: text}
		}
	case "enum", "examples":
		return listValue(a.value, null)
	}
	return value(a.value, null)
}

func add(r *ast.Record, key string, v ast.Value) {
	r.Properties = append(r.Properties, &ast.Property{Key: ast.NewName(key), Separator: ":", Value: v})
}

// nodeOf makes the gram node (name::label {record}).
func nodeOf(name, label string, record *ast.Record) *ast.Pattern {
	s := &ast.Subject{Labels: []*ast.Label{{Separator: "::", Name: ast.NewName(label)}}}
	if name != "" {
		s.Identity = ast.NewName(name)
	}
	if record != nil && len(record.Properties) > 0 {
		s.Record = record
	}
	return &ast.Pattern{Form: ast.FormNode, Subject: s}
}

// declares reports whether the fields of an object are so simple that they are
// declared in the record of its node: {street:: Text, age:: {type: Int, min: 0}}.
func declares(t *typ) bool {
	const most = 6
	return len(t.fields) <= most && !slices.ContainsFunc(t.fields, func(f *field) bool { return !canDeclare(f) })
}

func canDeclare(f *field) bool {
	t := f.typ
	switch {
	case !isSymbol(f.name), isAttributeWord(f.name):
		return false
	case t.ref != nil || t.union != nil || len(t.fields) > 0 || t.rest != nil || t.declared || len(t.types) > 0:
		return false
	case t.elem != nil && !isWord(t.elem):
		return false
	case t.value != nil && (f.required || !isPlain(t.value)):
		return false
	}
	return !slices.ContainsFunc(t.attrs, func(a attr) bool {
		return a.key == "description" || a.key == "title" || inExpression(a) || !isPlain(a.value)
	})
}

// isWord reports whether the expression of a type is one word.
func isWord(t *typ) bool {
	return t.ref == nil && t.union == nil && t.elem == nil && t.rest == nil && !t.declared && !t.nullable && len(t.attrs)+len(t.types) == 0 && t.value == nil
}

// isAttributeWord reports whether a key in a record is not a field.
func isAttributeWord(key string) bool {
	_, isProperty := vocabulary.PropertyOf(vocabulary.OwnerParameter, key)
	_, isKeyword := attributeOf[key]
	return isProperty || isKeyword
}

// declare adds the fields of an object to its record.
func (w *writer) declare(r *ast.Record, t *typ, p *path) {
	for _, f := range t.fields {
		label := f.typ.kind
		if f.typ.elem != nil {
			label = "[" + f.typ.elem.kind + "]"
		}
		if f.typ.nullable {
			label += "?"
		}
		v := typeValue(label)
		if len(f.typ.attrs) > 0 || f.typ.value != nil || !f.required {
			one := &ast.Record{}
			add(one, "type", v)
			attributes(one, f.typ, f.required)
			if !f.required && f.typ.value == nil {
				add(one, "optional", &ast.Bool{Value: true})
			}
			v = one
		}
		r.Properties = append(r.Properties, &ast.Property{Key: ast.NewName(f.name), Separator: "::", Value: v})
	}
	w.restOf(r, t, p)
}

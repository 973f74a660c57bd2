package importer

import (
	"slices"
	"strconv"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/vocabulary"
)

// A named is a type with a name of its own in the gram text.
type named struct {
	pattern *ast.Pattern
	uses    []string     // the named types that it is made of
	stub    *ast.Pattern // of a shared type, the same without what it is made of
	written bool
}

// A library holds the named types that were made.
type library struct {
	names  typeNames
	byName map[string]*named
	same   map[string]string // from what a type says to its name
}

// A writer writes the types of one definition.
type writer struct {
	*library
	uses []string // the named types that are used where it writes now
}

// compactAbove is how many named types a text may have before objects are
// written where they are used whenever that is possible: a file takes 10,000.
const compactAbove = 8000

// use notes that a named type is used.
func (w *writer) use(name string) string {
	w.uses = append(w.uses, name)
	return name
}

// hoist writes a type as a named one, and returns its name.
func (w *writer) hoist(t *typ, p *path) string {
	if t.whole != "" {
		return w.use(t.whole)
	}
	outside := w.uses
	w.uses = nil
	pattern := w.definition(t, p)
	t.whole = w.define(pattern, p, "")
	w.uses = outside
	return w.use(t.whole)
}

// sharedName writes a shared type, once, and returns its name.
func (w *writer) sharedName(s *shared, p *path) string {
	own := &path{word: s.key}
	switch {
	case s.name != "":
	case s.writing: // it holds itself
		s.name = w.names.unique(own.under(p))
	default:
		s.writing = true
		outside := w.uses
		w.uses = nil
		pattern := w.definition(s.typ, own.under(p))
		if s.name != "" {
			w.named(s.name, pattern, s.key)
		} else {
			s.name = w.define(pattern, own.under(p), s.key)
		}
		w.uses = outside
	}
	return w.use(s.name)
}

// under returns the path with the words of the definition above it.
func (p *path) under(top *path) *path {
	for top != nil && top.above != nil {
		top = top.above
	}
	return &path{top, p.word}
}

// define adds a type that has no name yet and returns its name: that of a type
// which says the same, where there is one.
func (w *writer) define(pattern *ast.Pattern, p *path, key string) string {
	says := camel(p.word) + "\x00" + key + "\x00" + ast.Print(pattern)
	if name := w.same[says]; name != "" {
		return name
	}
	name := w.names.unique(p)
	w.same[says] = name
	w.named(name, pattern, key)
	return name
}

// named gives a type its name and adds it to the library.
func (w *writer) named(name string, pattern *ast.Pattern, key string) {
	pattern.Subject.Identity = ast.NewName(name)
	if key != "" {
		var value ast.Value = &ast.Bool{Value: true}
		if key != name {
			value = stringValue(key, false)
		}
		r := &ast.Record{}
		add(r, "shared", value)
		if had := pattern.Subject.Record; had != nil {
			r.Properties = append(r.Properties, had.Properties...)
		}
		pattern.Subject.Record = r
	}
	made := &named{pattern: pattern, uses: w.uses}
	if key != "" {
		subject := *pattern.Subject
		subject.Labels = []*ast.Label{{Separator: ":", Name: ast.NewName(ast.LabelType)}}
		subject.Record = &ast.Record{Properties: subject.Record.Properties[:1]} // shared
		made.stub = &ast.Pattern{Form: ast.FormBracket, Subject: &subject, Elements: []*ast.Pattern{nodeOf("", "Any", nil)}}
	}
	w.byName[name] = made
}

// definition returns the pattern of a named type, without its name.
func (w *writer) definition(t *typ, p *path) *ast.Pattern {
	r := &ast.Record{}
	pattern := &ast.Pattern{Form: ast.FormBracket, Subject: &ast.Subject{Record: r}}
	label := ast.LabelType
	switch {
	case t.name == "" && t.union != nil && len(t.types) == 0 && !t.nullable && unionFits(t):
		label = ast.LabelUnion
		if t.exclusive {
			add(r, "exclusive", &ast.Bool{Value: true})
		}
		w.attributes(r, t, false)
		for i, u := range t.union {
			l, record := w.node(u, p.down(optionWord(i)), false)
			pattern.Elements = append(pattern.Elements, nodeOf("", l, record))
		}
	case t.name == "" && len(t.fields) > 0 && !t.nullable && !hasEmptyName(t) && recordFits(t):
		w.attributes(r, t, false)
		w.restOf(r, t, p)
		for _, f := range t.fields {
			pattern.Elements = append(pattern.Elements, w.fieldNode(f, p.down(f.name)))
		}
	default:
		l, record := w.node(t, p, false)
		pattern.Elements = []*ast.Pattern{nodeOf("", l, record)}
	}
	pattern.Subject.Labels = []*ast.Label{{Separator: ":", Name: ast.NewName(label)}}
	if len(r.Properties) == 0 {
		pattern.Subject.Record = nil
	}
	return pattern
}

func optionWord(i int) string { return "Option" + strconv.Itoa(i+1) }

// unionFits reports whether what is said of a union can stand in the record of
// a named one.
func unionFits(t *typ) bool {
	for _, a := range t.attrs {
		if a.key != "title" && a.key != "description" && a.key != "examples" && a.key != "deprecated" || inExpression(a) {
			return false
		}
	}
	return t.value == nil || !hiddenValue(t.value)
}

// recordFits reports whether all that is said of an object can stand in the
// record of its named type.
func recordFits(t *typ) bool {
	return !slices.ContainsFunc(t.attrs, inExpression) && (t.value == nil || !hiddenValue(t.value))
}

// hasEmptyName reports whether a field has an empty name, which only type
// expressions can say.
func hasEmptyName(t *typ) bool {
	return slices.ContainsFunc(t.fields, func(f *field) bool { return f.name == "" })
}

// fieldNode returns a parameter, or a field of a named type.
func (w *writer) fieldNode(f *field, p *path) *ast.Pattern {
	t := f.typ
	if f.required && t.value != nil && hidesNull(t, t.value) { // which only a record can say
		t = &typ{name: w.hoist(t, p)}
		w.uses = w.uses[:len(w.uses)-1]
	}
	label, r := w.node(t, p, f.required)
	if !f.required && r.Get("default") == nil {
		add(r, "optional", &ast.Bool{Value: true})
	}
	return nodeOf(f.name, label, r)
}

// node returns a type as the label and the record of a node. Typed says that a
// default in the record would mean more than that of the type: that the field
// is optional.
func (w *writer) node(t *typ, p *path, typed bool) (string, *ast.Record) {
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
	label = open(label, parenthesis(t, typed))
	w.attributes(r, t, typed)
	r.Properties = append(r.Properties, structure.Properties...)
	return label, r
}

// outline returns a type of which the structure has a name, where it is too
// large to stand where it is used.
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
		if hasEmptyName(t) || inNode && w.declares(t) || w.readsInline(t, p, inNode) {
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
	name := w.hoist(bare, p)
	w.uses = w.uses[:len(w.uses)-1] // label notes the use
	t.outer = &typ{name: name, kind: t.kind, types: t.types, nullable: t.nullable, attrs: kept, value: t.value, span: t.span, texts: !t.knowsNull()}
	return t.outer
}

// readsInline reports whether a union, or the fields of an object, can be read
// where they are used.
func (w *writer) readsInline(t *typ, p *path, inNode bool) bool {
	const most = 40
	uses := w.uses // label notes them
	defer func() { w.uses = uses }()
	if t.union != nil {
		_, ok := w.unionExpression(t, p)
		return ok
	}
	text, ok := w.objectExpression(t, p, 0)
	return ok && (!inNode || len(text) <= most || len(w.byName) > compactAbove)
}

// label returns the type expression of t without its attributes. What there is
// a notation for in the record of a node goes there.
func (w *writer) label(t *typ, p *path, r *ast.Record) string {
	switch {
	case t.name != "" || t.ref != nil || t.union != nil || t.kind == "Array":
	case len(t.fields) > 0 && w.declares(t):
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

// restOf adds what other fields of an object hold to its record.
func (w *writer) restOf(r *ast.Record, t *typ, p *path) {
	if t.rest != nil {
		add(r, "of", w.typeValue(w.expression(t.rest, p.part("Value"), 0)))
	}
}

// typeValue returns a type expression as a value.
func (w *writer) typeValue(text string) ast.Value {
	if name := ast.NewName(text); name.Kind == ast.NameSymbol {
		return &ast.Symbol{Text: text}
	}
	return &ast.Tagged{Tag: "type", Text: text}
}

// attributes adds to a record what stands in it: all attributes but those that
// only type expressions can say.
func (w *writer) attributes(r *ast.Record, t *typ, typed bool) {
	if len(t.types) > 0 {
		add(r, "types", symbols(t.types))
	}
	for _, a := range t.attrs {
		if !inExpression(a) {
			add(r, a.key, attributeValue(a, t.knowsNull()))
		}
	}
	if t.value != nil && !(typed || hiddenValue(t.value)) {
		add(r, "default", value(t.value, t.knowsNull()))
	}
}

func symbols(words []string) *ast.Array {
	a := &ast.Array{}
	for _, word := range words {
		a.Elements = append(a.Elements, &ast.Symbol{Text: word})
	}
	return a
}

// attributeValue returns the value of an attribute in a record, in which the
// word null may be known as null.
func attributeValue(a attr, null bool) ast.Value {
	switch a.key {
	case "description", "title":
		return stringValue(a.value.Text(), true)
	case "format":
		if name := ast.NewName(a.value.Text()); name.Kind == ast.NameSymbol && a.value.Text() != "true" && a.value.Text() != "false" {
			return &ast.Symbol{Text: a.value.Text()}
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

// declares reports whether the fields of an object are so simple that they
// stand in the record of its node: {street:: Text, age:: {type: Int, min: 0}}.
func (w *writer) declares(t *typ) bool {
	const most = 6
	if len(t.fields) > most || len(w.byName) > compactAbove {
		return false
	}
	for _, f := range t.fields {
		if !canDeclare(f) {
			return false
		}
	}
	return true
}

func canDeclare(f *field) bool {
	t := f.typ
	switch {
	case ast.NewName(f.name).Kind != ast.NameSymbol, isAttributeWord(f.name):
		return false
	case t.ref != nil || t.union != nil || len(t.fields) > 0 || t.rest != nil || t.declared || len(t.types) > 0:
		return false
	case t.elem != nil && !isWord(t.elem):
		return false
	case t.value != nil && (f.required || !isPlain(t.value)):
		return false
	}
	for _, a := range t.attrs {
		if a.key == "description" || a.key == "title" || inExpression(a) || !isPlain(a.value) {
			return false
		}
	}
	return true
}

// isWord reports whether a type is said with one word.
func isWord(t *typ) bool {
	return t.ref == nil && t.union == nil && t.elem == nil && t.rest == nil && !t.declared && !t.nullable && len(t.attrs)+len(t.types) == 0 && t.value == nil
}

// isAttributeWord reports whether a key means something else than a field in a
// record.
func isAttributeWord(key string) bool {
	_, isProperty := vocabulary.PropertyOf(vocabulary.OwnerParameter, key)
	_, isKeyword := attributes[key]
	return isProperty || isKeyword || key == "fields"
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
		v := w.typeValue(label)
		if len(f.typ.attrs) > 0 || f.typ.value != nil || !f.required {
			one := &ast.Record{}
			add(one, "type", v)
			w.attributes(one, f.typ, f.required)
			if !f.required && f.typ.value == nil {
				add(one, "optional", &ast.Bool{Value: true})
			}
			v = one
		}
		r.Properties = append(r.Properties, &ast.Property{Key: ast.NewName(f.name), Separator: "::", Value: v})
	}
	w.restOf(r, t, p)
}

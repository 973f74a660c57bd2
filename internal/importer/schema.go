package importer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
)

// A reader reads the schemas of one definition.
type reader struct {
	*notes
	root   *node // what references lead into
	shared map[*node]*shared
	order  []*shared       // in which they were met
	keys   map[string]bool // of shared
	defs   []definitions   // in the schemas that were read
	later  []func()        // what waits until all types are read
	merges int             // members that were copied to merge schemas
	valued bool            // the definition holds values, of some type
}

func newReader(n *notes, root *node) *reader {
	return &reader{notes: n, root: root, shared: map[*node]*shared{}, keys: map[string]bool{}}
}

// schema reads a schema as a type.
func (r *reader) schema(n *node, at *place) *typ {
	t := &typ{kind: "Any", span: n.span}
	switch {
	case n.kind == kindBool && n.text == "true":
		r.rewritten(n.span, at, "true as a schema becomes {}")
		return t
	case n.kind == kindBool:
		r.lost(n.span, at, "gram has no type without values, such as the schema false")
		return t
	case n.kind != kindObject:
		r.lost(n.span, at, "a schema is an object, and this is %s", quote(jsonText(n)))
		return t
	}
	if parts := n.get("allOf"); parts.is(kindArray) {
		n = r.merged(n, at)
	}
	r.definitions(n, at)
	if n.get("$ref") != nil {
		return r.reference(n, at)
	}
	n = r.split(n, at)
	r.kind(t, n, at)
	for i := range n.members {
		r.keyword(t, n, &n.members[i], at)
	}
	r.finish(t, at)
	return t
}

// kind reads the type keyword, or finds out what is meant without it.
func (r *reader) kind(t *typ, n *node, at *place) {
	switch given := n.get("type"); {
	case given.is(kindString):
		t.kind = r.namedKind(given, at)
	case given.is(kindArray):
		r.kinds(t, given, at)
	case given != nil:
		r.lost(given.span, at.key("type"), "a type is a text or a list of texts")
	case n.get("anyOf") == nil && n.get("oneOf") == nil:
		r.guess(t, n, at)
	}
	if null := n.get("nullable"); null.is(kindBool) && null.text == "true" {
		if t.kind == "Any" {
			return // which is told where the keyword is read
		}
		t.nullable = true
	}
}

// namedKind returns the kind of a type name.
func (r *reader) namedKind(n *node, at *place) string {
	if k := gramKind(n.text); k != "" {
		return k
	}
	meant := ""
	switch word := strings.ToLower(n.text); word {
	case "string", "integer", "number", "boolean", "object", "array", "null":
		meant = word
	case "str", "text", "date", "datetime", "uuid":
		meant = "string"
	case "int", "int32", "int64", "long":
		meant = "integer"
	case "float", "double", "decimal":
		meant = "number"
	case "bool":
		meant = "boolean"
	case "dict", "map":
		meant = "object"
	case "list":
		meant = "array"
	}
	if meant == "" {
		r.lost(n.span, at.key("type"), "%s is no type of JSON Schema", quote(n.text))
		return "Any"
	}
	r.assumed(n.span, at.key("type"), "the type %s is none of JSON Schema and taken for %s", quote(n.text), meant)
	return gramKind(meant)
}

// kinds reads a list of types.
func (r *reader) kinds(t *typ, n *node, at *place) {
	var kinds []string
	for _, item := range n.items {
		if !item.is(kindString) {
			r.lost(item.span, at.key("type"), "a list of types holds texts, and this is %s", quote(jsonText(item)))
			continue
		}
		if k := r.namedKind(item, at); k != "Any" && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	others := slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return k == "Null" })
	switch {
	case len(kinds) == 0:
		r.lost(n.span, at.key("type"), "an empty list of types")
	case len(kinds) == 2 && len(others) == 1:
		t.kind, t.nullable = others[0], true
	default:
		t.types = kinds
	}
}

// guess finds the kind that is meant where no type is given.
func (r *reader) guess(t *typ, n *node, at *place) {
	for i := range n.members {
		k := ""
		switch keyword := n.members[i].key; keyword {
		case "properties", "required", "additionalProperties":
			k = "Object"
		case "items":
			k = "Array"
		default:
			if a, ok := attributeOf(keyword); ok && a.on != "" {
				k = a.meantKind()
			}
		}
		if k != "" {
			r.assumed(n.span, at, "no type is given; by its %s it is %s", n.members[i].key, k)
			t.kind = k
			return
		}
	}
}

// keyword reads one member of a schema. What kind, reference and merged have
// read is passed over.
func (r *reader) keyword(t *typ, n *node, m *member, at *place) {
	here := at.key(m.key)
	switch m.key {
	case "type", "required", "$schema", "$defs", "definitions":
	case "properties", "additionalProperties":
		if t.kind != "Object" {
			r.pointless(t, m, here)
		} else if m.key == "properties" {
			r.fields(t, n, at)
		} else {
			r.additional(t, m.value, here)
		}
	case "items":
		if t.kind != "Array" {
			r.pointless(t, m, here)
		} else {
			r.items(t, m.value, here)
		}
	case "anyOf", "oneOf":
		r.union(t, n, m, here)
	case "default":
		t.value = m.value
	case "example":
		if n.get("examples") == nil {
			r.rewritten(m.span, here, "example becomes examples, a list of one")
			r.cover(at.key("examples"))
			t.attrs = append(t.attrs, attr{"examples", &node{kind: kindArray, items: []*node{m.value}, span: m.value.span}})
			return
		}
		r.lost(m.span, here, "example beside examples")
	case "nullable":
		r.nullable(t, m, at)
	case "$comment":
		r.comments = append(r.comments, "comment"+at.at()+": "+m.value.text)
		r.rewritten(m.span, here, "$comment becomes a comment of the gram text")
	case "$id", "id":
		r.rewritten(m.span, here, "%s names the schema and says nothing of values", m.key)
	default:
		r.attribute(t, m, here)
	}
	if m.key == "required" {
		r.required(t, n, at)
	}
}

// pointless tells of a keyword that says nothing of values of this type.
func (r *reader) pointless(t *typ, m *member, at *place) {
	switch {
	case t.ref != nil || t.kind == "Any":
		r.lost(m.span, at, "gram cannot say %s of a type that may be another than the one that it is for", quote(m.key))
	default:
		r.rewritten(m.span, at, "%s says nothing of %s", quote(m.key), t.kind)
	}
}

func (r *reader) nullable(t *typ, m *member, at *place) {
	switch {
	case !m.value.is(kindBool):
		r.lost(m.span, at.key(m.key), "nullable must be true or false")
	case m.value.text == "true" && t.kind == "Any" && t.types == nil:
		r.lost(m.span, at.key(m.key), "nullable without a type says nothing")
	default:
		r.rewritten(m.span, at.key(m.key), "nullable becomes a type list with null")
		r.cover(at.key("type"))
	}
}

// attribute reads a keyword that is an attribute in gram.
func (r *reader) attribute(t *typ, m *member, at *place) {
	a, ok := attributeOf(m.key)
	switch {
	case !ok:
		r.lost(m.span, at, "gram has no %s", quote(m.key))
		return
	case !a.standsOn(t.kind):
		r.pointless(t, m, at)
		return
	}
	if v := r.attributeValue(a, m, at); v != nil {
		t.attrs = append(t.attrs, attr{a.key, v})
	}
}

// attributeValue returns the value of an attribute, nil when it told why there
// is none.
func (r *reader) attributeValue(a attribute, m *member, at *place) *node {
	v := m.value
	wrong := func(wanted string) *node {
		r.lost(v.span, at, "%s must be %s", quote(m.key), wanted)
		return nil
	}
	switch a.form {
	case formText, formFormat:
		if v.kind != kindString {
			return wrong("a text")
		}
	case formPattern:
		if v.kind != kindString {
			return wrong("a text")
		}
		if problem := patternProblem(v.text); problem != "" {
			r.lost(v.span, at, "%s", problem)
			return nil
		}
	case formBool:
		if v.kind != kindBool {
			return wrong("true or false")
		}
	case formNumber, formStep:
		if v.kind == kindBool && strings.HasPrefix(a.key, "exclusive") {
			return v // of older schemas; finish reads it
		}
		if v.kind != kindNumber || a.form == formStep && sign(v.text) <= 0 {
			return wrong("a number" + map[bool]string{true: " above 0"}[a.form == formStep])
		}
	case formCount:
		count, ok := wholeNumber(v)
		if !ok {
			return wrong("a count: 0, 1, 2 …")
		}
		return &node{kind: kindNumber, text: strconv.FormatUint(count, 10), span: v.span}
	case formList, formEnum:
		if v.kind != kindArray || a.form == formEnum && len(v.items) == 0 {
			return wrong("a list" + map[bool]string{true: " of at least one value"}[a.form == formEnum])
		}
	}
	return v
}

// patternProblem returns why gram refuses a pattern, "" when it takes it.
func patternProblem(pattern string) string {
	p := &ast.Pattern{Form: ast.FormPath, Subject: &ast.Subject{}, Elements: []*ast.Pattern{
		nodeOf("pattern", "Text", &ast.Record{Properties: []*ast.Property{property("pattern", stringValue(pattern, false))}}),
		nodeOf("", "Any", nil),
	}, Arrows: []*ast.Arrow{{Family: ast.Fat, Direction: ast.Right}}}
	_, problems := types.LowerSignature(p)
	if len(problems) == 0 {
		return ""
	}
	return strings.Replace(problems[0].Message, `the pattern of the parameter "pattern"`, "the pattern "+quote(pattern), 1)
}

// fields reads the properties of an object.
func (r *reader) fields(t *typ, n *node, at *place) {
	properties := n.get("properties")
	if !properties.is(kindObject) {
		r.lost(properties.span, at.key("properties"), "properties must be an object")
		return
	}
	t.declared = true
	at = at.key("properties")
	for i := range properties.members {
		m := &properties.members[i]
		t.fields = append(t.fields, &field{name: m.key, typ: r.schema(m.value, at.key(m.key))})
	}
}

// required reads which fields are required.
func (r *reader) required(t *typ, n *node, at *place) {
	list := n.get("required")
	here := at.key("required")
	switch {
	case t.kind != "Object":
		if list.kind == kindBool {
			r.lost(list.span, here, "required is a list of names beside properties; true or false in a property")
			return
		}
		if len(list.items) > 0 {
			r.pointless(t, &member{key: "required", span: list.span}, here)
		}
		return
	case list.kind != kindArray:
		r.lost(list.span, here, "required must be a list of names")
		return
	}
	r.later = append(r.later, func() { r.markRequired(t, list, at) })
}

// markRequired marks the fields that a list names. A field that is required
// and not among the properties becomes one of any type.
func (r *reader) markRequired(t *typ, list *node, at *place) {
	byName := make(map[string]*field, len(t.fields))
	for _, f := range t.fields {
		byName[f.name] = f
	}
	here := at.key("required")
	for _, item := range list.items {
		if !item.is(kindString) {
			r.lost(item.span, here, "required holds names, and this is %s", quote(jsonText(item)))
			continue
		}
		f := byName[item.text]
		if f == nil {
			if closed := t.get("closed"); closed != nil && closed.text == "true" {
				r.lost(item.span, here, "the field %s is required, and not allowed", quote(item.text))
				continue
			}
			f = &field{name: item.text, typ: &typ{kind: "Any", span: item.span}}
			if t.rest != nil {
				f.typ = t.rest
			}
			r.rewritten(item.span, here, "the field %s is required and not among the properties; it becomes one of them", quote(item.text))
			r.cover(at.key("properties").key(item.text))
			byName[item.text] = f
			t.fields, t.declared = append(t.fields, f), true
		}
		f.required = true
	}
}

// additional reads what the other fields of an object hold.
func (r *reader) additional(t *typ, n *node, at *place) {
	if not := n.get("not"); n.is(kindObject) && len(n.members) == 1 && not.is(kindObject) && len(not.members) == 0 {
		r.rewritten(n.span, at, `{"not": {}} becomes false`)
		n = &node{kind: kindBool, text: "false", span: n.span}
	}
	if n.kind != kindBool {
		t.rest = r.schema(n, at)
		return
	}
	closed := "true"
	if n.text == "true" {
		closed = "false"
	}
	t.attrs = append(t.attrs, attr{"closed", &node{kind: kindBool, text: closed, span: n.span}})
}

// items reads what the elements of an array are.
func (r *reader) items(t *typ, n *node, at *place) {
	switch {
	case n.kind == kindArray:
		r.lost(n.span, at, "gram has no arrays with a type for each position")
	case n.kind == kindBool && n.text == "true", n.kind == kindObject && len(n.members) == 0:
		r.cover(at) // an array without items is the same
	default:
		t.elem = r.schema(n, at)
	}
}

// union reads anyOf or oneOf.
func (r *reader) union(t *typ, n *node, m *member, at *place) {
	switch {
	case m.value.kind != kindArray || len(m.value.items) == 0:
		r.lost(m.span, at, "%s must be a list of schemas", m.key)
		return
	case t.union != nil:
		r.lost(m.span, at, "gram cannot say anyOf and oneOf of one type")
		return
	case t.kind != "Any" || t.nullable:
		if t.nullable || slices.ContainsFunc(n.members, func(m member) bool { return saysOfKind(m.key) }) {
			r.lost(m.span, at, "gram cannot say %s of %s that says more", m.key, t.kind)
			return
		}
		r.rewritten(m.span, at.above.key("type"), "the type beside %s becomes a list of one type", m.key)
		t.types, t.kind = []string{t.kind}, "Any"
	}
	t.exclusive = m.key == "oneOf"
	for i, item := range m.value.items {
		t.union = append(t.union, r.schema(item, at.item(i)))
	}
}

// saysOfKind reports whether a keyword says something of values of one JSON
// type.
func saysOfKind(keyword string) bool {
	switch keyword {
	case "properties", "required", "additionalProperties", "items":
		return true
	}
	a, ok := attributeOf(keyword)
	return ok && a.on != ""
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

// property makes key: value.
func property(key string, v ast.Value) *ast.Property {
	return &ast.Property{Key: ast.NewName(key), Separator: ":", Value: v}
}

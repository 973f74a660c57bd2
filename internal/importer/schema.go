package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A reader reads the schemas of one definition.
type reader struct {
	*notes
	resolver *jsonschema.Resolver
	shared   map[*jsonschema.Node]*shared
	order    []*shared       // in the order in which they were met
	keys     map[string]bool // of shared
	defs     []definitions   // in the schemas that were read
	later    []func()        // what waits until all types are read
	merges   int             // members that were copied to merge schemas
	valued   bool            // the definition has values of some type
}

func newReader(n *notes, root *jsonschema.Node) *reader {
	return &reader{notes: n, resolver: jsonschema.NewResolver(root), shared: map[*jsonschema.Node]*shared{}, keys: map[string]bool{}}
}

// schema reads a schema as a type.
func (r *reader) schema(n *jsonschema.Node, at *jsonschema.Location) *typ {
	t := &typ{kind: "Any", span: r.span(n)}
	switch n.Kind {
	case jsonschema.KindTrue:
		r.rewritten(t.span, at, "true as a schema becomes {}")
		return t
	case jsonschema.KindFalse:
		r.lost(t.span, at, "gram has no type without values, such as the schema false")
		return t
	case jsonschema.KindObject:
	default:
		r.lost(t.span, at, "a schema is an object, and this is %s", quote(jsonText(n)))
		return t
	}
	if parts := n.Get("allOf"); parts.Is(jsonschema.KindArray) {
		n = r.merged(n, at)
	}
	r.definitions(n, at)
	if n.Get("$ref") != nil {
		return r.reference(n, at)
	}
	n = r.split(n, at)
	r.kind(t, n, at)
	for _, m := range n.Members {
		r.keyword(t, n, m, at)
	}
	r.finish(t, at)
	return t
}

// kind reads the type keyword, or infers the type without it.
func (r *reader) kind(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	switch given := n.Get("type"); {
	case given.Is(jsonschema.KindString):
		t.kind = r.namedKind(given, at)
	case given.Is(jsonschema.KindArray):
		r.kinds(t, given, at)
	case given != nil:
		r.lost(r.span(given), at.Key("type"), "a type is a string or an array of strings")
	case n.Get("anyOf") == nil && n.Get("oneOf") == nil:
		r.infer(t, n, at)
	}
	if n.Get("nullable").Is(jsonschema.KindTrue) && t.kind != "Any" { // else it is reported where the keyword is read
		t.nullable = true
	}
}

// namedKind returns the gram type for the name of a type, "Any" for none.
func (r *reader) namedKind(n *jsonschema.Node, at *jsonschema.Location) string {
	if k := gramKind(n.Text()); k != "" {
		return k
	}
	meant := strings.ToLower(n.Text())
	switch meant {
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
	k := gramKind(meant)
	if k == "" {
		r.lost(r.span(n), at.Key("type"), "unknown type %s", quote(n.Text()))
		return "Any"
	}
	r.assumed(r.span(n), at.Key("type"), "JSON Schema has no type %s; it is read as %s", quote(n.Text()), meant)
	return k
}

// kinds reads a list of types.
func (r *reader) kinds(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	var kinds []string
	for _, item := range n.Items {
		if !item.Is(jsonschema.KindString) {
			r.lost(r.span(item), at.Key("type"), "an array of types has strings, and this is %s", quote(jsonText(item)))
			continue
		}
		if k := r.namedKind(item, at); k != "Any" && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	others := slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return k == "Null" })
	switch {
	case len(kinds) == 0:
		r.lost(r.span(n), at.Key("type"), "an empty array of types")
	case len(kinds) == 2 && len(others) == 1:
		t.kind, t.nullable = others[0], true
	default:
		t.types = kinds
	}
}

// infer finds the type from the other keywords where none is given.
func (r *reader) infer(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	for _, m := range n.Members {
		if k := kindOf(m.Key); k != "" {
			r.assumed(r.span(n), at, "no type is given; %s implies %s", m.Key, k)
			t.kind = k
			return
		}
	}
}

// keyword reads one member of a schema. What kind, reference and merged have
// read is passed over.
func (r *reader) keyword(t *typ, n *jsonschema.Node, m jsonschema.Member, at *jsonschema.Location) {
	here := at.Key(m.Key)
	switch m.Key {
	case "type", "$schema", "$defs", "definitions":
	case "required":
		r.required(t, m, at)
	case "properties", "additionalProperties", "items":
		switch {
		case t.kind != kindOf(m.Key):
			r.misplaced(t, m, here)
		case m.Key == "properties":
			r.fields(t, m.Value, here)
		case m.Key == "items":
			r.items(t, m.Value, here)
		default:
			r.additional(t, m.Value, here)
		}
	case "anyOf", "oneOf":
		r.union(t, n, m, here)
	case "default":
		t.value = m.Value
	case "example":
		if n.Get("examples") != nil {
			r.lost(r.key(m), here, "example beside examples")
			return
		}
		r.rewritten(r.key(m), here, "example becomes examples, an array of one")
		r.cover(at.Key("examples"))
		t.attrs = append(t.attrs, attr{attributeOf["examples"], moved(jsonschema.Array(m.Value), m.Value)})
	case "nullable":
		r.nullable(t, m, at)
	case "$comment":
		text := m.Value.Text()
		if !m.Value.Is(jsonschema.KindString) {
			text = jsonText(m.Value)
		}
		r.comments = append(r.comments, "comment"+locationText(at)+": "+text)
		r.rewritten(r.key(m), here, "$comment becomes a comment of the gram text")
	case "$id", "id":
		r.rewritten(r.key(m), here, "%s names the schema and does not constrain values", m.Key)
	default:
		r.attribute(t, m, here)
	}
}

// misplaced reports a keyword that does not apply to values of this type.
func (r *reader) misplaced(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	if t.ref != nil || t.kind == "Any" {
		r.lost(r.key(m), at, "gram has no %s for a type that may be another than the one it applies to", quote(m.Key))
	} else {
		r.rewritten(r.key(m), at, "%s does not apply to %s", quote(m.Key), t.kind)
	}
}

func (r *reader) nullable(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	here := at.Key(m.Key)
	switch {
	case !m.Value.IsBool():
		r.lost(r.key(m), here, "nullable must be true or false")
	case m.Value.Is(jsonschema.KindTrue) && t.kind == "Any" && t.types == nil:
		r.lost(r.key(m), here, "nullable has no effect without a type")
	default:
		r.rewritten(r.key(m), here, "nullable becomes a type list with null")
		r.cover(at.Key("type"))
	}
}

// attribute reads a keyword that is an attribute in gram.
func (r *reader) attribute(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	a, ok := attributeOf[m.Key]
	switch {
	case !ok:
		r.lost(r.key(m), at, "gram has no %s", quote(m.Key))
	case !a.appliesTo(t.kind):
		r.misplaced(t, m, at)
	default:
		v, wanted := a.value(m.Value)
		if wanted != "" {
			r.lost(r.span(m.Value), at, "%s must be %s", quote(m.Key), wanted)
			return
		}
		if a.Form == jsonschema.FormRegexp {
			if problem := regexpProblem(v.Text()); problem != "" {
				r.lost(r.span(v), at, "%s", problem)
				return
			}
		}
		t.attrs = append(t.attrs, attr{a, v})
	}
}

// value returns the value of an attribute, or what it must be instead.
func (a attribute) value(v *jsonschema.Node) (value *jsonschema.Node, wanted string) {
	ok := true
	switch a.Form {
	case jsonschema.FormText, jsonschema.FormRegexp:
		ok, wanted = v.Is(jsonschema.KindString), "a string"
	case jsonschema.FormBool:
		ok, wanted = v.IsBool(), "true or false"
	case jsonschema.FormNumber: // in older schemas, exclusive is true or false; finish reads it
		ok, wanted = v.Is(jsonschema.KindNumber) || v.IsBool() && strings.HasPrefix(a.key, "exclusive"), "a number"
	case jsonschema.FormStep:
		ok, wanted = v.Is(jsonschema.KindNumber) && jsonschema.DecimalOf(v.Raw()).Sign() > 0, "a positive number"
	case jsonschema.FormCount:
		v, ok = count(v)
		wanted = "an integer from 0"
	case jsonschema.FormList:
		ok, wanted = v.Is(jsonschema.KindArray), "an array"
	case jsonschema.FormEnum:
		ok, wanted = len(v.Items) > 0, "an array of at least one value"
	}
	if !ok {
		return nil, wanted
	}
	return v, ""
}

// regexpProblem returns why gram rejects a regular expression, "" if it takes
// it.
func regexpProblem(text string) string {
	r := &ast.Record{}
	add(r, "pattern", stringValue(text, false))
	p := chain([]*ast.Pattern{nodeOf("pattern", "Text", r), nodeOf("", "Any", nil)})
	_, problems := types.LowerSignature(p)
	if len(problems) == 0 {
		return ""
	}
	return strings.Replace(problems[0].Message, `the pattern of the parameter "pattern"`, "the pattern "+quote(text), 1)
}

// fields reads the properties of an object.
func (r *reader) fields(t *typ, properties *jsonschema.Node, at *jsonschema.Location) {
	if !properties.Is(jsonschema.KindObject) {
		r.lost(r.span(properties), at, "properties must be an object")
		return
	}
	t.declared = true
	for _, m := range properties.Members {
		t.fields = append(t.fields, &field{name: m.Key, typ: r.schema(m.Value, at.Key(m.Key))})
	}
}

// required reads which fields are required.
func (r *reader) required(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	list, here := m.Value, at.Key(m.Key)
	switch {
	case t.kind != "Object" && list.IsBool():
		r.lost(r.span(list), here, "required is an array of names beside properties; it cannot be true or false in a property")
	case t.kind != "Object":
		if len(list.Items) > 0 {
			r.misplaced(t, jsonschema.Member{Key: m.Key, Start: list.Start, End: list.End}, here)
		}
	case list.Kind != jsonschema.KindArray:
		r.lost(r.span(list), here, "required must be an array of names")
	default:
		r.later = append(r.later, func() { r.markRequired(t, list, at) })
	}
}

// markRequired marks the fields that a list names. A field that is required
// and not among the properties becomes one of any type.
func (r *reader) markRequired(t *typ, list *jsonschema.Node, at *jsonschema.Location) {
	byName := make(map[string]*field, len(t.fields))
	for _, f := range t.fields {
		byName[f.name] = f
	}
	here := at.Key("required")
	for _, item := range list.Items {
		if !item.Is(jsonschema.KindString) {
			r.lost(r.span(item), here, "required has names, and this is %s", quote(jsonText(item)))
			continue
		}
		name := item.Text()
		f := byName[name]
		if f == nil {
			if t.isClosed() {
				r.lost(r.span(item), here, "the field %s is required, but not allowed", quote(name))
				continue
			}
			f = &field{name: name, typ: &typ{kind: "Any", span: r.span(item)}}
			if t.rest != nil {
				f.typ = t.rest
			}
			r.rewritten(r.span(item), here, "the field %s is required but not declared; it becomes one of the properties", quote(name))
			r.cover(at.Key("properties").Key(name))
			byName[name] = f
			t.fields, t.declared = append(t.fields, f), true
		}
		f.required = true
	}
}

// additional reads what the undeclared fields of an object are.
func (r *reader) additional(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	nothing := n.Get("not")
	switch {
	case nothing.Is(jsonschema.KindObject) && len(nothing.Members) == 0 && len(n.Members) == 1:
		r.rewritten(r.span(n), at, `{"not": {}} becomes false`)
	case !n.IsBool():
		t.rest = r.schema(n, at)
		return
	}
	t.attrs = append(t.attrs, attr{attribute{key: "closed"}, moved(jsonschema.Bool(!n.Is(jsonschema.KindTrue)), n)})
}

// items reads what the elements of an array are.
func (r *reader) items(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	switch {
	case n.Kind == jsonschema.KindArray:
		r.lost(r.span(n), at, "gram has no arrays with a type for each position")
	case n.AllowsAnything():
		r.cover(at) // an array without items is the same
	default:
		t.elem = r.schema(n, at)
	}
}

// union reads anyOf or oneOf.
func (r *reader) union(t *typ, n *jsonschema.Node, m jsonschema.Member, at *jsonschema.Location) {
	switch {
	case len(m.Value.Items) == 0:
		r.lost(r.key(m), at, "%s must be an array of schemas", m.Key)
		return
	case t.union != nil:
		r.lost(r.key(m), at, "gram has no type with both anyOf and oneOf")
		return
	case t.kind != "Any" || t.nullable:
		if t.nullable || slices.ContainsFunc(n.Members, func(m jsonschema.Member) bool { return kindOf(m.Key) != "" }) {
			r.lost(r.key(m), at, "gram has no %s beside other keywords of %s", m.Key, t.kind)
			return
		}
		r.rewritten(r.key(m), at.Parent.Key("type"), "the type beside %s becomes a list of one type", m.Key)
		t.types, t.kind = []string{t.kind}, "Any"
	}
	t.exclusive = m.Key == "oneOf"
	for i, item := range m.Value.Items {
		t.union = append(t.union, r.schema(item, at.Item(i)))
	}
}

// finish reads what keywords mean together, and lets the values wait until all
// types are read.
func (r *reader) finish(t *typ, at *jsonschema.Location) {
	r.booleanBound(t, at, "exclusiveMinimum", "minimum")
	r.booleanBound(t, at, "exclusiveMaximum", "maximum")
	for _, pair := range [...][2]string{
		{"minimum", "maximum"}, {"minimum", "exclusiveMaximum"}, {"exclusiveMinimum", "maximum"}, {"exclusiveMinimum", "exclusiveMaximum"},
		{"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"},
	} {
		lower, upper := attributeOf[pair[0]].key, attributeOf[pair[1]].key
		low, high := t.attr(lower), t.attr(upper)
		if low == nil || high == nil {
			continue
		}
		order := jsonschema.DecimalOf(low.Raw()).Compare(jsonschema.DecimalOf(high.Raw()))
		if order > 0 || order == 0 && strings.Contains(lower+upper, "exclusive") {
			r.lost(r.span(high), at.Key(pair[1]), "no value is possible: %s is %s and %s is %s", lower, clip(low.Raw()), upper, clip(high.Raw()))
			t.drop(upper)
		}
	}
	if t.value != nil || t.attr("enum") != nil || t.attr("const") != nil || t.attr("examples") != nil {
		r.later = append(r.later, func() { r.values(t, at) })
	}
}

// booleanBound reads the older form of an exclusive bound: true or false beside
// the inclusive one.
func (r *reader) booleanBound(t *typ, at *jsonschema.Location, exclusive, inclusive string) {
	key, other := attributeOf[exclusive].key, attributeOf[inclusive].key
	flag := t.attr(key)
	if !flag.IsBool() {
		return
	}
	t.drop(key)
	if bound := t.attr(other); flag.Is(jsonschema.KindTrue) && bound != nil {
		t.drop(other)
		t.attrs = append(t.attrs, attr{attributeOf[exclusive], bound})
	}
	r.rewritten(r.span(flag), at.Key(exclusive), "the older form of %s becomes a number", exclusive)
	r.cover(at.Key(inclusive))
}

package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
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
	merges   int             // members that were copied to merge schemas
	openAPI  bool            // of an OpenAPI document
	skipped  map[string]bool // its keywords that are left out
}

func newReader(n *notes, root *jsonschema.Node) *reader {
	return &reader{notes: n, resolver: jsonschema.NewResolver(root), shared: map[*jsonschema.Node]*shared{}, keys: map[string]bool{}}
}

// schema reads a schema as a type.
func (r *reader) schema(n *jsonschema.Node, at *jsonschema.Location) *typ {
	t := &typ{kind: "Any"}
	switch n.Kind {
	case jsonschema.KindTrue:
		r.rewritten(r.span(n), at, "true as a schema becomes {}")
		return t
	case jsonschema.KindFalse:
		r.rewritten(r.span(n), at, `false as a schema becomes {"not": {}}`)
		t.raw = []jsonschema.Member{jsonschema.NewMember("not", jsonschema.Object())}
		return t
	case jsonschema.KindObject:
	default:
		r.lost(r.span(n), at, "a schema is an object, and this is %s", quote(jsonText(n)))
		return t
	}
	if n.Get("allOf").Is(jsonschema.KindArray) {
		n = r.merged(n, at)
	}
	r.definitions(n, at)
	if !r.reference(t, n, at) {
		n = r.kind(t, n, at)
	}
	for _, m := range n.Members {
		r.keyword(t, n, m, at.Key(m.Key))
	}
	r.finish(t, n, at)
	return t
}

// kind reads the type keyword, or infers the type without it. It returns the
// schema with the types that are meant.
func (r *reader) kind(t *typ, n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	given := n.Get("type")
	meant := given
	switch {
	case given.Is(jsonschema.KindString):
		meant = r.meantType(given, at)
		t.kind = gramKind(meant.Text())
	case given.Is(jsonschema.KindArray):
		meant = r.kinds(t, given, at)
	case given != nil:
		r.lost(r.span(given), at.Key("type"), "a type is a string or an array of strings")
		meant = nil
	case n.Get("anyOf") == nil && n.Get("oneOf") == nil:
		r.infer(t, n, at)
	}
	if t.kind == "" {
		t.kind = "Any"
	}
	if n.Get("nullable").Is(jsonschema.KindTrue) && t.kind != "Any" { // else it is reported where the keyword is read
		t.nullable = true
	}
	if meant == given {
		return n
	}
	changed := n.Edit()
	if changed.Remove("type"); meant != nil {
		changed.Set("type", meant)
	}
	return moved(jsonschema.Object(changed.Members...), n)
}

// meantType returns the name of a type that JSON Schema has, null for none.
func (r *reader) meantType(n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	if gramKind(n.Text()) != "" {
		return n
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
	if gramKind(meant) == "" {
		r.lost(r.span(n), at.Key("type"), "unknown type %s", quote(n.Text()))
		return nil
	}
	r.assumed(r.span(n), at.Key("type"), "JSON Schema has no type %s; it is read as %s", quote(n.Text()), meant)
	return moved(jsonschema.String(meant), n)
}

// kinds reads a list of types.
func (r *reader) kinds(t *typ, n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	var kinds []string
	var kept []*jsonschema.Node
	for _, item := range n.Items {
		if !item.Is(jsonschema.KindString) {
			r.lost(r.span(item), at.Key("type"), "an array of types has strings, and this is %s", quote(jsonText(item)))
			continue
		}
		meant := r.meantType(item, at)
		if k := gramKind(meant.Text()); k != "" && !slices.Contains(kinds, k) {
			kinds, kept = append(kinds, k), append(kept, meant)
		}
	}
	others := slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return k == "Null" })
	switch {
	case len(kinds) == 0:
		r.lost(r.span(n), at.Key("type"), "an empty array of types")
		return nil
	case len(kinds) == 2 && len(others) == 1:
		t.kind, t.nullable = others[0], true
	default:
		t.types = kinds
	}
	return n.WithItems(kept)
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
	switch m.Key {
	case "$ref", "$schema", "$defs", "definitions":
	case "type":
		if t.ref != nil && !jsonschema.Equal(m.Value, t.ref.target.Get("type")) {
			r.lost(r.key(m), at, "gram has no type beside a reference")
		} else if t.ref != nil {
			r.rewritten(r.key(m), at, "the reference says the type already")
		}
	case "required":
		r.required(t, m, at)
	case "properties", "additionalProperties", "items":
		switch {
		case t.kind != kindOf(m.Key), m.Key == "items" && m.Value.Is(jsonschema.KindArray):
			r.keep(t, m, at)
		case m.Key == "properties":
			r.fields(t, m.Value, at)
		case m.Key == "items":
			r.items(t, m.Value, at)
		default:
			r.additional(t, m.Value, at)
		}
	case "anyOf", "oneOf":
		r.union(t, n, m, at)
	case "default":
		t.value = m.Value
	case "example":
		if n.Get("examples") != nil {
			r.keep(t, m, at)
			return
		}
		r.rewritten(r.key(m), at, "example becomes examples, an array of one")
		r.cover(at.Parent.Key("examples"))
		t.attrs = append(t.attrs, attr{attributeOf["examples"], moved(jsonschema.Array(m.Value), m.Value)})
	case "nullable":
		r.nullable(t, m, at)
	case "propertyNames":
		if m.Value.Get("type").Text() == "string" && len(m.Value.Members) == 1 {
			r.rewritten(r.key(m), at, "all names are strings, and %s says nothing more", m.Key)
			return
		}
		r.keep(t, m, at)
	case "$id", "id":
		r.rewritten(r.key(m), at, "%s names the schema and does not constrain values", m.Key)
	default:
		if r.openAPI && r.isExtension(m) {
			r.cover(at)
			return
		}
		r.attribute(t, m, at)
	}
}

// isExtension reports whether a keyword of an OpenAPI document tells nothing of
// values. It reports each of them once.
func (r *reader) isExtension(m jsonschema.Member) bool {
	switch {
	case m.Key == "xml", m.Key == "externalDocs", m.Key == "discriminator", strings.HasPrefix(m.Key, "x-"):
	default:
		return false
	}
	if !r.skipped[m.Key] {
		r.skipped[m.Key] = true
		r.diags.Infof(r.key(m), diag.CodeImportRewritten, "%s of schemas is left out, here and elsewhere: it does not describe values", quote(m.Key))
	}
	return true
}

// keep keeps a keyword for which gram has no word as it is. What it refers to
// takes the place of references.
func (r *reader) keep(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	value, problem := r.inlined(m)
	if problem != "" {
		r.lost(r.key(m), at, "gram has no %s with references here: %s", quote(m.Key), problem)
		return
	}
	if value != m.Value {
		r.rewritten(r.key(m), at, "what %s refers to takes the place of the references", m.Key)
		m.Value = moved(value, m.Value)
	}
	switch wrong, wanted := jsonschema.Invalid(jsonschema.Object(m)); {
	case t.ref != nil && m.Key == "additionalProperties":
		r.lost(r.key(m), at, "gram has no %s beside a reference", m.Key)
	case wanted != "" && wrong.Parent == nil:
		r.lost(r.span(m.Value), at, "%s must be %s", quote(m.Key), wanted)
	case wanted != "":
		r.lost(r.span(m.Value), at, "%s must have %s at %s", quote(m.Key), wanted, clip(wrong.Pointer()))
	case depthOf(m.Value) > maxRaw:
		r.lost(r.span(m.Value), at, "%s is nested deeper than %d levels", quote(m.Key), maxRaw)
	default:
		t.raw = append(t.raw, m)
	}
}

func (r *reader) nullable(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	switch {
	case !m.Value.IsBool():
		r.lost(r.key(m), at, "nullable must be true or false")
	case m.Value.Is(jsonschema.KindTrue) && t.kind == "Any" && t.types == nil: // finish reads it beside alternatives
		r.rewritten(r.key(m), at, "nullable has no effect without a type or alternatives")
	case t.ref != nil:
		t.nullable = m.Value.Is(jsonschema.KindTrue)
		r.rewritten(r.key(m), at.Parent, "nullable becomes anyOf with null")
	default:
		r.rewritten(r.key(m), at, "nullable becomes a type list with null")
		r.cover(at.Parent.Key("type"))
	}
}

// attribute reads a keyword that may be an attribute in gram.
func (r *reader) attribute(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	a, known := attributeOf[m.Key]
	wanted := a.Wanted(m.Value)
	if m.Value.IsBool() && strings.HasPrefix(a.key, "exclusive") { // in older schemas; finish reads it
		wanted = ""
	}
	switch {
	case !known, !a.appliesTo(t.kind), t.ref != nil && !isNote(m.Key):
		r.keep(t, m, at)
	case wanted != "" && !m.Value.Is(jsonschema.KindString) || wanted != "" && a.Form != jsonschema.FormRegexp:
		r.lost(r.span(m.Value), at, "%s must be %s", quote(m.Key), wanted)
	case a.Form == jsonschema.FormRegexp && !isGramRegexp(m.Value.Text()):
		r.keep(t, m, at)
	default:
		if a.Form == jsonschema.FormCount {
			m.Value = moved(jsonschema.Number(whole(m.Value)), m.Value)
		}
		t.attrs = append(t.attrs, attr{a, m.Value})
	}
}

// isGramRegexp reports whether gram takes a regular expression.
func isGramRegexp(text string) bool {
	p := chain([]*ast.Pattern{(&use{label: "Text", attrs: []attr{{attributeOf["pattern"], jsonschema.String(text)}}}).node("pattern", true), (&use{label: "Any"}).node("", true)})
	_, problems := types.LowerSignature(p)
	return len(problems) == 0
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

// required checks the names of required fields, which finish marks.
func (r *reader) required(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	switch list := m.Value; {
	case list.IsBool() && t.kind != "Object":
		r.lost(r.span(list), at, "required is an array of names beside properties; it cannot be true or false in a property")
	case list.Kind != jsonschema.KindArray:
		r.lost(r.span(list), at, "required must be an array of names")
	case t.kind != "Object" && len(list.Items) > 0:
		r.keep(t, m, at)
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
			f = &field{name: name, typ: &typ{kind: "Any"}}
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
	if n.AllowsAnything() {
		r.cover(at) // an array without items is the same
	} else {
		t.elem = r.schema(n, at)
	}
}

// union reads anyOf or oneOf.
func (r *reader) union(t *typ, n *jsonschema.Node, m jsonschema.Member, at *jsonschema.Location) {
	isConstrained := func(m jsonschema.Member) bool { return kindOf(m.Key) != "" }
	switch {
	case len(m.Value.Items) == 0:
		r.lost(r.key(m), at, "%s must be an array of schemas", m.Key)
		return
	case t.union != nil, t.ref != nil, t.nullable, t.kind != "Any" && slices.ContainsFunc(n.Members, isConstrained):
		r.keep(t, m, at)
		return
	case t.kind != "Any":
		r.rewritten(r.key(m), at.Parent.Key("type"), "the type beside %s becomes a list of one type", m.Key)
		t.types, t.kind = []string{t.kind}, "Any"
	}
	t.exclusive = m.Key == "oneOf"
	for i, item := range m.Value.Items {
		if !t.exclusive && slices.ContainsFunc(m.Value.Items[:i], func(other *jsonschema.Node) bool { return jsonschema.Equal(item, other) }) {
			r.rewritten(r.span(item), at, "the same alternative is there twice, and is written once")
			continue
		}
		t.union = append(t.union, r.schema(item, at.Item(i)))
	}
}

// finish reads what keywords mean together.
func (r *reader) finish(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	if list := n.Get("required"); t.kind == "Object" && list.Is(jsonschema.KindArray) {
		r.markRequired(t, list, at)
	}
	if n.Get("nullable").Is(jsonschema.KindTrue) && t.union != nil && !t.knowsNull() {
		r.rewritten(r.span(n.Get("nullable")), at, "nullable beside alternatives becomes one more, null")
		t.union = append(t.union, &typ{kind: "Null"})
	}
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
	r.values(t, n, at)
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

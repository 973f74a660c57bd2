package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// keyword reads one member of a schema. What kind, reference and merged have
// read is passed over.
func (r *schemaReader) keyword(t *typ, n *jsonschema.Node, m jsonschema.Member, at *jsonschema.Location) {
	switch m.Key {
	case "$ref", "$schema", "$defs", "definitions":
	case "type":
		if t.ref != nil && !jsonschema.Equal(m.Value, t.ref.target.Get("type")) {
			r.lost(r.key(m), at, "gram has no type beside a reference")
		} else if t.ref != nil {
			r.rewritten(r.key(m), at, "the reference says the type already")
		}
	case "required":
		r.requiredKeyword(t, m, at)
	case "properties", "additionalProperties", "items":
		switch {
		case t.kind != typeForKeyword(m.Key), m.Key == "items" && m.Value.Is(jsonschema.KindArray):
			r.keepKeyword(t, m, at)
		case m.Key == "properties":
			r.propertiesKeyword(t, m.Value, at)
		case m.Key == "items":
			r.itemsKeyword(t, m.Value, at)
		default:
			r.additionalKeyword(t, m.Value, at)
		}
	case "anyOf", "oneOf":
		r.unionKeyword(t, n, m, at)
	case "default":
		t.value = m.Value
	case "example":
		if n.Get("examples") != nil {
			r.keepKeyword(t, m, at)
			return
		}
		r.rewritten(r.key(m), at, "example becomes examples, an array of one")
		r.cover(at.Parent.Key("examples"))
		t.attrs = append(t.attrs, attr{attributeOf("examples"), objectMoved(jsonschema.Array(m.Value), m.Value)})
	case "nullable":
		r.nullableKeyword(t, m, at)
	case "propertyNames":
		if m.Value.Get("type").Text() == "string" && len(m.Value.Members) == 1 {
			r.rewritten(r.key(m), at, "all names are strings, and %s says nothing more", m.Key)
			return
		}
		r.keepKeyword(t, m, at)
	case "$id", "id":
		r.rewritten(r.key(m), at, "%s names the schema and does not constrain values", m.Key)
	default:
		if r.openAPI && r.isExtensionKeyword(m) {
			r.cover(at)
			return
		}
		r.attributeKeyword(t, m, at)
	}
}

// isExtensionKeyword reports whether a keyword of an OpenAPI document says nothing of
// values. It reports each of them once.
func (r *schemaReader) isExtensionKeyword(m jsonschema.Member) bool {
	switch {
	case m.Key == "xml", m.Key == "externalDocs", m.Key == "discriminator", strings.HasPrefix(m.Key, "x-"):
	default:
		return false
	}
	if !r.skipped[m.Key] {
		r.skipped[m.Key] = true
		r.diags.Infof(r.key(m), diag.CodeImportRewritten, "%s of schemas is left out, here and elsewhere: it does not describe values", quoteText(m.Key))
	}
	return true
}

// keepKeyword keeps a keyword for which gram has no word as it is. What it refers to
// takes the place of references.
func (r *schemaReader) keepKeyword(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	value, problem := r.inlined(m)
	if problem != "" {
		r.lost(r.key(m), at, "gram has no %s with references here: %s", quoteText(m.Key), problem)
		return
	}
	if value != m.Value {
		r.rewritten(r.key(m), at, "what %s refers to takes the place of the references", m.Key)
		m.Value = objectMoved(value, m.Value)
	}
	switch wrong, wanted := jsonschema.Invalid(jsonschema.Object(m)); {
	case t.ref != nil && m.Key == "additionalProperties":
		r.lost(r.key(m), at, "gram has no %s beside a reference", m.Key)
	case wanted != "" && wrong.Parent == nil:
		r.lost(r.span(m.Value), at, "%s must be %s", quoteText(m.Key), wanted)
	case wanted != "":
		r.lost(r.span(m.Value), at, "%s must have %s at %s", quoteText(m.Key), wanted, clipText(wrong.Pointer()))
	case valueDepth(m.Value) > maxRaw:
		r.lost(r.span(m.Value), at, "%s is nested deeper than %d levels", quoteText(m.Key), maxRaw)
	default:
		t.raw = append(t.raw, m)
	}
}

func (r *schemaReader) nullableKeyword(t *typ, m jsonschema.Member, at *jsonschema.Location) {
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

// attributeKeyword reads a keyword that may be an attribute in gram.
func (r *schemaReader) attributeKeyword(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	a, known := attributesByKeyword()[m.Key]
	wanted := a.Wanted(m.Value)
	if m.Value.IsBool() && strings.HasPrefix(a.key, "exclusive") { // in older schemas; finish reads it
		wanted = ""
	}
	switch {
	case !known, !a.appliesTo(t.kind), t.ref != nil && !isNoteType(m.Key):
		r.keepKeyword(t, m, at)
	case wanted != "" && !m.Value.Is(jsonschema.KindString) || wanted != "" && a.Form != jsonschema.FormRegexp:
		r.lost(r.span(m.Value), at, "%s must be %s", quoteText(m.Key), wanted)
	case a.Form == jsonschema.FormRegexp && !isGramRegexpKeyword(m.Value.Text()):
		r.keepKeyword(t, m, at)
	default:
		if a.Form == jsonschema.FormCount {
			m.Value = objectMoved(jsonschema.Number(wholeValue(m.Value)), m.Value)
		}
		t.attrs = append(t.attrs, attr{a, m.Value})
	}
}

// isGramRegexpKeyword reports whether gram takes a regular expression.
func isGramRegexpKeyword(text string) bool {
	p := signatureChain([]*ast.Pattern{(&use{label: "Text", attrs: []attr{{attributeOf("pattern"), jsonschema.String(text)}}}).node("pattern", true), (&use{label: "Any"}).node("", true)})
	_, problems := types.LowerSignature(p)
	return len(problems) == 0
}

// propertiesKeyword reads the properties of an object.
func (r *schemaReader) propertiesKeyword(t *typ, properties *jsonschema.Node, at *jsonschema.Location) {
	if !properties.Is(jsonschema.KindObject) {
		r.lost(r.span(properties), at, "properties must be an object")
		return
	}
	t.declared = true
	for _, m := range properties.Members {
		t.fields = append(t.fields, &field{name: m.Key, typ: r.schema(m.Value, at.Key(m.Key))})
	}
}

// requiredKeyword checks the names of required fields, which finish marks.
func (r *schemaReader) requiredKeyword(t *typ, m jsonschema.Member, at *jsonschema.Location) {
	switch list := m.Value; {
	case list.IsBool() && t.kind != "Object":
		r.lost(r.span(list), at, "required is an array of names beside properties; it cannot be true or false in a property")
	case list.Kind != jsonschema.KindArray:
		r.lost(r.span(list), at, "required must be an array of names")
	case t.kind != "Object" && len(list.Items) > 0:
		r.keepKeyword(t, m, at)
	}
}

// markRequiredKeyword marks the required fields of a schema. A field that is required
// and not among the properties becomes one of any type.
func (r *schemaReader) markRequiredKeyword(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	list := n.Get("required")
	byName := make(map[string]*field, len(t.fields))
	for _, f := range t.fields {
		byName[f.name] = f
	}
	const maxAdded = 100 // each repeats the type of undeclared fields
	here, added := at.Key("required"), 0
	for _, item := range list.Items {
		if !item.Is(jsonschema.KindString) {
			r.lost(r.span(item), here, "required has names, and this is %s", quoteText(jsonText(item)))
			continue
		}
		name := item.Text()
		f := byName[name]
		if f != nil && n != r.arguments && r.isOneWayKeyword(f) {
			r.rewritten(r.span(item), here, "the field %s is readOnly or writeOnly, and so it is not always there", quoteText(name))
			continue
		}
		if f == nil {
			if added++; t.rest != nil && added > maxAdded {
				r.lost(r.span(item), here, "there are more than %d required fields that are not declared", maxAdded)
				return
			}
			if t.isClosed() {
				r.lost(r.span(item), here, "the field %s is required, but not allowed", quoteText(name))
				continue
			}
			f = &field{name: name, typ: &typ{kind: "Any"}}
			if t.rest != nil {
				f.typ = t.rest
			}
			r.rewritten(r.span(item), here, "the field %s is required but not declared; it becomes one of the properties", quoteText(name))
			r.cover(at.Key("properties").Key(name))
			byName[name] = f
			t.fields, t.declared = append(t.fields, f), true
		}
		f.required = true
	}
}

// isOneWayKeyword reports whether a field of an OpenAPI document is in requests or in
// responses alone. A schema may serve both, so that it is required in neither; which
// arguments are required is known already.
func (r *schemaReader) isOneWayKeyword(f *field) bool {
	is := func(key string) bool { return f.typ.attr(key).Is(jsonschema.KindTrue) }
	return r.openAPI && (is("readOnly") || is("writeOnly"))
}

// additionalKeyword reads what the undeclared fields of an object are.
func (r *schemaReader) additionalKeyword(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	nothing := n.Get("not")
	switch {
	case nothing.Is(jsonschema.KindObject) && len(nothing.Members) == 0 && len(n.Members) == 1:
		r.rewritten(r.span(n), at, `{"not": {}} becomes false`)
	case !n.IsBool():
		t.rest = r.schema(n, at)
		return
	}
	t.attrs = append(t.attrs, attr{attribute{key: "closed"}, objectMoved(jsonschema.Bool(!n.Is(jsonschema.KindTrue)), n)})
}

// itemsKeyword reads what the elements of an array are.
func (r *schemaReader) itemsKeyword(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	if n.AllowsAnything() {
		r.cover(at) // an array without items is the same
	} else {
		t.elem = r.schema(n, at)
	}
}

// unionKeyword reads anyOf or oneOf.
func (r *schemaReader) unionKeyword(t *typ, n *jsonschema.Node, m jsonschema.Member, at *jsonschema.Location) {
	isConstrained := func(m jsonschema.Member) bool { return typeForKeyword(m.Key) != "" }
	switch {
	case len(m.Value.Items) == 0:
		r.lost(r.key(m), at, "%s must be an array of schemas", m.Key)
		return
	case t.union != nil, t.ref != nil, t.nullable, t.kind != "Any" && slices.ContainsFunc(n.Members, isConstrained):
		r.keepKeyword(t, m, at)
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

package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A schemaReader reads the schemas of one definition.
type schemaReader struct {
	*notes
	resolver *jsonschema.Resolver
	shared   map[*jsonschema.Node]*shared
	order    []*shared          // in the order in which they were met
	keys     map[string]bool    // of shared
	defs     []definitions      // in the schemas that were read
	merges   int                // members that were copied to merge schemas
	active   []*jsonschema.Node // what was merged into the schemas that are being read
	nesting  int                // how many merged schemas hold the one that is being read
	openAPI  bool               // of an OpenAPI document
	skipped  map[string]bool    // its keywords that are left out

	arguments *jsonschema.Node // of all arguments together
}

func newSchemaReader(n *notes, root *jsonschema.Node) *schemaReader {
	return &schemaReader{notes: n, resolver: jsonschema.NewResolver(root), shared: map[*jsonschema.Node]*shared{}, keys: map[string]bool{}}
}

// with returns the reader, which from now on reports to other notes.
func (r *schemaReader) with(n *notes) *schemaReader {
	r.notes = n
	return r
}

// schema reads a schema as a type.
func (r *schemaReader) schema(n *jsonschema.Node, at *jsonschema.Location) *typ {
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
		r.lost(r.span(n), at, "a schema is an object, and this is %s", quoteText(jsonText(n)))
		return t
	}
	defer func(active, nesting int) { r.active, r.nesting = r.active[:active], nesting }(len(r.active), r.nesting)
	n = r.mergeConjunction(n, at)
	if n.Get("allOf").Is(jsonschema.KindArray) {
		whole := r.merged(n, at)
		if whole != n {
			r.nesting++
		}
		n = whole
	}
	r.noteReferenceTargets(n, at)
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
func (r *schemaReader) kind(t *typ, n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	given := n.Get("type")
	meant := given
	switch {
	case given.Is(jsonschema.KindString):
		meant = r.meantType(given, at)
		t.kind = gramTypeOf(meant.Text())
	case given.Is(jsonschema.KindArray):
		meant = r.kinds(t, given, at)
	case given != nil:
		r.lost(r.span(given), at.Key("type"), "a type is a string or an array of strings")
		meant = nil
	case n.Get("anyOf") == nil && n.Get("oneOf") == nil && n.Get("allOf") == nil:
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
	return objectMoved(jsonschema.Object(changed.Members...), n)
}

// meantType returns the name of a type that JSON Schema has, null for none.
func (r *schemaReader) meantType(n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	if gramTypeOf(n.Text()) != "" {
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
	if gramTypeOf(meant) == "" {
		r.lost(r.span(n), at.Key("type"), "unknown type %s", quoteText(n.Text()))
		return nil
	}
	r.assumed(r.span(n), at.Key("type"), "JSON Schema has no type %s; it is read as %s", quoteText(n.Text()), meant)
	return objectMoved(jsonschema.String(meant), n)
}

// kinds reads a list of types.
func (r *schemaReader) kinds(t *typ, n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	var kinds []string
	var kept []*jsonschema.Node
	for _, item := range n.Items {
		if !item.Is(jsonschema.KindString) {
			r.lost(r.span(item), at.Key("type"), "an array of types has strings, and this is %s", quoteText(jsonText(item)))
			continue
		}
		meant := r.meantType(item, at)
		if k := gramTypeOf(meant.Text()); k != "" && !slices.Contains(kinds, k) {
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
func (r *schemaReader) infer(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	for _, m := range n.Members {
		if k := typeForKeyword(m.Key); k != "" && r.allowed(m.Key, n) {
			r.assumed(r.span(n), at, "no type is given; %s implies %s", m.Key, k)
			t.kind = k
			return
		}
	}
}

// allowed reports whether the values in a schema without a type can be of the type that a
// keyword is for.
func (r *schemaReader) allowed(keyword string, n *jsonschema.Node) bool {
	k, _ := jsonschema.KeywordNamed(keyword)
	typ := jsonschema.Object(jsonschema.NewMember("type", jsonschema.String(k.On.Names()[0])))
	values := slices.Clone(n.ItemsOf("enum"))
	for _, key := range []string{"const", "default"} {
		if v := n.Get(key); v != nil {
			values = append(values, v)
		}
	}
	return !slices.ContainsFunc(values, func(v *jsonschema.Node) bool { return r.resolver.Misfit(v, typ) != "" })
}

// finish reads what keywords mean together.
func (r *schemaReader) finish(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	if t.kind == "Object" && n.Get("required").Is(jsonschema.KindArray) {
		r.markRequiredKeyword(t, n, at)
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
		lower, upper := attributeOf(pair[0]).key, attributeOf(pair[1]).key
		low, high := t.attr(lower), t.attr(upper)
		if low == nil || high == nil {
			continue
		}
		order := jsonschema.DecimalOf(low.Raw()).Compare(jsonschema.DecimalOf(high.Raw()))
		if order > 0 || order == 0 && strings.Contains(lower+upper, "exclusive") {
			r.lost(r.span(high), at.Key(pair[1]), "no value is possible: %s is %s and %s is %s", lower, clipText(low.Raw()), upper, clipText(high.Raw()))
			t.drop(upper)
		}
	}
	r.checkValues(t, n, at)
}

// booleanBound reads the older form of an exclusive bound: true or false beside
// the inclusive one.
func (r *schemaReader) booleanBound(t *typ, at *jsonschema.Location, exclusive, inclusive string) {
	key, other := attributeOf(exclusive).key, attributeOf(inclusive).key
	flag := t.attr(key)
	if !flag.IsBool() {
		return
	}
	t.drop(key)
	if bound := t.attr(other); flag.Is(jsonschema.KindTrue) && bound != nil {
		t.drop(other)
		t.attrs = append(t.attrs, attr{attributeOf(exclusive), bound})
	}
	r.rewritten(r.span(flag), at.Key(exclusive), "the older form of %s becomes a number", exclusive)
	r.cover(at.Key(inclusive))
}

package provider

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// gemini lowers one schema for Gemini, which knows no references, no maps, one
// type at a time, and values for texts alone.
func (l *schemaLowerer) gemini(n *jsonschema.Node, at *jsonschema.Location, depth int) *jsonschema.Node {
	switch {
	case l.tooDeep(depth):
		return n
	case n.AllowsAnything():
		return strictSame(n, jsonschema.Object())
	case !n.Is(jsonschema.KindObject):
		l.fail(at, CodeNotASchema, "no value fits here; a schema must be an object")
		return n
	}
	if n.Get("$ref") != nil {
		return l.geminiRef(n, at, depth)
	}
	d := n.Edit()
	l.treat(d, at)
	if n.Get("anyOf") != nil || n.Get("oneOf") != nil {
		return l.geminiUnion(n, d, at, depth)
	}
	types, ok := l.types(n, at)
	if !ok {
		return n
	}
	if others := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" }); len(others) > 1 {
		return l.geminiTypes(n, d, at, depth, others)
	}
	if len(types) > 0 {
		l.geminiType(n, d, types)
	}
	types = slices.DeleteFunc(types, func(t string) bool { return t == "null" && len(types) > 1 })
	if format := l.format(d, at, types); format != "" {
		describeLowered(d, "(format: "+excerpt.Short(format, maxShown)+")")
	}
	l.geminiValues(n, d, at, types)
	l.geminiParts(n, d, at, depth, types)
	return d.Node(n)
}

// geminiType writes the one type of a schema, and whether null is allowed.
func (l *schemaLowerer) geminiType(n *jsonschema.Node, d *jsonschema.Edit, types []string) {
	kind := types[0]
	if kind == "null" && len(types) > 1 {
		kind = types[1]
	}
	if t := n.Get("type"); !t.Is(jsonschema.KindString) {
		d.SetFirst("type", jsonschema.String(kind))
	}
	if len(types) > 1 && l.takesNull(n) {
		d.Set("nullable", jsonschema.Bool(true))
	}
}

// geminiTypes writes several types as alternatives.
func (l *schemaLowerer) geminiTypes(n *jsonschema.Node, d *jsonschema.Edit, at *jsonschema.Location, depth int, types []string) *jsonschema.Node {
	var out []jsonschema.Member
	alternatives := make([][]jsonschema.Member, len(types))
	for i, t := range types {
		alternatives[i] = []jsonschema.Member{jsonschema.NewMember("type", jsonschema.String(t))}
	}
	for _, m := range d.Members {
		switch m.Key {
		case "type":
			continue
		case "title", "description", "default", "example", "nullable":
			out = append(out, m)
			continue
		}
		for i, t := range types {
			if value := forGeminiType(m, t); value != nil {
				alternatives[i] = append(alternatives[i], jsonschema.NewMember(m.Key, value))
			}
		}
	}
	items := make([]*jsonschema.Node, len(types))
	for i := range types {
		items[i] = l.gemini(jsonschema.Object(alternatives[i]...), at, depth+1)
	}
	out = append(out, jsonschema.NewMember("anyOf", jsonschema.Array(items...)))
	if l.takesNull(n) && n.Get("nullable") == nil {
		out = append(out, jsonschema.NewMember("nullable", jsonschema.Bool(true)))
	}
	return jsonschema.Object(out...)
}

// forGeminiType returns the value of a keyword for one of several types; nil if the
// keyword does not apply to it.
func forGeminiType(m jsonschema.Member, kind string) *jsonschema.Node {
	if m.Key == "enum" {
		values := slices.DeleteFunc(slices.Clone(m.Value.Items), func(n *jsonschema.Node) bool {
			t := schemaTypeOf(n)
			return t != kind && (t != "integer" || kind != "number")
		})
		return jsonschema.Array(values...)
	}
	if types := limitedSchemaTypes(m.Key); types == 0 || types&jsonschema.TypeNamed(kind) != 0 {
		return m.Value
	}
	return nil
}

// geminiRef replaces a reference with its target.
func (l *schemaLowerer) geminiRef(n *jsonschema.Node, at *jsonschema.Location, depth int) *jsonschema.Node {
	ref := n.Get("$ref").Text()
	to, there := l.Resolve(ref)
	switch {
	case !to.Is(jsonschema.KindObject) && !to.Is(jsonschema.KindTrue):
		l.fail(at.Key("$ref"), CodeRef, "the reference %q has no target", excerpt.Short(ref, maxShown))
		return n
	case slices.Contains(l.open, to):
		l.fail(at.Key("$ref"), CodeRecursion, "%s takes no type that contains itself; use a text, or a fixed number of levels", l.title)
		return n
	}
	if l.written += len(to.Raw()); l.written > maxWritten {
		l.fail(nil, CodeTooLarge, "%s has no references, and the schema is too large without them; use fewer types", l.title)
		return n
	}
	l.open = append(l.open, to)
	defer func() { l.open = l.open[:len(l.open)-1] }()
	body := l.gemini(to, there, depth+1).Edit()
	for _, m := range n.Members {
		switch m.Key {
		case "$ref", "$defs":
		case "title", "description", "default", "example", "nullable":
			body.Set(m.Key, m.Value)
		default:
			rest := &jsonschema.Edit{Members: []jsonschema.Member{m}}
			l.treat(rest, at)
			if len(rest.Members) > 0 {
				l.strictBeside(m, at, "a reference")
			}
		}
	}
	return jsonschema.Object(body.Members...)
}

// geminiUnion lowers alternatives. The alternative null becomes "nullable", and a
// single alternative replaces the union.
func (l *schemaLowerer) geminiUnion(n *jsonschema.Node, d *jsonschema.Edit, at *jsonschema.Location, depth int) *jsonschema.Node {
	keyword, either := l.unionAlternatives(n, at)
	if len(either.Items) == 0 {
		return n
	}
	var items []*jsonschema.Node
	null := false
	for i, item := range either.Items {
		if types := item.TypeList(); len(types) == 1 && types[0] == "null" {
			null = true
			continue
		}
		items = append(items, l.gemini(item, at.Key(keyword).Item(i), depth+1))
	}
	out := &jsonschema.Edit{}
	for _, m := range d.Members {
		switch m.Key {
		case keyword:
			out.Members = append(out.Members, jsonschema.NewMember("anyOf", either.WithItems(items)))
		case "title", "description", "default", "example", "nullable":
			out.Members = append(out.Members, m)
		default:
			l.strictBeside(m, at, "alternatives")
		}
	}
	switch {
	case len(items) == 0:
		out.Remove("anyOf")
		out.SetFirst("type", jsonschema.String("null"))
	case len(items) == 1:
		out.Remove("anyOf")
		out.Members = overlayLowered(items[0].Members, out.Members)
	}
	if null && len(items) > 0 {
		out.Set("nullable", jsonschema.Bool(true))
	}
	return strictSame(n, jsonschema.Object(out.Members...))
}

// geminiValues lowers enum and const. Values of other types than text are moved to
// the description.
func (l *schemaLowerer) geminiValues(n *jsonschema.Node, d *jsonschema.Edit, at *jsonschema.Location, types []string) {
	keyword, values := "enum", []*jsonschema.Node(nil)
	switch enum, value := n.Get("enum"), n.Get("const"); {
	case value != nil:
		keyword, values = "const", []*jsonschema.Node{value}
	case enum != nil:
		values = enum.Items
	default:
		return
	}
	rest := slices.DeleteFunc(slices.Clone(values), isNullSchema)
	isText := func(n *jsonschema.Node) bool { return n.Is(jsonschema.KindString) }
	if len(rest) == 0 {
		d.Remove("enum", "const")
		return
	}
	if slices.Equal(types, []string{"string"}) && !slices.ContainsFunc(rest, func(n *jsonschema.Node) bool { return !isText(n) }) {
		i := d.Find(keyword)
		d.Members[i] = jsonschema.NewMember("enum", n.Get("enum").WithItems(rest))
		return
	}
	d.Remove("enum", "const")
	all := make([]string, len(rest))
	for i, value := range rest {
		all[i] = shownLoweredValue(value)
	}
	note := "one of " + excerpt.Short(strings.Join(all, ", "), 5*maxShown)
	if len(all) == 1 {
		note = "always " + all[0]
	}
	describeLowered(d, "("+note+")")
	l.warn(at.Key(keyword), CodeMoved, "%s takes %s for text only; the values are moved to the description, and each %s", l.title, keyword, checkedAfterwards)
}

// geminiParts lowers the fields of an object and the elements of an array.
func (l *schemaLowerer) geminiParts(n *jsonschema.Node, d *jsonschema.Edit, at *jsonschema.Location, depth int, types []string) {
	if slices.Contains(types, "array") {
		items := n.Get("items")
		if items == nil {
			d.Set("items", jsonschema.Object())
		} else {
			d.Set("items", l.gemini(items, at.Key("items"), depth+1))
		}
	}
	if others := n.Get("additionalProperties"); others != nil {
		d.Remove("additionalProperties")
		switch {
		case others.Is(jsonschema.KindFalse):
			l.warn(at.Key("additionalProperties"), CodeDropped, "%s has no closed objects; that there are no other fields %s", l.title, checkedAfterwards)
		case !others.AllowsAnything():
			l.fail(at, CodeMap, "%s has no maps; use an array of {key, value}", l.title)
		}
	}
	l.undeclared(n, at)
	if properties := n.Get("properties"); properties.Is(jsonschema.KindObject) {
		d.Set("properties", properties.MapAt(at.Key("properties"), func(field *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
			return l.gemini(field, at, depth+1)
		}))
	}
}

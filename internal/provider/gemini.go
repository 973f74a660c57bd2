package provider

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// gemini lowers one schema for Gemini, which knows no references, no maps, one
// type at a time, and values for texts alone.
func (l *lowerer) gemini(n *node, at *place, depth int) *node {
	switch {
	case l.tooDeep(at, depth):
		return n
	case n.isAnything():
		return sameAs(n, object())
	case n.kind != '{':
		l.fail(at, CodeNotASchema, "no value fits here; a schema must be an object")
		return n
	}
	if n.get("$ref") != nil {
		return l.geminiRef(n, at, depth)
	}
	d := n.edit()
	l.leave(d, at)
	if n.get("anyOf") != nil || n.get("oneOf") != nil {
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
		d.describe("(format: " + excerpt.Short(format, maxShown) + ")")
	}
	l.geminiValues(n, d, at, types)
	l.geminiParts(n, d, at, depth, types)
	return d.node(n)
}

// geminiType writes the one type of a schema, and that null is allowed beside
// it.
func (l *lowerer) geminiType(n *node, d *draft, types []string) {
	kind := types[0]
	if kind == "null" && len(types) > 1 {
		kind = types[1]
	}
	if t := n.get("type"); t == nil || t.kind != '"' {
		d.first("type", text(kind))
	}
	if len(types) > 1 && l.takesNull(n) {
		d.set("nullable", literal("true"))
	}
}

// geminiTypes writes several types as alternatives.
func (l *lowerer) geminiTypes(n *node, d *draft, at *place, depth int, types []string) *node {
	var out []member
	alternatives := make([][]member, len(types))
	for i, t := range types {
		alternatives[i] = []member{{"type", text(t)}}
	}
	for _, m := range d.members {
		switch m.key {
		case "type":
			continue
		case "title", "description", "default", "example", "nullable":
			out = append(out, m)
			continue
		}
		for i, t := range types {
			if value := forType(m, t); value != nil {
				alternatives[i] = append(alternatives[i], member{m.key, value})
			}
		}
	}
	items := make([]*node, len(types))
	for i := range types {
		items[i] = l.gemini(object(alternatives[i]...), at, depth+1)
	}
	out = append(out, member{"anyOf", list(nil, items)})
	if l.takesNull(n) && n.get("nullable") == nil {
		out = append(out, member{"nullable", literal("true")})
	}
	return object(out...)
}

// forType returns the value that a keyword has for one of several types; nil if
// it says nothing of it.
func forType(m member, kind string) *node {
	if m.key == "enum" {
		values := slices.DeleteFunc(slices.Clone(m.value.items), func(n *node) bool {
			t := typeOfValue(n)
			return t != kind && (t != "integer" || kind != "number")
		})
		return list(nil, values)
	}
	types := typesFor(m.key)
	if types == nil || slices.Contains(types, kind) || kind == "integer" && slices.Contains(types, "number") {
		return m.value
	}
	return nil
}

// geminiRef writes what a reference stands for in its place.
func (l *lowerer) geminiRef(n *node, at *place, depth int) *node {
	ref := n.get("$ref").text()
	to := l.resolve(ref)
	switch {
	case to == nil || to.kind != '{' && to.kind != 't':
		l.fail(at.key("$ref"), CodeRef, "the reference %q leads nowhere", excerpt.Short(ref, maxShown))
		return n
	case slices.Contains(l.open, to):
		l.fail(at.key("$ref"), CodeRecursion, "%s takes no type that contains itself; use a text, or a fixed number of levels", l.title)
		return n
	}
	if l.written += len(to.raw); l.written > maxWritten {
		l.fail(nil, CodeTooLarge, "%s has no references, and the schema is too large without them; use fewer types", l.title)
		return n
	}
	l.open = append(l.open, to)
	defer func() { l.open = l.open[:len(l.open)-1] }()
	body := l.gemini(to, placeOf(ref), depth+1).edit()
	for _, m := range n.members {
		switch m.key {
		case "$ref", "$defs":
		case "title", "description", "default", "example", "nullable":
			body.set(m.key, m.value)
		default:
			rest := &draft{[]member{m}}
			l.leave(rest, at)
			if len(rest.members) > 0 {
				l.beside(m, at, "a reference")
			}
		}
	}
	return object(body.members...)
}

// geminiUnion lowers alternatives. That null is one of them is said beside
// them, and one alternative alone is none.
func (l *lowerer) geminiUnion(n *node, d *draft, at *place, depth int) *node {
	keyword := "anyOf"
	if n.get(keyword) == nil {
		keyword = "oneOf"
	}
	either := n.get(keyword)
	if len(either.items) == 0 {
		l.fail(at.key(keyword), CodeNotASchema, "there are no alternatives")
		return n
	}
	if keyword == "oneOf" && !l.exclusive(either.items) {
		l.warn(at.key(keyword), CodeDropped, "%s has no oneOf, and takes it for anyOf; that only one of them fits %s", l.title, checkedAfterwards)
	}
	var items []*node
	null := false
	for i, item := range either.items {
		if types := typesOf(item); len(types) == 1 && types[0] == "null" {
			null = true
			continue
		}
		items = append(items, l.gemini(item, at.key(keyword).item(i), depth+1))
	}
	out := &draft{}
	for _, m := range d.members {
		switch m.key {
		case keyword:
			out.members = append(out.members, member{"anyOf", list(either, items)})
		case "title", "description", "default", "example", "nullable":
			out.members = append(out.members, m)
		default:
			l.beside(m, at, "alternatives")
		}
	}
	switch {
	case len(items) == 0:
		out.remove("anyOf")
		out.first("type", text("null"))
	case len(items) == 1:
		out.remove("anyOf")
		out.members = overlay(items[0].members, out.members)
	}
	if null && len(items) > 0 {
		out.set("nullable", literal("true"))
	}
	return sameAs(n, object(out.members...))
}

// geminiValues lowers enum and const. Values of other types than text stand in
// the description.
func (l *lowerer) geminiValues(n *node, d *draft, at *place, types []string) {
	keyword, values := "enum", []*node(nil)
	switch enum, value := n.get("enum"), n.get("const"); {
	case value != nil:
		keyword, values = "const", []*node{value}
	case enum != nil:
		values = enum.items
	default:
		return
	}
	rest := slices.DeleteFunc(slices.Clone(values), isNull)
	isText := func(n *node) bool { return n.kind == '"' }
	if len(rest) == 0 {
		d.remove("enum", "const")
		return
	}
	if slices.Equal(types, []string{"string"}) && !slices.ContainsFunc(rest, func(n *node) bool { return !isText(n) }) {
		i := d.find(keyword)
		d.members[i] = member{"enum", list(n.get("enum"), rest)}
		return
	}
	d.remove("enum", "const")
	all := make([]string, len(rest))
	for i, value := range rest {
		all[i] = shown(value)
	}
	note := "one of " + excerpt.Short(strings.Join(all, ", "), 5*maxShown)
	if len(all) == 1 {
		note = "always " + all[0]
	}
	d.describe("(" + note + ")")
	l.warn(at.key(keyword), CodeMoved, "%s takes %s for texts alone; the values stand in the description, and each %s", l.title, keyword, checkedAfterwards)
}

// geminiParts lowers the fields of an object and the elements of an array.
func (l *lowerer) geminiParts(n *node, d *draft, at *place, depth int, types []string) {
	if slices.Contains(types, "array") {
		items := n.get("items")
		if items == nil {
			d.set("items", object())
		} else {
			d.set("items", l.gemini(items, at.key("items"), depth+1))
		}
	}
	if others := n.get("additionalProperties"); others != nil {
		d.remove("additionalProperties")
		switch {
		case others.kind == 'f':
			l.warn(at.key("additionalProperties"), CodeDropped, "%s has no closed objects; that there are no other fields %s", l.title, checkedAfterwards)
		case !others.isAnything():
			l.fail(at, CodeMap, "%s has no maps; use an array of {key, value}", l.title)
		}
	}
	l.undeclared(n, at)
	if properties := n.get("properties"); properties != nil && properties.kind == '{' {
		lowered := properties.edit()
		for i, m := range properties.members {
			lowered.members[i].value = l.gemini(m.value, at.key("properties").key(m.key), depth+1)
		}
		d.set("properties", lowered.node(properties))
	}
}

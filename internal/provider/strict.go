package provider

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// counts is what strict mode has limits for.
type counts struct{ properties, enumValues, characters int }

// strictRoot lowers the whole schema for strict mode.
func (l *lowerer) strictRoot(n *node, at *place) *node {
	d := n.edit()
	d.remove("$defs")
	out := l.strict(object(d.members...), at, 0, 0, false)
	if defs := n.get("$defs"); defs != nil {
		lowered := defs.edit()
		for i, m := range lowered.members {
			l.counts.characters += utf8.RuneCountInString(m.key)
			lowered.members[i].value = l.strict(m.value, (*place)(nil).key("$defs").key(m.key), 0, 1, false)
		}
		d = out.edit()
		d.set("$defs", lowered.node(defs))
		out = object(d.members...)
	}
	l.checkCounts()
	return sameAs(n, out)
}

// sameAs returns n if out says the same in the same order.
func sameAs(n, out *node) *node {
	if slices.Equal(n.members, out.members) {
		return n
	}
	return out
}

func (l *lowerer) checkCounts() {
	check := func(have, most int, what string) {
		if have > most {
			l.fail(nil, CodeStrictLimit, "%s takes at most %d %s, and here are %d; split the tool", l.title, most, what, have)
		}
	}
	check(l.counts.properties, l.properties, "fields")
	check(l.counts.enumValues, l.enumValues, "values of enums")
	check(l.counts.characters, l.characters, "characters of names and values")
}

// strict lowers one schema, which stands in so many objects. That of an
// optional field takes null as well.
func (l *lowerer) strict(n *node, at *place, level, depth int, optional bool) *node {
	out := l.strictSchema(n, at, level, depth)
	if optional && !l.takesNull(n) {
		out = widen(out)
	}
	l.strictValues(out, at)
	return out
}

func (l *lowerer) strictSchema(n *node, at *place, level, depth int) *node {
	switch {
	case l.tooDeep(at, depth):
		return n
	case n.isAnything():
		l.fail(at, CodeStrictAny, "%s takes no value of any type; say which type it is", l.title)
		return n
	case n.kind != '{':
		l.fail(at, CodeNotASchema, "no value fits here; a schema must be an object")
		return n
	}
	d := n.edit()
	if depth > 0 {
		d.remove("$defs")
	}
	l.moveDefault(d)
	l.leave(d, at)
	if n.get("$ref") != nil {
		return l.strictRef(n, d, at)
	}
	if n.get("anyOf") != nil || n.get("oneOf") != nil {
		return l.strictUnion(n, d, at, level, depth)
	}
	types, ok := l.types(n, at)
	switch {
	case !ok:
		return n
	case len(types) == 0:
		l.fail(at, CodeStrictAny, "%s needs a type here; say which type the value has", l.title)
		return n
	case n.get("type") == nil:
		d.first("type", texts(types...))
		if len(types) == 1 {
			d.first("type", text(types[0]))
		}
	}
	l.format(d, at, types)
	if slices.Contains(types, "array") {
		l.strictArray(n, d, at, level, depth)
	}
	if slices.Contains(types, "object") {
		l.strictObject(n, d, at, level+1, depth)
	}
	return d.node(n)
}

// moveDefault writes a default into the description.
func (l *lowerer) moveDefault(d *draft) {
	if i := d.find("default"); i >= 0 {
		value := d.members[i].value
		d.remove("default")
		d.describe("(default: " + shown(value) + ")")
	}
}

// strictRef lowers a reference. Notes may not stand beside it, and stand beside
// an anyOf of it alone.
func (l *lowerer) strictRef(n *node, d *draft, at *place) *node {
	ref := n.get("$ref").text()
	name, local := strings.CutPrefix(ref, "#/$defs/")
	if l.resolve(ref) == nil || ref != "#" && (!local || strings.Contains(name, "/")) {
		l.fail(at.key("$ref"), CodeRef, "%s finds no type at %q; a reference leads to #/$defs", l.title, excerpt.Short(ref, maxShown))
		return n
	}
	var notes []member
	for _, m := range d.members {
		switch m.key {
		case "description":
			notes = append(notes, m)
		case "$ref":
		default:
			l.beside(m, at, "a reference")
		}
	}
	if len(notes) == 0 {
		return sameAs(n, object(member{"$ref", n.get("$ref")}))
	}
	only := list(nil, []*node{object(member{"$ref", n.get("$ref")})})
	return object(append([]member{{"anyOf", only}}, notes...)...)
}

// beside tells what becomes of a keyword that may not stand beside a reference
// or alternatives: a limit is dropped, and a field cannot be.
func (l *lowerer) beside(m member, at *place, what string) {
	switch m.key {
	case "properties", "required", "additionalProperties", "items", "anyOf", "oneOf", "$ref":
		l.fail(at.key(m.key), CodeStrictUnion, "%s takes no %s beside %s; put it into each alternative", l.title, m.key, what)
	case "type": // that of the alternatives
	default:
		l.warn(at.key(m.key), CodeDropped, "%s takes no %s beside %s; it %s", l.title, keyword(m.key), what, checkedAfterwards)
	}
}

// strictUnion lowers alternatives.
func (l *lowerer) strictUnion(n *node, d *draft, at *place, level, depth int) *node {
	keyword := "anyOf"
	if n.get(keyword) == nil {
		keyword = "oneOf"
	}
	var out []member
	for _, m := range d.members {
		switch m.key {
		case keyword:
			if keyword == "oneOf" && !l.exclusive(m.value.items) {
				l.warn(at.key(keyword), CodeDropped, "%s has no oneOf, and takes it for anyOf; that only one of them fits %s",
					l.title, checkedAfterwards)
			}
			out = append(out, member{"anyOf", l.strictEach(m.value, at.key(keyword), level, depth)})
		case "description":
			out = append(out, m)
		default:
			l.beside(m, at, "alternatives")
		}
	}
	return sameAs(n, object(out...))
}

func (l *lowerer) strictEach(n *node, at *place, level, depth int) *node {
	if len(n.items) == 0 {
		l.fail(at, CodeNotASchema, "there are no alternatives")
	}
	items := make([]*node, len(n.items))
	for i, item := range n.items {
		items[i] = l.strict(item, at.item(i), level, depth+1, false)
	}
	return list(n, items)
}

// strictValues counts the values of enum and const.
func (l *lowerer) strictValues(n *node, at *place) {
	if value := n.get("const"); value != nil {
		l.counts.characters += utf8.RuneCount(value.raw)
	}
	enum := n.get("enum")
	if enum == nil {
		return
	}
	characters := 0
	for _, value := range enum.items {
		characters += utf8.RuneCount(value.raw)
	}
	l.counts.enumValues += len(enum.items)
	l.counts.characters += characters
	if len(enum.items) > l.longEnum && characters > l.longEnumChars {
		l.fail(at.key("enum"), CodeStrictLimit, "%s takes at most %d characters for an enum of more than %d values, and here are %d; shorten it",
			l.title, l.longEnumChars, l.longEnum, characters)
	}
}

func (l *lowerer) strictArray(n *node, d *draft, at *place, level, depth int) {
	items := n.get("items")
	if items == nil || items.isAnything() {
		l.fail(at, CodeStrictItems, "%s takes no array of anything; say which type its elements have", l.title)
		return
	}
	d.set("items", l.strict(items, at.key("items"), level, depth+1, false))
}

// strictObject closes an object and makes all its fields required.
func (l *lowerer) strictObject(n *node, d *draft, at *place, level, depth int) {
	properties, others := n.get("properties"), n.get("additionalProperties")
	closed := others != nil && others.kind == 'f'
	switch {
	case properties != nil && properties.kind != '{':
		l.fail(at.key("properties"), CodeNotASchema, "properties must be an object")
		return
	case level > l.levels:
		l.fail(at, CodeStrictLimit, "%s takes at most %d objects in one another; make the value flatter", l.title, l.levels)
		return
	case others != nil && others.kind == '{' && (len(others.members) > 0 || properties == nil):
		l.fail(at, CodeStrictMap, "%s has no maps; use an array of {key, value}", l.title)
		return
	case properties == nil || len(properties.members) == 0 && depth > 0 && !closed:
		if !closed {
			l.fail(at, CodeStrictOpen, "%s has no open objects; name the fields", l.title)
			return
		}
		properties = object()
	}
	l.undeclared(n, at)
	required := requiredOf(n)
	lowered := properties.edit()
	all := make([]string, len(properties.members))
	for i, m := range properties.members {
		l.counts.properties++
		l.counts.characters += utf8.RuneCountInString(m.key)
		all[i] = m.key
		lowered.members[i].value = l.strict(m.value, at.key("properties").key(m.key), level, depth+1, !required[m.key])
	}
	if n.get("properties") == nil {
		d.set("properties", properties)
	} else {
		d.set("properties", lowered.node(properties))
	}
	if was := n.get("required"); was == nil || !slices.EqualFunc(was.items, all, func(n *node, s string) bool { return n.text() == s }) {
		d.set("required", texts(all...))
	}
	if !closed {
		d.set("additionalProperties", literal("false"))
	}
}

func requiredOf(n *node) map[string]bool {
	required := map[string]bool{}
	if list := n.get("required"); list != nil {
		for _, name := range list.items {
			required[name.text()] = true
		}
	}
	return required
}

// widen lets a lowered schema take null as well.
func widen(n *node) *node {
	null := object(member{"type", text("null")})
	if n.get("$ref") != nil {
		return object(member{"anyOf", list(nil, []*node{n, null})})
	}
	d := n.edit()
	if either := n.get("anyOf"); either != nil {
		d.set("anyOf", list(nil, append(slices.Clone(either.items), null)))
		return object(d.members...)
	}
	if types := typesOf(n); types != nil && !slices.Contains(types, "null") {
		d.set("type", texts(append(types, "null")...))
	}
	if enum := n.get("enum"); enum != nil && !slices.ContainsFunc(enum.items, isNull) {
		d.set("enum", list(nil, append(slices.Clone(enum.items), literal("null"))))
	}
	if i := d.find("const"); i >= 0 && !isNull(d.members[i].value) {
		d.members[i] = member{"enum", list(nil, []*node{d.members[i].value, literal("null")})}
	}
	return object(d.members...)
}

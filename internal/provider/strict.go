package provider

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// counts are the counts that strict mode limits.
type counts struct{ properties, optional, unions, enumValues, characters int }

// strictRoot lowers the whole schema for strict mode.
func (l *schemaLowerer) strictRoot(n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	d := n.Edit()
	d.Remove("$defs")
	out := l.strictPart(jsonschema.Object(d.Members...), at, 0, 0, false)
	if defs := n.Get("$defs"); defs != nil {
		var top *jsonschema.Location
		lowered := defs.MapAt(top.Key("$defs"), func(def *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
			l.counts.characters += utf8.RuneCountInString(at.Token)
			return l.strictPart(def, at, 0, 1, false)
		})
		d = out.Edit()
		d.Set("$defs", lowered)
		out = jsonschema.Object(d.Members...)
	}
	l.checkStrictCounts()
	return strictSame(n, out)
}

// strictSame returns n if out has the same members in the same order.
func strictSame(n, out *jsonschema.Node) *jsonschema.Node {
	if slices.Equal(n.Members, out.Members) {
		return n
	}
	return out
}

// CheckStrictTogether returns what a target refuses of strict schemas that it takes one by one: those of
// the tools of a request, and of its answer, which may be nil. Some targets count all of them together.
func CheckStrictTogether(tools []json.RawMessage, answer json.RawMessage, t Target) []Problem {
	all := newSchemaLowerer(t)
	if all.tools == 0 || len(tools) == 0 {
		return nil
	}
	count := func(schema json.RawMessage) {
		l := newSchemaLowerer(t)
		l.lower(schema)
		all.counts.optional += l.counts.optional
		all.counts.unions += l.counts.unions
	}
	for _, schema := range tools {
		count(schema)
	}
	if answer != nil {
		count(answer)
	}
	const fix = "make fewer tools strict"
	all.checkStrictCount(len(tools), all.tools, "strict tools in a request", fix)
	all.checkStrictCount(all.counts.optional, all.optional, "optional fields of strict tools in a request", fix)
	all.checkStrictCount(all.counts.unions, all.unions, "values of several types in the strict tools of a request", fix)
	return all.problems
}

func (l *schemaLowerer) checkStrictCount(have, most int, what, fix string) {
	if most > 0 && have > most {
		l.fail(nil, CodeStrictLimit, "%s takes at most %d %s, and here are %d; %s", l.title, most, what, have, fix)
	}
}

func (l *schemaLowerer) checkStrictCounts() {
	check := func(have, most int, what string) { l.checkStrictCount(have, most, what, "split the tool") }
	check(l.counts.properties, l.properties, "fields")
	check(l.counts.optional, l.optional, "optional fields")
	check(l.counts.unions, l.unions, "values of several types")
	check(l.counts.enumValues, l.enumValues, "values of enums")
	check(l.counts.characters, l.characters, "characters of names and values")
}

// strictPart lowers one schema at a level of nested objects. That of an optional field
// takes null as well.
func (l *schemaLowerer) strictPart(n *jsonschema.Node, at *jsonschema.Location, level, depth int, optional bool) *jsonschema.Node {
	out := l.strictSchema(n, at, level, depth)
	switch {
	case optional && l.optional > 0:
		l.counts.optional++
	case optional && !l.takesNull(n):
		out = strictNullable(out)
	}
	if len(out.TypeList()) > 1 || out.Get("anyOf") != nil {
		l.counts.unions++
	}
	l.strictValues(out, at)
	return out
}

func (l *schemaLowerer) strictSchema(n *jsonschema.Node, at *jsonschema.Location, level, depth int) *jsonschema.Node {
	switch {
	case l.tooDeep(depth):
		return n
	case n.AllowsAnything():
		l.fail(at, CodeStrictAny, "%s takes no value of any type; give it a type", l.title)
		return n
	case !n.Is(jsonschema.KindObject):
		l.fail(at, CodeNotASchema, "no value fits here; a schema must be an object")
		return n
	}
	d := n.Edit()
	if depth > 0 {
		d.Remove("$defs")
	}
	l.strictDefault(d)
	l.treat(d, at)
	if n.Get("$ref") != nil {
		return l.strictRef(n, d, at)
	}
	if n.Get("anyOf") != nil || n.Get("oneOf") != nil {
		return l.strictUnion(n, d, at, level, depth)
	}
	types, ok := l.types(n, at)
	switch {
	case !ok:
		return n
	case len(types) == 0:
		l.fail(at, CodeStrictAny, "%s needs a type here; give the value a type", l.title)
		return n
	case n.Get("type") == nil:
		d.SetFirst("type", jsonschema.Strings(types...))
		if len(types) == 1 {
			d.SetFirst("type", jsonschema.String(types[0]))
		}
	}
	l.format(d, at, types)
	if slices.Contains(types, "array") {
		l.strictArray(n, d, at, level, depth)
	}
	if slices.Contains(types, "object") {
		l.strictObject(n, d, at, level+1, depth)
	}
	return d.Node(n)
}

// strictDefault writes a default into the description.
func (l *schemaLowerer) strictDefault(d *jsonschema.Edit) {
	if i := d.Find("default"); i >= 0 {
		value := d.Members[i].Value
		d.Remove("default")
		describeLowered(d, "(default: "+shownLoweredValue(value)+")")
	}
}

// strictRef lowers a reference. It has no notes beside it: they are written beside
// an anyOf with the reference.
func (l *schemaLowerer) strictRef(n *jsonschema.Node, d *jsonschema.Edit, at *jsonschema.Location) *jsonschema.Node {
	ref := n.Get("$ref").Text()
	name, local := strings.CutPrefix(ref, "#/$defs/")
	if l.resolve(n) == nil || ref != "#" && (!local || strings.Contains(name, "/")) {
		l.fail(at.Key("$ref"), CodeRef, "%s finds no type at %q; a reference leads to #/$defs", l.title, excerpt.Short(ref, maxShown))
		return n
	}
	if l.flat && l.strictContainsItself(l.resolve(n)) {
		l.fail(at, CodeRecursion, "%s takes no type that contains itself; use a text, or a fixed number of levels", l.title)
		return n
	}
	var notes []jsonschema.Member
	for _, m := range d.Members {
		switch m.Key {
		case "description":
			notes = append(notes, m)
		case "$ref":
		default:
			l.strictBeside(m, at, "a reference")
		}
	}
	if len(notes) == 0 {
		return strictSame(n, jsonschema.Object(jsonschema.NewMember("$ref", n.Get("$ref"))))
	}
	only := jsonschema.Array(jsonschema.Object(jsonschema.NewMember("$ref", n.Get("$ref"))))
	return jsonschema.Object(append([]jsonschema.Member{jsonschema.NewMember("anyOf", only)}, notes...)...)
}

// strictContainsItself reports whether a schema leads back to itself.
func (l *schemaLowerer) strictContainsItself(n *jsonschema.Node) bool {
	circular, known := l.circular[n]
	if !known {
		if l.circular == nil {
			l.circular = map[*jsonschema.Node]bool{}
		}
		circular = l.strictLeadsTo(n, n, map[*jsonschema.Node]bool{})
		l.circular[n] = circular
	}
	return circular
}

func (l *schemaLowerer) strictLeadsTo(n, other *jsonschema.Node, seen map[*jsonschema.Node]bool) bool {
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	if n.Is(jsonschema.KindObject) && n.Get("$ref") != nil {
		if to := l.resolve(n); to == other || l.strictLeadsTo(to, other, seen) {
			return true
		}
	}
	within := func(part *jsonschema.Node) bool { return l.strictLeadsTo(part, other, seen) }
	return slices.ContainsFunc(n.Items, within) ||
		slices.ContainsFunc(n.Members, func(m jsonschema.Member) bool { return m.Key != "$defs" && within(m.Value) })
}

// strictBeside reports a keyword that is not allowed beside a reference or alternatives:
// a limit is dropped, a field cannot be.
func (l *schemaLowerer) strictBeside(m jsonschema.Member, at *jsonschema.Location, what string) {
	switch m.Key {
	case "properties", "required", "additionalProperties", "items", "anyOf", "oneOf", "$ref":
		l.fail(at.Key(m.Key), CodeStrictUnion, "%s takes no %s beside %s; put it into each alternative", l.title, m.Key, what)
	case "type": // that of the alternatives
	default:
		l.warn(at.Key(m.Key), CodeDropped, "%s takes no %s beside %s; it %s", l.title, shownLoweredKeyword(m.Key), what, checkedAfterwards)
	}
}

// strictUnion lowers alternatives.
func (l *schemaLowerer) strictUnion(n *jsonschema.Node, d *jsonschema.Edit, at *jsonschema.Location, level, depth int) *jsonschema.Node {
	keyword, either := l.unionAlternatives(n, at)
	var out []jsonschema.Member
	for _, m := range d.Members {
		switch m.Key {
		case keyword:
			lowered := either.MapAt(at.Key(keyword), func(item *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
				return l.strictPart(item, at, level, depth+1, false)
			})
			out = append(out, jsonschema.NewMember("anyOf", lowered))
		case "description":
			out = append(out, m)
		default:
			l.strictBeside(m, at, "alternatives")
		}
	}
	return strictSame(n, jsonschema.Object(out...))
}

// strictValues counts the values of enum and const.
func (l *schemaLowerer) strictValues(n *jsonschema.Node, at *jsonschema.Location) {
	if value := n.Get("const"); value != nil {
		l.counts.characters += utf8.RuneCountInString(value.Raw())
	}
	enum := n.Get("enum")
	if enum == nil {
		return
	}
	characters := 0
	for _, value := range enum.Items {
		characters += utf8.RuneCountInString(value.Raw())
	}
	l.counts.enumValues += len(enum.Items)
	l.counts.characters += characters
	if l.longEnum > 0 && len(enum.Items) > l.longEnum && characters > l.longEnumChars {
		l.fail(at.Key("enum"), CodeStrictLimit, "%s takes at most %d characters for an enum of more than %d values, and here are %d; shorten it",
			l.title, l.longEnumChars, l.longEnum, characters)
	}
}

func (l *schemaLowerer) strictArray(n *jsonschema.Node, d *jsonschema.Edit, at *jsonschema.Location, level, depth int) {
	items := n.Get("items")
	if items == nil || items.AllowsAnything() {
		l.fail(at, CodeStrictItems, "%s takes no array of anything; give its elements a type", l.title)
		return
	}
	d.Set("items", l.strictPart(items, at.Key("items"), level, depth+1, false))
}

// strictObject closes an object, and makes all its fields required where none may be missing.
func (l *schemaLowerer) strictObject(n *jsonschema.Node, d *jsonschema.Edit, at *jsonschema.Location, level, depth int) {
	properties, others := n.Get("properties"), n.Get("additionalProperties")
	closed := others.Is(jsonschema.KindFalse)
	switch {
	case properties != nil && !properties.Is(jsonschema.KindObject):
		l.fail(at.Key("properties"), CodeNotASchema, "properties must be an object")
		return
	case l.levels > 0 && level > l.levels:
		l.fail(at, CodeStrictLimit, "%s takes at most %d objects in one another; make the value flatter", l.title, l.levels)
		return
	case others.Is(jsonschema.KindObject) && (len(others.Members) > 0 || properties == nil):
		l.fail(at, CodeStrictMap, "%s has no maps; use an array of {key, value}", l.title)
		return
	case properties == nil || len(properties.Members) == 0 && depth > 0 && !closed:
		if !closed {
			l.fail(at, CodeStrictOpen, "%s has no open objects; name the fields", l.title)
			return
		}
		properties = jsonschema.Object()
	}
	l.undeclared(n, at)
	required := strictRequired(n)
	var all []string
	d.Set("properties", properties.MapAt(at.Key("properties"), func(field *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
		l.counts.properties++
		l.counts.characters += utf8.RuneCountInString(at.Token)
		all = append(all, at.Token)
		return l.strictPart(field, at, level, depth+1, !required[at.Token])
	}))
	if was := n.Get("required"); l.optional == 0 && (was == nil || !slices.EqualFunc(was.Items, all, func(n *jsonschema.Node, s string) bool { return n.Text() == s })) {
		d.Set("required", jsonschema.Strings(all...))
	}
	if !closed {
		d.Set("additionalProperties", jsonschema.Bool(false))
	}
}

func strictRequired(n *jsonschema.Node) map[string]bool {
	required := map[string]bool{}
	for _, name := range n.ItemsOf("required") {
		required[name.Text()] = true
	}
	return required
}

// strictNullable lets a lowered schema take null as well.
func strictNullable(n *jsonschema.Node) *jsonschema.Node {
	null := jsonschema.Object(jsonschema.NewMember("type", jsonschema.String("null")))
	if n.Get("$ref") != nil {
		return jsonschema.Object(jsonschema.NewMember("anyOf", jsonschema.Array(n, null)))
	}
	d := n.Edit()
	if either := n.Get("anyOf"); either != nil {
		d.Set("anyOf", jsonschema.Array(append(slices.Clone(either.Items), null)...))
		return jsonschema.Object(d.Members...)
	}
	if types := n.TypeList(); types != nil && !slices.Contains(types, "null") {
		d.Set("type", jsonschema.Strings(append(types, "null")...))
	}
	if enum := n.Get("enum"); enum != nil && !slices.ContainsFunc(enum.Items, isNullSchema) {
		d.Set("enum", jsonschema.Array(append(slices.Clone(enum.Items), jsonschema.Null())...))
	}
	if i := d.Find("const"); i >= 0 && !isNullSchema(d.Members[i].Value) {
		d.Members[i] = jsonschema.NewMember("enum", jsonschema.Array(d.Members[i].Value, jsonschema.Null()))
	}
	return jsonschema.Object(d.Members...)
}

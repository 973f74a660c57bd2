package provider

import "github.com/gram-lang/gramc/internal/jsonschema"

// unionAlternatives returns the alternatives of a schema and their keyword. It reports
// an empty list, and a oneOf that loses its meaning as anyOf.
func (l *schemaLowerer) unionAlternatives(n *jsonschema.Node, at *jsonschema.Location) (keyword string, either *jsonschema.Node) {
	keyword = "anyOf"
	if n.Get(keyword) == nil {
		keyword = "oneOf"
	}
	either = n.Get(keyword)
	switch {
	case len(either.Items) == 0:
		l.fail(at.Key(keyword), CodeNotASchema, "there are no alternatives")
	case keyword == "oneOf" && !l.exclusiveUnion(either.Items):
		l.warn(at.Key(keyword), CodeDropped, "%s has no oneOf, and takes it for anyOf; that only one of them fits %s",
			l.title, checkedAfterwards)
	}
	return keyword, either
}

// exclusiveUnion reports whether at most one of some alternatives can fit, because
// they have different types, or objects a property that differs.
func (l *schemaLowerer) exclusiveUnion(alternatives []*jsonschema.Node) bool {
	seen := map[string]bool{}
	tags := map[string]int{}
	objects := 0
	for _, a := range alternatives {
		if a.Get("$ref") != nil {
			a = l.resolve(a)
		}
		if !a.Get("type").Is(jsonschema.KindString) {
			return false
		}
		kind := a.Get("type").Text()
		if kind != "object" {
			if seen[kind] || kind == "integer" && seen["number"] || kind == "number" && seen["integer"] {
				return false
			}
			seen[kind] = true
			continue
		}
		objects++
		l.countUnionTags(a, seen, tags)
	}
	if objects < 2 {
		return true
	}
	for _, n := range tags {
		if n == objects {
			return true
		}
	}
	return false
}

// countUnionTags counts in tags each required field with one value that no
// alternative before has for it.
func (l *schemaLowerer) countUnionTags(a *jsonschema.Node, seen map[string]bool, tags map[string]int) {
	required := strictRequired(a)
	for _, m := range a.MembersOf("properties") {
		value := m.Value.Get("const")
		if value == nil || !required[m.Key] {
			continue
		}
		if tag := m.Key + "\x00" + string(value.Raw()); !seen[tag] {
			seen[tag] = true
			tags[m.Key]++
		}
	}
}

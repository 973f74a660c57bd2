package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// This file rewrites schemas that gram can only express in another form.

// split returns a schema of several types, with keywords for one of them, as a
// union of one schema for each type.
func (r *reader) split(n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	types := n.Get("type")
	names, ok := types.Texts()
	others := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "null" })
	isConstrained := func(m jsonschema.Member) bool { return kindOf(m.Key) != "" }
	if !ok || len(others) < 2 || n.Get("anyOf") != nil || n.Get("oneOf") != nil ||
		slices.ContainsFunc(names, func(name string) bool { return gramKind(name) == "" }) ||
		!slices.ContainsFunc(n.Members, isConstrained) {
		return n
	}
	var alternatives []*jsonschema.Node
	for i, name := range names {
		one := []jsonschema.Member{jsonschema.NewMember("type", types.Items[i])}
		for _, m := range n.Members {
			a, known := attributeOf[m.Key]
			if kind := gramKind(name); isConstrained(m) && (kind == kindOf(m.Key) || known && a.appliesTo(kind)) {
				one = append(one, m)
			}
		}
		alternatives = append(alternatives, moved(jsonschema.Object(one...), n))
	}
	var whole []jsonschema.Member
	for _, m := range n.Members {
		if m.Key == "type" {
			m.Key, m.Value = "anyOf", moved(jsonschema.Array(alternatives...), types)
		}
		if !isConstrained(m) {
			whole = append(whole, m)
		}
	}
	r.rewritten(r.span(types), at, "several types with keywords for one of them become anyOf")
	return moved(jsonschema.Object(whole...), n)
}

// maxMerged bounds how many members are copied to merge the schemas of allOf.
const maxMerged = 1_000_000

// merged returns a schema with allOf as one schema that means the same: where
// that is possible, without allOf.
func (r *reader) merged(n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	parts := n.Get("allOf")
	rest := moved(jsonschema.Object(without(n, "allOf")...), n)
	whole := &object{}
	if problem := r.merge(whole, rest, true); problem != "" {
		return n
	}
	for _, part := range parts.Items {
		if problem := r.mergePart(whole, part, len(parts.Items) == 1); problem != "" {
			r.lost(r.span(parts), at.Key("allOf"), "gram has no allOf, and these schemas cannot be merged: %s", problem)
			return rest
		}
	}
	r.rewritten(r.span(parts), at, "allOf becomes one schema that means the same")
	return whole.node(n)
}

// mergePart merges an element of allOf into a schema. A reference stays one if
// there is nothing else.
func (r *reader) mergePart(whole *object, part *jsonschema.Node, alone bool) string {
	const most = 100 // references to references
	for range most {
		ref := part.Get("$ref")
		if ref == nil {
			break
		}
		if alone && !slices.ContainsFunc(whole.members, constrains) {
			return r.merge(whole, part, false)
		}
		target := r.resolve(ref)
		if target == nil || len(part.Members) > 1 {
			return "one of them is a $ref with other keywords"
		}
		part = target
	}
	if part.Get("$ref") != nil {
		return "its references never end"
	}
	if inner := part.Get("allOf"); inner.Is(jsonschema.KindArray) {
		for _, p := range inner.Items {
			if p.Get("allOf") != nil || r.resolve(p.Get("$ref")).Get("allOf") != nil {
				return "there is an allOf inside an allOf"
			}
			if problem := r.mergePart(whole, p, false); problem != "" {
				return problem
			}
		}
		part = moved(jsonschema.Object(without(part, "allOf")...), part)
	}
	return r.merge(whole, part, false)
}

// constrains reports whether a schema with this member is more than a note.
func constrains(m jsonschema.Member) bool {
	return !isNote(m.Key) && m.Key != "default" && m.Key != "nullable" && m.Key != "$defs" && m.Key != "definitions"
}

// merge adds the members of a schema to another. It returns why the result
// would not mean what both mean together.
func (r *reader) merge(whole *object, part *jsonschema.Node, first bool) string {
	if !part.Is(jsonschema.KindObject) {
		return "one of them is not an object"
	}
	if r.merges += 1 + len(part.Members); r.merges > maxMerged {
		return "there are too many of them"
	}
	if !first && (isSealed(part.Members) && whole.get("properties") != nil || isSealed(whole.members) && part.Get("properties") != nil) {
		return "one of them constrains the fields of another"
	}
	for _, m := range part.Members {
		i := whole.find(m.Key)
		if i < 0 {
			whole.add(m)
			continue
		}
		have := whole.members[i].Value
		switch {
		case isNote(m.Key), jsonText(have) == jsonText(m.Value):
		case m.Key == "properties" && have.Is(jsonschema.KindObject) && m.Value.Is(jsonschema.KindObject):
			r.merges += len(have.Members) + len(m.Value.Members)
			for _, p := range m.Value.Members {
				if have.Get(p.Key) != nil {
					return "two of them have the property " + quote(p.Key)
				}
			}
			whole.members[i].Value = moved(jsonschema.Object(slices.Concat(have.Members, m.Value.Members)...), have)
		case m.Key == "required" && have.Is(jsonschema.KindArray) && m.Value.Is(jsonschema.KindArray):
			whole.members[i].Value = moved(jsonschema.Array(slices.Concat(have.Items, m.Value.Items)...), have)
		default:
			return "two of them have " + quote(m.Key)
		}
	}
	return ""
}

// isSealed reports whether a schema constrains properties that it does not
// declare.
func isSealed(members []jsonschema.Member) bool {
	return slices.ContainsFunc(members, func(m jsonschema.Member) bool {
		return strings.HasPrefix(m.Key, "additional") || strings.HasPrefix(m.Key, "unevaluated") || strings.HasPrefix(m.Key, "pattern")
	})
}

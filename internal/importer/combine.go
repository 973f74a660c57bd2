package importer

import (
	"slices"
	"strings"
)

// This file holds the schemas that are said in another way because gram has no
// word for how they are said.

// split returns a schema of several types that says something of the values of
// one of them as a union of one schema for each type.
func (r *reader) split(n *node, at *place) *node {
	types := n.get("type")
	if !types.is(kindArray) || len(types.items) < 2 || n.get("anyOf") != nil || n.get("oneOf") != nil {
		return n
	}
	others := 0
	for _, item := range types.items {
		if item.is(kindString) && gramKind(item.text) == "" || !item.is(kindString) {
			return n
		}
		if item.text != "null" {
			others++
		}
	}
	if others < 2 || !slices.ContainsFunc(n.members, func(m member) bool { return saysOfKind(m.key) }) {
		return n
	}
	whole := &node{kind: kindObject, span: n.span}
	union := &node{kind: kindArray, span: types.span}
	for _, item := range types.items {
		one := &node{kind: kindObject, span: n.span}
		one.add(member{"type", item, item.span})
		for i := range n.members {
			if m := &n.members[i]; saysOfKind(m.key) && saysOf(m.key, gramKind(item.text)) {
				one.add(*m)
			}
		}
		union.items = append(union.items, one)
	}
	for i := range n.members {
		if m := n.members[i]; m.key == "type" {
			whole.add(member{"anyOf", union, m.span})
		} else if !saysOfKind(m.key) {
			whole.add(m)
		}
	}
	r.rewritten(types.span, at, "several types of which more is said become anyOf")
	return whole
}

// saysOf reports whether a keyword says something of values of a kind.
func saysOf(keyword, kind string) bool {
	switch keyword {
	case "properties", "required", "additionalProperties":
		return kind == "Object"
	case "items":
		return kind == "Array"
	}
	a, _ := attributeOf(keyword)
	return a.standsOn(kind)
}

// maxMerged bounds how many members are copied to merge the schemas of allOf.
const maxMerged = 1_000_000

// merged returns a schema with allOf as one schema that means the same: where
// that is possible, without allOf.
func (r *reader) merged(n *node, at *place) *node {
	parts := n.get("allOf")
	whole := &node{kind: kindObject, span: n.span}
	rest := &node{kind: kindObject, span: n.span}
	for _, m := range n.members {
		if m.key != "allOf" {
			rest.add(m)
		}
	}
	if problem := r.merge(whole, rest, true); problem != "" {
		return n
	}
	for _, part := range parts.items {
		if problem := r.mergePart(whole, part, len(parts.items) == 1); problem != "" {
			r.lost(parts.span, at.key("allOf"), "gram has no allOf, and these schemas cannot be one since %s", problem)
			return rest
		}
	}
	r.rewritten(parts.span, at, "allOf becomes one schema that means the same")
	return whole
}

// mergePart merges an element of allOf into a schema. A reference stays one
// where it is all that there is.
func (r *reader) mergePart(whole, part *node, alone bool) string {
	const most = 100 // references to references
	for range most {
		ref := part.get("$ref")
		if ref == nil {
			break
		}
		if alone && onlyNotes(whole) {
			return r.merge(whole, part, false)
		}
		target := r.resolve(ref)
		if target == nil || len(part.members) > 1 {
			return "one of them is a $ref that says more"
		}
		part = target
	}
	if part.get("$ref") != nil {
		return "its references never end"
	}
	if inner := part.get("allOf"); inner.is(kindArray) {
		for _, p := range inner.items {
			if p.get("allOf") != nil || p.get("$ref") != nil && r.resolve(p.get("$ref")).get("allOf") != nil {
				return "allOf stands inside allOf"
			}
			if problem := r.mergePart(whole, p, false); problem != "" {
				return problem
			}
		}
		bare := &node{kind: kindObject, span: part.span}
		for _, m := range part.members {
			if m.key != "allOf" {
				bare.add(m)
			}
		}
		part = bare
	}
	return r.merge(whole, part, false)
}

func onlyNotes(n *node) bool {
	return !slices.ContainsFunc(n.members, func(m member) bool {
		return !isNote(m.key) && m.key != "default" && m.key != "nullable" && m.key != "$defs" && m.key != "definitions"
	})
}

// merge adds the members of a schema to another. It returns why the result
// would not mean what both mean together.
func (r *reader) merge(whole, part *node, first bool) string {
	if !part.is(kindObject) {
		return "one of them is no object"
	}
	if r.merges += 1 + len(part.members); r.merges > maxMerged {
		return "there are too many of them"
	}
	sealed := func(n *node) bool {
		return slices.ContainsFunc(n.members, func(m member) bool {
			return strings.HasPrefix(m.key, "additional") || strings.HasPrefix(m.key, "unevaluated") || strings.HasPrefix(m.key, "pattern")
		})
	}
	if !first && (sealed(part) && whole.get("properties") != nil || sealed(whole) && part.get("properties") != nil) {
		return "one of them closes the object to the fields of another"
	}
	for _, m := range part.members {
		i := whole.find(m.key)
		if i < 0 {
			whole.add(m)
			continue
		}
		have := &whole.members[i]
		switch {
		case isNote(m.key), jsonText(have.value) == jsonText(m.value):
		case m.key == "properties" && have.value.is(kindObject) && m.value.is(kindObject):
			joined := &node{kind: kindObject, span: have.value.span}
			r.merges += len(have.value.members) + len(m.value.members)
			for _, p := range have.value.members {
				joined.add(p)
			}
			for _, p := range m.value.members {
				if joined.find(p.key) >= 0 {
					return "two of them say something of the field " + quote(p.key)
				}
				joined.add(p)
			}
			have.value = joined
		case m.key == "required" && have.value.is(kindArray) && m.value.is(kindArray):
			have.value = &node{kind: kindArray, span: have.value.span, items: slices.Concat(have.value.items, m.value.items)}
		default:
			return "two of them have " + quote(m.key)
		}
	}
	return ""
}

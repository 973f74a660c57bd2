package provider

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Restore turns a value that a model gave for the strict form of a schema into
// one for the schema itself: null for a field that is optional, and may not be
// null, is taken out. Everything else keeps its bytes, and a value without such
// nulls, or that does not fit, comes back as it is.
//
// Of several alternatives that the value might be for, the first counts whose
// fields, types and enums it has.
func Restore(schema, value json.RawMessage) json.RawMessage {
	if !bytes.Contains(value, []byte("null")) {
		return value
	}
	tree, _ := parse(schema)
	given, _ := parse(value)
	if tree == nil || given == nil {
		return value
	}
	r := restorer{document: newDocument(tree), fits: map[match]bool{}, done: map[match]*node{}}
	restored := r.restore(tree, given, 0)
	if restored == given {
		return value
	}
	return restored.append(nil)
}

type restorer struct {
	*document
	fits map[match]bool  // what fitsSchema said
	done map[match]*node // what restore returned
}

// A match is a question: does the value fit the schema?
type match struct{ schema, value *node }

// restore returns the value, or a changed copy of it.
func (r *restorer) restore(schema, value *node, depth int) *node {
	if schema == nil || schema.kind != '{' || depth > maxDepth {
		return value
	}
	question := match{schema, value}
	answer, known := r.done[question]
	if !known {
		r.done[question] = value // while we look
		answer = r.change(schema, value, depth)
		r.done[question] = answer
	}
	return answer
}

func (r *restorer) change(schema, value *node, depth int) *node {
	if ref := schema.get("$ref"); ref != nil {
		value = r.restore(r.resolve(ref.text()), value, depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if either := schema.get(keyword); either != nil {
			if i := slices.IndexFunc(either.items, func(s *node) bool { return r.fitsSchema(s, value, depth) }); i >= 0 {
				value = r.restore(either.items[i], value, depth+1)
			}
		}
	}
	switch value.kind {
	case '[':
		items := make([]*node, len(value.items))
		for i, item := range value.items {
			items[i] = r.restore(schema.get("items"), item, depth+1)
		}
		return list(value, items)
	case '{':
		return r.restoreFields(schema, value, depth)
	}
	return value
}

func (r *restorer) restoreFields(schema, value *node, depth int) *node {
	properties := schema.get("properties")
	if properties == nil {
		return value
	}
	required := requiredOf(schema)
	kept := make([]member, 0, len(value.members))
	for _, m := range value.members {
		field := properties.get(m.key)
		if field != nil && isNull(m.value) && !required[m.key] && !r.takesNull(field) {
			continue
		}
		kept = append(kept, member{m.key, r.restore(field, m.value, depth+1)})
	}
	if slices.Equal(kept, value.members) {
		return value
	}
	return object(kept...)
}

// fitsSchema reports whether a value may have been given for the strict form of
// a schema: its types, values and fields are looked at, its limits are not.
func (r *restorer) fitsSchema(schema, value *node, depth int) bool {
	if schema.kind != '{' || depth > maxDepth {
		return schema.kind == 't'
	}
	question := match{schema, value}
	answer, known := r.fits[question]
	if !known {
		r.fits[question] = false // while we look
		answer = r.look(schema, value, depth+1)
		r.fits[question] = answer
	}
	return answer
}

func (r *restorer) look(schema, value *node, depth int) bool {
	if ref := schema.get("$ref"); ref != nil {
		to := r.resolve(ref.text())
		if to == nil || !r.fitsSchema(to, value, depth) {
			return false
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		either := schema.get(keyword)
		if either != nil && !slices.ContainsFunc(either.items, func(s *node) bool { return r.fitsSchema(s, value, depth) }) {
			return false
		}
	}
	if types := typesOf(schema); types != nil && !hasType(value, types) {
		return false
	}
	same := func(n *node) bool { return equal(n, value) }
	if only := schema.get("const"); only != nil && !same(only) {
		return false
	}
	if enum := schema.get("enum"); enum != nil && !slices.ContainsFunc(enum.items, same) {
		return false
	}
	switch value.kind {
	case '[':
		items := schema.get("items")
		return items == nil || !slices.ContainsFunc(value.items, func(n *node) bool { return !r.fitsSchema(items, n, depth) })
	case '{':
		return r.fieldsFit(schema, value, depth)
	}
	return true
}

func (r *restorer) fieldsFit(schema, value *node, depth int) bool {
	properties := schema.get("properties")
	required := requiredOf(schema)
	for name := range required {
		if value.get(name) == nil {
			return false
		}
	}
	for _, m := range value.members {
		var field *node
		if properties != nil {
			field = properties.get(m.key)
		}
		switch {
		case field == nil && properties != nil:
			return false
		case field == nil, isNull(m.value) && !required[m.key]:
		case !r.fitsSchema(field, m.value, depth):
			return false
		}
	}
	return true
}

func hasType(value *node, types []string) bool {
	t := typeOfValue(value)
	return slices.Contains(types, t) ||
		t == "integer" && slices.Contains(types, "number") ||
		t == "number" && slices.Contains(types, "integer") // 1.0 is an integer
}

// equal reports whether two values are written alike, but for space.
func equal(a, b *node) bool {
	if a.kind != b.kind {
		return false
	}
	if bytes.Equal(a.raw, b.raw) {
		return true
	}
	switch a.kind {
	case '"':
		escaped := bytes.IndexByte(a.raw, '\\') >= 0 || bytes.IndexByte(b.raw, '\\') >= 0
		return escaped && a.text() == b.text()
	case '0':
		return false
	}
	x, errX := compact(a)
	y, errY := compact(b)
	return errX == nil && errY == nil && x == y
}

package provider

import "encoding/json"

// resultField holds an answer whose schema is no object.
const resultField = "result"

// Wrap returns a schema with an object as its root, which providers ask of an
// answer: the schema itself if it is one of objects, and otherwise that of an
// object with the one field "result". [Unwrap] takes the answer out again.
func Wrap(schema json.RawMessage) (wrapped json.RawMessage, changed bool) {
	root, _ := parse(schema)
	if root == nil || root.kind == '{' && isObject(newDocument(root), root) {
		return schema, false
	}
	var defs []member
	if root.kind == '{' {
		inner := root.edit()
		inner.remove("$defs", "$schema", "$id")
		if d := root.get("$defs"); d != nil {
			defs = []member{{"$defs", redirect(d)}}
		}
		root = redirect(object(inner.members...))
	}
	out := object(append([]member{
		{"type", text("object")},
		{"properties", object(member{resultField, root})},
		{"required", texts(resultField)},
		{"additionalProperties", literal("false")},
	}, defs...)...)
	return out.append(nil), true
}

// isObject reports whether a schema can stand as the root of an answer.
func isObject(d *document, n *node) bool {
	for range maxHops {
		if n.get("anyOf") != nil || n.get("oneOf") != nil || n.get("allOf") != nil || n.get("enum") != nil {
			return false
		}
		ref := n.get("$ref")
		if ref == nil {
			types := typesOf(n)
			return len(types) == 1 && types[0] == "object"
		}
		if n = d.resolve(ref.text()); n == nil || n.kind != '{' {
			return false
		}
	}
	return false
}

// redirect lets references to the root lead to where it stands now.
func redirect(n *node) *node {
	switch n.kind {
	case '[':
		items := make([]*node, len(n.items))
		for i, item := range n.items {
			items[i] = redirect(item)
		}
		return list(n, items)
	case '{':
		d := n.edit()
		for i, m := range d.members {
			if m.key == "$ref" && m.value.text() == "#" {
				d.members[i].value = text("#/properties/" + resultField)
			} else if m.key != "enum" && m.key != "const" && m.key != "default" && m.key != "examples" {
				d.members[i].value = redirect(m.value)
			}
		}
		return d.node(n)
	}
	return n
}

// Unwrap returns the answer inside an object that [Wrap] asked for, or the
// value itself if it is not such an object.
func Unwrap(value json.RawMessage) json.RawMessage {
	root, _ := parse(value)
	if root == nil || len(root.members) != 1 || root.members[0].key != resultField {
		return value
	}
	return root.members[0].value.raw
}

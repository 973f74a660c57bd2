package provider

import (
	"encoding/json"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// resultField is the field of a response whose schema is not an object.
const resultField = "result"

// Wrap returns a schema with an object as its root, as providers require of a
// response: the schema itself if it is one of objects, and otherwise that of an
// object with the one field "result". [Unwrap] is its inverse.
func Wrap(schema json.RawMessage) (wrapped json.RawMessage, changed bool) {
	root, _ := parseSchema(schema)
	if root == nil || root.Is(jsonschema.KindObject) && isWrappedObject(newSchemaDocument(root), root) {
		return schema, false
	}
	var defs []jsonschema.Member
	if root.Is(jsonschema.KindObject) {
		inner := root.Edit()
		inner.Remove("$defs", "$schema", "$id")
		if d := root.Get("$defs"); d != nil {
			defs = []jsonschema.Member{jsonschema.NewMember("$defs", redirectWrapped(d))}
		}
		root = redirectWrapped(jsonschema.Object(inner.Members...))
	}
	out := jsonschema.Object(append([]jsonschema.Member{
		jsonschema.NewMember("type", jsonschema.String("object")),
		jsonschema.NewMember("properties", jsonschema.Object(jsonschema.NewMember(resultField, root))),
		jsonschema.NewMember("required", jsonschema.Strings(resultField)),
		jsonschema.NewMember("additionalProperties", jsonschema.Bool(false)),
	}, defs...)...)
	return out.Append(nil), true
}

// isWrappedObject reports whether a schema can be the root of a response.
func isWrappedObject(d *schemaDocument, n *jsonschema.Node) bool {
	for range maxHops {
		if n.Get("anyOf") != nil || n.Get("oneOf") != nil || n.Get("allOf") != nil || n.Get("enum") != nil {
			return false
		}
		ref := n.Get("$ref")
		if ref == nil {
			types := n.TypeList()
			return len(types) == 1 && types[0] == "object"
		}
		if n = d.resolve(n); !n.Is(jsonschema.KindObject) {
			return false
		}
	}
	return false
}

// redirectWrapped changes the references to the root to its new location.
func redirectWrapped(n *jsonschema.Node) *jsonschema.Node {
	return n.Map(func(_ int, key string, part *jsonschema.Node) *jsonschema.Node {
		switch key {
		case "enum", "const", "default", "examples":
			return part
		case "$ref":
			if part.Text() == "#" {
				return jsonschema.String("#/properties/" + resultField)
			}
		}
		return redirectWrapped(part)
	})
}

// Unwrap returns the value in an object as [Wrap] requires it, or any other value
// itself.
func Unwrap(value json.RawMessage) json.RawMessage {
	root, _ := parseSchema(value)
	if root == nil || len(root.Members) != 1 || root.Members[0].Key != resultField {
		return value
	}
	return json.RawMessage(root.Members[0].Value.Raw())
}

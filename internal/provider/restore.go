package provider

import (
	"bytes"
	"encoding/json"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// Restore turns a value that a model gave for the strict form of a schema into
// one for the schema itself: null for a field that is optional, and may not be
// null, is removed. Everything else keeps its bytes, and a value without such nulls,
// or that does not fit, is returned unchanged.
//
// Of several alternatives, the first counts whose fields, types and enums the value
// has.
func Restore(schema, value json.RawMessage) json.RawMessage {
	if !bytes.Contains(value, []byte("null")) {
		return value
	}
	tree, _ := parseSchema(schema)
	given, _ := parseSchema(value)
	if tree == nil || given == nil {
		return value
	}
	r := restorer{schemaDocument: newSchemaDocument(tree), done: map[match]*jsonschema.Node{}}
	restored := r.restore(tree, given, 0)
	if restored == given {
		return value
	}
	return restored.Append(nil)
}

type restorer struct {
	*schemaDocument
	done map[match]*jsonschema.Node // what restore returned
}

// A match is a question: does the value fit the schema?
type match struct{ schema, value *jsonschema.Node }

// restore returns the value, or a changed copy of it.
func (r *restorer) restore(schema, value *jsonschema.Node, depth int) *jsonschema.Node {
	if !schema.Is(jsonschema.KindObject) || depth > maxDepth {
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

func (r *restorer) change(schema, value *jsonschema.Node, depth int) *jsonschema.Node {
	if schema.Get("$ref") != nil {
		value = r.restore(r.resolve(schema), value, depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if either := schema.Get(keyword); either != nil {
			for _, s := range either.Items {
				if restored := r.restore(s, value, depth+1); r.HasShape(restored, s) {
					value = restored
					break
				}
			}
		}
	}
	properties, required := schema.Get("properties"), strictRequired(schema)
	return value.Map(func(_ int, key string, part *jsonschema.Node) *jsonschema.Node {
		if value.Kind == jsonschema.KindArray {
			return r.restore(schema.Get("items"), part, depth+1)
		}
		field := properties.Get(key)
		if field != nil && isNullSchema(part) && !required[key] && !r.takesNull(field) {
			return nil
		}
		return r.restore(field, part, depth+1)
	})
}

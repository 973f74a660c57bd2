package provider

import (
	"bytes"
	"encoding/json"
	"slices"

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
	tree, _ := parse(schema)
	given, _ := parse(value)
	if tree == nil || given == nil {
		return value
	}
	r := restorer{document: newDocument(tree), fits: map[match]bool{}, done: map[match]*jsonschema.Node{}}
	restored := r.restore(tree, given, 0)
	if restored == given {
		return value
	}
	return restored.Append(nil)
}

type restorer struct {
	*document
	fits map[match]bool             // results of fitsSchema
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
			if i := slices.IndexFunc(either.Items, func(s *jsonschema.Node) bool { return r.fitsSchema(s, value, depth) }); i >= 0 {
				value = r.restore(either.Items[i], value, depth+1)
			}
		}
	}
	properties, required := schema.Get("properties"), requiredOf(schema)
	return value.Map(func(_ int, key string, part *jsonschema.Node) *jsonschema.Node {
		if value.Kind == jsonschema.KindArray {
			return r.restore(schema.Get("items"), part, depth+1)
		}
		field := properties.Get(key)
		if field != nil && isNull(part) && !required[key] && !r.takesNull(field) {
			return nil
		}
		return r.restore(field, part, depth+1)
	})
}

// fitsSchema reports whether a value may have been given for the strict form of
// a schema: by its types, values and fields, without its limits.
func (r *restorer) fitsSchema(schema, value *jsonschema.Node, depth int) bool {
	if !schema.Is(jsonschema.KindObject) || depth > maxDepth {
		return schema.Is(jsonschema.KindTrue)
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

func (r *restorer) look(schema, value *jsonschema.Node, depth int) bool {
	if schema.Get("$ref") != nil {
		to := r.resolve(schema)
		if to == nil || !r.fitsSchema(to, value, depth) {
			return false
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		either := schema.Get(keyword)
		if either != nil && !slices.ContainsFunc(either.Items, func(s *jsonschema.Node) bool { return r.fitsSchema(s, value, depth) }) {
			return false
		}
	}
	if types := schema.TypeList(); types != nil && !hasType(value, types) {
		return false
	}
	same := func(n *jsonschema.Node) bool { return jsonschema.Equal(n, value) }
	if only := schema.Get("const"); only != nil && !same(only) {
		return false
	}
	if enum := schema.Get("enum"); enum != nil && !slices.ContainsFunc(enum.Items, same) {
		return false
	}
	switch value.Kind {
	case jsonschema.KindArray:
		items := schema.Get("items")
		return items == nil || !slices.ContainsFunc(value.Items, func(n *jsonschema.Node) bool { return !r.fitsSchema(items, n, depth) })
	case jsonschema.KindObject:
		return r.fieldsFit(schema, value, depth)
	}
	return true
}

func (r *restorer) fieldsFit(schema, value *jsonschema.Node, depth int) bool {
	properties := schema.Get("properties")
	required := requiredOf(schema)
	for name := range required {
		if value.Get(name) == nil {
			return false
		}
	}
	for _, m := range value.Members {
		switch field := properties.Get(m.Key); {
		case field == nil && properties != nil:
			return false
		case field == nil, isNull(m.Value) && !required[m.Key]:
		case !r.fitsSchema(field, m.Value, depth):
			return false
		}
	}
	return true
}

func hasType(value *jsonschema.Node, types []string) bool {
	t := typeOfValue(value)
	return slices.Contains(types, t) ||
		t == "integer" && slices.Contains(types, "number") ||
		t == "number" && slices.Contains(types, "integer") // 1.0 is an integer
}

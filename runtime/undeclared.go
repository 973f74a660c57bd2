package runtime

import (
	"encoding/json"
	"slices"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// dropUndeclared returns arguments without the properties that the schema does
// not declare: undeclared arguments never reach a tool. It looks into objects
// that declare properties and say nothing of others.
func (s *Schema) dropUndeclared(args json.RawMessage) json.RawMessage {
	root, err := jsonschema.Read(args, &jsonschema.ReadOptions{Accept: jsonschema.AcceptAll})
	if err != nil {
		panic("runtime: validated arguments: " + err.Error())
	}
	kept := declaredOnly(root, s.node, jsonschema.NewResolver(s.node))
	if kept == root {
		return args
	}
	return kept.Append(nil)
}

func declaredOnly(value, schema *jsonschema.Node, r *jsonschema.Resolver) *jsonschema.Node {
	schema, _ = r.Follow(schema)
	switch {
	case value.Is(jsonschema.KindArray):
		elements := slices.Clone(value.Items)
		for i := range elements {
			elements[i] = declaredOnly(elements[i], schema.Get("items"), r)
		}
		return value.WithItems(elements)
	case value.Is(jsonschema.KindObject):
		properties, closed := schema.Get("properties"), isClosed(schema)
		kept := value.Edit()
		kept.Members = slices.DeleteFunc(kept.Members, func(m jsonschema.Member) bool { return closed && properties.Get(m.Key) == nil })
		for i := range kept.Members {
			m := &kept.Members[i]
			m.Value = declaredOnly(m.Value, properties.Get(m.Key), r)
		}
		return kept.Node(value)
	}
	return value
}

// isClosed reports whether a schema declares properties and says nothing of
// others.
func isClosed(schema *jsonschema.Node) bool {
	if schema.Get("properties") == nil {
		return false
	}
	return !slices.ContainsFunc(schema.Members, func(m jsonschema.Member) bool {
		switch m.Key {
		case "additionalProperties", "patternProperties", "unevaluatedProperties", "propertyNames",
			"allOf", "anyOf", "oneOf", "if", "dependentSchemas", "$dynamicRef":
			return true
		}
		return false
	})
}

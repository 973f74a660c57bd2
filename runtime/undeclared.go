package runtime

import (
	"slices"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// declaredOnly returns a value without the properties that its schema does not
// declare: undeclared arguments never reach a tool. It looks into objects whose
// schema declares properties and says nothing of others, and returns the value
// itself if there is nothing to drop.
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

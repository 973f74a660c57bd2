package provider

import (
	"slices"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// carry rewrites a schema for a target that takes nearly everything.
func (l *schemaLowerer) carry(n *jsonschema.Node, at *jsonschema.Location, depth int) *jsonschema.Node {
	if !n.Is(jsonschema.KindObject) || l.tooDeep(depth) {
		return n
	}
	schema := func(n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node { return l.carry(n, at, depth+1) }
	out := n.Map(func(_ int, keyword string, value *jsonschema.Node) *jsonschema.Node {
		switch k, _ := jsonschema.KeywordNamed(keyword); {
		case k.Form == jsonschema.FormSchema:
			return schema(value, at.Key(keyword))
		case k.Form == jsonschema.FormSchemaMap && value.Kind == jsonschema.KindObject,
			k.Form == jsonschema.FormSchemas && value.Kind == jsonschema.KindArray:
			return value.MapAt(at.Key(keyword), schema)
		}
		return value
	})
	if l.needItems && n.Get("items") == nil && n.Get("prefixItems") == nil && slices.Contains(n.TypeList(), "array") {
		d := out.Edit()
		d.Set("items", jsonschema.Object())
		return d.Node(out)
	}
	return out
}

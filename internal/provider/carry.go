package provider

import (
	"slices"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// carry rewrites a schema for a target that takes nearly everything.
func (l *lowerer) carry(n *jsonschema.Node, at *jsonschema.Location, depth int) *jsonschema.Node {
	if !n.Is(jsonschema.KindObject) || l.tooDeep(at, depth) {
		return n
	}
	d := n.Edit()
	for i, m := range d.Members {
		d.Members[i].Value = l.carryKeyword(m, at, depth+1)
	}
	if l.needItems && n.Get("items") == nil && n.Get("prefixItems") == nil && slices.Contains(n.TypeList(), "array") {
		d.Set("items", jsonschema.Object())
	}
	return d.Node(n)
}

// carryKeyword rewrites the schemas in the value of one keyword.
func (l *lowerer) carryKeyword(m jsonschema.Member, at *jsonschema.Location, depth int) *jsonschema.Node {
	n, at := m.Value, at.Key(m.Key)
	switch k, _ := jsonschema.KeywordNamed(m.Key); {
	case k.Form == jsonschema.FormSchemaMap && n.Kind == jsonschema.KindObject:
		d := n.Edit()
		for i, m := range d.Members {
			d.Members[i].Value = l.carry(m.Value, at.Key(m.Key), depth)
		}
		return d.Node(n)
	case k.Form == jsonschema.FormSchemas && n.Kind == jsonschema.KindArray:
		items := make([]*jsonschema.Node, len(n.Items))
		for i, item := range n.Items {
			items[i] = l.carry(item, at.Item(i), depth)
		}
		return n.WithItems(items)
	case k.Form == jsonschema.FormSchema:
		return l.carry(n, at, depth)
	}
	return n
}

package provider

// carry rewrites a schema for a target that takes nearly everything.
func (l *lowerer) carry(n *node, at *place, depth int) *node {
	if n.kind != '{' || l.tooDeep(at, depth) {
		return n
	}
	d := n.edit()
	for i, m := range d.members {
		d.members[i].value = l.carryKeyword(m, at, depth+1)
	}
	if l.needItems && n.get("items") == nil && n.get("prefixItems") == nil && isArray(n) {
		d.set("items", object())
	}
	return d.node(n)
}

// carryKeyword rewrites the schemas in the value of one keyword.
func (l *lowerer) carryKeyword(m member, at *place, depth int) *node {
	n, at := m.value, at.key(m.key)
	switch m.key {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		if n.kind != '{' {
			return n
		}
		d := n.edit()
		for i, m := range d.members {
			d.members[i].value = l.carry(m.value, at.key(m.key), depth)
		}
		return d.node(n)
	case "anyOf", "oneOf", "allOf", "prefixItems":
		if n.kind != '[' {
			return n
		}
		items := make([]*node, len(n.items))
		for i, item := range n.items {
			items[i] = l.carry(item, at.item(i), depth)
		}
		return list(n, items)
	case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
		"unevaluatedItems", "unevaluatedProperties":
		return l.carry(n, at, depth)
	}
	return n
}

func isArray(n *node) bool {
	for _, t := range typesOf(n) {
		if t == "array" {
			return true
		}
	}
	return false
}

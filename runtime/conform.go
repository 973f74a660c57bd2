package runtime

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/spell"
)

// A conformer changes a value to what its schema means, before it is validated:
// it adds defaults and removes properties that are not declared. What the schema
// does not fit stays as it is.
type conformer struct {
	jsonChecker
	how  reading
	refs *jsonschema.Resolver
	size int // bytes of the value and its defaults
}

func (c *conformer) conform(schema, n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	if n.Kind == jsonschema.KindString && c.how&areArguments != 0 {
		n = c.unquoted(schema, n)
	}
	if !isCompositeJSON(n) || c.size > maxArgsBytes {
		return n
	}
	if schema = c.schemaFor(schema, n); !schema.Is(jsonschema.KindObject) {
		return n
	}
	if n.Kind == jsonschema.KindArray {
		items := schema.Get("items")
		return n.Map(func(i int, _ string, item *jsonschema.Node) *jsonschema.Node {
			return c.conform(items, item, at.Item(i))
		})
	}
	out := c.conformMembers(schema, n, at)
	if c.how&withDefaults == 0 {
		return out
	}
	var added []jsonschema.Member
	for _, m := range schema.MembersOf("properties") {
		if value := c.defaultOf(m.Value); value != nil && n.Get(m.Key) == nil {
			added = append(added, jsonschema.NewMember(m.Key, value))
			c.size += len(m.Key) + len(value.Raw()) + len(`"":,`)
		}
	}
	if len(added) == 0 {
		return out
	}
	return out.With(added...)
}

func (c *conformer) conformMembers(schema, n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	properties, others := schema.Get("properties"), schema.Get("additionalProperties")
	closed := c.how&areArguments != 0 && conformIsClosed(schema)
	return n.Map(func(_ int, key string, value *jsonschema.Node) *jsonschema.Node {
		property := properties.Get(key)
		switch {
		case property != nil:
			return c.conform(property, value, at.Key(key))
		case !closed || slices.ContainsFunc(schema.ItemsOf("required"), func(name *jsonschema.Node) bool { return name.Text() == key }):
			return c.conform(others, value, at.Key(key))
		}
		if meant := conformField(key, properties, n); meant != "" {
			c.add(at.Key(key), CodeInvalidValue, "unknown field %q; did you mean %q?", shortenProblem(key), meant)
		}
		if c.how&onlyDeclared != 0 {
			return nil
		}
		return value
	})
}

// unquoted returns the object or array that a model wrote as a string, where the
// schema takes such a value and no string, or else the string.
func (c *conformer) unquoted(schema, n *jsonschema.Node) *jsonschema.Node {
	text := n.Text()
	if text == "" || text[0] != '{' && text[0] != '[' {
		return n
	}
	inner, duplicates, err := readJSON([]byte(text))
	types := c.types(schema)
	if err != nil || duplicates != nil || slices.Contains(types, "string") || !slices.Contains(types, inner.TypeOf().String()) {
		return n
	}
	return inner
}

// types returns the types of a schema or of its alternatives, as far as they are
// clear.
func (c *conformer) types(schema *jsonschema.Node) []string {
	schema, _ = c.refs.Follow(schema)
	types := schema.TypeList()
	for _, alternative := range slices.Concat(schema.ItemsOf("anyOf"), schema.ItemsOf("oneOf")) {
		alternative, _ = c.refs.Follow(alternative)
		types = append(types, alternative.TypeList()...)
	}
	return types
}

// conformField returns the declared property that an unknown key stands for: one
// that differs in case, which Go would decode the value into, or one that is absent and
// is spelled almost alike, or is part of the key or the other way round; "" if there is
// none.
func conformField(key string, properties, object *jsonschema.Node) string {
	const short = 3
	var absent []string
	part, lower := "", strings.ToLower(key)
	for _, m := range properties.Members {
		if strings.EqualFold(m.Key, key) {
			return m.Key
		}
		if object.Get(m.Key) != nil {
			continue
		}
		absent = append(absent, m.Key)
		if name := strings.ToLower(m.Key); part == "" && min(len(name), len(key)) >= short &&
			(strings.Contains(lower, name) || strings.Contains(name, lower)) {
			part = m.Key
		}
	}
	return cmp.Or(spell.Nearest(key, absent), part)
}

// defaultOf returns the default of a property: its own, or that of the type it
// refers to; nil without one.
func (c *conformer) defaultOf(schema *jsonschema.Node) *jsonschema.Node {
	for range maxHops {
		ref := schema.Get("$ref")
		if value := schema.Get("default"); value != nil || ref == nil {
			return value
		}
		schema, _ = c.refs.Resolve(ref.Text())
	}
	return nil
}

// maxHops is how many references or alternatives are followed, one after the
// other.
const maxHops = 10

// conformIsClosed reports whether a schema declares properties and does not mention
// others.
func conformIsClosed(schema *jsonschema.Node) bool {
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

// schemaFor returns the schema for a value: the one that a reference leads to, or
// the only alternative that the value can be for; nil if that is not clear.
func (c *conformer) schemaFor(schema, n *jsonschema.Node) *jsonschema.Node {
	for range maxHops {
		schema, _ = c.refs.Follow(schema)
		either, oneOf := schema.ItemsOf("anyOf"), schema.ItemsOf("oneOf")
		if either == nil {
			either, oneOf = oneOf, nil
		}
		if either == nil || oneOf != nil || schema.Get("properties") != nil || schema.Get("items") != nil || schema.Get("additionalProperties") != nil {
			return schema
		}
		schema = nil
		for _, alternative := range either {
			if alternative, _ = c.refs.Follow(alternative); !conformsToAlternative(n, alternative) {
				continue
			}
			if schema != nil {
				return nil
			}
			schema = alternative
		}
	}
	return nil
}

// conformsToAlternative reports whether an object or array can be for an alternative, by the type
// and by the fields that have one value in it.
func conformsToAlternative(n, alternative *jsonschema.Node) bool {
	types := alternative.TypeList()
	if n.Kind == jsonschema.KindArray {
		return types == nil || slices.Contains(types, "array")
	}
	if types != nil && !slices.Contains(types, "object") {
		return false
	}
	return !slices.ContainsFunc(alternative.MembersOf("properties"), func(m jsonschema.Member) bool {
		only := m.Value.Get("const")
		if values := m.Value.ItemsOf("enum"); only == nil && len(values) == 1 {
			only = values[0]
		}
		return only != nil && !jsonschema.Equal(n.Get(m.Key), only)
	})
}

package runtime

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A shape is the fields that a schema declares, and their defaults. A nil shape
// has none.
type shape struct {
	fields  []field // in the order of the schema
	closed  bool    // fields are declared, and others are not mentioned
	items   *shape
	others  *shape   // of fields that are not declared
	choices []choice // alternatives, of a schema without anything else
}

type field struct {
	name     string
	fallback *jsonschema.Node // its default; nil without one
	below    *shape
}

// field returns the field with that name, nil if it is not declared.
func (s *shape) field(name string) *field {
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i]
		}
	}
	return nil
}

// at returns the shape of the values of a field.
func (s *shape) at(name string) *shape {
	if f := s.field(name); f != nil {
		return f.below
	}
	return s.others
}

// declared returns a value without the undeclared fields of closed objects, which
// never reach a tool.
func (s *shape) declared(n *jsonschema.Node) *jsonschema.Node {
	if s == nil {
		return n
	}
	return n.Map(func(_ int, key string, part *jsonschema.Node) *jsonschema.Node {
		if n.Kind == jsonschema.KindArray {
			return s.items.declared(part)
		}
		switch f := s.field(key); {
		case f != nil:
			return f.below.declared(part)
		case s.closed:
			return nil
		}
		return part
	})
}

// misspelled adds the fields of a value that differ from declared ones only in
// case. Go decodes them into the declared fields, past the schema.
func (c *checker) misspelled(s *shape, n *jsonschema.Node, at *jsonschema.Location) {
	if s = s.forValue(n); s == nil {
		return
	}
	for i, item := range n.Items {
		c.misspelled(s.items, item, at.Item(i))
	}
	for _, m := range n.Members {
		below := at.Key(m.Key)
		if name := s.sameButCase(m.Key); name != "" {
			c.add(below, CodeInvalidValue, "the field is written %q, not %q", name, m.Key)
		}
		c.misspelled(s.at(m.Key), m.Value, below)
	}
}

func (s *shape) sameButCase(key string) string {
	found := ""
	for i := range s.fields {
		switch name := s.fields[i].name; {
		case name == key:
			return ""
		case strings.EqualFold(name, key):
			found = name
		}
	}
	return found
}

// shapeOf returns the shape of a schema, and whether there are any defaults.
func shapeOf(root *jsonschema.Node) (s *shape, hasDefaults bool) {
	c := collector{refs: jsonschema.NewResolver(root), known: map[*jsonschema.Node]*shape{}}
	s = c.collect(root)
	return s, c.hasDefaults
}

type collector struct {
	refs        *jsonschema.Resolver
	known       map[*jsonschema.Node]*shape // a schema may refer to itself
	hasDefaults bool
}

func (c *collector) collect(schema *jsonschema.Node) *shape {
	schema, _ = c.refs.Follow(schema)
	if !schema.Is(jsonschema.KindObject) {
		return nil
	}
	if s, ok := c.known[schema]; ok {
		return s
	}
	s := &shape{closed: isClosed(schema)}
	c.known[schema] = s
	for _, m := range schema.MembersOf("properties") {
		fallback := c.fallback(m.Value)
		c.hasDefaults = c.hasDefaults || fallback != nil
		s.fields = append(s.fields, field{name: m.Key, fallback: fallback, below: c.collect(m.Value)})
	}
	s.items = c.collect(schema.Get("items"))
	s.others = c.collect(schema.Get("additionalProperties"))
	if len(s.fields) == 0 && s.items == nil && s.others == nil {
		s.choices = c.choices(schema)
	}
	return s
}

// fallback returns the default of a field: its own, or that of the type it
// refers to.
func (c *collector) fallback(schema *jsonschema.Node) *jsonschema.Node {
	for range maxHops {
		if value := schema.Get("default"); value != nil {
			return value
		}
		schema, _ = c.refs.Resolve(schema.Get("$ref").Text())
	}
	return nil
}

// isClosed reports whether a schema declares properties and does not mention
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

// maxHops is how many references or alternatives are followed, one after the
// other.
const maxHops = 10

// A choice is one alternative of a schema, with what distinguishes it from the
// others: its types, and the fields that have one value in it.
type choice struct {
	objects, arrays bool
	tags            []tag
	below           *shape
}

type tag struct {
	name  string
	value *jsonschema.Node
}

// forValue returns the shape for a value: s itself, or the only one of its
// alternatives that the value can be for; nil if that is not clear.
func (s *shape) forValue(n *jsonschema.Node) *shape {
	for range maxHops {
		if s == nil || len(s.choices) == 0 {
			return s
		}
		var found *shape
		for i := range s.choices {
			if c := &s.choices[i]; c.takes(n) {
				if found != nil {
					return nil
				}
				found = c.below
			}
		}
		s = found
	}
	return nil
}

// takes reports whether an object or array may be for an alternative.
func (c *choice) takes(n *jsonschema.Node) bool {
	if n.Kind == jsonschema.KindArray {
		return c.arrays
	}
	return n.Kind == jsonschema.KindObject && c.objects && !slices.ContainsFunc(c.tags, func(t tag) bool {
		return !jsonschema.Equal(n.Get(t.name), t.value)
	})
}

// choices collects the alternatives of a schema.
func (c *collector) choices(schema *jsonschema.Node) []choice {
	either, oneOf := schema.Get("anyOf"), schema.Get("oneOf")
	if either == nil {
		either, oneOf = oneOf, nil
	}
	if either == nil || oneOf != nil {
		return nil // nothing, or a value is one of each
	}
	var all []choice
	for _, item := range either.Items {
		alternative, _ := c.refs.Follow(item)
		if !alternative.Is(jsonschema.KindObject) {
			return nil
		}
		all = append(all, c.choice(alternative))
	}
	return all
}

func (c *collector) choice(alternative *jsonschema.Node) choice {
	types := alternative.TypeList()
	out := choice{
		below:   c.collect(alternative),
		objects: types == nil || slices.Contains(types, "object"),
		arrays:  types == nil || slices.Contains(types, "array"),
	}
	for _, m := range alternative.MembersOf("properties") {
		if only := m.Value.Get("const"); only != nil {
			out.tags = append(out.tags, tag{m.Key, only})
		} else if values := m.Value.ItemsOf("enum"); len(values) == 1 {
			out.tags = append(out.tags, tag{m.Key, values[0]})
		}
	}
	return out
}

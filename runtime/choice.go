package runtime

import "bytes"

// A choice is one alternative of a schema, with what tells it from the others:
// the types that it takes, and the fields that it has one value for.
type choice struct {
	objects, arrays bool
	tags            []tag
	below           *shape
}

type tag struct {
	name  string
	value *element
}

// forValue returns the shape for a value: s itself, or the only one of its
// alternatives that the value can be for; nil if that is not clear.
func (s *shape) forValue(e *element) *shape {
	for range maxRefs {
		if s == nil || len(s.choices) == 0 {
			return s
		}
		var found *shape
		for i := range s.choices {
			if c := &s.choices[i]; c.takes(e) {
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
func (c *choice) takes(e *element) bool {
	if e.isArray() {
		return c.arrays
	}
	if !e.isObject() || !c.objects {
		return false
	}
	for _, t := range c.tags {
		value := e.member(t.name)
		if value == nil || !sameText(value, t.value) {
			return false
		}
	}
	return true
}

// sameText compares values that a schema may use as tags.
func sameText(a, b *element) bool {
	if a.raw[0] == '"' && b.raw[0] == '"' {
		return unquote(a.raw) == unquote(b.raw)
	}
	return bytes.Equal(a.raw, b.raw)
}

// choices collects the alternatives of a schema.
func (c *collector) choices(schema *element) []choice {
	var all []choice
	for _, keyword := range []string{"anyOf", "oneOf"} {
		either := schema.member(keyword)
		if either == nil {
			continue
		}
		if all != nil {
			return nil // a value is one of each
		}
		for i := range either.items {
			alternative := c.resolve(&either.items[i])
			if alternative == nil || !alternative.isObject() {
				return nil
			}
			all = append(all, c.choice(alternative))
		}
	}
	return all
}

func (c *collector) choice(alternative *element) choice {
	out := choice{below: c.collect(alternative)}
	kind := alternative.member("type")
	out.objects = kind == nil || hasText(kind, "object")
	out.arrays = kind == nil || hasText(kind, "array")
	properties := alternative.member("properties")
	if properties == nil {
		return out
	}
	for i := range properties.members {
		m := &properties.members[i]
		if only := m.value.member("const"); only != nil {
			out.tags = append(out.tags, tag{m.key, only})
		} else if enum := m.value.member("enum"); enum != nil && len(enum.items) == 1 {
			out.tags = append(out.tags, tag{m.key, &enum.items[0]})
		}
	}
	return out
}

// hasText reports whether a value is that text, or a list with it.
func hasText(e *element, text string) bool {
	for i := range e.items {
		if unquoted(&e.items[i]) == text {
			return true
		}
	}
	return unquoted(e) == text
}

package runtime

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonpointer"
)

// A shape is the part of a schema that says which fields there are, which of
// them have defaults, and where to look for more. A nil shape knows nothing.
type shape struct {
	fields  []field // in the order of the schema
	items   *shape
	others  *shape   // of fields that are not declared
	choices []choice // alternatives, of a schema that says nothing else
}

type field struct {
	name     string
	fallback []byte // its default; nil without one
	below    *shape
}

// at returns the shape of the field with that name.
func (s *shape) at(name string) *shape {
	for i := range s.fields {
		if s.fields[i].name == name {
			return s.fields[i].below
		}
	}
	return s.others
}

// misspelled returns the fields of a value that differ from declared ones only
// in case. Go decodes them into the declared fields, so they would get past
// the schema.
func (s *shape) misspelled(e *element, pointer string) []Problem {
	if s = s.forValue(e); s == nil {
		return nil
	}
	var problems []Problem
	for i := range e.items {
		problems = append(problems, s.items.misspelled(&e.items[i], pointer+"/"+strconv.Itoa(i))...)
	}
	for i := range e.members {
		m := &e.members[i]
		at := joinPointer(pointer, m.key)
		if name := s.sameButCase(m.key); name != "" {
			problems = append(problems, Problem{
				Pointer: at, Code: CodeInvalidValue, Message: fmt.Sprintf("the field is written %q, not %q", name, m.key),
			})
		}
		problems = append(problems, s.at(m.key).misspelled(&m.value, at)...)
	}
	return problems
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
func shapeOf(root *element) (s *shape, hasDefaults bool) {
	c := collector{root: root, known: map[*element]*shape{}}
	s = c.collect(root)
	return s, c.hasDefaults
}

type collector struct {
	root  *element
	known map[*element]*shape // a schema may refer to itself

	hasDefaults bool
}

func (c *collector) collect(schema *element) *shape {
	schema = c.resolve(schema)
	if schema == nil || !schema.isObject() {
		return nil
	}
	if s, ok := c.known[schema]; ok {
		return s
	}
	s := &shape{}
	c.known[schema] = s
	if properties := schema.member("properties"); properties != nil {
		for i := range properties.members {
			m := &properties.members[i]
			entry := field{name: m.key, below: c.collect(&m.value)}
			if fallback := c.fallback(&m.value); fallback != nil {
				entry.fallback = fallback
				c.hasDefaults = true
			}
			s.fields = append(s.fields, entry)
		}
	}
	if items := schema.member("items"); items != nil {
		s.items = c.collect(items)
	}
	if others := schema.member("additionalProperties"); others != nil {
		s.others = c.collect(others)
	}
	if len(s.fields) == 0 && s.items == nil && s.others == nil {
		s.choices = c.choices(schema)
	}
	return s
}

// fallback returns the default of a field: its own, or that of the type it
// refers to.
func (c *collector) fallback(schema *element) []byte {
	for range maxRefs {
		if value := schema.member("default"); value != nil {
			return value.raw
		}
		ref := schema.member("$ref")
		if ref == nil {
			return nil
		}
		if schema = c.lookup(unquoted(ref)); schema == nil {
			return nil
		}
	}
	return nil
}

// maxRefs is how many references are followed, one after the other.
const maxRefs = 10

// resolve follows references inside the schema; nil if one leads nowhere.
func (c *collector) resolve(schema *element) *element {
	for range maxRefs {
		ref := schema.member("$ref")
		if ref == nil {
			return schema
		}
		if schema = c.lookup(unquoted(ref)); schema == nil {
			return nil
		}
	}
	return nil
}

func (c *collector) lookup(ref string) *element {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	at := c.root
	for token := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		token = jsonpointer.Key(token)
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(at.items) {
			at = &at.items[i]
		} else if at = at.member(token); at == nil {
			return nil
		}
	}
	return at
}

// unquoted returns the text of a string, or "" for any other value.
func unquoted(e *element) string {
	if e.raw[0] != '"' {
		return ""
	}
	return unquote(e.raw)
}

package jsonschema

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// Types returns the types of the values, as do the methods below with all that s
// refers to.
func (s *Schema) Types() Types { return s.facts().types }

// IsCase reports whether s is one case of another schema, such as one of its types,
// and has no location of its own.
func (s *Schema) IsCase() bool { return s.isCase }

// Values returns the values of an enum or const; finite is false if there are
// others.
func (s *Schema) Values() (values []Value, finite bool) { return s.facts().values, s.facts().finite }

// MissingTypes returns the types of the narrow schema that the wide one lacks.
func (m *Mismatch) MissingTypes() Types { return m.Narrow.Types() &^ m.Part.types }

// MissingValues returns the values of the narrow schema that the wide one does not
// list. If the narrow schema is not finite, it returns those that the wide one
// lists, and false.
func (m *Mismatch) MissingValues() (values []Value, finite bool) {
	f := m.Narrow.facts()
	if !f.finite {
		return m.Part.values, false
	}
	return slices.DeleteFunc(slices.Clone(f.values), func(v Value) bool { return m.Part.listed[v.key] }), true
}

// Requires reports whether a property is always present.
func (s *Schema) Requires(name string) bool { return s.facts().requires(name) }

// PropertyNames returns the names of the declared properties of schemas, sorted.
func PropertyNames(schemas ...*Schema) []string {
	return namesOf(schemas, func(p *Schema) []string { return p.names })
}

// AnnotationNames returns the keywords of schemas that do not limit the values,
// sorted.
func AnnotationNames(schemas ...*Schema) []string {
	return namesOf(schemas, func(p *Schema) []string { return sortedKeys(p.annotations) })
}

func namesOf(schemas []*Schema, of func(*Schema) []string) (names []string) {
	for _, s := range schemas {
		for _, p := range s.facts().parts {
			names = append(names, of(p)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Property returns the first schema declared for a property, or nil.
func (s *Schema) Property(name string) *Schema { return firstSchema(s.facts().declared(name)) }

// Items returns the first schema of the elements, or nil.
func (s *Schema) Items() *Schema { return firstSchema(s.facts().items()) }

// Others returns the first schema of undeclared properties, or nil.
func (s *Schema) Others() *Schema { return firstSchema(s.facts().others()) }

func firstSchema(list []*Schema) *Schema {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// Forbids reports whether no value has a property.
func (s *Schema) Forbids(name string) bool {
	return slices.ContainsFunc(s.facts().property(name), func(p *Schema) bool { return p.facts().types == 0 })
}

// Alternatives returns the alternatives of each anyOf and oneOf.
func (s *Schema) Alternatives() (all [][]*Schema) {
	for _, c := range s.facts().choices {
		all = append(all, c.alternatives)
	}
	return all
}

// Annotation returns the value of a keyword that does not limit the values, and
// the place of the schema that has it; or nil.
func (s *Schema) Annotation(keyword string) (*Node, *Place) {
	for _, p := range s.facts().parts {
		if value := p.annotations[keyword]; value != nil {
			return value, p.At
		}
	}
	return nil, nil
}

// LimitText returns a limit, a pattern or a format of s for a message, or "".
func (s *Schema) LimitText(keyword string) string {
	f := s.facts()
	if limit := f.limit(keyword); limit != nil {
		if digits, exact := limit.FloatPrec(); exact {
			return limit.FloatString(digits)
		}
		return limit.RatString()
	}
	var all []string
	for _, p := range f.parts {
		switch {
		case keyword == "pattern" && p.regexp != "":
			all = append(all, String(p.regexp).Shown())
		case keyword == "format" && p.format != "":
			all = append(all, String(p.format).Shown())
		}
	}
	return strings.Join(all[:min(len(all), 3)], " and ")
}

// ValuesText returns values for a message: the first five.
func ValuesText(values []Value) string {
	const most = 5
	texts := make([]string, 0, most+1)
	for i, v := range values {
		if i == most {
			texts = append(texts, "…")
			break
		}
		texts = append(texts, v.Shown())
	}
	return strings.Join(texts, ", ")
}

const maxShown = 60 // characters of a foreign text in a message

// Shown returns the JSON text of n for a message, shortened; "nothing" for nil.
func (n *Node) Shown() string {
	switch {
	case n == nil:
		return "nothing"
	case n.Kind == KindString: // without escapes that are not needed
		n = String(n.Text())
	}
	return excerpt.Short(n.Compact(), maxShown)
}

// Sketch describes a schema briefly: by its values, the name of its type, the
// property that distinguishes it, or its JSON types.
func (s *Schema) Sketch() string {
	f := s.facts()
	if f.finite {
		return ValuesText(f.values)
	}
	for _, p := range f.parts {
		if name := p.At.typeName(); name != "" {
			return name
		}
		for _, name := range p.required {
			if tag := firstSchema(f.property(name)); tag != nil && tag.facts().finite && len(tag.facts().values) == 1 {
				return "an object with the " + name + " " + ValuesText(tag.facts().values)
			}
		}
	}
	return f.types.String()
}

// typeName returns the name of the type that is defined at a place, quoted, or "".
func (p *Place) typeName() string {
	if p == nil || p.Parent == nil || p.Parent.Schema != nil || p.Parent.Token != "$defs" && p.Parent.Token != "definitions" {
		return ""
	}
	return string(plainjson.String(excerpt.Short(p.Token, maxShown)))
}

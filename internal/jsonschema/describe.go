package jsonschema

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
)

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

// typeName returns the name of the type that is defined at a place, quoted, or "".
func (p *Place) typeName() string {
	if p == nil || p.Parent == nil || p.Parent.Schema != nil || p.Parent.Token != "$defs" && p.Parent.Token != "definitions" {
		return ""
	}
	return string(plainjson.String(excerpt.Short(p.Token, maxShown)))
}

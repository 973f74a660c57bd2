package jsonschema

import (
	"fmt"
	"slices"
)

// A Mismatch is one reason why a narrow schema is not a subtype of a wide one.
type Mismatch struct {
	// Keyword is the keyword of the wide schema that the narrow one does not imply,
	// or "false" (the wide schema allows no value), or one of the constants below.
	Keyword string

	Name string // of the property, for "required" and UndeclaredProperty

	// Narrow and Wide are the schemas that were compared. Part is the part of
	// Wide, itself or one of those that it refers to, that has the keyword.
	Narrow, Wide, Part *Schema

	// At is the place in the narrow document, AtWide that in the wide one; either
	// may be nil. For UndeclaredProperty, At is the schema of the property.
	At, AtWide *Place

	// Undecided means that the narrow schema may still be a subtype: one of the two
	// has a keyword that is not understood.
	Undecided bool

	// Alternatives is the number of alternatives that values of Narrow can fit,
	// where no single one takes all values.
	Alternatives int
}

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

// Pointer returns the JSON pointer to the mismatch in the narrow schema, or else in
// the wide one.
func (m *Mismatch) Pointer() string {
	if m.At != nil {
		return m.At.Pointer()
	}
	return m.AtWide.Pointer()
}

// Reason returns what the wide schema does not allow: `null is not allowed`.
func (m *Mismatch) Reason() string {
	switch m.Keyword {
	case "false":
		return "no value is allowed"
	case "type":
		return m.MissingTypes().String() + " is not allowed"
	case "enum":
		values, finite := m.MissingValues()
		if finite {
			return ValuesText(values) + " is not allowed"
		}
		return "only " + ValuesText(values) + " is allowed"
	case "required":
		return fmt.Sprintf("%q is required", m.Name)
	case UndeclaredProperty:
		return fmt.Sprintf("the property %q is not allowed", m.Name)
	case UndeclaredProperties:
		return "undeclared properties are not allowed"
	case NoAlternative:
		if m.Undecided {
			return m.Narrow.Sketch() + " cannot be compared with the alternatives"
		}
		return m.Narrow.Sketch() + " fits none of the alternatives"
	}
	if want := m.Wide.LimitText(m.Keyword); want != "" {
		return fmt.Sprintf("only values with %s %s are allowed", m.Keyword, want)
	}
	return fmt.Sprintf("%q cannot be compared", m.Keyword)
}

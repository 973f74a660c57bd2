package jsonschema

import "fmt"

// A Verdict is whether every value of a narrow schema is a value of a wide one.
type Verdict uint8

// The verdicts.
const (
	Undecided Verdict = iota // beyond the comparison: patterns, not, and the like
	Yes
	No
)

// A Result is the verdict with the reasons against Yes.
type Result struct {
	Verdict    Verdict
	Mismatches []Mismatch // empty for Yes; for No, at least one is decided
}

// Subtype reports whether every value of the narrow document is a value of the
// wide one. No assumes that the narrow schemas have values at all.
func Subtype(narrow, wide *Document, o CheckOptions) Result {
	c := NewSubtypeChecker(narrow, wide, o)
	if c.IsSubtype(narrow.Root, wide.Root) {
		return Result{Verdict: Yes}
	}
	c.Restart()
	var r Result
	c.Explain(narrow.Root, wide.Root, func(m Mismatch) {
		r.Mismatches = append(r.Mismatches, m)
		if !m.Undecided {
			r.Verdict = No
		}
	})
	return r
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

package fuzz

import (
	"fmt"
	"slices"
	"strings"
)

// value returns a value of t as JSON.
func (m *typeMaker) value(t *typeModel, depth int) string {
	deep := depth > 6
	switch {
	case t.nullable && (deep || m.below(4) == 3):
		return "null"
	case len(t.enum) > 0:
		return t.enum[m.below(len(t.enum))]
	}
	switch t.kind {
	case "text":
		return m.textValue(t)
	case "int":
		return m.intValue(t)
	case "number":
		v := m.intValue(t)
		if m.below(2) == 1 && v != fmt.Sprint(t.max) && v[0] != '-' {
			v += ".5"
		}
		return v
	case "bool":
		return []string{"true", "false"}[m.below(2)]
	case "null":
		return "null"
	case "any":
		return []string{"null", "1", `"x"`, `[1,null]`, `{"a":{"b":2}}`}[m.below(5)]
	case "name":
		return m.value(t.name.typ, depth+1)
	case "union":
		return m.value(t.either[m.below(len(t.either))], depth+1)
	case "array":
		n := max(t.min, m.below(3))
		if deep {
			n = t.min
		}
		items := make([]string, n)
		for i := range items {
			items[i] = m.value(t.elem, depth+1)
		}
		return "[" + strings.Join(items, ",") + "]"
	case "map":
		var members []string
		if !deep {
			for i := range m.below(3) {
				members = append(members, fmt.Sprintf(`"key %d":%s`, i, m.value(t.elem, depth+1)))
			}
		}
		return object(members)
	}
	return object(m.members(t, depth))
}

func (m *typeMaker) textValue(t *typeModel) string {
	switch {
	case t.format:
		return `"2026-02-28"`
	case t.pattern:
		return `"abc"`
	case t.max > 0:
		return `"` + strings.Repeat("é", t.min+m.below(t.max-t.min+1)) + `"`
	}
	return []string{`"x"`, `""`, `"null"`, `"1"`, `"<&>"`}[m.below(5)]
}

func (m *typeMaker) intValue(t *typeModel) string {
	if t.max >= 0 {
		return fmt.Sprint(t.min + m.below(t.max-t.min+1))
	}
	return []string{"0", "-7", "12345678901234567890"}[m.below(3)]
}

// members returns the fields of an object, and one that is not declared where
// that is allowed.
func (m *typeMaker) members(t *typeModel, depth int) []string {
	var members []string
	for _, f := range t.fields {
		if f.optional && (depth > 6 || m.below(2) == 1) {
			continue
		}
		members = append(members, quoted(f.name)+":"+m.value(f.typ, depth+1))
	}
	if !t.closed && m.below(4) == 3 {
		members = append(members, `"undeclared":[1,{"x":null}]`)
	}
	return members
}

// wrong returns a value that does not fit t, and why; why is "" when it found
// none. Values of some other kinds fit what t is a part of.
func (m *typeMaker) wrong(t *typeModel, depth int, others ...string) (value, why string) {
	if depth > 6 {
		return "", ""
	}
	kinds := append(others, t.kinds()...)
	if depth > 0 && m.below(3) == 0 {
		if value, why = m.otherKind(kinds); why != "" {
			return value, why
		}
	}
	switch {
	case t.kind == "union":
		return m.wrong(t.either[m.below(len(t.either))], depth+1, kinds...)
	case t.kind == "name":
		return m.wrong(t.name.typ, depth+1, kinds...)
	case len(t.enum) > 0 && t.kind == "text":
		return `"not in the list"`, "not in the enum"
	case len(t.enum) > 0:
		return "3", "not in the enum"
	}
	switch t.kind {
	case "text":
		switch {
		case t.format:
			return `"2026-02-30"`, "format"
		case t.pattern:
			return `"ABC"`, "pattern"
		case t.max > 0 && m.below(2) == 1:
			return `"ééééé"`, "too long"
		case t.max > 0:
			return `""`, "too short"
		}
	case "int", "number":
		switch {
		case t.max >= 0 && m.below(2) == 1:
			return fmt.Sprint(t.max + 1), "too large"
		case t.max >= 0:
			return fmt.Sprint(t.min - 1), "too small"
		case t.kind == "int":
			return m.unless(slices.Contains(others, "number"), "1.5", "no integer")
		}
	case "array":
		return m.wrongArray(t, depth)
	case "map":
		inner, why := m.wrong(t.elem, depth+1)
		return fmt.Sprintf(`{"k":%s}`, inner), why
	case "object":
		return m.wrongObject(t, depth)
	}
	return m.otherKind(kinds)
}

// unless returns nothing where a mistake is none.
func (m *typeMaker) unless(fine bool, value, why string) (string, string) {
	if fine {
		return "", ""
	}
	return value, why
}

// otherKind returns a value of another kind.
func (m *typeMaker) otherKind(kinds []string) (value, why string) {
	for _, other := range [][2]string{{"text", `"x"`}, {"number", "1"}, {"bool", "true"}, {"null", "null"}, {"array", "[]"}, {"object", "{}"}} {
		if !slices.Contains(kinds, other[0]) && m.below(2) == 0 {
			return other[1], other[0] + " is of another type"
		}
	}
	return "", ""
}

func (m *typeMaker) wrongArray(t *typeModel, depth int) (value, why string) {
	switch choice := m.below(3); {
	case choice == 1 && t.min > 0:
		return "[]", "too few"
	case choice == 2 && t.max > 0:
		items := make([]string, t.max+1)
		for i := range items {
			items[i] = m.value(t.elem, depth+1)
		}
		return "[" + strings.Join(items, ",") + "]", "too many"
	}
	inner, why := m.wrong(t.elem, depth+1)
	return "[" + inner + "]", why
}

func (m *typeMaker) wrongObject(t *typeModel, depth int) (value, why string) {
	members := m.members(t, depth)
	if t.closed && m.below(2) == 1 {
		return object(append(members, `"undeclared":1`)), "one field too many"
	}
	if len(t.fields) == 0 {
		return "", ""
	}
	f := t.fields[m.below(len(t.fields))]
	others := slices.DeleteFunc(members, func(s string) bool { return strings.HasPrefix(s, quoted(f.name)+":") })
	if !f.optional && m.below(2) == 1 {
		return object(others), f.name + " is missing"
	}
	inner, why := m.wrong(f.typ, depth+1)
	return object(append(others, quoted(f.name)+":"+inner)), why
}

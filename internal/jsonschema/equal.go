package jsonschema

import (
	"slices"
)

// Equal reports whether two values are equal: numbers by value, the members of
// objects in any order.
func Equal(a, b *Node) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case KindNumber:
		return a.raw == b.raw || DecimalOf(a.raw) == DecimalOf(b.raw)
	case KindString:
		return a.raw == b.raw || (a.escaped || b.escaped) && a.Text() == b.Text()
	case KindArray:
		return slices.EqualFunc(a.Items, b.Items, Equal)
	case KindObject:
		return len(a.Members) == len(b.Members) && !slices.ContainsFunc(a.Members, func(m Member) bool {
			return !Equal(m.Value, b.Get(m.Key))
		})
	}
	return true
}

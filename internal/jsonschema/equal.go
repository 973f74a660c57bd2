package jsonschema

import (
	"slices"
	"strconv"
	"strings"
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

// Key returns a text that is the same for equal values, and for no others.
func (n *Node) Key() string { return string(n.appendKey(nil)) }

func (n *Node) appendKey(b []byte) []byte {
	switch n.Kind {
	case KindNumber:
		d := DecimalOf(n.raw)
		if d.Negative {
			b = append(b, '-')
		}
		b = append(append(b, '0', '.'), d.Digits...)
		b = strconv.AppendInt(append(b, 'e'), d.Exponent, 10)
		return append(b, d.huge...)
	case KindString:
		return appendString(b, n.Text())
	case KindArray:
		b = append(b, '[')
		for _, item := range n.Items {
			b = append(item.appendKey(b), ',')
		}
		return append(b, ']')
	case KindObject:
		sorted := slices.SortedFunc(slices.Values(n.Members), func(a, b Member) int { return strings.Compare(a.Key, b.Key) })
		b = append(b, '{')
		for _, m := range sorted {
			b = append(m.Value.appendKey(append(appendString(b, m.Key), ':')), ',')
		}
		return append(b, '}')
	}
	return append(b, byte(n.Kind))
}

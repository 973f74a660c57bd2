package jsonschema

import (
	"slices"
)

// Distinct returns n with a text that has each key of an object once. Of a duplicate, n
// itself has only the last value, but the text that it was read from has all.
func (n *Node) Distinct() *Node {
	switch n.Kind {
	case KindArray:
		items := make([]*Node, len(n.Items))
		for i, item := range n.Items {
			items[i] = item.Distinct()
		}
		return Array(items...).At(int(n.Start), int(n.End))
	case KindObject:
		members := slices.Clone(n.Members)
		for i := range members {
			members[i].Value = members[i].Value.Distinct()
		}
		return Object(members...).At(int(n.Start), int(n.End))
	}
	return n
}

// An Edit is the members of a new object. They may be changed directly.
type Edit struct{ Members []Member }

// Edit returns the members of n to be changed; n stays as it is.
func (n *Node) Edit() *Edit { return &Edit{slices.Clone(n.Members)} }

// Find returns the index of a key, or -1.
func (e *Edit) Find(key string) int { return findMember(e.Members, key) }

// Set sets the value of a key, at the end if the key is new.
func (e *Edit) Set(key string, value *Node) { e.insert(len(e.Members), key, value) }

// SetFirst sets the value of a key, at the beginning if the key is new.
func (e *Edit) SetFirst(key string, value *Node) { e.insert(0, key, value) }

func (e *Edit) insert(at int, key string, value *Node) {
	if i := e.Find(key); i >= 0 {
		e.Members[i].Value = value
		return
	}
	e.Members = slices.Insert(e.Members, at, Member{Key: key, Value: value})
}

// Remove removes keys.
func (e *Edit) Remove(keys ...string) {
	e.Members = slices.DeleteFunc(e.Members, func(m Member) bool { return slices.Contains(keys, m.Key) })
}

// Node returns the new object, or n if that has the same members in the same
// order.
func (e *Edit) Node(n *Node) *Node {
	if n.Is(KindObject) && slices.Equal(e.Members, n.Members) {
		return n
	}
	return Object(e.Members...)
}

package jsonschema

import (
	"slices"
)

// At returns a copy of n with other offsets.
func (n *Node) At(start, end int) *Node {
	moved := *n
	moved.Start, moved.End = int32(start), int32(end)
	return &moved
}

// WithItems returns an array of items: n itself if it has the same ones.
func (n *Node) WithItems(items []*Node) *Node {
	switch {
	case n == nil:
		return Array(items...)
	case slices.Equal(n.Items, items):
		return n
	}
	return Array(items...).At(int(n.Start), int(n.End))
}

// Map returns n with what change makes of each of its parts: of the elements of
// an array, whose key is "", and of the values of an object. A part that becomes
// nil is left out. The result is n itself if nothing changes.
func (n *Node) Map(change func(i int, key string, part *Node) *Node) *Node {
	var items []*Node // nil until an element changes
	for i, item := range n.Items {
		changed := change(i, "", item)
		if items == nil && changed != item {
			items = append(make([]*Node, 0, len(n.Items)), n.Items[:i]...)
		}
		if items != nil && changed != nil {
			items = append(items, changed)
		}
	}
	var members []Member // nil until a value changes
	for i, m := range n.Members {
		changed := change(i, m.Key, m.Value)
		if members == nil && changed != m.Value {
			members = append(make([]Member, 0, len(n.Members)), n.Members[:i]...)
		}
		if m.Value = changed; members != nil && changed != nil {
			members = append(members, m)
		}
	}
	switch {
	case items != nil:
		return n.WithItems(items)
	case members != nil:
		return Object(members...)
	}
	return n
}

// MapAt is [Node.Map] for a value at a location, and gives change the location
// of each part.
func (n *Node) MapAt(at *Location, change func(part *Node, at *Location) *Node) *Node {
	return n.Map(func(i int, key string, part *Node) *Node {
		if n.Kind == KindArray {
			return change(part, at.Item(i))
		}
		return change(part, at.Key(key))
	})
}

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

// With returns an object with more members at its end. The rest of its text
// stays as it is. The keys must be new.
func (n *Node) With(added ...Member) *Node {
	out := Object(append(slices.Clip(n.Members), added...)...)
	if n.raw != "" {
		comma := ","
		if len(n.Members) == 0 {
			comma = ""
		}
		out.raw = n.raw[:len(n.raw)-1] + comma + Object(added...).Raw()[1:]
	}
	return out
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

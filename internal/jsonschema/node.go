package jsonschema

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// A Kind is the kind of a JSON value: the first byte of its text, with '0' for
// all numbers.
type Kind byte

// The kinds.
const (
	KindNull   Kind = 'n'
	KindFalse  Kind = 'f'
	KindTrue   Kind = 't'
	KindNumber Kind = '0'
	KindString Kind = '"'
	KindArray  Kind = '['
	KindObject Kind = '{'
)

// A Node is one JSON value with its parts in the order of the text. Nodes are
// made by [Read] or by constructors such as [Object], are never changed, and
// may be shared. A nil *Node is no value; its methods return zero values.
type Node struct {
	Kind    Kind
	escaped bool // a string that has to be decoded

	// Start and End are the offsets of the value in the text that it was read
	// from, half-open; both are 0 for nodes that were made otherwise, and not
	// moved by [Node.At].
	Start, End int32

	raw string // the text; "" for an object or array that was not read

	Items   []*Node  // of an array
	Members []Member // of an object; each key occurs once
	index   map[string]int
}

// A Member is one key of an object with its value.
type Member struct {
	Key        string
	Value      *Node
	Start, End int32 // offsets of the key with its quotes, as in [Node]
}

// smallObject is the number of members up to which comparing all keys is faster
// than an index.
const smallObject = 16

// Is reports whether n is a value of that kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// IsBool reports whether n is true or false.
func (n *Node) IsBool() bool { return n.Is(KindTrue) || n.Is(KindFalse) }

// Get returns the value of a key, nil if n is no object or does not have it.
func (n *Node) Get(key string) *Node {
	if i := n.Find(key); i >= 0 {
		return n.Members[i].Value
	}
	return nil
}

// MembersOf returns the members of the object that is the value of a key, if any.
func (n *Node) MembersOf(key string) []Member {
	if value := n.Get(key); value != nil {
		return value.Members
	}
	return nil
}

// ItemsOf returns the elements of the array that is the value of a key, if any.
func (n *Node) ItemsOf(key string) []*Node {
	if value := n.Get(key); value != nil {
		return value.Items
	}
	return nil
}

// Find returns the index of a key in Members, or -1.
func (n *Node) Find(key string) int {
	if n == nil {
		return -1
	}
	if n.index != nil {
		if i, ok := n.index[key]; ok {
			return i
		}
		return -1
	}
	return findMember(n.Members, key)
}

func findMember(members []Member, key string) int {
	for i := range members {
		if members[i].Key == key {
			return i
		}
	}
	return -1
}

// Text returns the content of a string, and "" for every other value. What is
// not UTF-8, and half of a surrogate pair, is U+FFFD in it.
func (n *Node) Text() string {
	switch {
	case !n.Is(KindString):
		return ""
	case n.escaped:
		return unquoteNode(n.raw)
	}
	return n.raw[1 : len(n.raw)-1]
}

// unquoteNode decodes a string that is known to be one.
func unquoteNode(literal string) string {
	var s string
	if err := json.Unmarshal([]byte(strings.ToValidUTF8(literal, "\uFFFD")), &s); err != nil {
		panic("jsonschema: string of a valid text: " + err.Error())
	}
	return s
}

// Texts returns the contents of an array of strings; ok is false if n is no
// array or has other elements.
func (n *Node) Texts() (texts []string, ok bool) {
	if !n.Is(KindArray) {
		return nil, false
	}
	texts = make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		if item.Kind != KindString {
			return nil, false
		}
		texts = append(texts, item.Text())
	}
	return texts, true
}

// Decode returns the value as encoding/json decodes it, with numbers as
// [json.Number].
func (n *Node) Decode() any {
	switch n.Kind {
	case KindTrue, KindFalse:
		return n.Kind == KindTrue
	case KindNumber:
		return json.Number(n.raw)
	case KindString:
		return n.Text()
	case KindArray:
		list := make([]any, len(n.Items))
		for i, item := range n.Items {
			list[i] = item.Decode()
		}
		return list
	case KindObject:
		object := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			object[m.Key] = m.Value.Decode()
		}
		return object
	}
	return nil
}

// Raw returns the JSON text of n: as it was read, or without whitespace.
func (n *Node) Raw() string {
	switch {
	case n == nil:
		return ""
	case n.raw != "":
		return n.raw
	}
	return string(n.Append(nil))
}

// Append appends the JSON text of n to b. Parts that were read keep their
// bytes; there is no whitespace between others.
func (n *Node) Append(b []byte) []byte {
	switch {
	case n.raw != "":
		return append(b, n.raw...)
	case n.Kind == KindArray:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.Append(b)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i, m := range n.Members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendNodeString(b, m.Key), ':')
		b = m.Value.Append(b)
	}
	return append(b, '}')
}

// Compact returns the JSON text of n without whitespace between its parts.
func (n *Node) Compact() string {
	var b bytes.Buffer
	if err := json.Compact(&b, n.Append(nil)); err != nil {
		return n.Raw() // nested deeper than encoding/json reads
	}
	return b.String()
}

// Walk calls visit for n and for all values in it, outer ones first and in the
// order of the text. It leaves out the parts of a value for which visit returns
// false.
func (n *Node) Walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, item := range n.Items {
		item.Walk(visit)
	}
	for i := range n.Members {
		n.Members[i].Value.Walk(visit)
	}
}

func appendNodeString(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			return append(b, plainjson.String(text)...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// NewMember returns a member without offsets.
func NewMember(key string, value *Node) Member { return Member{Key: key, Value: value} }

// Object returns an object. Its keys must differ.
func Object(members ...Member) *Node {
	return &Node{Kind: KindObject, Members: members, index: indexOf(members)}
}

// Array returns an array.
func Array(items ...*Node) *Node { return &Node{Kind: KindArray, Items: items} }

// String returns a string. Bytes that are not UTF-8 become U+FFFD.
func String(text string) *Node {
	raw := string(plainjson.String(text))
	return &Node{Kind: KindString, raw: raw, escaped: len(raw) != len(text)+2}
}

// Strings returns an array of strings.
func Strings(texts ...string) *Node {
	items := make([]*Node, len(texts))
	for i, text := range texts {
		items[i] = String(text)
	}
	return Array(items...)
}

// Number returns a number. The text must be one, see [IsNumber].
func Number(text string) *Node { return &Node{Kind: KindNumber, raw: text} }

// Null returns null.
func Null() *Node { return &Node{Kind: KindNull, raw: "null"} }

// Bool returns true or false.
func Bool(b bool) *Node {
	if b {
		return &Node{Kind: KindTrue, raw: "true"}
	}
	return &Node{Kind: KindFalse, raw: "false"}
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

// Rational returns the value of a number, nil for other values and for numbers
// that take long to compute with: of more than 100 bytes, or with an exponent
// beyond ±999.
func (n *Node) Rational() *big.Rat {
	const maxLength, maxExponent = 100, 999
	if !n.Is(KindNumber) {
		return nil
	}
	return plainjson.Rational(n.raw, maxLength, maxExponent)
}

// Child returns the value of a key of an object or at an index of an array, or nil.
func (n *Node) Child(token string) *Node {
	if !n.Is(KindArray) {
		return n.Get(token)
	}
	if i, err := strconv.Atoi(token); err == nil && 0 <= i && i < len(n.Items) {
		return n.Items[i]
	}
	return nil
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
		return appendNodeString(b, n.Text())
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
			b = append(m.Value.appendKey(append(appendNodeString(b, m.Key), ':')), ',')
		}
		return append(b, '}')
	}
	return append(b, byte(n.Kind))
}

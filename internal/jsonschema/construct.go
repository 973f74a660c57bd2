package jsonschema

import "github.com/gram-lang/gramc/internal/plainjson"

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

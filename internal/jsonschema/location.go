package jsonschema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonpointer"
)

// A Location is where a value is in a JSON text: the key or index of the value
// and the location of the value around it. Nil is the whole text.
type Location struct {
	Parent *Location
	Token  string
}

// Key returns the location of the value of a key.
func (l *Location) Key(key string) *Location { return &Location{l, key} }

// Item returns the location of an element of an array.
func (l *Location) Item(i int) *Location { return &Location{l, strconv.Itoa(i)} }

// Tokens returns the keys and indices on the way from the whole text.
func (l *Location) Tokens() []string {
	var tokens []string
	for ; l != nil; l = l.Parent {
		tokens = append(tokens, l.Token)
	}
	slices.Reverse(tokens)
	return tokens
}

// Pointer returns the location as a JSON pointer (RFC 6901).
func (l *Location) Pointer() string {
	var b strings.Builder
	for _, token := range l.Tokens() {
		b.WriteByte('/')
		b.WriteString(jsonpointer.Token(token))
	}
	return b.String()
}

// String returns the pointer.
func (l *Location) String() string { return l.Pointer() }

// ParseRef returns the location that a reference such as #/$defs/Name names;
// local is false for references into other documents and for anchors.
func ParseRef(ref string) (at *Location, local bool) {
	fragment, local := strings.CutPrefix(ref, "#")
	pointer, err := url.PathUnescape(fragment)
	if !local || err != nil || pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	if pointer == "" {
		return nil, true
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		at = at.Key(jsonpointer.Key(token))
	}
	return at, true
}

// Lookup returns the value at a location in n, or nil.
func (n *Node) Lookup(at *Location) *Node {
	for _, token := range at.Tokens() {
		n = n.Child(token)
	}
	return n
}

// LocationOf returns the location of the innermost value in n at an offset of the
// text that [Read] read.
func (n *Node) LocationOf(offset int) *Location {
	var at *Location
next:
	for n != nil {
		for i, item := range n.Items {
			if int(item.Start) <= offset && offset < int(item.End) {
				n, at = item, at.Item(i)
				continue next
			}
		}
		for _, m := range n.Members {
			if int(m.Value.Start) <= offset && offset < int(m.Value.End) {
				n, at = m.Value, at.Key(m.Key)
				continue next
			}
		}
		break
	}
	return at
}

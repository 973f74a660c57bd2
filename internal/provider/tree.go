package provider

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// A node is one value of a JSON text. It keeps the bytes, the order of keys and
// the way numbers are written. It is not changed once it is made, save for its
// index.
type node struct {
	raw     json.RawMessage // the text; nil for a node that was made here
	kind    byte            // '{', '[', '"', '0' for numbers, 't', 'f' or 'n'
	members []member
	items   []*node
	index   map[string]*node // of members, once there are many and one is wanted
}

type member struct {
	key   string
	value *node
}

// parse reads a JSON text without duplicate keys.
func parse(text []byte) (root *node, why string) {
	if !json.Valid(text) || !utf8.Valid(text) {
		return nil, "the schema is not JSON"
	}
	p := parser{text: text}
	root = p.value()
	if p.twice != nil {
		return nil, "the key " + string(plainjson.String(*p.twice)) + " is there twice"
	}
	return root, ""
}

// A parser reads a text that is known to be JSON, and may therefore take the
// signs between values for space.
type parser struct {
	text  []byte
	at    int
	twice *string // a key that one object has twice
}

func (p *parser) skip() byte {
	for strings.IndexByte(" \t\r\n,:", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.text[p.at]
}

func (p *parser) value() *node {
	n := &node{kind: p.skip()}
	start := p.at
	switch n.kind {
	case '{':
		p.at++
		for p.skip() != '}' {
			key := unquote(p.quoted())
			n.members = append(n.members, member{key, p.value()})
		}
		p.at++
		p.checkKeys(n)
	case '[':
		p.at++
		for p.skip() != ']' {
			n.items = append(n.items, p.value())
		}
		p.at++
	case '"':
		p.quoted()
	default:
		for p.at < len(p.text) && strings.IndexByte(",]} \t\r\n", p.text[p.at]) < 0 {
			p.at++
		}
		if n.kind == '-' || '0' <= n.kind && n.kind <= '9' {
			n.kind = '0'
		}
	}
	n.raw = p.text[start:p.at:p.at]
	return n
}

// quoted reads the string that starts here and returns it with its quotes.
func (p *parser) quoted() []byte {
	start := p.at
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
	return p.text[start:p.at]
}

func (p *parser) checkKeys(n *node) {
	seen := make(map[string]bool, len(n.members))
	for _, m := range n.members {
		if seen[m.key] {
			p.twice = &m.key
		}
		seen[m.key] = true
	}
}

func unquote(literal []byte) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	var s string
	if err := json.Unmarshal(literal, &s); err != nil {
		panic("target: string of a valid text: " + err.Error())
	}
	return s
}

// get returns the value of a key; nil if there is none, or n is no object.
func (n *node) get(key string) *node {
	if len(n.members) > 16 {
		if n.index == nil {
			n.index = make(map[string]*node, len(n.members))
			for _, m := range n.members {
				n.index[m.key] = m.value
			}
		}
		return n.index[key]
	}
	for _, m := range n.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// text returns the text of a string, or "".
func (n *node) text() string {
	if n == nil || n.kind != '"' {
		return ""
	}
	return unquote(n.raw)
}

// isAnything reports whether a schema says nothing of what it allows.
func (n *node) isAnything() bool { return n.kind == 't' || n.kind == '{' && len(n.members) == 0 }

// A draft is an object on its way to become a node.
type draft struct{ members []member }

func (n *node) edit() *draft { return &draft{slices.Clone(n.members)} }

func (d *draft) find(key string) int {
	return slices.IndexFunc(d.members, func(m member) bool { return m.key == key })
}

// set gives a key a value, where it stands or else at the end.
func (d *draft) set(key string, value *node) {
	if i := d.find(key); i >= 0 {
		d.members[i].value = value
		return
	}
	d.members = append(d.members, member{key, value})
}

// first gives a key a value, where it stands or else at the beginning.
func (d *draft) first(key string, value *node) {
	if i := d.find(key); i >= 0 {
		d.members[i].value = value
		return
	}
	d.members = slices.Insert(d.members, 0, member{key, value})
}

// describe adds a note to the description.
func (d *draft) describe(note string) {
	i := d.find("description")
	switch {
	case i < 0:
		d.members = slices.Insert(d.members, d.find("type")+1, member{"description", text(note)})
	case d.members[i].value.text() == "":
		d.members[i].value = text(note)
	default:
		d.members[i].value = text(d.members[i].value.text() + " " + note)
	}
}

func (d *draft) remove(keys ...string) {
	d.members = slices.DeleteFunc(d.members, func(m member) bool { return slices.Contains(keys, m.key) })
}

// node returns what became of n: n itself if nothing was changed.
func (d *draft) node(n *node) *node {
	if slices.Equal(d.members, n.members) {
		return n
	}
	return object(d.members...)
}

func object(members ...member) *node { return &node{kind: '{', members: members} }

// list returns an array of items: n itself if it has the same ones.
func list(n *node, items []*node) *node {
	if n != nil && slices.Equal(n.items, items) {
		return n
	}
	return &node{kind: '[', items: items}
}

func text(s string) *node { return &node{kind: '"', raw: plainjson.String(s)} }

func texts(all ...string) *node {
	items := make([]*node, len(all))
	for i, s := range all {
		items[i] = text(s)
	}
	return list(nil, items)
}

// literal returns null, true or false.
func literal(word string) *node { return &node{kind: word[0], raw: json.RawMessage(word)} }

// append appends the text of n.
func (n *node) append(b []byte) []byte {
	if n.raw != nil {
		return append(b, n.raw...)
	}
	if n.kind == '[' {
		b = append(b, '[')
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.append(b)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i, m := range n.members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, plainjson.String(m.key)...), ':')
		b = m.value.append(b)
	}
	return append(b, '}')
}

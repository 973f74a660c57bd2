package importer

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonpointer"
)

// reference reads a schema with $ref.
func (r *reader) reference(n *node, at *place) *typ {
	t := &typ{span: n.span}
	ref := n.get("$ref")
	here := at.key("$ref")
	target := r.resolve(ref)
	if target == nil {
		r.lost(ref.span, here, "%s leads to nothing in this file, and nothing is loaded from outside", quote(ref.text))
		t.kind = "Any"
	} else {
		t.ref = r.sharedType(target, ref, here)
		if !t.ref.own {
			r.cover(here)
		}
	}
	for i := range n.members {
		switch m := &n.members[i]; m.key {
		case "$ref", "$defs", "definitions", "$schema":
		case "default":
			t.value = m.value
		case "nullable":
			t.nullable = m.value.is(kindBool) && m.value.text == "true"
			r.rewritten(m.span, at, "nullable becomes anyOf with null")
		default:
			if a, _ := attributeOf(m.key); !isNote(a.key) && m.key != "$comment" && m.key != "example" {
				r.lost(m.span, at.key(m.key), "gram cannot say %s beside a reference", quote(m.key))
				continue
			}
			r.keyword(t, n, m, at)
		}
	}
	r.finish(t, at)
	return t
}

// resolve returns what a reference leads to, nil when that is nothing here.
func (r *reader) resolve(ref *node) *node {
	if !ref.is(kindString) || !strings.HasPrefix(ref.text, "#") {
		return nil
	}
	path, err := url.PathUnescape(ref.text[1:])
	if err != nil {
		return nil
	}
	target := r.root
	if path == "" {
		return target
	}
	if path[0] != '/' {
		return nil
	}
	for token := range strings.SplitSeq(path[1:], "/") {
		token = jsonpointer.Key(token)
		if target.is(kindArray) {
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(target.items) {
				return nil
			}
			target = target.items[i]
			continue
		}
		if target = target.get(token); target == nil {
			return nil
		}
	}
	return target
}

// sharedType returns the type that a reference leads to. It is read once.
func (r *reader) sharedType(target, ref *node, at *place) *shared {
	if s := r.shared[target]; s != nil {
		return s
	}
	path, err := url.PathUnescape(strings.TrimPrefix(ref.text, "#"))
	if err != nil {
		panic("importer: " + err.Error()) // resolve has read it
	}
	var where *place
	key := "Root"
	for token := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if token = jsonpointer.Key(token); token != "" {
			where, key = where.key(token), token
		}
	}
	own := where != nil && where.above != nil && where.above.above == nil && (where.above.token == "$defs" || where.above.token == "definitions")
	s := &shared{key: key, own: own, target: target, place: where}
	for i := 2; r.keys[s.key]; i++ {
		s.key, s.own = key+strconv.Itoa(i), false
	}
	r.keys[s.key] = true
	r.shared[target] = s
	r.order = append(r.order, s)
	if !s.own {
		r.rewritten(ref.span, at, "%s becomes #/$defs/%s", quote(ref.text), clip(s.key))
	}
	s.typ = r.schema(target, where)
	return s
}

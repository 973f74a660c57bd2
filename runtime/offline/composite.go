package offline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// curious reports whether to look for a value that may be missing.
func (b *builder) curious(depth int) bool {
	return depth < curiosity && b.steps < maxSteps/2 && (b.words != nil || b.all)
}

func (b *builder) object(n node, depth int) (value, bool) {
	var required []string
	json.Unmarshal(n["required"], &required)
	properties := members(n["properties"])
	for _, key := range required {
		if !slices.ContainsFunc(properties, func(m member) bool { return m.key == key }) {
			properties = append(properties, member{key, n["additionalProperties"]})
		}
	}
	var must, may []member
	for _, p := range properties {
		if slices.Contains(required, p.key) {
			must = append(must, p)
		} else {
			may = append(may, p)
		}
	}
	before := b.words
	if before != nil {
		b.words = before.clone()
	}
	found, q, robbed := b.fill(properties, required, depth)
	if robbed {
		// An optional property took what a required one lacks: let those
		// that must be there choose first.
		b.words = before
		found, q, _ = b.fill(append(must, may...), required, depth)
	}
	if found == nil {
		return value{}, false
	}
	var out []member
	for _, p := range properties {
		if v, ok := found[p.key]; ok {
			out = append(out, member{p.key, v})
			delete(found, p.key) // a schema may say the key twice
		}
	}
	least, _ := n.count("minProperties")
	for i := 1; len(out) < min(least, maxItems); i++ {
		v, ok := b.value("", n["additionalProperties"], depth+1)
		if !ok {
			return value{}, false
		}
		out = append(out, member{fmt.Sprintf("key%d", i), v.json})
	}
	return value{object(out), q}, true
}

// fill makes values for the properties, one after the other; nil when a
// required one has none. Robbed says that an optional one found words and a
// required one did not.
func (b *builder) fill(properties []member, required []string, depth int) (found map[string]json.RawMessage, q quality, robbed bool) {
	found = map[string]json.RawMessage{}
	lacks, took := false, false
	for _, p := range properties {
		must := slices.Contains(required, p.key)
		if found[p.key] != nil || !must && !b.curious(depth) {
			continue
		}
		v, ok := b.value(p.key, p.value, depth+1)
		switch {
		case !ok && must:
			return nil, invented, false
		case !ok, !must && v.quality < spoken && !b.all:
			continue
		case v.quality == spoken:
			q = spoken
		}
		lacks = lacks || must && v.quality < spoken
		took = took || !must && v.quality == spoken
		found[p.key] = v.json
	}
	return found, q, lacks && took
}

func (b *builder) array(name string, n node, depth int) (value, bool) {
	least, _ := n.count("minItems")
	most, limited := n.count("maxItems")
	if !limited || most > maxItems {
		most = maxItems
	}
	if least > most {
		return value{}, false
	}
	items := n["items"]
	var out []json.RawMessage
	q := invented
	for _, raw := range n.list("prefixItems") {
		v, ok := b.value(name, raw, depth+1)
		if !ok || len(out) == most {
			break
		}
		out, q = append(out, v.json), max(q, v.quality)
	}
	for _, e := range b.spokenItems(name, items, most-len(out), depth) {
		out, q = append(out, e), spoken
	}
	nth := b.nth
	defer func() { b.nth = nth }()
	for len(out) < least {
		b.nth = len(out)
		v, ok := b.value(name, items, depth+1)
		if !ok {
			return value{}, false
		}
		out = append(out, v.json)
	}
	if q < spoken {
		q = invented
	}
	return value{list(out), q}, true
}

// spokenItems returns up to most elements that the words give.
func (b *builder) spokenItems(name string, items json.RawMessage, most, depth int) []json.RawMessage {
	if b.words == nil || !b.curious(depth) {
		return nil
	}
	n, ok := b.flatten(items, depth+1)
	if !ok {
		return nil
	}
	if members := n.list("enum"); len(members) > 0 {
		found := b.mentioned(members)
		return found[:min(len(found), most)]
	}
	if len(n) == 0 && len(b.words.quotes) == 0 {
		n = node{"type": json.RawMessage(`"number"`)} // of the two that words can give
	}
	var out []json.RawMessage
	for len(out) < most {
		before := b.words.clone()
		v, ok := b.node(singular(name), n, depth+1)
		if !ok || v.quality < spoken || slices.ContainsFunc(out, func(e json.RawMessage) bool { return bytes.Equal(e, v.json) }) && sameWords(before, b.words) {
			b.words = before
			break
		}
		out = append(out, v.json)
	}
	return out
}

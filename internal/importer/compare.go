package importer

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// compare tells where the schema that comes back from gram differs from the
// one that went in, unless it was told before.
func (n *notes) compare(want *node, have json.RawMessage, defs []*shared) {
	var problems diag.List
	r := &jsonReader{file: source.NewFile("schema", string(have)), text: string(have), diags: &problems}
	back, failed := r.value()
	if failed != nil {
		panic("importer: a schema that is no JSON: " + failed.message)
	}
	c := &comparer{notes: n}
	c.schema(want, back, nil)
	for _, s := range defs {
		if def := back.get("$defs").get(s.key); def != nil && !s.same {
			s.same = true
			c.schema(s.target, def, s.place)
		}
	}
}

// whole returns the shared types that were written with all that they are made
// of.
func (r *reader) whole(stubbed map[string]bool) []*shared {
	return slices.DeleteFunc(slices.Clone(r.order), func(s *shared) bool { return stubbed[s.name] })
}

// A comparer compares a schema with the one that came back.
type comparer struct {
	*notes
}

// differs tells that something is not the same, unless that is known.
func (c *comparer) differs(want *node, at *place, what string) {
	if !c.covers(at) {
		c.lost(want.span, at, "%s", what)
	}
}

// schema compares two schemas keyword by keyword.
func (c *comparer) schema(want, have *node, at *place) {
	if want.kind != kindObject || have == nil || have.kind != kindObject {
		if have == nil || !equal(want, have) {
			c.differs(want, at, "the schema comes back as another")
		}
		return
	}
	for i := range want.members {
		m := &want.members[i]
		if m.key == "$schema" || m.key == "$defs" || m.key == "definitions" {
			continue // compare looks at those that are referred to
		}
		c.keyword(m, have.get(m.key), at.key(m.key))
	}
	for i := range have.members {
		m := &have.members[i]
		if want.get(m.key) != nil || m.key == "$defs" {
			continue
		}
		empty := m.key == "required" && len(m.value.items) == 0 || m.key == "properties" && at == nil && len(m.value.members) == 0 ||
			m.key == "items" && m.value.kind == kindObject && len(m.value.members) == 0
		if !empty && !c.covers(at.key(m.key)) {
			c.differs(want, at.key(m.key), strconv.Quote(m.key)+" comes back where there was none")
		}
	}
}

// keyword compares the values of a keyword.
func (c *comparer) keyword(m *member, have *node, at *place) {
	want := m.value
	same := false
	switch {
	case m.key == "required" && want.kind == kindArray && len(want.items) == 0 && have == nil:
		return
	case m.key == "properties" && want.kind == kindObject:
		for i := range want.members {
			p := &want.members[i]
			if other := have.get(p.key); other != nil {
				c.schema(p.value, other, at.key(p.key))
			} else {
				c.differs(p.value, at.key(p.key), quote(p.key)+" does not come back")
			}
		}
		return
	case have == nil:
	case m.key == "items" || m.key == "additionalProperties":
		c.schema(want, have, at)
		return
	case (m.key == "anyOf" || m.key == "oneOf") && want.kind == kindArray && len(want.items) == len(have.items):
		for i, item := range want.items {
			c.schema(item, have.items[i], at.item(i))
		}
		return
	case m.key == "required" || m.key == "type" && want.kind == kindArray:
		same = sameTexts(want, have)
	case m.key == "$ref":
		same = want.kind == kindString && strings.Replace(decoded(want.text), "#/definitions/", "#/$defs/", 1) == decoded(have.text)
	default:
		same = equal(want, have)
	}
	if !same {
		c.differs(m.value, at, quote(m.key)+" does not come back as it was")
	}
}

// decoded returns a reference without the escapes of a URI.
func decoded(ref string) string {
	if text, err := url.PathUnescape(ref); err == nil {
		return text
	}
	return ref
}

// sameTexts compares two lists of texts as sets.
func sameTexts(a, b *node) bool {
	sorted := func(n *node) []string {
		var texts []string
		for _, item := range n.items {
			texts = append(texts, item.text)
		}
		slices.Sort(texts)
		return slices.Compact(texts)
	}
	return slices.Equal(sorted(a), sorted(b))
}

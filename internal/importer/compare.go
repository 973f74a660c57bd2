package importer

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// compare reports where the schema that comes back from gram differs from the
// one that went in, unless it is already reported. Shared types that are stubbed
// were compared before.
func (r *reader) compare(want *jsonschema.Node, have json.RawMessage, stubbed map[string]bool) {
	back, err := jsonschema.Read(have, nil)
	if err != nil {
		panic("importer: a schema that is not JSON: " + err.Error())
	}
	r.compareSchema(want, back, nil)
	for _, s := range r.order {
		if def := back.Get("$defs").Get(s.key); def != nil && !s.same && !stubbed[s.name] {
			s.same = true
			r.compareSchema(s.target, def, s.at)
		}
	}
}

// differs reports that something is not the same, unless that is known.
func (n *notes) differs(want *jsonschema.Node, at *jsonschema.Location, what string) {
	if !n.covers(at) {
		n.lost(n.span(want), at, "%s", what)
	}
}

// compareSchema compares two schemas keyword by keyword.
func (n *notes) compareSchema(want, have *jsonschema.Node, at *jsonschema.Location) {
	if !want.Is(jsonschema.KindObject) || !have.Is(jsonschema.KindObject) {
		if !jsonschema.Equal(want, have) {
			n.differs(want, at, "the schema comes back as another")
		}
		return
	}
	for _, m := range want.Members {
		switch m.Key {
		case "$schema", "$defs", "definitions": // compare looks at those that are referred to
		default:
			n.compareKeyword(m, have.Get(m.Key), at.Key(m.Key))
		}
	}
	for _, m := range have.Members {
		if want.Get(m.Key) == nil && !addsNothing(m, at == nil) && !n.covers(at.Key(m.Key)) {
			n.differs(want, at.Key(m.Key), strconv.Quote(m.Key)+" comes back without having been there")
		}
	}
}

// addsNothing reports whether a schema means the same without a member. Only
// the arguments together may have no properties.
func addsNothing(m jsonschema.Member, arguments bool) bool {
	switch m.Key {
	case "$defs":
		return true
	case "required":
		return len(m.Value.Items) == 0
	case "properties":
		return arguments && len(m.Value.Members) == 0
	}
	return m.Key == "items" && m.Value.AllowsAnything()
}

// compareKeyword compares the values of a keyword.
func (n *notes) compareKeyword(m jsonschema.Member, have *jsonschema.Node, at *jsonschema.Location) {
	want, same := m.Value, false
	switch {
	case have == nil && m.Key == "required" && want.Is(jsonschema.KindArray) && len(want.Items) == 0:
		return
	case m.Key == "properties" && want.Is(jsonschema.KindObject):
		for _, p := range want.Members {
			if other := have.Get(p.Key); other != nil {
				n.compareSchema(p.Value, other, at.Key(p.Key))
			} else {
				n.differs(p.Value, at.Key(p.Key), quote(p.Key)+" does not come back")
			}
		}
		return
	case have == nil:
	case m.Key == "items" || m.Key == "additionalProperties":
		n.compareSchema(want, have, at)
		return
	case (m.Key == "anyOf" || m.Key == "oneOf") && want.Is(jsonschema.KindArray) && len(want.Items) == len(have.Items):
		for i, item := range want.Items {
			n.compareSchema(item, have.Items[i], at.Item(i))
		}
		return
	case m.Key == "required" || m.Key == "type" && want.Is(jsonschema.KindArray):
		same = slices.Equal(textSet(want), textSet(have))
	case m.Key == "$ref":
		same = sameRef(want, have)
	default:
		same = jsonschema.Equal(want, have)
	}
	if !same {
		n.differs(want, at, quote(m.Key)+" does not come back as it was")
	}
}

// sameRef reports whether two references lead to the same definition.
func sameRef(want, have *jsonschema.Node) bool {
	wantAt, _ := jsonschema.ParseRef(want.Text())
	haveAt, _ := jsonschema.ParseRef(have.Text())
	return strings.Replace(wantAt.Pointer(), "/definitions/", "/$defs/", 1) == haveAt.Pointer()
}

// textSet returns the strings of an array, sorted, each once.
func textSet(list *jsonschema.Node) []string {
	var texts []string
	for _, item := range list.Items {
		texts = append(texts, item.Text())
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

package importer

import (
	"encoding/json"
	"slices"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// compare reports where the schema that comes back from gram differs from the
// one that went in, unless it is already reported. Shared types that are stubbed
// were compared before.
func (r *reader) compare(want *jsonschema.Node, have json.RawMessage, stubbed map[string]bool, size func(name string, bytes int)) {
	back, err := jsonschema.Read(have, nil)
	if err != nil {
		panic("importer: a schema that is not JSON: " + err.Error())
	}
	r.compareSchema(want, back, nil)
	for _, s := range r.order {
		if def := back.Get("$defs").Get(s.key); def != nil && !s.same && !stubbed[s.name] {
			s.same = true
			size(s.name, len(def.Raw()))
			r.compareSchema(s.target, def, s.at)
		}
	}
}

// compareSchema compares two schemas. Definitions are compared where something
// refers to them.
func (n *notes) compareSchema(want, have *jsonschema.Node, at *jsonschema.Location) {
	skip := func(k jsonschema.Keyword) bool {
		return k.Form == jsonschema.FormSchemaMap && k.Role == jsonschema.Identity || k.Name == "$schema"
	}
	for _, d := range jsonschema.Differences(at, want, have, skip) {
		switch {
		case n.covers(d.At), d.At != nil && d.At.Token == "type" && slices.Equal(sortedTypes(d.Want), sortedTypes(d.Have)):
		case d.Want == nil:
			n.lost(n.span(want), d.At, "%s comes back without having been there", quote(d.At.Token))
		case d.Have == nil:
			n.lost(n.span(d.Want), d.At, "%s does not come back", quote(d.At.Token))
		default:
			n.lost(n.span(d.Want), d.At, "it comes back as %s", clip(jsonText(d.Have)))
		}
	}
}

func sortedTypes(value *jsonschema.Node) []string {
	names := jsonschema.Object(jsonschema.NewMember("type", value)).TypeList()
	slices.Sort(names)
	return names
}

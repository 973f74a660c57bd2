package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// Limits of the copies that are made.
const (
	maxMerged  = 1_000_000 // members, to merge the schemas of allOf
	maxInlined = 2_000     // schemas, to replace the references of one keyword
	maxHops    = 100       // references to references
)

// merged returns a schema with allOf as one schema that means the same without
// it, or the schema itself where that is not possible.
func (r *schemaReader) merged(n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	parts := n.Get("allOf")
	whole := &object{}
	whole.add(objectWithout(n, "allOf")...)
	for _, part := range parts.Items {
		ref := part.Get("$ref")
		if ref != nil && len(parts.Items) == 1 && len(part.Members) == 1 && !slices.ContainsFunc(whole.members, mergeConstrains) {
			whole.add(part.Members...) // it stays one
		} else if !r.merge(whole, part, 0) {
			return n
		}
	}
	r.rewritten(r.span(parts), at, "allOf becomes one schema that means the same")
	return whole.node(n)
}

// mergeConstrains reports whether a schema with this member is more than a note.
func mergeConstrains(m jsonschema.Member) bool {
	return !isNoteType(m.Key) && m.Key != "default" && m.Key != "nullable" && m.Key != "$defs" && m.Key != "definitions"
}

// merge adds what a schema says to another one, and reports whether the result
// means what both mean together.
func (r *schemaReader) merge(whole *object, part *jsonschema.Node, hops int) bool {
	if r.merges += 1 + len(part.Members); r.merges > maxMerged || hops > maxHops || !part.Is(jsonschema.KindObject) {
		return false
	}
	for _, inner := range append(part.ItemsOf("allOf"), r.mergeTarget(part.Get("$ref"))...) {
		if !r.merge(whole, inner, hops+1) {
			return false
		}
	}
	if part.Get("$ref") != nil && r.resolveReference(part.Get("$ref")) == nil ||
		mergeIsSealed(part.Members) && whole.get("properties") != nil || mergeIsSealed(whole.members) && part.Get("properties") != nil {
		return false
	}
	for _, m := range part.Members {
		i := whole.find(m.Key)
		switch {
		case m.Key == "allOf" || m.Key == "$ref":
		case i < 0:
			whole.add(m)
		case !r.mergeMember(&whole.members[i], m):
			return false
		}
	}
	return true
}

// mergeTarget returns what a reference leads to, if anything.
func (r *schemaReader) mergeTarget(ref *jsonschema.Node) []*jsonschema.Node {
	if target := r.resolveReference(ref); target != nil {
		return []*jsonschema.Node{target}
	}
	return nil
}

// mergeMember merges a member into one with the same key.
func (r *schemaReader) mergeMember(have *jsonschema.Member, m jsonschema.Member) bool {
	switch {
	case !mergeConstrains(m):
	case m.Key == "properties" && have.Value.Is(jsonschema.KindObject) && m.Value.Is(jsonschema.KindObject):
		r.merges += len(have.Value.Members) + len(m.Value.Members)
		both := &object{}
		both.add(have.Value.Members...)
		for _, p := range m.Value.Members {
			i := both.find(p.Key)
			if i < 0 {
				both.add(p)
			} else if was := &both.members[i]; !jsonschema.Equal(was.Value, p.Value) {
				all := jsonschema.NewMember("allOf", objectMoved(jsonschema.Array(was.Value, p.Value), p.Value))
				was.Value = objectMoved(jsonschema.Object(all), p.Value)
			}
		}
		have.Value = both.node(have.Value)
	case m.Key == "required" && have.Value.Is(jsonschema.KindArray) && m.Value.Is(jsonschema.KindArray):
		r.merges += len(have.Value.Items)
		have.Value = objectMoved(jsonschema.Array(slices.Concat(have.Value.Items, m.Value.Items)...), have.Value)
	default:
		return jsonschema.Equal(have.Value, m.Value)
	}
	return true
}

// mergeIsSealed reports whether a schema constrains properties that it does not
// declare.
func mergeIsSealed(members []jsonschema.Member) bool {
	return slices.ContainsFunc(members, func(m jsonschema.Member) bool {
		return m.Key == "additionalProperties" && !m.Value.AllowsAnything() ||
			strings.HasPrefix(m.Key, "unevaluated") || strings.HasPrefix(m.Key, "pattern") && m.Value.Is(jsonschema.KindObject)
	})
}

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
	outer := len(r.active)
	whole.add(objectWithout(n, "allOf")...)
	for _, part := range parts.Items {
		ref := part.Get("$ref")
		if ref != nil && len(parts.Items) == 1 && len(part.Members) == 1 && !slices.ContainsFunc(whole.members, mergeConstrains) {
			whole.add(part.Members...) // it stays one
		} else if !r.merge(whole, part, 0) || r.mergesAgain(outer) {
			r.active = r.active[:outer]
			return n
		}
	}
	r.rewritten(r.span(parts), at, "allOf becomes one schema that means the same")
	return whole.node(n)
}

// mergeConjunction returns a schema in which keywords beside a reference say otherwise than what it
// leads to as one with allOf, for both hold.
func (r *schemaReader) mergeConjunction(n *jsonschema.Node, at *jsonschema.Location) *jsonschema.Node {
	target := r.resolveReference(n.Get("$ref"))
	differs := func(m jsonschema.Member) bool {
		other := target.Get(m.Key)
		return m.Key != "$ref" && mergeConstrains(m) && other != nil && !jsonschema.Equal(other, m.Value)
	}
	if target == nil || n.Get("allOf") != nil || !slices.ContainsFunc(n.Members, differs) {
		return n
	}
	var notes, beside []jsonschema.Member
	for _, m := range n.Members {
		switch {
		case m.Key == "$ref":
		case mergeConstrains(m):
			beside = append(beside, m)
		default:
			notes = append(notes, m)
		}
	}
	ref := jsonschema.Object(n.Members[n.Find("$ref")])
	parts := objectMoved(jsonschema.Array(objectMoved(ref, n), objectMoved(jsonschema.Object(beside...), n)), n)
	r.rewritten(r.span(n), at, "the keywords beside the reference %s say otherwise; both hold, as in allOf", quoteText(n.Get("$ref").Text()))
	return objectMoved(jsonschema.Object(append(notes, jsonschema.NewMember("allOf", parts))...), n)
}

// mergeConstrains reports whether a schema with this member is more than a note.
func mergeConstrains(m jsonschema.Member) bool {
	return !isNoteType(m.Key) && m.Key != "default" && m.Key != "nullable" && m.Key != "$defs" && m.Key != "definitions"
}

// merge adds what a schema says to another one, and reports whether the result
// means what both mean together.
func (r *schemaReader) merge(whole *object, part *jsonschema.Node, hops int) bool {
	const deepest = 6 // what is merged again in what was merged multiplies, and is rarely meant
	if r.merges += (1 + len(part.Members)) << min(r.nesting, deepest); r.merges > maxMerged || hops > maxHops || !part.Is(jsonschema.KindObject) {
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

// mergesAgain reports whether a reference that was merged since then leads to what is being read
// with another schema merged into it: that would never end.
func (r *schemaReader) mergesAgain(since int) bool {
	return slices.ContainsFunc(r.active[since:], func(n *jsonschema.Node) bool { return slices.Contains(r.active[:since], n) })
}

// mergeTarget returns what a reference leads to, if anything.
func (r *schemaReader) mergeTarget(ref *jsonschema.Node) []*jsonschema.Node {
	if target := r.resolveReference(ref); target != nil {
		r.active = append(r.active, target)
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
	case jsonschema.Equal(have.Value, m.Value):
	case m.Key == "enum":
		r.merges += len(have.Value.Items) * len(m.Value.Items)
		both := slices.DeleteFunc(slices.Clone(have.Value.Items), func(v *jsonschema.Node) bool {
			return !slices.ContainsFunc(m.Value.Items, func(w *jsonschema.Node) bool { return jsonschema.Equal(v, w) })
		})
		have.Value = objectMoved(jsonschema.Array(both...), have.Value)
		return len(both) > 0 && r.merges <= maxMerged
	case m.Key == "type" && have.Value.Text() == "number" && m.Value.Text() == "integer":
		have.Value = m.Value
	case m.Key == "type" && have.Value.Text() == "integer" && m.Value.Text() == "number":
	default:
		return mergeBound(have, m)
	}
	return true
}

// mergeBound merges a bound into one with the same key, the stricter of which holds. It reports
// whether they are such bounds.
func mergeBound(have *jsonschema.Member, m jsonschema.Member) bool {
	isNumber := func(n *jsonschema.Node) bool { return n.Is(jsonschema.KindNumber) }
	isLower := strings.HasPrefix(m.Key, "min") || m.Key == "exclusiveMinimum"
	isUpper := strings.HasPrefix(m.Key, "max") || m.Key == "exclusiveMaximum"
	if !isNumber(have.Value) || !isNumber(m.Value) || !isLower && !isUpper {
		return false
	}
	order := jsonschema.DecimalOf(m.Value.Raw()).Compare(jsonschema.DecimalOf(have.Value.Raw()))
	if isLower && order > 0 || isUpper && order < 0 {
		have.Value = m.Value
	}
	return true
}

// mergeIsSealed reports whether a schema mergeConstrains properties that it does not
// declare.
func mergeIsSealed(members []jsonschema.Member) bool {
	return slices.ContainsFunc(members, func(m jsonschema.Member) bool {
		return m.Key == "additionalProperties" && !m.Value.AllowsAnything() ||
			strings.HasPrefix(m.Key, "unevaluated") || strings.HasPrefix(m.Key, "pattern") && m.Value.Is(jsonschema.KindObject)
	})
}

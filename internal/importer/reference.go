package importer

import (
	"strconv"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// reportUnreferenced reports definitions that are not referred to.
func (r *schemaReader) reportUnreferenced() {
	for _, d := range r.defs {
		for _, m := range d.node.Members {
			if r.shared[m.Value] == nil {
				r.rewritten(r.key(m), d.at.Key(m.Key), "%s is never referred to", quoteText(m.Key))
			}
		}
	}
	r.defs = nil
}

// Definitions is the value of $defs or definitions in a schema.
type definitions struct {
	node *jsonschema.Node
	at   *jsonschema.Location
}

// noteReferenceTargets notes the definitions in a schema. They count where something
// refers to them.
func (r *schemaReader) noteReferenceTargets(n *jsonschema.Node, at *jsonschema.Location) {
	for _, key := range []string{"$defs", "definitions"} {
		if defs := n.Get(key); defs != nil {
			r.defs = append(r.defs, definitions{defs, at.Key(key)})
			if defs.Kind != jsonschema.KindObject {
				r.lost(r.span(defs), at.Key(key), "%s must be an object", quoteText(key))
			}
		}
	}
}

// reference reads the $ref of a schema, and reports whether it leads to a type.
func (r *schemaReader) reference(t *typ, n *jsonschema.Node, at *jsonschema.Location) bool {
	ref, here := n.Get("$ref"), at.Key("$ref")
	if ref == nil {
		return false
	}
	target := r.resolveReference(ref)
	if target == nil {
		r.lost(r.span(ref), here, "%s leads to nothing in this file, and no other files are loaded", quoteText(ref.Text()))
		return false
	}
	t.kind, t.ref = "", r.referencedType(target, ref, here)
	if !t.ref.own {
		r.cover(here)
	}
	return true
}

// resolveReference returns what a reference leads to, nil if that is nothing here.
func (r *schemaReader) resolveReference(ref *jsonschema.Node) *jsonschema.Node {
	target, _ := r.resolver.Resolve(ref.Text())
	return target
}

// referencedType returns the type that a reference leads to. It is read once.
func (r *schemaReader) referencedType(target, ref *jsonschema.Node, at *jsonschema.Location) *shared {
	if s := r.shared[target]; s != nil {
		return s
	}
	_, where := r.resolver.Resolve(ref.Text())
	key, own := "Root", false
	if where != nil && where.Token != "" {
		key = where.Token
		above := where.Parent
		own = above != nil && above.Parent == nil && (above.Token == "$defs" || above.Token == "definitions")
	}
	s := &shared{key: r.newReferenceKey(key), target: target, at: where}
	s.own = own && s.key == key
	r.shared[target] = s
	r.order = append(r.order, s)
	if !s.own {
		r.rewritten(r.span(ref), at, "%s becomes #/$defs/%s", quoteText(ref.Text()), clipText(s.key))
	}
	s.typ = r.schema(target, where)
	return s
}

// newReferenceKey returns a key of $defs that no shared type has yet, and gives it to
// one.
func (r *schemaReader) newReferenceKey(word string) string {
	key := word
	for i := 2; r.keys[key]; i++ {
		key = word + strconv.Itoa(i)
	}
	r.keys[key] = true
	return key
}

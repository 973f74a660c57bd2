package importer

import (
	"slices"
	"strconv"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// arguments reads the schema of all arguments together.
func (r *reader) arguments(n *jsonschema.Node) *typ {
	for range maxHops {
		ref := n.Get("$ref")
		target := r.resolve(ref)
		if !target.Is(jsonschema.KindObject) {
			break
		}
		r.definitions(n, nil)
		r.rewritten(r.span(ref), nil, "the arguments replace the reference %s to them", quote(ref.Text()))
		n = target
	}
	none := &typ{kind: "Object"}
	switch {
	case n.Kind != jsonschema.KindObject:
		return r.schema(n, nil)
	case n.Get("$ref") != nil:
		r.lost(r.span(n), nil, "the reference of the arguments does not lead to an object")
		return none
	case n.Get("type") == nil:
		typed := jsonschema.NewMember("type", moved(jsonschema.String("object"), n))
		n = moved(jsonschema.Object(append(slices.Clone(n.Members), typed)...), n)
		r.cover(&jsonschema.Location{Token: "type"}) // arguments are an object in any case
	}
	t := r.schema(n, nil)
	r.nameless(t, n)
	if t.kind != "Object" || t.union != nil || t.ref != nil {
		r.lost(r.span(n), nil, "arguments are an object, and this schema describes something else")
		return none
	}
	if t.nullable {
		r.lost(r.span(n), nil, "arguments are never null")
		t.nullable = false
	}
	return t
}

// settle reports definitions that are not referred to.
func (r *reader) settle() {
	for _, d := range r.defs {
		for _, m := range d.node.Members {
			if r.shared[m.Value] == nil {
				r.rewritten(r.key(m), d.at.Key(m.Key), "%s is never referred to", quote(m.Key))
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

// definitions notes the definitions in a schema. They count where something
// refers to them.
func (r *reader) definitions(n *jsonschema.Node, at *jsonschema.Location) {
	for _, key := range []string{"$defs", "definitions"} {
		if defs := n.Get(key); defs != nil {
			r.defs = append(r.defs, definitions{defs, at.Key(key)})
			if defs.Kind != jsonschema.KindObject {
				r.lost(r.span(defs), at.Key(key), "%s must be an object", quote(key))
			}
		}
	}
}

// nameless removes the parameters without a name, which gram does not have.
func (r *reader) nameless(t *typ, n *jsonschema.Node) {
	t.fields = slices.DeleteFunc(t.fields, func(f *field) bool {
		if f.name == "" {
			r.lost(r.span(n), (&jsonschema.Location{Token: "properties"}).Key(""), "gram has no parameters with an empty name")
		}
		return f.name == ""
	})
}

// reference reads the $ref of a schema, and reports whether it leads to a type.
func (r *reader) reference(t *typ, n *jsonschema.Node, at *jsonschema.Location) bool {
	ref, here := n.Get("$ref"), at.Key("$ref")
	if ref == nil {
		return false
	}
	target := r.resolve(ref)
	if target == nil {
		r.lost(r.span(ref), here, "%s leads to nothing in this file, and no other files are loaded", quote(ref.Text()))
		return false
	}
	t.kind, t.ref = "", r.sharedType(target, ref, here)
	if !t.ref.own {
		r.cover(here)
	}
	return true
}

// resolve returns what a reference leads to, nil if that is nothing here.
func (r *reader) resolve(ref *jsonschema.Node) *jsonschema.Node {
	target, _ := r.resolver.Resolve(ref.Text())
	return target
}

// sharedType returns the type that a reference leads to. It is read once.
func (r *reader) sharedType(target, ref *jsonschema.Node, at *jsonschema.Location) *shared {
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
	s := &shared{key: r.newKey(key), target: target, at: where}
	s.own = own && s.key == key
	r.shared[target] = s
	r.order = append(r.order, s)
	if !s.own {
		r.rewritten(r.span(ref), at, "%s becomes #/$defs/%s", quote(ref.Text()), clip(s.key))
	}
	s.typ = r.schema(target, where)
	return s
}

// newKey returns a key of $defs that no shared type has yet, and gives it to
// one.
func (r *reader) newKey(word string) string {
	key := word
	for i := 2; r.keys[key]; i++ {
		key = word + strconv.Itoa(i)
	}
	r.keys[key] = true
	return key
}

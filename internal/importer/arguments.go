package importer

// arguments reads the schema of all arguments together.
func (r *reader) arguments(n *node) *typ {
	const most = 100 // references to references
	for range most {
		ref := n.get("$ref")
		if ref == nil {
			break
		}
		target := r.resolve(ref)
		if target == nil || !target.is(kindObject) {
			break
		}
		r.definitions(n, nil)
		r.rewritten(ref.span, nil, "the arguments are written where %s refers to them", quote(jsonText(ref)))
		n = target
	}
	none := &typ{kind: "Object", span: n.span}
	switch {
	case n.kind != kindObject:
		return r.schema(n, nil)
	case n.get("$ref") != nil:
		r.lost(n.span, nil, "the arguments are a reference that leads to no object")
		return none
	case n.get("type") == nil:
		typed := &node{kind: kindObject, span: n.span}
		for _, m := range n.members {
			typed.add(m)
		}
		typed.add(member{"type", &node{kind: kindString, text: "object", span: n.span}, n.span})
		n = typed
		r.cover((*place)(nil).key("type")) // arguments are an object, whoever says so
	}
	t := r.schema(n, nil)
	r.later = append(r.later, func() { r.nameless(t) })
	if t.kind != "Object" || t.union != nil || t.ref != nil {
		r.lost(n.span, nil, "arguments are an object, and this schema says something else")
		return none
	}
	if t.nullable {
		r.lost(n.span, nil, "arguments are never null")
		t.nullable = false
	}
	return t
}

// settle does what waited until all types were read, and tells of definitions
// that nothing refers to.
func (r *reader) settle() {
	for len(r.later) > 0 {
		first := r.later[0]
		r.later = r.later[1:]
		first()
	}
	for _, d := range r.defs {
		for _, m := range d.node.members {
			if r.shared[m.value] == nil {
				r.rewritten(m.span, d.place.key(m.key), "nothing refers to %s", quote(m.key))
			}
		}
	}
	r.defs = nil
}

// A definitions is a member $defs or definitions of a schema.
type definitions struct {
	node  *node
	place *place
}

// definitions notes the definitions in a schema, which count where something
// refers to them.
func (r *reader) definitions(n *node, at *place) {
	for _, key := range []string{"$defs", "definitions"} {
		if defs := n.get(key); defs != nil {
			r.defs = append(r.defs, definitions{defs, at.key(key)})
			if defs.kind != kindObject {
				r.lost(defs.span, at.key(key), "%s must be an object", quote(key))
			}
		}
	}
}

// nameless takes parameters without a name away, which gram has none of.
func (r *reader) nameless(t *typ) {
	kept := t.fields[:0:0]
	for _, f := range t.fields {
		if f.name == "" {
			r.lost(f.typ.span, (*place)(nil).key("properties").key(""), "gram has no parameters with an empty name")
			continue
		}
		kept = append(kept, f)
	}
	t.fields = kept
}

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
func (r *reader) settle(root *node) {
	for len(r.later) > 0 {
		first := r.later[0]
		r.later = r.later[1:]
		first()
	}
	if root != r.root {
		return
	}
	for _, key := range []string{"$defs", "definitions"} {
		defs := root.get(key)
		if !defs.is(kindObject) {
			continue
		}
		for _, m := range defs.members {
			if r.shared[m.value] == nil {
				r.rewritten(m.span, (*place)(nil).key(key).key(m.key), "nothing refers to %s", quote(m.key))
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

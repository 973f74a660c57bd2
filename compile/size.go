package compile

// maxParts is how many parts a signature may have, at any depth.
const maxParts = 4000

// parts counts parameters and all that their types are made of.
func parts(params []*Param) int {
	n := 0
	for _, p := range params {
		n = min(n+1+p.Type.parts(), maxParts+1)
	}
	return n
}

// parts counts what a type is made of, besides itself; it stops to count
// behind maxParts. What schemas refer to counts once for each reference.
func (t *Type) parts() int {
	switch {
	case t == nil:
		return 0
	case t.Def != nil:
		return t.Def.parts()
	}
	n := parts(t.Fields)
	if t.Elem != nil {
		n += 1 + t.Elem.parts()
	}
	if t.Rest != nil {
		n += 1 + t.Rest.parts()
	}
	for _, u := range t.Union {
		n += 1 + u.parts()
	}
	return min(n, maxParts+1)
}

// parts counts what stands in a schema for a use of the named type.
func (d *TypeDef) parts() int {
	if d.byReference() || d.Type == nil {
		return 1
	}
	if d.size == 0 {
		d.size = max(1, d.Type.parts())
	}
	return d.size
}

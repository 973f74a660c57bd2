package jsonschema

// A Resolver follows the references in one document. It remembers what it found
// and must not be used by two goroutines at once.
type Resolver struct {
	root  *Node
	memo  map[string]target
	enums map[*Node]map[string]bool // see misfitEnumKeys

	fitted int // steps to compare values with schemas
}

type target struct {
	node *Node
	at   *Location
}

// NewResolver returns a resolver of references in root.
func NewResolver(root *Node) *Resolver { return &Resolver{root: root} }

// Resolve returns the value that a reference leads to, and where it is. The node
// is nil for a reference that leads nowhere in the document.
func (r *Resolver) Resolve(ref string) (*Node, *Location) {
	if t, known := r.memo[ref]; known {
		return t.node, t.at
	}
	var t target
	if at, local := ParseRef(ref); local {
		if n := r.root.Lookup(at); n != nil {
			t = target{n, at}
		}
	}
	if r.memo == nil {
		r.memo = map[string]target{}
	}
	r.memo[ref] = t
	return t.node, t.at
}

// Follow follows the $ref of n, and so on, and returns the schema and its
// location. The node is nil if a reference leads nowhere, or back. The location is
// nil for n itself and for the root.
func (r *Resolver) Follow(n *Node) (*Node, *Location) {
	var at *Location
	for hops := 0; ; hops++ {
		ref := n.Get("$ref")
		if ref == nil {
			return n, at
		}
		if hops > len(r.memo) { // more than there are different references
			return nil, nil
		}
		n, at = r.Resolve(ref.Text())
	}
}

package importer

import (
	"slices"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// An object is a JSON object that is being built.
type object struct {
	members []jsonschema.Member
	index   map[string]int
}

// find returns the index of a key, -1 if the object does not have it.
func (o *object) find(key string) int {
	if i, known := o.index[key]; known {
		return i
	}
	return -1
}

// get returns the value of a key, nil if the object does not have it.
func (o *object) get(key string) *jsonschema.Node {
	if i := o.find(key); i >= 0 {
		return o.members[i].Value
	}
	return nil
}

// add appends members whose keys are new.
func (o *object) add(members ...jsonschema.Member) {
	if o.index == nil {
		o.index = map[string]int{}
	}
	for _, m := range members {
		o.index[m.Key] = len(o.members)
		o.members = append(o.members, m)
	}
}

// node returns the object, with the offsets of what it was made of.
func (o *object) node(source *jsonschema.Node) *jsonschema.Node {
	return objectMoved(jsonschema.Object(o.members...), source)
}

// objectMoved returns a value with the offsets of what it was made of.
func objectMoved(n, source *jsonschema.Node) *jsonschema.Node {
	return n.At(int(source.Start), int(source.End))
}

// objectWithout returns the members of an object but for one key.
func objectWithout(n *jsonschema.Node, key string) []jsonschema.Member {
	return slices.DeleteFunc(slices.Clone(n.Members), func(m jsonschema.Member) bool { return m.Key == key })
}

// objectGiven returns the value of a key, nil if there is none or it is null.
func objectGiven(n *jsonschema.Node, key string) *jsonschema.Node {
	if v := n.Get(key); !v.Is(jsonschema.KindNull) {
		return v
	}
	return nil
}

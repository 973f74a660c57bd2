package runtime

import "github.com/gram-lang/gramc/internal/jsonschema"

// fillDefaults returns a value of so many bytes with the declared defaults of
// absent fields. What the schema does not fit stays as it is.
func (s *Schema) fillDefaults(value *jsonschema.Node, size int) (*jsonschema.Node, error) {
	if !s.hasDefaults {
		return value, nil
	}
	f := filler{size: size}
	filled := f.fill(s.shape, value)
	if filled != value && f.size > maxArgsBytes {
		return nil, tooLarge(f.size)
	}
	return filled, nil
}

// A filler adds defaults to a value until it is too large.
type filler struct{ size int }

func (f *filler) fill(s *shape, n *jsonschema.Node) *jsonschema.Node {
	s = s.forValue(n)
	if s == nil || f.size > maxArgsBytes {
		return n
	}
	filled := n.Map(func(_ int, key string, part *jsonschema.Node) *jsonschema.Node {
		if n.Kind == jsonschema.KindArray {
			return f.fill(s.items, part)
		}
		return f.fill(s.at(key), part)
	})
	if n.Kind != jsonschema.KindObject {
		return filled
	}
	var added []jsonschema.Member
	for i := range s.fields {
		if field := &s.fields[i]; field.fallback != nil && n.Get(field.name) == nil {
			added = append(added, jsonschema.NewMember(field.name, field.fallback))
			f.size += len(field.name) + len(field.fallback.Raw()) + len(`"":,`)
		}
	}
	if len(added) == 0 {
		return filled
	}
	return filled.With(added...)
}

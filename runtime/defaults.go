package runtime

import (
	"encoding/json"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// FillDefaults returns value with the declared defaults of all absent fields:
// of the object itself, and of the objects and arrays that are present in it.
// Of alternatives, only one counts that the type of the value, or a field with
// one value, leaves alone. Everything else keeps its bytes. A value that the
// schema does not fit comes back as it is. The error is a *[ValidationError]:
// the value is not JSON, or gets larger than 1 MiB.
func (s *Schema) FillDefaults(value json.RawMessage) (json.RawMessage, error) {
	if s == nil || !s.hasDefaults {
		return value, nil
	}
	root, _, err := readJSON(value)
	if err != nil {
		return nil, err
	}
	p := patcher{text: value}
	p.fill(s.shape, root)
	if size := len(value) + p.size; len(p.patches) > 0 && size > maxArgsBytes {
		return nil, tooLarge(size)
	}
	return p.result(), nil
}

func (p *patcher) fill(s *shape, n *jsonschema.Node) {
	s = s.forValue(n)
	if s == nil || len(p.text)+p.size > maxArgsBytes {
		return
	}
	for _, m := range n.Members {
		p.fill(s.at(m.Key), m.Value)
	}
	for _, item := range n.Items {
		p.fill(s.items, item)
	}
	if n.Kind == jsonschema.KindObject {
		p.addDefaults(s, n)
	}
}

// addDefaults puts the fields that are not there in front of the closing brace
// of an object.
func (p *patcher) addDefaults(s *shape, object *jsonschema.Node) {
	var b strings.Builder
	for _, field := range s.fields {
		if field.fallback == "" || object.Get(field.name) != nil {
			continue
		}
		if b.Len() > 0 || len(object.Members) > 0 {
			b.WriteByte(',')
		}
		b.WriteString(literal(field.name))
		b.WriteByte(':')
		b.WriteString(field.fallback)
	}
	if b.Len() > 0 {
		p.replace(object.End-1, object.End-1, b.String())
	}
}

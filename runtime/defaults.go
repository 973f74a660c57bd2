package runtime

import (
	"encoding/json"
)

// FillDefaults returns value with the declared defaults of all absent fields:
// of the object itself, and of the objects and arrays that are present in it.
// Of alternatives, only one counts that the type of the value, or a field with
// one value, leaves alone. Everything else keeps its bytes. A value that the schema does not fit comes
// back as it is. The error is a *[ValidationError]: the value is not JSON, or
// gets larger than 1 MiB.
func (s *Schema) FillDefaults(value json.RawMessage) (json.RawMessage, error) {
	if s == nil || !s.hasDefaults {
		return value, nil
	}
	root, err := parseElement(value)
	if err != nil {
		return nil, err
	}
	p := patcher{text: value}
	p.fill(s.shape, &root)
	if len(p.out) > maxArgsBytes {
		return nil, tooLarge(len(p.out))
	}
	return p.result(), nil
}

// A patcher copies a text and puts fields into its objects on the way.
type patcher struct {
	text   []byte
	copied int // how much of text is in out
	out    []byte
}

func (p *patcher) fill(s *shape, e *element) {
	s = s.forValue(e)
	switch {
	case s == nil || len(p.out) > maxArgsBytes:
	case e.isObject():
		var missing []field
		for _, field := range s.fields {
			if e.member(field.name) == nil && field.fallback != nil {
				missing = append(missing, field)
			}
		}
		for i := range e.members {
			m := &e.members[i]
			p.fill(s.at(m.key), &m.value)
		}
		p.insert(missing, e)
	case e.isArray():
		for i := range e.items {
			p.fill(s.items, &e.items[i])
		}
	}
}

// insert puts fields in front of the closing brace of object.
func (p *patcher) insert(fields []field, object *element) {
	if len(fields) == 0 {
		return
	}
	brace := object.start + len(object.raw) - 1
	p.out = append(p.out, p.text[p.copied:brace]...)
	p.copied = brace
	for i, field := range fields {
		if i > 0 || len(object.members) > 0 {
			p.out = append(p.out, ',')
		}
		p.out = append(p.out, literal(field.name)...)
		p.out = append(p.out, ':')
		p.out = append(p.out, field.fallback...)
	}
}

func (p *patcher) result() []byte {
	if p.out == nil {
		return p.text
	}
	return append(p.out, p.text[p.copied:]...)
}

package ast

import "slices"

func newProperty(key, text string) *Property {
	return &Property{Key: NewName(key), Separator: ":", Value: &String{Text: text}}
}

func newBracket(name, label string, properties []*Property, elements []*Pattern) *Pattern {
	labels := []*Label{{Separator: ":", Name: NewName(label)}}
	subject := &Subject{Identity: NewName(name), Labels: labels, Record: &Record{Properties: properties}}
	return &Pattern{Form: FormBracket, Subject: subject, Elements: elements}
}

func (p *Pattern) lookup(key string) (string, bool) {
	if prop := p.Property(key); prop != nil {
		return TextOf(prop.Value)
	}
	return "", false
}

func (p *Pattern) text(key string) string {
	text, _ := p.lookup(key)
	return text
}

// withIdentity copies the pattern down to what changes and shares the rest.
func (p *Pattern) withIdentity(name string) *Pattern {
	copied, subject := *p, *p.Subject
	subject.Identity = NewName(name)
	copied.Subject = &subject
	return &copied
}

func (p *Pattern) withElements(elements []*Pattern) *Pattern {
	copied := *p
	copied.Elements = elements
	return &copied
}

func (p *Pattern) withText(key, text string) *Pattern {
	copied, subject, record, changed := *p, *p.Subject, Record{}, newProperty(key, text)
	if subject.Record != nil {
		record = *subject.Record
	}
	record.Properties = slices.Clone(record.Properties)
	if at := slices.Index(record.Properties, p.Property(key)); at >= 0 {
		old := *record.Properties[at]
		old.Value = changed.Value
		record.Properties[at] = &old
	} else {
		record.Properties = append(record.Properties, changed)
	}
	subject.Record, copied.Subject = &record, &subject
	return &copied
}

// IsNamedType reports whether a pattern defines a type: a bracket with one of
// the labels Type, Enum and Union.
func IsNamedType(p *Pattern) bool {
	return p.Form == FormBracket && (p.HasLabel(LabelType) || p.HasLabel(LabelEnum) || p.HasLabel(LabelUnion))
}

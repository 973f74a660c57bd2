package ast

import "slices"

func newPatternProperty(key, text string) *Property {
	return &Property{Key: NewName(key), Separator: ":", Value: &String{Text: text}}
}

func newPatternBracket(name, label string, properties []*Property, elements []*Pattern) *Pattern {
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
	copied, subject, record, changed := *p, *p.Subject, Record{}, newPatternProperty(key, text)
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

// A Pattern is a subject with its ordered elements, in one of the Forms.
type Pattern struct {
	Base
	Form        Form
	Broken      bool          // of a node or a path: part of it did not parse
	Annotations []*Annotation // only of a top-level pattern
	Subject     *Subject      // never nil, maybe empty; always empty for a path
	Elements    []*Pattern
	Arrows      []*Arrow // of a path: one less than its elements
}

// Identity returns the name of the pattern, "" when it is anonymous.
func (p *Pattern) Identity() string {
	if p.Subject.Identity == nil {
		return ""
	}
	return p.Subject.Identity.Text
}

// HasLabel reports whether the pattern carries the label.
func (p *Pattern) HasLabel(name string) bool {
	for _, l := range p.Subject.Labels {
		if l.Name.Text == name {
			return true
		}
	}
	return false
}

// Property returns the first property of that key, nil when there is none.
func (p *Pattern) Property(key string) *Property { return p.Subject.Record.Get(key) }

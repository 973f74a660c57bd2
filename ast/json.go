package ast

import (
	"bufio"
	"io"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// WriteJSON writes the patterns of a file in the canonical JSON of gram: an
// array of
//
//	{"subject":{"identity":"a","labels":["L"],"properties":{"k":1}},"elements":[…]}
//
// The header is a first pattern without identity. A path (a)-[r]->(b) is the
// pattern r of the elements a and b, in the direction of the arrow; a longer
// path is a pattern without identity of such pairs. An annotation is a pattern
// around what it annotates. A key that occurs twice keeps its last value.
// FormBad patterns and properties without a value are left out.
func WriteJSON(w io.Writer, f *File) error {
	out := bufio.NewWriter(w)
	j := &jsonWriter{out}
	var list []*Pattern
	if f.Header != nil {
		list = append(list, &Pattern{Form: FormBracket, Subject: &Subject{Record: f.Header}})
	}
	j.patterns(append(list, f.Patterns...))
	j.put("\n")
	return out.Flush()
}

type jsonWriter struct{ *bufio.Writer }

func (j *jsonWriter) put(parts ...string) {
	for _, s := range parts {
		j.WriteString(s)
	}
}

// text writes a JSON string.
func (j *jsonWriter) text(s string) {
	j.Write(plainjson.String(s))
}

func (j *jsonWriter) patterns(list []*Pattern) {
	j.put("[")
	before := ""
	for _, p := range list {
		if p.Form == FormBad {
			continue
		}
		j.put(before)
		j.pattern(p, p.Annotations)
		before = ","
	}
	j.put("]")
}

// pattern writes a pattern inside those of its annotations that are left.
func (j *jsonWriter) pattern(p *Pattern, annotations []*Annotation) {
	switch {
	case len(annotations) > 0:
		j.annotated(p, annotations)
	case p.Form == FormPath && len(p.Arrows) == 1:
		j.hop(p, 0)
	case p.Form == FormPath:
		j.subject(&Subject{})
		j.put("[")
		for i := range p.Arrows {
			if i > 0 {
				j.put(",")
			}
			j.hop(p, i)
		}
		j.put("]}")
	default:
		j.subject(p.Subject)
		j.patterns(p.Elements)
		j.put("}")
	}
}

// annotated writes the run of annotations as one pattern around p.
func (j *jsonWriter) annotated(p *Pattern, annotations []*Annotation) {
	subject := &Subject{}
	if annotations[0].Identified {
		*subject = *annotations[0].Subject
		annotations = annotations[1:]
	}
	record := &Record{}
	for _, a := range annotations {
		if a.Key != nil {
			record.Properties = append(record.Properties, &Property{Key: a.Key, Value: a.Value})
		}
	}
	subject.Record = record
	j.subject(subject)
	j.put("[")
	j.pattern(p, nil)
	j.put("]}")
}

// hop writes arrow i of a path with the two nodes that it joins.
func (j *jsonWriter) hop(p *Pattern, i int) {
	arrow, from, to := p.Arrows[i], p.Elements[i], p.Elements[i+1]
	if arrow.Direction == Left {
		from, to = to, from
	}
	subject := arrow.Subject
	if subject == nil {
		subject = &Subject{}
	}
	j.subject(subject)
	j.patterns([]*Pattern{from, to})
	j.put("}")
}

// subject writes a pattern up to its elements.
func (j *jsonWriter) subject(s *Subject) {
	j.put(`{"subject":{"identity":`)
	if s.Identity != nil {
		j.text(s.Identity.Text)
	} else {
		j.put(`""`)
	}
	j.put(`,"labels":[`)
	seen := make(map[string]bool, len(s.Labels))
	for _, l := range s.Labels {
		if seen[l.Name.Text] {
			continue
		}
		if len(seen) > 0 {
			j.put(",")
		}
		seen[l.Name.Text] = true
		j.text(l.Name.Text)
	}
	j.put(`],"properties":`)
	j.record(s.Record)
	j.put(`},"elements":`)
}

func (j *jsonWriter) record(r *Record) {
	if r == nil {
		j.put("{}")
		return
	}
	last := make(map[string]*Property, len(r.Properties))
	for _, p := range r.Properties {
		if p.Value != nil {
			last[p.Key.Text] = p
		}
	}
	j.put("{")
	before := ""
	for _, p := range r.Properties {
		if last[p.Key.Text] != p {
			continue
		}
		j.put(before)
		j.text(p.Key.Text)
		j.put(":")
		j.value(p.Value)
		before = ","
	}
	j.put("}")
}

func (j *jsonWriter) value(v Value) {
	switch v := v.(type) {
	case *String:
		j.text(v.Text)
	case *Bool:
		j.put(map[bool]string{true: "true", false: "false"}[v.Value])
	case *Number:
		j.number(v)
	case *Symbol:
		j.put(`{"type":"symbol","value":`)
		j.text(v.Text)
		j.put("}")
	case *Tagged:
		j.put(`{"type":"tagged","tag":`)
		j.text(v.Tag)
		j.put(`,"content":`)
		j.text(v.Text)
		j.put("}")
	case *Range:
		j.put(`{"type":"range","lower":`)
		j.number(v.Lower)
		j.put(`,"upper":`)
		j.number(v.Upper)
		j.put("}")
	case *Array:
		j.put("[")
		for i, e := range v.Elements {
			if i > 0 {
				j.put(",")
			}
			j.value(e)
		}
		j.put("]")
	case *Record:
		j.record(v)
	}
}

// number writes a number, null for an open bound of a range.
func (j *jsonWriter) number(n *Number) {
	switch {
	case n == nil:
		j.put("null")
	case n.Kind == Measurement:
		j.put(`{"type":"measurement","unit":`)
		j.text(n.Unit())
		j.put(`,"value":`, n.Digits(), "}")
	default:
		j.put(n.Digits())
	}
}

package ast

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strconv"

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
	patterns := f.Patterns
	if f.Header != nil {
		patterns = slices.Insert(slices.Clone(patterns), 0, &Pattern{Form: FormBracket, Subject: &Subject{Record: f.Header}})
	}
	j.patterns(patterns)
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

// jsonList writes items with commas between brackets.
func jsonList[T any](j *jsonWriter, brackets string, items []T, write func(T)) {
	j.put(brackets[:1])
	for i, item := range items {
		if i > 0 {
			j.put(",")
		}
		write(item)
	}
	j.put(brackets[1:])
}

func (j *jsonWriter) patterns(all []*Pattern) {
	good := slices.DeleteFunc(slices.Clone(all), func(p *Pattern) bool { return p.Form == FormBad })
	jsonList(j, "[]", good, func(p *Pattern) { j.pattern(p, p.Annotations) })
}

// pattern writes a pattern inside those of its annotations that are left.
func (j *jsonWriter) pattern(p *Pattern, annotations []*Annotation) {
	switch {
	case len(annotations) > 0:
		j.annotated(p, annotations)
	case p.Form == FormPath && len(p.Arrows) == 1:
		j.hop(p, p.Arrows[0], 0)
	case p.Form == FormPath:
		j.subject(&Subject{})
		i := -1
		jsonList(j, "[]", p.Arrows, func(a *Arrow) { i++; j.hop(p, a, i) })
		j.put("}")
	default:
		j.subject(p.Subject)
		j.patterns(p.Elements)
		j.put("}")
	}
}

// annotated writes the run of annotations as one pattern around p.
func (j *jsonWriter) annotated(p *Pattern, annotations []*Annotation) {
	subject := Subject{}
	if annotations[0].Identified {
		subject = *annotations[0].Subject
		annotations = annotations[1:]
	}
	subject.Record = &Record{}
	for _, a := range annotations {
		if a.Key != nil {
			subject.Record.Properties = append(subject.Record.Properties, &Property{Key: a.Key, Value: a.Value})
		}
	}
	j.subject(&subject)
	j.put("[")
	j.pattern(p, nil)
	j.put("]}")
}

// hop writes arrow i of a path with the two nodes that it joins.
func (j *jsonWriter) hop(p *Pattern, arrow *Arrow, i int) {
	from, to := p.Elements[i], p.Elements[i+1]
	if arrow.Direction == Left {
		from, to = to, from
	}
	j.subject(cmp.Or(arrow.Subject, &Subject{}))
	j.patterns([]*Pattern{from, to})
	j.put("}")
}

// subject writes a pattern up to its elements.
func (j *jsonWriter) subject(s *Subject) {
	j.put(`{"subject":{"identity":`)
	j.text(cmp.Or(s.Identity, &Name{}).Text)
	j.put(`,"labels":`)
	var labels []string
	for _, l := range s.Labels {
		if !slices.Contains(labels, l.Name.Text) {
			labels = append(labels, l.Name.Text)
		}
	}
	jsonList(j, "[]", labels, j.text)
	j.put(`,"properties":`)
	j.record(cmp.Or(s.Record, &Record{}))
	j.put(`},"elements":`)
}

func (j *jsonWriter) record(r *Record) {
	last := make(map[string]*Property, len(r.Properties))
	for _, p := range r.Properties {
		if p.Value != nil {
			last[p.Key.Text] = p
		}
	}
	kept := slices.DeleteFunc(slices.Clone(r.Properties), func(p *Property) bool { return last[p.Key.Text] != p })
	jsonList(j, "{}", kept, func(p *Property) {
		j.text(p.Key.Text)
		j.put(":")
		j.value(p.Value)
	})
}

func (j *jsonWriter) value(v Value) {
	switch v := v.(type) {
	case *String:
		j.text(v.Text)
	case *Bool:
		j.put(strconv.FormatBool(v.Value))
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
		jsonList(j, "[]", v.Elements, j.value)
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

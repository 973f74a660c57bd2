package ast

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/source"
)

// WriteTree writes a file as one s-expression, on one line: the syntax tree of
// tree-sitter-gram, as its parser prints it. A path nests to the right,
// and a comment stands where it is in the text. FormBad patterns are (ERROR).
func WriteTree(w io.Writer, f *File) error {
	out := bufio.NewWriter(w)
	t := &treeWriter{Writer: out, comments: allComments(f)}
	t.open("", "gram_pattern", f.Span())
	if f.Header != nil {
		t.record("root", f.Header, "record")
	}
	for _, p := range f.Patterns {
		t.pattern("", p)
	}
	t.close(f.Span())
	t.WriteByte('\n')
	return out.Flush()
}

// allComments returns the comments of a file in the order of the text.
func allComments(f *File) []source.Span {
	var all []source.Span
	for n := range Preorder(f) {
		if c := n.Comments(); c != nil {
			for _, comment := range slices.Concat(c.Before, c.Suffix, c.After) {
				all = append(all, comment.Span)
			}
		}
	}
	slices.SortFunc(all, func(a, b source.Span) int { return cmp.Compare(a.Start, b.Start) })
	return all
}

// A treeWriter writes nodes in the order of the text. A comment belongs to the
// innermost node that starts before and ends after it.
type treeWriter struct {
	*bufio.Writer
	comments []source.Span // those not written yet
}

// open starts a node of tree-sitter-gram. All but the first follow a space.
func (t *treeWriter) open(field, kind string, s source.Span) {
	t.commentsBefore(s.Start)
	if kind != "gram_pattern" {
		t.WriteByte(' ')
	}
	if field != "" {
		t.WriteString(field)
		t.WriteString(": ")
	}
	t.WriteByte('(')
	t.WriteString(kind)
}

func (t *treeWriter) close(s source.Span) {
	t.commentsBefore(s.End)
	t.WriteByte(')')
}

func (t *treeWriter) commentsBefore(offset int) {
	for len(t.comments) > 0 && t.comments[0].Start < offset {
		t.WriteString(" (comment)")
		t.comments = t.comments[1:]
	}
}

// leaf writes a node that holds nothing.
func (t *treeWriter) leaf(field, kind string, s source.Span) {
	t.open(field, kind, s)
	t.close(s)
}

func (t *treeWriter) pattern(field string, p *Pattern) {
	if len(p.Annotations) == 0 {
		t.bare(field, p, p.Span())
		return
	}
	last := p.Annotations[len(p.Annotations)-1].Span()
	t.open(field, "annotated_pattern", p.Span())
	annotations := p.Annotations[0].Span().To(last)
	t.open("annotations", "annotations", annotations)
	for _, a := range p.Annotations {
		t.annotation(a)
	}
	t.close(annotations)
	t.bare("elements", p, after(last, p.Span()))
	t.close(p.Span())
}

// after returns what s holds after its annotations, and after the comments
// that follow these.
func after(annotations, s source.Span) source.Span {
	s.Start = annotations.End
	for !s.IsZero() {
		text := strings.TrimLeft(s.Text(), " \t\n\v\f\r")
		s.Start = s.End - len(text)
		if !strings.HasPrefix(text, "//") {
			break
		}
		s.Start += len(text)
		if n := strings.IndexByte(text, '\n'); n >= 0 {
			s.Start += n - len(text)
		}
	}
	return s
}

// bare writes a pattern without its annotations, which takes up s.
func (t *treeWriter) bare(field string, p *Pattern, s source.Span) {
	kind := map[Form]string{
		FormBad: "ERROR", FormBracket: "subject_pattern", FormNode: "node_pattern", FormRef: "pattern_reference",
	}[p.Form]
	if p.Form == FormPath {
		t.path(field, p)
		return
	}
	t.open(field, kind, s)
	t.subject(p.Subject)
	if n := len(p.Elements); n > 0 {
		elements := p.Elements[0].Span().To(p.Elements[n-1].Span())
		t.open("elements", "subject_pattern_elements", elements)
		for _, e := range p.Elements {
			t.pattern("", e)
		}
		t.close(elements)
	}
	t.close(s)
}

// path writes a path, of any length, each arrow inside the one before it.
func (t *treeWriter) path(field string, p *Pattern) {
	last := len(p.Arrows)
	for i, a := range p.Arrows {
		t.open(field, "relationship_pattern", p.Elements[i].Span())
		t.bare("left", p.Elements[i], p.Elements[i].Span())
		t.open("kind", []string{"undirected_arrow", "right_arrow", "left_arrow", "bidirectional_arrow"}[a.Direction], a.Span())
		if a.Subject != nil {
			t.subject(a.Subject)
		}
		t.close(a.Span())
		field = "right"
	}
	t.bare(field, p.Elements[last], p.Elements[last].Span())
	for range p.Arrows {
		t.close(p.Span())
	}
}

func (t *treeWriter) subject(s *Subject) {
	if s.Identity != nil {
		t.name("identifier", s.Identity)
	}
	if n := len(s.Labels); n > 0 {
		labels := s.Labels[0].Span().To(s.Labels[n-1].Span())
		t.open("labels", "labels", labels)
		for _, l := range s.Labels {
			t.name("", l.Name)
		}
		t.close(labels)
	}
	if s.Record != nil {
		t.record("record", s.Record, "record")
	}
}

func (t *treeWriter) annotation(a *Annotation) {
	if a.Identified {
		t.open("", "identified_annotation", a.Span())
		t.subject(a.Subject)
	} else {
		t.open("", "property_annotation", a.Span())
		t.name("key", a.Key)
		t.value("value", a.Value)
	}
	t.close(a.Span())
}

func (t *treeWriter) name(field string, n *Name) {
	kind := []string{NameSymbol: "symbol", NameQuoted: "quoted_name", NameInteger: "integer", NameDouble: "double_quoted_name"}[n.Kind]
	if n.Kind == NameSymbol || n.Kind == NameInteger {
		t.leaf(field, kind, n.Span())
		return
	}
	t.open(field, kind, n.Span())
	t.leaf("content", "string_content", n.Span())
	t.close(n.Span())
}

// record writes a record, or where it is a value a map.
func (t *treeWriter) record(field string, r *Record, kind string) {
	entry := map[string]string{"record": "record_property", "map": "map_entry"}[kind]
	t.open(field, kind, r.Span())
	for _, p := range r.Properties {
		t.open("", entry, p.Span())
		t.name("key", p.Key)
		t.value("value", p.Value)
		t.close(p.Span())
	}
	t.close(r.Span())
}

func (t *treeWriter) value(field string, v Value) {
	switch v := v.(type) {
	case nil:
	case *Number:
		t.number(field, v)
	case *Bool:
		t.leaf(field, "boolean_literal", v.Span())
	case *Symbol:
		t.leaf(field, "symbol", v.Span())
	case *String:
		t.open(field, "string_literal", v.Span())
		if v.Quote == QuoteFence {
			t.fenceComment(v.Raw)
		}
		t.leaf("content", "string_content", v.Span().Tail())
		t.close(v.Span())
	case *Tagged:
		t.open(field, "tagged_string", v.Span())
		t.leaf("tag", "symbol", v.Span().Head())
		if v.Fence {
			t.fenceComment(v.Raw)
		}
		t.leaf("content", "string_content", v.Span().Tail())
		t.close(v.Span())
	case *Range:
		t.open(field, "range", v.Span())
		t.number("lower", v.Lower)
		t.number("upper", v.Upper)
		t.close(v.Span())
	case *Array:
		t.open(field, "array", v.Span())
		for _, e := range v.Elements {
			t.value("", e)
		}
		t.close(v.Span())
	case *Record:
		t.record(field, v, "map")
	}
}

// number writes a number, and nothing for the open end of a range.
func (t *treeWriter) number(field string, n *Number) {
	if n == nil {
		return
	}
	kinds := []string{Integer: "integer", Decimal: "decimal", Hexadecimal: "hexadecimal", Octal: "octal", Measurement: "measurement"}
	t.leaf(field, kinds[n.Kind], n.Span())
}

// fenceComment writes the comment after the opening of a fence, which the
// tree does not know.
func (t *treeWriter) fenceComment(raw string) {
	if head, _, _ := strings.Cut(raw, "\n"); strings.Contains(head, "//") {
		t.WriteString(" (comment)")
	}
}

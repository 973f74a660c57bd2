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
	t := &treeWriter{Writer: out, comments: treeComments(f)}
	t.WriteString("(gram_pattern")
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

// treeComments returns the comments of a file in the order of the text.
func treeComments(f *File) []source.Span {
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

// open starts a node of tree-sitter-gram.
func (t *treeWriter) open(field, kind string, s source.Span) {
	t.commentsBefore(s.Start)
	t.WriteByte(' ')
	if field != "" {
		t.WriteString(field + ": ")
	}
	t.WriteString("(" + kind)
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

// node writes a node with what parts writes.
func (t *treeWriter) node(field, kind string, s source.Span, parts func()) {
	t.open(field, kind, s)
	parts()
	t.close(s)
}

// leaf writes a node that holds nothing.
func (t *treeWriter) leaf(field, kind string, s source.Span) { t.node(field, kind, s, func() {}) }

// treeList writes the node of a list, which spans its items, unless it is empty.
// The field is the last word of the kind.
func treeList[N Node](t *treeWriter, kind string, items []N, write func(N)) {
	if len(items) == 0 {
		return
	}
	field := kind[strings.LastIndexByte(kind, '_')+1:]
	t.node(field, kind, items[0].Span().To(items[len(items)-1].Span()), func() {
		for _, n := range items {
			write(n)
		}
	})
}

func (t *treeWriter) pattern(field string, p *Pattern) {
	if len(p.Annotations) == 0 {
		t.bare(field, p, p.Span())
		return
	}
	t.node(field, "annotated_pattern", p.Span(), func() {
		treeList(t, "annotations", p.Annotations, t.annotation)
		t.bare("elements", p, afterInTree(p.Annotations[len(p.Annotations)-1].Span(), p.Span()))
	})
}

// afterInTree returns what s holds after its annotations, and after the comments
// that follow these.
func afterInTree(annotations, s source.Span) source.Span {
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
	if p.Form == FormPath {
		t.path(field, p)
		return
	}
	kind := [...]string{FormBad: "ERROR", FormBracket: "subject_pattern", FormNode: "node_pattern", FormRef: "pattern_reference"}[p.Form]
	t.node(field, kind, s, func() {
		t.subject(p.Subject)
		treeList(t, "subject_pattern_elements", p.Elements, func(e *Pattern) { t.pattern("", e) })
	})
}

// path writes a path, of any length, each arrow inside the one before it.
func (t *treeWriter) path(field string, p *Pattern) {
	last := len(p.Arrows)
	for i, a := range p.Arrows {
		t.open(field, "relationship_pattern", p.Elements[i].Span())
		t.bare("left", p.Elements[i], p.Elements[i].Span())
		kind := [...]string{"undirected_arrow", "right_arrow", "left_arrow", "bidirectional_arrow"}[a.Direction]
		t.node("kind", kind, a.Span(), func() {
			if a.Subject != nil {
				t.subject(a.Subject)
			}
		})
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
	treeList(t, "labels", s.Labels, func(l *Label) { t.name("", l.Name) })
	if s.Record != nil {
		t.record("record", s.Record, "record")
	}
}

func (t *treeWriter) annotation(a *Annotation) {
	if a.Identified {
		t.node("", "identified_annotation", a.Span(), func() { t.subject(a.Subject) })
		return
	}
	t.node("", "property_annotation", a.Span(), func() {
		t.name("key", a.Key)
		t.value("value", a.Value)
	})
}

func (t *treeWriter) name(field string, n *Name) {
	kind := [...]string{NameSymbol: "symbol", NameQuoted: "quoted_name", NameInteger: "integer", NameDouble: "double_quoted_name"}[n.Kind]
	t.node(field, kind, n.Span(), func() {
		if n.Kind == NameQuoted || n.Kind == NameDouble {
			t.leaf("content", "string_content", n.Span())
		}
	})
}

// record writes a record, or where it is a value a map.
func (t *treeWriter) record(field string, r *Record, kind string) {
	entry := map[string]string{"record": "record_property", "map": "map_entry"}[kind]
	t.node(field, kind, r.Span(), func() {
		for _, p := range r.Properties {
			t.node("", entry, p.Span(), func() {
				t.name("key", p.Key)
				t.value("value", p.Value)
			})
		}
	})
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
		t.node(field, "string_literal", v.Span(), func() { t.content(v.Span(), v.Raw, v.Quote == QuoteFence) })
	case *Tagged:
		t.node(field, "tagged_string", v.Span(), func() {
			t.leaf("tag", "symbol", v.Span().Head())
			t.content(v.Span(), v.Raw, v.Fence)
		})
	case *Range:
		t.node(field, "range", v.Span(), func() {
			t.number("lower", v.Lower)
			t.number("upper", v.Upper)
		})
	case *Array:
		t.node(field, "array", v.Span(), func() {
			for _, e := range v.Elements {
				t.value("", e)
			}
		})
	case *Record:
		t.record(field, v, "map")
	}
}

// content writes the content of a text, after the comment that follows the opening of a
// fence, which the tree of ast does not have.
func (t *treeWriter) content(s source.Span, raw string, fence bool) {
	if head, _, _ := strings.Cut(raw, "\n"); fence && strings.Contains(head, "//") {
		t.WriteString(" (comment)")
	}
	t.leaf("content", "string_content", s.Tail())
}

// number writes a number, and nothing for the open end of a range.
func (t *treeWriter) number(field string, n *Number) {
	if n == nil {
		return
	}
	kinds := []string{Integer: "integer", Decimal: "decimal", Hexadecimal: "hexadecimal", Octal: "octal", Measurement: "measurement"}
	t.leaf(field, kinds[n.Kind], n.Span())
}

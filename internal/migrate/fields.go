// Package migrate rewrites older notations of gram to the current one.
package migrate

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/vocabulary"
	"github.com/gram-lang/gramc/source"
)

// A Left is a list of fields that Fields did not rewrite.
type Left struct {
	Span   source.Span // the key of the list
	Reason string      // one line, lower case, no final period
}

// Fields returns the text of a file with lists of fields,
//
//	(user::Object {fields: [{name: "a", type: "Text"}, {name: "n", type: "Int", default: 1}]})
//
// rewritten to properties that declare the fields, which every gram tool reads:
//
//	(user::Object {a::Text, n::{type: Int, default: 1}})
//
// Fields of fields become a type expression, and so does an object with a field
// that is called like an attribute, and an array of objects:
//
//	(rows::`[{sku: Text, qty: Int = 1}]`)
//
// Only nodes with the label Object, Array or [Object] are rewritten, and brackets
// with the label Type. The schema of a signature stays the same. Everything else
// keeps its bytes; package format lays the new text out. The file must have parsed without
// mistakes. What could not be rewritten is in the list.
func Fields(f *ast.File) (text string, left []Left) {
	r := &rewriter{src: f.Source.Text()}
	for n := range ast.Preorder(f) {
		if p, ok := n.(*ast.Pattern); ok {
			r.pattern(p)
		}
	}
	r.out.WriteString(r.src[r.pos:])
	return r.out.String(), r.left
}

// A rewriter copies a text and replaces parts of it.
type rewriter struct {
	src  string
	out  strings.Builder
	pos  int // what of src is copied
	left []Left
}

// replace replaces the bytes from start to end. Calls come in the order of the
// text.
func (r *rewriter) replace(start, end int, text string) {
	r.out.WriteString(r.src[r.pos:start])
	r.out.WriteString(text)
	r.pos = end
}

// attributes are the properties of a parameter or a type, so that no property
// with such a key declares a field. They are not changed.
var attributes = slices.Concat(
	vocabulary.Keys(vocabulary.OwnerParameter), vocabulary.Keys(vocabulary.OwnerField), vocabulary.Keys(vocabulary.OwnerType),
	vocabulary.Keys(vocabulary.OwnerEnum), vocabulary.Keys(vocabulary.OwnerUnion),
)

// pattern rewrites the fields of one node or bracket.
func (r *rewriter) pattern(p *ast.Pattern) {
	list := p.Property("fields")
	if list == nil {
		return
	}
	isType := p.Form == ast.FormBracket && p.HasLabel("Type")
	array := false // of objects
	if !isType {
		if p.Form != ast.FormNode || len(p.Subject.Labels) != 1 {
			return
		}
		switch label := p.Subject.Labels[0].Name.Text; {
		case label == "Object":
		case label == "[Object]", label == "Array" && elementType(p.Subject.Record) == "Object":
			array = true
		case label == "Array":
			r.leave(list, "the element type is not Object")
			return
		default:
			return // of something else
		}
	}
	t := &translator{}
	fields := t.fields(list)
	switch {
	case t.reason != "":
	case declares(p.Subject.Record):
		t.fail("the record declares fields as properties too")
	case !array && len(fields) > 0 && declarable(p.Subject.Record, list, fields):
		t.declare(r, list, fields)
	case isType:
		t.fail("a type cannot declare a field that is called like an attribute, or none at all")
	default:
		t.label(r, p.Subject, list, array, fields)
	}
	if t.reason != "" {
		r.leave(list, t.reason)
	}
}

func (r *rewriter) leave(list *ast.Property, reason string) {
	r.left = append(r.left, Left{list.Key.Span(), reason})
}

// elementType returns the name of the element type that a record gives.
func elementType(record *ast.Record) string {
	p := record.Get("elementType")
	if p == nil {
		p = record.Get("of")
	}
	if p == nil {
		return ""
	}
	name, _ := ast.WordOf(p.Value)
	return name
}

// declares reports whether a property of the record declares a field.
func declares(record *ast.Record) bool {
	return slices.ContainsFunc(record.Properties, func(p *ast.Property) bool {
		return p.Separator == "::" && !slices.Contains(attributes, p.Key.Text)
	})
}

// declarable reports whether the fields can be properties of the record.
func declarable(record *ast.Record, list *ast.Property, fields []*field) bool {
	taken := map[string]bool{}
	for _, p := range record.Properties {
		taken[p.Key.Text] = p != list
	}
	return !slices.ContainsFunc(fields, func(f *field) bool {
		return taken[f.name] || slices.Contains(attributes, f.name)
	})
}

// declare replaces each field of the list by a property, and takes the list
// away. What stands between the fields stays, comments too.
func (t *translator) declare(r *rewriter, list *ast.Property, fields []*field) {
	array := list.Value.(*ast.Array)
	properties := make([]string, len(fields))
	for i, f := range fields {
		properties[i] = t.property(f)
		if commentsIn(f.entry) {
			t.fail("a comment inside of a field would be lost")
		}
	}
	if list.Key.Comments() != nil || array.Comments() != nil && len(array.Comments().Before) > 0 {
		t.fail("a comment before the fields would be lost")
	}
	if t.reason != "" {
		return
	}
	r.replace(list.Span().Start, array.Span().Start+len("["), "")
	for i, f := range fields {
		r.replace(f.entry.Span().Start, f.entry.Span().End, properties[i])
	}
	r.replace(array.Span().End-len("]"), array.Span().End, "")
}

// label replaces the label of a node by the type expression, and takes from the
// record what it says.
func (t *translator) label(r *rewriter, s *ast.Subject, list *ast.Property, array bool, fields []*field) {
	var expression strings.Builder
	t.object(&expression, fields, array)
	if commentsIn(s) {
		t.fail("a comment inside of the record would be lost")
	}
	var kept []string
	for _, p := range s.Record.Properties {
		key := p.Key.Text
		switch {
		case p == list, array && (key == "elementType" || key == "of"):
		default:
			kept = append(kept, p.Span().Text())
		}
	}
	if t.reason != "" {
		return
	}
	text := ast.Print(ast.NewName(expression.String()))
	if len(kept) > 0 {
		open := " {"
		if strings.Contains(r.src[s.Record.Span().Start:s.Record.Properties[0].Span().Start], "\n") {
			open = " {\n"
		}
		text += open + strings.Join(kept, ", ") + "}"
	}
	r.replace(s.Labels[0].Name.Span().Start, s.Record.Span().End, text)
}

// commentsIn reports whether comments stand inside of a node.
func commentsIn(n ast.Node) bool {
	for child := range ast.Preorder(n) {
		if c := child.Comments(); c != nil && (child != n || len(c.After) > 0) {
			return true
		}
	}
	return false
}

// Package migrate rewrites older notations of gram to the current one.
package migrate

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/vocabulary"
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
	r := &migrator{src: f.Source.Text()}
	for n := range ast.Preorder(f) {
		if p, ok := n.(*ast.Pattern); ok {
			r.pattern(p)
		}
	}
	r.out.WriteString(r.src[r.pos:])
	return r.out.String(), r.left
}

// A migrator copies a text and replaces parts of it.
type migrator struct {
	src    string
	out    strings.Builder
	pos    int // what of src is copied
	left   []Left
	reason string // why the current list is not rewritten, "" so far
}

// replace replaces the bytes from start to end. Calls come in the order of the
// text.
func (r *migrator) replace(start, end int, text string) {
	r.out.WriteString(r.src[r.pos:start])
	r.out.WriteString(text)
	r.pos = end
}

// fail notes why the list is not rewritten. The first reason counts.
func (r *migrator) fail(reason string) { r.reason = cmp.Or(r.reason, reason) }

// attributes are the properties of a parameter or a type, so that no property
// with such a key declares a field.
var attributes = sync.OnceValue(func() []string {
	return slices.Concat(vocabulary.Keys(vocabulary.OwnerParameter), vocabulary.Keys(vocabulary.OwnerField),
		vocabulary.Keys(vocabulary.OwnerType), vocabulary.Keys(vocabulary.OwnerEnum), vocabulary.Keys(vocabulary.OwnerUnion))
})

// pattern rewrites the fields of one node or bracket.
func (r *migrator) pattern(p *ast.Pattern) {
	label := ""
	switch {
	case p.Form == ast.FormBracket && p.HasLabel("Type"):
		label = "Type"
	case p.Form == ast.FormNode && len(p.Subject.Labels) == 1:
		label = p.Subject.Labels[0].Name.Text
	}
	list := p.Property("fields")
	if list == nil || !slices.Contains([]string{"Type", "Object", "Array", "[Object]"}, label) {
		return
	}
	r.reason = ""
	fields, record := r.fields(list.Value), p.Subject.Record
	array := label == "Array" || label == "[Object]"
	element := cmp.Or(record.Get("elementType"), record.Get("of"), &ast.Property{})
	if name, _ := ast.WordOf(element.Value); label == "Array" && name != "Object" {
		r.reason = "the element type is not Object"
	}
	switch {
	case r.reason != "":
	case slices.ContainsFunc(record.Properties, declares):
		r.fail("the record declares fields as properties too")
	case !array && len(fields) > 0 && declarable(record, list, fields):
		r.declare(list, fields)
	case label == "Type":
		r.fail("a type cannot declare a field that is called like an attribute, or none at all")
	default:
		r.label(p.Subject, list, array, fields)
	}
	if r.reason != "" {
		r.left = append(r.left, Left{list.Key.Span(), r.reason})
	}
}

// declares reports whether a property declares a field.
func declares(p *ast.Property) bool {
	return p.Separator == "::" && !slices.Contains(attributes(), p.Key.Text)
}

// declarable reports whether the fields can be properties of the record.
func declarable(record *ast.Record, list *ast.Property, fields []*field) bool {
	return !slices.ContainsFunc(fields, func(f *field) bool {
		other := record.Get(f.name)
		return other != nil && other != list || slices.Contains(attributes(), f.name)
	})
}

// declare replaces each field of the list by a property, and takes the list
// away. What stands between the fields stays, comments too.
func (r *migrator) declare(list *ast.Property, fields []*field) {
	array := list.Value.(*ast.Array)
	properties := make([]string, len(fields))
	for i, f := range fields {
		properties[i] = r.property(f)
		if commentsIn(f.entry) {
			r.fail("a comment inside of a field would be lost")
		}
	}
	if list.Key.Comments() != nil || array.Comments() != nil && len(array.Comments().Before) > 0 {
		r.fail("a comment before the fields would be lost")
	}
	if r.reason != "" {
		return
	}
	r.replace(list.Span().Start, array.Span().Start+len("["), "")
	for i, f := range fields {
		r.replace(f.entry.Span().Start, f.entry.Span().End, properties[i])
	}
	r.replace(array.Span().End-len("]"), array.Span().End, "")
}

// label replaces the label of a node by the type expression, and takes from the
// record what the expression contains.
func (r *migrator) label(s *ast.Subject, list *ast.Property, array bool, fields []*field) {
	text := ast.Print(ast.NewName(r.object(fields, array)))
	if commentsIn(s) {
		r.fail("a comment inside of the record would be lost")
	}
	var kept []string
	for _, p := range s.Record.Properties {
		if key := p.Key.Text; p != list && !(array && (key == "elementType" || key == "of")) {
			kept = append(kept, p.Span().Text())
		}
	}
	if r.reason != "" {
		return
	}
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

// A field is an entry of a list of fields: {name: "a", type: "Text", …}.
type field struct {
	entry     *ast.Record
	name      string
	typ       string   // a type expression; "" when the field is an object, or an array of them
	array     bool     // of such objects
	nested    []*field // the fields of such objects
	optional  bool
	modifiers []*ast.Property // description, default and the like
}

// fields reads a list of fields. Package compile explains its mistakes.
func (r *migrator) fields(list ast.Value) (fields []*field) {
	const mistakes = "the list has mistakes, which gramc check reports"
	array, ok := list.(*ast.Array)
	if !ok {
		r.fail(mistakes)
		return nil
	}
	seen := make(map[string]bool, len(array.Elements))
	for _, e := range array.Elements {
		entry, _ := e.(*ast.Record)
		f := r.field(entry)
		if f == nil || seen[f.name] {
			r.fail(mistakes)
			return nil
		}
		seen[f.name] = true
		fields = append(fields, f)
	}
	return fields
}

// field reads an entry. It is nil when the entry has a mistake.
func (r *migrator) field(entry *ast.Record) *field {
	if entry == nil {
		return nil
	}
	f := &field{entry: entry}
	words := make(map[string]string, len(entry.Properties))
	var nested *ast.Property
	for _, p := range entry.Properties {
		key := p.Key.Text
		ok := true
		switch key {
		case "name", "type", "of", "elementType":
			words[key], ok = ast.WordOf(p.Value)
			ok = ok && words[key] != ""
		case "fields":
			nested = p
		case "optional":
			var yes *ast.Bool
			yes, ok = p.Value.(*ast.Bool)
			f.optional = ok && yes.Value
		default:
			f.modifiers = append(f.modifiers, p)
		}
		if !ok || entry.Get(key) != p {
			return nil
		}
	}
	f.name, f.typ = words["name"], words["type"]
	element := words["of"] + words["elementType"]
	switch {
	case f.name == "", f.typ == "", words["of"] != "" && words["elementType"] != "":
		return nil
	case nested == nil && element == "":
	case nested == nil && f.typ == "Array":
		f.typ = "[" + element + "]"
	case nested != nil && (f.typ == "Object" || f.typ == "[Object]") && element == "",
		nested != nil && f.typ == "Array" && element == "Object":
		f.array = f.typ != "Object"
		f.typ, f.nested = "", r.fields(nested.Value)
	default:
		return nil
	}
	return f
}

// object returns the type expression of an object, or of an array of them.
func (r *migrator) object(fields []*field, array bool) string {
	text := "{" + commaList(fields, r.inline) + "}"
	if array {
		return "[" + text + "]"
	}
	return text
}

// inline returns a field as a type expression has it: name: Type = default.
func (r *migrator) inline(f *field) string {
	var attrs []string
	preset := ""
	for _, p := range f.modifiers {
		text := r.literal(p.Value)
		if p.Key.Text == "default" {
			preset = " = " + text
		} else {
			attrs = append(attrs, name(p.Key.Text)+"="+text)
		}
	}
	typ, optional := f.typ, f.optional
	if inner, maybe := strings.CutPrefix(typ, "Maybe "); maybe {
		typ, optional = strings.TrimSpace(inner), true
	}
	key := name(f.name)
	if optional && preset == "" {
		key += "?"
	}
	switch {
	case typ == "":
		typ = r.object(f.nested, f.array)
	case len(attrs) > 0 && !isSymbol(strings.Trim(typ, "[]")):
		typ = "(" + typ + ")"
	}
	if len(attrs) > 0 {
		typ += "(" + strings.Join(attrs, ", ") + ")"
	}
	return key + ": " + typ + preset
}

// property returns a field as a property that declares it.
func (r *migrator) property(f *field) string {
	typ, space := f.typ, ""
	if typ == "" {
		typ = r.object(f.nested, f.array)
	}
	if !isSymbol(typ) {
		typ, space = ast.Print(&ast.Tagged{Tag: "type", Text: typ}), " "
	}
	if len(f.modifiers) == 0 && !f.optional {
		return name(f.name) + "::" + space + typ
	}
	parts := []string{"type: " + typ}
	if f.optional {
		parts = append(parts, "optional: true")
	}
	for _, p := range f.modifiers {
		switch p.Value.(type) {
		case *ast.Array, *ast.Record:
			r.fail("the value " + p.Value.Span().Text() + " has no place in a map")
		}
		parts = append(parts, p.Key.Raw+": "+p.Value.Span().Text())
	}
	return name(f.name) + "::{" + strings.Join(parts, ", ") + "}"
}

// literal returns a value as a type expression writes it.
func (r *migrator) literal(v ast.Value) string {
	switch v := v.(type) {
	case *ast.String:
		return ast.Print(&ast.String{Text: v.Text})
	case *ast.Bool:
		return ast.Print(v)
	case *ast.Symbol:
		if v.Text != "null" {
			return ast.Print(&ast.String{Text: v.Text})
		}
	case *ast.Number:
		if v.Kind != ast.Measurement {
			return v.Digits()
		}
	case *ast.Array:
		return "[" + commaList(v.Elements, r.literal) + "]"
	case *ast.Record:
		return "{" + commaList(v.Properties, func(p *ast.Property) string { return name(p.Key.Text) + ": " + r.literal(p.Value) }) + "}"
	}
	r.fail("a type expression cannot have the value " + v.Span().Text())
	return ""
}

// commaList returns what write makes of the items, with commas between.
func commaList[T any](items []T, write func(T) string) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = write(item)
	}
	return strings.Join(texts, ", ")
}

// name returns the name of a field, in quotes where it is not a symbol.
func name(text string) string {
	if isSymbol(text) {
		return text
	}
	return ast.Print(&ast.Name{Kind: ast.NameDouble, Text: text})
}

func isSymbol(text string) bool { return ast.NewName(text).Kind == ast.NameSymbol }

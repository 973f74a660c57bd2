package types

import (
	"fmt"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// labelType lowers the type label of a node that has labels, and reports whether
// it says Maybe. The type is nil when it reported an error.
func (c *Checker) labelType(n *ast.Pattern, what string) (t *Type, optional bool) {
	labels := n.Subject.Labels
	for _, l := range labels[1:] {
		if l.Name.Text != labels[0].Name.Text {
			d := c.Diags.Errorf(l.Span(), diag.CodeMultipleTypes,
				"%s has the types %s and %s; it takes exactly one", what, report.Clip(labels[0].Name.Text), report.Clip(l.Name.Text))
			report.Fix(d, "keep "+report.Clip(labels[0].Name.Text), l.Span(), "")
			return nil, false
		}
	}
	name := labels[0].Name
	return c.ParseType(name.Text, name)
}

// ParseType lowers the text of a node as a type expression.
func (c *Checker) ParseType(text string, n ast.Node) (t *Type, optional bool) {
	place := n.Span()
	if kind, known := kindNamed(text); known { // most types
		t = c.types.take()
		t.Kind, t.Name, t.Span = kind, text, place
		return t, false
	}
	if def := c.TypeNamed(text); def != nil && place.Text() == text { // most others
		return c.useType(def, place), false
	}
	return newExpression(c, text, n).whole()
}

// TypeValue lowers the value of a property as a type. When it is no text it
// reports so with code.
func (c *Checker) TypeValue(p *ast.Property, code diag.Code, what string) (t *Type, optional bool) {
	text, ok := ast.WordOf(p.Value)
	if list, isList := p.Value.(*ast.Array); isList && len(list.Elements) == 1 {
		if word, bare := list.Elements[0].(*ast.Symbol); bare {
			of := "type`[" + word.Text + "]`"
			d := c.Diags.Errorf(list.Span(), code, "a type that is more than a name stands in backticks: %s", report.Clip(of))
			report.Fix(d, "write "+report.Clip(of), list.Span(), of)
			return nil, false
		}
	}
	if !ok {
		c.Diags.Errorf(p.Value.Span(), code, `%s of %s is %s, where a type is expected, such as "Text"`,
			report.Quote(p.Key.Text), what, report.KindOf(p.Value))
		return nil, false
	}
	return c.ParseType(text, p.Value)
}

// readStructure adds to t what the record of its node says of its parts: the type
// of the elements of an array or of the values of a map, the fields of an
// object. T is nil when the type itself is wrong; then the record is checked
// all the same.
func (c *Checker) readStructure(t *Type, r *ast.Record, what string) {
	c.elementType(t, r, what)
	fields, p, ok := c.declaredFields(r, what)
	if list := attributeIn(r, "fields"); list != nil {
		if p != nil {
			c.Diags.Errorf(list.Key.Span(), diag.CodeMalformedFields, "%s has its fields already, written as name::Type", what)
			return
		}
		p = list
		fields, ok = c.listedFields(list, what)
	}
	if t == nil || p == nil {
		return
	}
	target := t
	if t.Kind == KindArray && t.Elem != nil {
		target = t.Elem
	}
	switch {
	case target.Kind == KindObject && target.Fields == nil && target.Def == nil:
		if ok {
			target.setFields(fields)
		}
	case target.Kind == KindObject || target.Def != nil:
		c.Diags.Errorf(p.Key.Span(), diag.CodeMalformedFields, "%s has its fields already", what)
	case target.Kind == KindArray:
		d := c.Diags.Errorf(p.Key.Span(), diag.CodeMalformedFields,
			`%s is an array; with elementType:"Object" the fields are those of its elements`, what)
		report.Fix(d, "add the element type", p.Key.Span().Head(), `elementType:"Object", `)
	default:
		c.Diags.Errorf(p.Key.Span(), diag.CodeMalformedFields, "%s is %s; only Object has fields", what, TypeWord(target))
	}
}

// DeclaresField reports whether a property declares a field: name::Type. The words
// that are attributes declare one only where the value can be nothing but a
// type, and of, elementType and fields never do.
func DeclaresField(p *ast.Property) bool {
	if p.Separator != "::" {
		return false
	}
	switch key := p.Key.Text; {
	case attributes[key] == nil:
		return true
	case key == "of", key == "elementType", key == "fields":
		return false
	}
	switch v := p.Value.(type) {
	case *ast.Tagged:
		return v.Tag == TagType
	case *ast.Symbol:
		return v.Text != "" && 'A' <= v.Text[0] && v.Text[0] <= 'Z'
	case *ast.Record:
		return v.Get("type") != nil
	}
	return false
}

// attributeIn returns the attribute of that key in a record; nil where there is
// none, or none that parsed, or the key is that of a field.
func attributeIn(r *ast.Record, key string) *ast.Property {
	if p := r.Get(key); p != nil && p.Value != nil && !DeclaresField(p) {
		return p
	}
	return nil
}

// TagType is the tag of a text that is a type expression: type`[Text]`.
const TagType = "type"

// declaredFields lowers the fields of an object that are written as properties,
// {name::Text, age::Int}, and returns the first of these properties.
func (c *Checker) declaredFields(r *ast.Record, what string) (fields []*Param, first *ast.Property, ok bool) {
	if r == nil {
		return nil, nil, true
	}
	ok = true
	for _, p := range r.Properties {
		if !DeclaresField(p) || p.Value == nil {
			continue
		}
		if first == nil {
			first = p
		}
		if p.Key.Text == "" {
			c.Diags.Errorf(p.Key.Span(), diag.CodeMalformedFields, "a field of %s has an empty name", what)
			ok = false
			continue
		}
		f := c.declaredField(p, what)
		fields = append(fields, f) // a key occurs once, or duplicate-key says so
		ok = ok && f.Type != nil
	}
	return fields, first, ok
}

// declaredField lowers name::Type, or name::{type:Type, default:…}.
func (c *Checker) declaredField(p *ast.Property, of string) *Param {
	f := &Param{Name: p.Key.Text, Span: p.Key.Span()}
	r, isMap := p.Value.(*ast.Record)
	if !isMap {
		f.Type, f.Optional = c.TypeValue(p, diag.CodeInvalidType, of)
		return f
	}
	what := report.Named("the field", f.Name)
	typ := r.Get("type")
	if typ == nil {
		c.noFieldProperty(r, "type", "Text", what)
		return f
	}
	c.UnknownProperties(r, "a field", declaredKeys)
	if typ.Value != nil {
		f.Type, f.Optional = c.TypeValue(typ, diag.CodeInvalidType, what)
	}
	c.fieldAttributes(f, r, what)
	return f
}

// fieldAttributes reads what the record of a parameter or a field says of it
// and of its type.
func (c *Checker) fieldAttributes(f *Param, r *ast.Record, what string) {
	c.readStructure(f.Type, r, what)
	c.readAttributes(f.Type, r, what, "default", "description")
	c.readModifiers(f, r, what)
}

// elementType reads the properties elementType and of, which are the same.
func (c *Checker) elementType(t *Type, r *ast.Record, what string) {
	p, other := r.Get("elementType"), r.Get("of")
	if p == nil {
		p = other
	} else if other != nil {
		c.Diags.Errorf(other.Key.Span(), diag.CodeInvalidConstraint, "%s has both elementType and of, which mean the same", what)
	}
	if p == nil || p.Value == nil {
		return
	}
	elem, optional := c.TypeValue(p, diag.CodeInvalidConstraint, what)
	if optional {
		c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidType, "the elements of an array cannot be Maybe")
	}
	switch {
	case t == nil:
	case t.Elem != nil || t.Rest != nil || t.Def != nil:
		c.Diags.Errorf(p.Key.Span(), diag.CodeInvalidConstraint, "%s has a type for its elements already", what)
	case t.Kind == KindArray:
		t.Elem = elem
	case t.Kind == KindObject:
		t.Rest = elem
	default:
		c.Diags.Errorf(p.Key.Span(), diag.CodeInvalidConstraint, "%s is %s; only Array and Map have elements", what, TypeWord(t))
	}
}

// listedFields lowers [{name:"a", type:"Text"}, …].
func (c *Checker) listedFields(p *ast.Property, what string) ([]*Param, bool) {
	list, ok := p.Value.(*ast.Array)
	if !ok {
		c.Diags.Errorf(p.Value.Span(), diag.CodeMalformedFields,
			"the fields of %s are %s; write each field as a property instead: {a::Text, b::Int}", what, report.KindOf(p.Value))
		return nil, false
	}
	fields := make([]*Param, 0, len(list.Elements))
	byName := make(map[string]*Param, len(list.Elements))
	for _, e := range list.Elements {
		entry, isMap := e.(*ast.Record)
		if !isMap {
			c.Diags.Errorf(e.Span(), diag.CodeMalformedFields,
				`a field of %s is %s; write it as {name:"a", type:"Text"}`, what, report.KindOf(e))
			ok = false
			continue
		}
		f := c.listedField(entry, what)
		c.duplicateParam(byName, f, diag.CodeDuplicateField, "field")
		fields = append(fields, f)
		ok = ok && f.Type != nil
	}
	return fields, ok
}

// listedField lowers {name:"a", type:"Text", default:…}.
func (c *Checker) listedField(r *ast.Record, of string) *Param {
	f := &Param{Span: r.Span()}
	what := "a field of " + of
	if p := r.Get("name"); p == nil {
		c.noFieldProperty(r, "name", `"a"`, what)
	} else if p.Value != nil {
		f.Span = p.Value.Span()
		f.Name = c.fieldName(p, what)
	}
	if f.Name != "" {
		what = report.Named("the field", f.Name)
	}
	c.UnknownProperties(r, "a field", fieldKeys)
	if p := r.Get("type"); p == nil {
		c.noFieldProperty(r, "type", `"Text"`, what)
	} else if p.Value != nil {
		f.Type, f.Optional = c.TypeValue(p, diag.CodeMalformedFields, what)
	}
	c.fieldAttributes(f, r, what)
	return f
}

// noFieldProperty reports that a field has no name or no type.
func (c *Checker) noFieldProperty(r *ast.Record, key, example, what string) {
	if r.Broken {
		return
	}
	s := &ast.Subject{Base: ast.At(r.Span()), Record: r}
	d := c.Diags.Errorf(report.EndOf(s), diag.CodeMalformedFields, "%s has no %s", what, key)
	report.AddProperty(d, s, fmt.Sprintf("%s:%s", key, example))
}

func (c *Checker) fieldName(p *ast.Property, what string) string {
	name, ok := ast.WordOf(p.Value)
	if !ok {
		c.NotText(p, diag.CodeMalformedFields, what)
	} else if name == "" { // a symbol never is
		c.Diags.Errorf(p.Value.Span(), diag.CodeMalformedFields, "the name of %s is empty", what)
	}
	return name
}

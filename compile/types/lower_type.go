package types

import (
	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// lowerTypeLabel lowers the type label of a node that has labels, and reports whether
// it says Maybe. The type is nil when it reported an error.
func (c *Checker) lowerTypeLabel(n *ast.Pattern, what string) (t *Type, optional bool) {
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
	return c.LowerTypeText(name.Text, name)
}

// LowerTypeText lowers the text of a node as a type expression.
func (c *Checker) LowerTypeText(text string, n ast.Node) (t *Type, optional bool) {
	place := n.Span()
	if kind, known := kindNamed(text); known { // most types
		t = c.types.take()
		t.Kind, t.Name, t.Span = kind, text, place
		return t, false
	}
	if def := c.NamedType(text); def != nil && place.Text() == text { // most others
		return c.useNamedType(def, place), false
	}
	return newExpression(c, text, n).whole()
}

// LowerTypeValue lowers the value of a property as a type. When it is no text it
// reports so with code.
func (c *Checker) LowerTypeValue(p *ast.Property, code diag.Code, what string) (t *Type, optional bool) {
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
	return c.LowerTypeText(text, p.Value)
}

// lowerTypeStructure adds to t what the record of its node says of its parts: the type
// of the elements of an array or of the values of a map, the fields of an
// object. T is nil when the type itself is wrong; then the record is checked
// all the same.
func (c *Checker) lowerTypeStructure(t *Type, r *ast.Record, what string) {
	c.lowerElementType(t, r, what)
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

// TagType is the tag of a text that is a type expression: type`[Text]`.
const TagType = "type"

// lowerElementType reads the properties lowerElementType and of, which are the same.
func (c *Checker) lowerElementType(t *Type, r *ast.Record, what string) {
	p, other := r.Get("elementType"), r.Get("of")
	if p == nil {
		p = other
	} else if other != nil {
		c.Diags.Errorf(other.Key.Span(), diag.CodeInvalidConstraint, "%s has both elementType and of, which mean the same", what)
	}
	if p == nil || p.Value == nil {
		return
	}
	elem, optional := c.LowerTypeValue(p, diag.CodeInvalidConstraint, what)
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

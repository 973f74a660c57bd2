package types

import (
	"fmt"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// DeclaresField reports whether a property declares a field: name::Type. The words
// that are attributes declare one only where the value can be nothing but a
// type, and of, lowerElementType and fields never do.
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
		f.Type, f.Optional = c.LowerTypeValue(p, diag.CodeInvalidType, of)
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
		f.Type, f.Optional = c.LowerTypeValue(typ, diag.CodeInvalidType, what)
	}
	c.fieldAttributes(f, r, what)
	return f
}

// fieldAttributes reads what the record of a parameter or a field says of it
// and of its type.
func (c *Checker) fieldAttributes(f *Param, r *ast.Record, what string) {
	c.lowerTypeStructure(f.Type, r, what)
	c.readAttributes(f.Type, r, what, "default", "description")
	c.readParamModifiers(f, r, what)
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
	var names paramNames
	for _, e := range list.Elements {
		entry, isMap := e.(*ast.Record)
		if !isMap {
			c.Diags.Errorf(e.Span(), diag.CodeMalformedFields,
				`a field of %s is %s; write it as {name:"a", type:"Text"}`, what, report.KindOf(e))
			ok = false
			continue
		}
		f := c.listedField(entry, what)
		c.duplicateParam(&names, f, diag.CodeDuplicateField, "field")
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
		f.Type, f.Optional = c.LowerTypeValue(p, diag.CodeMalformedFields, what)
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

// IsFieldWord reports whether a field of a type expression can have a name
// without quotes.
func IsFieldWord(name string) bool {
	e := &expression{text: name}
	return name != "" && isFieldNameStart(name[0]) && e.name() == name
}

// isFieldNameStart reports whether a name may start with b. Letters outside ASCII
// may stand in the names of fields.
func isFieldNameStart(b byte) bool { return b == '_' || 'a' <= b|0x20 && b|0x20 <= 'z' || b >= 0x80 }

func isFieldNamePart(b byte) bool {
	return isFieldNameStart(b) || '0' <= b && b <= '9' || b == '.' || b == '@' || b == '-'
}

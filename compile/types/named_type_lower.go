package types

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// lowerNamedType lowers one type.
func (c *Checker) lowerNamedType(d *TypeDef) {
	p := d.Pattern
	if slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return e.Form == ast.FormBad || e.Broken }) {
		return // which the parser has reported
	}
	what := report.Named("the type", d.Name)
	var t *Type
	switch {
	case p.HasLabel(ast.LabelEnum):
		t = c.lowerNamedEnum(p, what)
	case p.HasLabel(ast.LabelUnion):
		t = c.lowerNamedUnion(p, what)
	default:
		t = c.lowerNamedRecordOrAlias(p, what)
	}
	if shared := attributeIn(p.Subject.Record, "shared"); shared != nil {
		c.lowerSharedType(d, shared, what)
	}
	if t != nil {
		t.Span = report.NameSpan(p)
	}
	d.Type = t
}

// lowerSharedType reads shared:true, or shared:"key" where schemas call the type
// otherwise than gram does.
func (c *Checker) lowerSharedType(d *TypeDef, p *ast.Property, what string) {
	key, ok := ast.TextOf(p.Value)
	switch {
	case !ok:
		d.Shared = c.Flag(p, what)
	case key == "":
		c.InvalidAttribute(p, what, "true, or what schemas call the type")
	default:
		d.Shared, d.Key = true, key
	}
}

// lowerNamedRecordOrAlias lowers [Name:Type …].
func (c *Checker) lowerNamedRecordOrAlias(p *ast.Pattern, what string) *Type {
	r := p.Subject.Record
	c.UnknownProperties(r, "a type", namedKeys)
	var t *Type
	switch only := lowerNamedAlias(p); {
	case only != nil:
		c.UnknownProperties(only.Subject.Record, "a type", typeKeys)
		var optional bool
		t, optional = c.lowerTypeLabel(only, what)
		if optional {
			c.Diags.Errorf(only.Span(), diag.CodeInvalidType, "a named type cannot be Maybe; make the field optional that holds it")
		}
		c.lowerTypeStructure(t, only.Subject.Record, what)
		c.readAttributes(t, only.Subject.Record, what)
	case len(p.Elements) > 0:
		t = objectType("", c.lowerNamedElements(p, what))
	default:
		t = &Type{Kind: KindObject}
		if !lowerNamedSaysMore(r) {
			c.Diags.Errorf(report.EndOf(p.Subject), diag.CodeMissingType,
				"%s says nothing; write its fields: [%s:Type | (name::Text)]", what, report.Clip(p.Identity()))
			return nil
		}
	}
	c.lowerTypeStructure(t, r, what)
	c.readAttributes(t, r, what)
	return t
}

// lowerNamedSaysMore reports whether a record holds more than notes.
func lowerNamedSaysMore(r *ast.Record) bool {
	return r != nil && slices.ContainsFunc(r.Properties, func(p *ast.Property) bool {
		return p.Value == nil || DeclaresField(p) || !isNoteKeyword(p.Key.Text) && p.Key.Text != "shared"
	})
}

// lowerNamedAlias returns the only element when it is (::Type), which makes the
// pattern another name of that type.
func lowerNamedAlias(p *ast.Pattern) *ast.Pattern {
	if len(p.Elements) != 1 {
		return nil
	}
	e := p.Elements[0]
	if e.Form != ast.FormNode || e.Subject.Identity != nil || len(e.Subject.Labels) == 0 || e.Property("paramName") != nil {
		return nil
	}
	return e
}

// lowerNamedElements lowers elements as the fields of an object.
func (c *Checker) lowerNamedElements(p *ast.Pattern, what string) []*Param {
	fields := make([]*Param, 0, len(p.Elements))
	var names paramNames
	for i, e := range p.Elements {
		if e.Form != ast.FormNode {
			c.Diags.Errorf(e.Span(), diag.CodeMalformedFields, "a field of %s is a node: (name::Text)", what)
			continue
		}
		f := c.lowerParam(e, i+1, "field")
		if f.Type == nil {
			continue
		}
		fields = append(fields, f)
		c.duplicateParam(&names, f, diag.CodeDuplicateField, "field")
	}
	return fields
}

// lowerNamedEnumFix adds the fix that makes values of names that are the elements of an enum.
func lowerNamedEnumFix(d *diag.Diagnostic, p *ast.Pattern) {
	var values []string
	for _, e := range p.Elements {
		if e.Form != ast.FormRef || p.Subject.Record != nil {
			return
		}
		values = append(values, ast.Print(&ast.String{Text: e.Identity()}))
	}
	place := p.Subject.Span()
	place.Start, place.End = place.End, p.Elements[len(p.Elements)-1].Span().End
	report.Fix(d, "write them as values", place, " {values: ["+strings.Join(values, ", ")+"]}")
}

// lowerNamedEnum lowers [Name:Enum {values:[…]}].
func (c *Checker) lowerNamedEnum(p *ast.Pattern, what string) *Type {
	c.UnknownProperties(p.Subject.Record, "an enum", enumKeys, "values")
	if len(p.Elements) > 0 {
		d := c.Diags.Errorf(p.Elements[0].Span(), diag.CodeInvalidType, `%s has elements; its values are a property: {values:["a", "b"]}`, what)
		lowerNamedEnumFix(d, p)
		return nil
	}
	values := p.Property("values")
	if values == nil || values.Value == nil {
		if values == nil && !IncompleteProperties(p) {
			d := c.Diags.Errorf(report.EndOf(p.Subject), diag.CodeMissingType, `%s has no values; write {values:["a", "b"]}`, what)
			report.AddProperty(d, p.Subject, `values:["a", "b"]`)
		}
		return nil
	}
	t := &Type{}
	enum := c.readEnumAttribute(values, t, what)
	if enum == nil {
		return nil
	}
	if _, isList := values.Value.(*ast.Array); isList {
		t.Kind = lowerNamedEnumKind(enum)
	}
	t.Keywords = []Keyword{{"enum", enum, values.Key.Span()}}
	c.readAttributes(t, p.Subject.Record, what)
	return t
}

// lowerNamedEnumKind returns the kind of all values of a list, KindAny when they differ.
func lowerNamedEnumKind(list json.RawMessage) Kind {
	var values []json.RawMessage
	if err := json.Unmarshal(list, &values); err != nil {
		panic("types: " + err.Error())
	}
	kind := KindAny
	for i, v := range values {
		k := KindAny
		switch {
		case v[0] == '"':
			k = KindString
		case v[0] == 't' || v[0] == 'f':
			k = KindBoolean
		case bytes.ContainsAny(v[:1], "-0123456789"):
			k = KindInteger
			if bytes.ContainsAny(v, ".eE") || kind == KindNumber {
				k = KindNumber
			}
		}
		if i > 0 && k != kind && !(kind == KindInteger && k == KindNumber) {
			return KindAny
		}
		kind = k
	}
	return kind
}

// lowerNamedUnion lowers [Name:Union | (::A), (::B)].
func (c *Checker) lowerNamedUnion(p *ast.Pattern, what string) *Type {
	r := p.Subject.Record
	c.UnknownProperties(r, "a union", unionKeys)
	if len(p.Elements) == 0 {
		if !IncompleteProperties(p) {
			c.Diags.Errorf(report.LastByte(p.Span(), "]"), diag.CodeMissingType, "%s has no alternatives; write | (::A), (::B) before the bracket closes", what)
		}
		return nil
	}
	t := &Type{}
	for _, e := range p.Elements {
		if e.Form != ast.FormNode || len(e.Subject.Labels) == 0 {
			d := c.Diags.Errorf(e.Span(), diag.CodeInvalidType, "an alternative of %s is a node with a type: (::Name)", what)
			if name := e.Subject.Identity; e.Form == ast.FormRef || e.Form == ast.FormNode && name != nil && e.Subject.Record == nil {
				report.Fix(d, "write (::"+ast.Print(name)+")", e.Span(), "(::"+ast.Print(name)+")")
			}
			return nil
		}
		c.UnknownProperties(e.Subject.Record, "a type", typeKeys)
		alternative, optional := c.lowerTypeLabel(e, what)
		if optional {
			c.Diags.Errorf(e.Span(), diag.CodeInvalidType, "an alternative of a union cannot be Maybe")
		}
		if alternative == nil {
			return nil
		}
		c.lowerTypeStructure(alternative, e.Subject.Record, what)
		c.readAttributes(alternative, e.Subject.Record, what)
		t.Union = append(t.Union, alternative)
	}
	if exclusive := attributeIn(r, "exclusive"); exclusive != nil {
		t.Exclusive = c.Flag(exclusive, what)
	}
	c.readAttributes(t, r, what)
	if discriminator := attributeIn(r, "discriminator"); discriminator != nil {
		c.whenNamedTypesLowered(compare, func() { c.lowerNamedDiscriminator(t, p, discriminator, what) })
	}
	return t
}

// lowerNamedDiscriminatorFix adds the field of an alternative that may be meant by a discriminator: one
// that is like it, or else the only one that has one value.
func (c *Checker) lowerNamedDiscriminatorFix(d *diag.Diagnostic, property *ast.Property, field string, t *Type) {
	var all, constant []string
	for _, f := range t.Fields {
		all = append(all, f.Name)
		if f.Type != nil && f.Type.keyword("const") != nil {
			constant = append(constant, f.Name)
		}
	}
	near := c.Guess(field, all)
	if near == "" && len(constant) == 1 {
		near = constant[0]
	}
	if near != "" && near != field {
		d.Message += fmt.Sprintf("; did you mean %s?", report.Clip(near))
		report.Fix(d, "write "+report.Clip(near), property.Value.Span(), ast.Print(ast.NewName(near)))
	}
}

// lowerNamedDiscriminator checks that a field distinguishes the alternatives of a union:
// all are objects, and each has another constant in it.
func (c *Checker) lowerNamedDiscriminator(t *Type, p *ast.Pattern, property *ast.Property, what string) {
	field, ok := ast.WordOf(property.Value)
	if !ok {
		c.NotText(property, diag.CodeInvalidConstraint, what)
		return
	}
	seen := map[string]source.Span{}
	for i, alternative := range t.Union {
		place := p.Elements[i].Span()
		whole := alternative.Resolved()
		if whole == nil {
			continue
		}
		f := whole.Field(field)
		if whole.Kind != KindObject || f == nil || f.Optional || f.Type == nil {
			d := c.Diags.Errorf(place, diag.CodeInvalidConstraint, "the discriminator %s of %s is no required field of %s", report.Quote(field), what, TypeWord(alternative))
			c.lowerNamedDiscriminatorFix(d, property, field, whole)
			return
		}
		value := f.Type.keyword("const")
		if value == nil {
			c.Diags.Errorf(place, diag.CodeInvalidConstraint, "the discriminator %s of %s can have more than one value in %s; write it %s:: type`\"…\"`",
				report.Quote(field), what, TypeWord(alternative), report.Clip(field))
			return
		}
		if first, twice := seen[string(value)]; twice {
			d := c.Diags.Errorf(place, diag.CodeInvalidConstraint, "two alternatives of %s have %s %s", what, report.Clip(field), report.Clip(string(value)))
			report.Relate(d, first, "first here")
			return
		}
		seen[string(value)] = place
	}
}

// LowerNamedTypes lowers all named types.
func (c *Checker) LowerNamedTypes() {
	patterns := c.Scope.Types
	if c.Graph {
		patterns = slices.DeleteFunc(slices.Clone(patterns), namedTypeSaysNothing)
	}
	if len(patterns) == 0 {
		return
	}
	c.Named = NamedTypes{
		byName: make(map[string]*TypeDef, len(patterns)),
		Used:   make(map[*TypeDef]bool, len(patterns)),
	}
	if len(patterns) > maxNamedTypes {
		c.Diags.Errorf(report.NameSpan(patterns[maxNamedTypes]), diag.CodeTooLarge, "more than %d named types", maxNamedTypes)
		patterns = patterns[:maxNamedTypes]
	}
	for _, p := range patterns {
		d := &TypeDef{Name: p.Identity(), Pattern: p}
		c.inNamedType(d, func() { c.defineNamedType(d) })
		c.Named.Order = append(c.Named.Order, d)
	}
	c.Diags = append(c.Diags, c.Conflicts...)
	if c.Mentions != nil {
		c.Named.Order = c.skipLazyTypes(c.Named.Order)
	}
	for i, d := range c.Named.Order {
		d.number = i
		c.Named.current = d
		c.inNamedType(d, func() { c.lowerNamedType(d) })
	}
	c.Named.current = nil
	c.findAliasRecursion()
	for s := range c.Named.deferred {
		for _, later := range c.Named.deferred[s] {
			c.inNamedType(later.of, later.do)
		}
		c.Named.deferred[s] = nil
	}
	c.findRecursion()
	c.findInfiniteRecursion()
	c.markWrongNamedTypes()
}

package lsp

import (
	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
)

// This file finds the names of types, of their fields, and of values for these.

// typeShape returns the shape of what nothing is known of yet.
func (b *indexer) typeShape() *shape { return &shape{document: b.document} }

// typeNames finds the names in a type expression, and adds to a shape what it is.
func (b *indexer) typeNames(n ast.Node, of *definition, s *shape) {
	b.typeOutline(types.OutlineOf(n), indexedForm(n), of, s)
}

// typeOutline finds the names of a type expression that is written in that form.
func (b *indexer) typeOutline(o *types.Outline, f form, of *definition, s *shape) {
	for _, w := range o.Types {
		b.refer(place{spelling: indexedSpelling(w.Span, f), name: w.Text, purpose: typing, in: topmostDefinition(of)})
		s.types = append(s.types, w.Text)
	}
	for _, field := range o.Fields {
		s.fields = of
		def := &definition{document: b.document, kind: fieldKind, name: field.Text, owner: of}
		def.spelling = indexedSpelling(field.Span, f)
		def.code = typeCode
		def.from, def.to = def.start, def.end
		def.holds = b.typeShape()
		b.add(def)
		b.typeOutline(field.Type, f, def, def.holds)
		b.typeValues(field.Default, f, typeCode, &filled{shape: def.holds}, def)
	}
	if o.Rest != nil {
		if s.rest == nil {
			s.rest = b.typeShape()
		}
		b.typeOutline(o.Rest, f, of, s.rest)
	}
	for _, v := range o.Values {
		b.typeValues(v, f, typeCode, &filled{shape: s}, of)
	}
}

// typeAttributes finds the names in the record of a parameter, a field or a type.
func (b *indexer) typeAttributes(r *ast.Record, of *definition) {
	if r == nil {
		return
	}
	b.texts(r, topmostDefinition(of))
	for _, p := range r.Properties {
		switch {
		case p.Value == nil:
		case types.DeclaresField(p):
			b.declaredTypeField(p, of)
		case p.Key.Text == "of", p.Key.Text == "elementType":
			elements := of.holds
			if elements.rest != nil {
				elements = elements.rest
			}
			b.typeNames(p.Value, of, elements)
		case p.Key.Text == "fields":
			b.listedTypeFields(p.Value, of)
		case types.AttributeHasFields(p.Key.Text):
			b.typeValues(p.Value, asName, noCode, &filled{shape: of.holds}, of)
		}
	}
}

// declaredTypeField finds the names of a field name::Type, or name::{type: Type, …}.
func (b *indexer) declaredTypeField(p *ast.Property, of *definition) {
	def := b.definition(fieldKind, p, of)
	def.name, def.spelling = p.Key.Text, indexedSpelling(p.Key.Span(), asName)
	b.add(def)
	of.holds.fields = of
	def.holds = b.typeShape()
	if r, ok := p.Value.(*ast.Record); ok {
		b.typeField(r, def)
		return
	}
	b.typeNames(p.Value, def, def.holds)
}

// typeField finds the names in the record of a field.
func (b *indexer) typeField(r *ast.Record, def *definition) {
	def.holds = b.typeShape()
	if typ := r.Get("type"); typ != nil && typ.Value != nil {
		b.typeNames(typ.Value, def, def.holds)
	}
	b.typeAttributes(r, def)
}

// listedTypeFields finds the names of fields: [{name: "a", type: "Text"}].
func (b *indexer) listedTypeFields(v ast.Value, of *definition) {
	list, _ := v.(*ast.Array)
	if list == nil {
		return
	}
	of.holds.fields = of
	for _, e := range list.Elements {
		r, ok := e.(*ast.Record)
		if !ok {
			continue
		}
		def := b.definition(fieldKind, r, of)
		if name := r.Get("name"); name != nil && name.Value != nil {
			if text, ok := ast.WordOf(name.Value); ok {
				def.name, def.spelling = text, indexedSpelling(name.Value.Span(), asValue)
			}
		}
		b.add(def)
		b.typeField(r, def)
	}
}

// typeValues finds the fields that are given values, by keys that are written in that
// form.
func (b *indexer) typeValues(v ast.Value, f form, c code, of *filled, in *definition) {
	switch v := v.(type) {
	case *ast.Array:
		for _, e := range v.Elements {
			b.typeValues(e, f, c, of, in)
		}
	case *ast.Record:
		for _, p := range v.Properties {
			key := indexedSpelling(p.Key.Span(), f)
			key.code = c
			b.refer(place{spelling: key, name: p.Key.Text, purpose: field, in: topmostDefinition(in), of: of})
			b.typeValues(p.Value, f, c, &filled{outer: of, key: p.Key.Text}, in)
		}
	case *ast.Tagged:
		if c == noCode {
			b.typeValues(types.LiteralJSON(v), indexedForm(v), jsonCode, of, in)
		}
	}
}

// namedType finds the names of a type.
func (b *indexer) namedType(p *ast.Pattern) {
	def := b.define(typeKind, p, nil)
	def.holds = b.typeShape()
	b.typeAttributes(p.Subject.Record, def)
	for _, e := range p.Elements {
		switch {
		case e.Form != ast.FormNode:
		case e.Subject.Identity != nil || e.Property("paramName") != nil:
			def.holds.fields = def
			b.node(e, fieldKind, def)
		default:
			for _, l := range e.Subject.Labels {
				b.typeNames(l.Name, def, def.holds)
			}
			b.typeAttributes(e.Subject.Record, def)
		}
	}
	if by := p.Property("discriminator"); by != nil && by.Value != nil && p.HasLabel(ast.LabelUnion) {
		if name, ok := ast.WordOf(by.Value); ok {
			b.refer(place{spelling: indexedSpelling(by.Value.Span(), asValue), name: name, purpose: field, in: def, of: &filled{shape: def.holds}})
		}
	}
}

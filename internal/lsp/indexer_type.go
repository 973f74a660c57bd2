package lsp

import (
	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
)

// This file finds the names of types, of their fields, and of values for these.

// attributes finds the names in the record of a parameter, a field or a type.
// The names are those of its types.
func (b *indexer) attributes(r *ast.Record, of *definition, types []string) {
	if r == nil {
		return
	}
	in := topmost(of)
	b.texts(r, in)
	for _, p := range r.Properties {
		switch {
		case p.Value == nil:
		case compile.DeclaresField(p):
			b.declared(p, of)
		case p.Key.Text == "of", p.Key.Text == "elementType":
			b.typing(p, in)
		case p.Key.Text == "fields":
			b.listed(p.Value, of)
		}
	}
	for _, key := range []string{"default", "examples"} {
		if p := r.Get(key); p != nil && p.Value != nil && !compile.DeclaresField(p) {
			b.values(p.Value, &filled{types: types}, of)
		}
	}
}

// declared finds the names of a field name::Type, or name::{type: Type, …}.
func (b *indexer) declared(p *ast.Property, of *definition) {
	def := b.definition(fieldKind, p, of)
	def.name, def.spelling = p.Key.Text, at(p.Key.Span(), asName)
	b.add(def)
	if r, ok := p.Value.(*ast.Record); ok {
		b.field(r, def)
		return
	}
	b.types(p.Value, topmost(of))
}

// field finds the names in the record of a field that says its type.
func (b *indexer) field(r *ast.Record, def *definition) {
	var types []string
	if typ := r.Get("type"); typ != nil && typ.Value != nil {
		b.types(typ.Value, topmost(def))
		for _, w := range compile.TypeReferences(typ.Value) {
			types = append(types, w.Text)
		}
	}
	b.attributes(r, def, types)
}

// listed finds the names of fields: [{name: "a", type: "Text"}].
func (b *indexer) listed(v ast.Value, of *definition) {
	list, _ := v.(*ast.Array)
	if list == nil {
		return
	}
	for _, e := range list.Elements {
		r, ok := e.(*ast.Record)
		if !ok {
			continue
		}
		def := b.definition(fieldKind, r, of)
		if name := r.Get("name"); name != nil && name.Value != nil {
			text, ok := ast.TextOf(name.Value)
			if word, bare := name.Value.(*ast.Symbol); bare {
				text, ok = word.Text, true
			}
			if ok {
				def.name, def.spelling = text, at(name.Value.Span(), asValue)
			}
		}
		b.add(def)
		b.field(r, def)
	}
}

// values finds the fields that are given values.
func (b *indexer) values(v ast.Value, of *filled, in *definition) {
	switch v := v.(type) {
	case *ast.Array:
		for _, e := range v.Elements {
			b.values(e, of, in)
		}
	case *ast.Record:
		for _, p := range v.Properties {
			b.use(use{spelling: at(p.Key.Span(), asName), name: p.Key.Text, does: field, in: in, of: of})
			b.values(p.Value, &filled{outer: of, key: p.Key.Text}, in)
		}
	}
}

// namedType finds the names of a type.
func (b *indexer) namedType(p *ast.Pattern) {
	def := b.define(typeKind, p, nil)
	b.attributes(p.Subject.Record, def, []string{def.name})
	var alternatives []string
	for _, e := range p.Elements {
		if e.Form != ast.FormNode {
			continue
		}
		alternatives = append(alternatives, typesOf(e)...)
		if e.Subject.Identity != nil || e.Property("paramName") != nil {
			b.node(e, fieldKind, def)
			continue
		}
		for _, l := range e.Subject.Labels {
			b.types(l.Name, def)
		}
		b.attributes(e.Subject.Record, def, typesOf(e))
	}
	if by := p.Property("discriminator"); by != nil && by.Value != nil && p.HasLabel(ast.LabelUnion) {
		name, ok := ast.TextOf(by.Value)
		if word, bare := by.Value.(*ast.Symbol); bare {
			name, ok = word.Text, true
		}
		if ok {
			b.use(use{spelling: at(by.Value.Span(), asValue), name: name, does: field, in: def, of: &filled{types: alternatives}})
		}
	}
}

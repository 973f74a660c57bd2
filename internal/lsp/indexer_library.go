package lsp

import (
	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
)

// This file finds the names of libraries.

// library finds the names of a library.
func (b *indexer) library(p *ast.Pattern) {
	def := b.define(libraryKind, p, nil)
	b.texts(p.Subject.Record, def)
	for _, e := range p.Elements {
		if e.Form == ast.FormBracket {
			b.libraryEntry(e, def)
		}
	}
}

// libraryEntry finds the names of an entry.
func (b *indexer) libraryEntry(p *ast.Pattern, owner *definition) {
	def := b.define(entryKind, p, owner)
	b.texts(p.Subject.Record, def)
	for _, key := range []string{"url", "run", "headers"} {
		if t := p.Property(key); t != nil && t.Value != nil && !p.HasLabel(string(library.EntryMCP)) {
			b.libraryTemplate(t.Value, def)
		}
	}
	if p.HasLabel(string(library.EntryMCP)) {
		b.libraryServer(p, def)
	}
	for _, e := range p.Elements {
		if e.Form != ast.FormNode || !isLibraryRule(e) {
			b.signature(e, def)
			continue
		}
		if r := e.Subject.Record; r != nil {
			for _, match := range r.Properties {
				b.refer(place{spelling: indexedSpelling(match.Key.Span(), asName), name: match.Key.Text, purpose: argument, in: def})
			}
		}
	}
}

// isLibraryRule reports whether a node is a rule of an entry, also a misspelt one.
func isLibraryRule(p *ast.Pattern) bool {
	s := p.Subject
	return s.Identity == nil && len(s.Labels) == 1 && s.Labels[0].Separator == ":" && !types.IsTypeName(s.Labels[0].Name.Text)
}

// libraryTemplate finds the arguments of a template, or of a list or a map of them.
func (b *indexer) libraryTemplate(v ast.Value, in *definition) {
	if list, ok := v.(*ast.Array); ok {
		for _, e := range list.Elements {
			b.libraryTemplate(e, in)
		}
		return
	}
	if r, ok := v.(*ast.Record); ok {
		for _, p := range r.Properties {
			b.libraryTemplate(p.Value, in)
		}
		return
	}
	f := indexedForm(v)
	for _, w := range library.Arguments(v) {
		b.refer(place{spelling: indexedSpelling(w.Span, f), name: w.Text, purpose: argument, in: in})
	}
}

// libraryServer finds the tools that a server is allowed to give.
func (b *indexer) libraryServer(p *ast.Pattern, in *definition) {
	prefix := ""
	if before := p.Property("prefix"); before != nil {
		prefix, _ = ast.TextOf(before.Value)
	}
	allow := p.Property("allow")
	if allow == nil {
		return
	}
	list, _ := allow.Value.(*ast.Array)
	if list == nil {
		return
	}
	for _, e := range list.Elements {
		if name, ok := ast.WordOf(e); ok && name != "" {
			b.refer(place{spelling: indexedSpelling(e.Span(), asValue), name: prefix + name, purpose: served, in: in})
		}
	}
}

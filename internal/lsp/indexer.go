package lsp

import (
	"path/filepath"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// An indexer finds the names of a document. It goes through whatever there is of
// a tree that did not parse as a whole.
type indexer struct {
	*index
	document *document
}

// file finds the names of a file.
func (b *indexer) file(f *ast.File) {
	for _, i := range compile.Imports(f) {
		if b.document.path == "" {
			break // there is no folder that paths are relative to
		}
		path := filepath.Join(filepath.Dir(b.document.path), filepath.FromSlash(i.Path))
		b.imports = append(b.imports, path)
		b.refer(place{spelling: indexedSpelling(i.Span, asValue), name: path, purpose: imported})
	}
	for _, p := range f.Patterns {
		switch {
		case p.Form == ast.FormBracket && p.HasLabel(ast.LabelLibrary):
			b.library(p)
		case scenario.IsTest(p):
			b.scenario(p)
		default:
			b.pattern(p, nil)
		}
	}
}

// indexedSpelling returns the spelling of a name at a place.
func indexedSpelling(s source.Span, f form) spelling {
	return spelling{start: int32(s.Start), end: int32(s.End), form: f}
}

func (b *indexer) refer(p place) { b.places = append(b.places, &p) }

// definition returns a definition by a node, without a name.
func (b *indexer) definition(k definitionKind, n ast.Node, owner *definition) *definition {
	s := n.Span()
	return &definition{document: b.document, kind: k, from: int32(s.Start), to: int32(s.End), owner: owner}
}

// define adds a definition by the name of a pattern. Without a name it counts as
// the owner of what is in it.
func (b *indexer) define(k definitionKind, p *ast.Pattern, owner *definition) *definition {
	def := b.definition(k, p, owner)
	def.name, def.pattern = p.Identity(), p
	if name := p.Subject.Identity; name != nil {
		def.spelling = indexedSpelling(name.Span(), asName)
	} else {
		def.spelling = indexedSpelling(p.Span().Head(), asName)
	}
	b.add(def)
	return def
}

// add adds a definition. What is part of another one counts there also without
// a name: the result of a tool.
func (b *indexer) add(def *definition) {
	if def.owner != nil && def.kind.isPart() {
		def.owner.parts = append(def.owner.parts, def)
	}
	if def.name == "" {
		return
	}
	b.definitions = append(b.definitions, def)
}

// pattern finds the names of a pattern at the top, or inside of another one.
func (b *indexer) pattern(p *ast.Pattern, in *definition) {
	_, isAgent := ast.AsAgent(p)
	_, isTool := ast.AsTool(p)
	switch {
	case p.Form == ast.FormBad:
	case p.Form == ast.FormRef:
		b.refer(place{spelling: indexedSpelling(p.Span(), asName), name: p.Identity(), purpose: element, in: in})
	case isAgent:
		b.agent(p)
	case isTool:
		def := b.define(toolKind, p, in)
		b.texts(p.Subject.Record, def)
		for _, e := range p.Elements {
			b.signature(e, def)
		}
	case ast.IsNamedType(p):
		b.namedType(p)
	default:
		def := in
		if p.Identity() != "" {
			def = b.define(patternKind, p, nil)
		}
		for _, e := range p.Elements {
			b.pattern(e, def)
		}
	}
}

// agent finds the names of an agent.
func (b *indexer) agent(p *ast.Pattern) {
	def := b.define(agentKind, p, nil)
	if name := p.Property("name"); name != nil && name.Value != nil {
		if text, ok := ast.TextOf(name.Value); ok && def.name == "" {
			def.name, def.spelling = text, indexedSpelling(name.Value.Span(), asValue)
			b.add(def)
		} else if ok && text == def.name {
			also := indexedSpelling(name.Value.Span(), asValue)
			def.also = &also
		}
	}
	b.texts(p.Subject.Record, def)
	b.mentions(p.Property("instruction"), def)
	if returns := p.Property("returns"); returns != nil && returns.Value != nil {
		def.holds = b.typeShape()
		b.typeNames(returns.Value, def, def.holds)
	}
	for _, e := range p.Elements {
		b.pattern(e, def)
	}
}

// texts finds what the texts for people and models mention.
func (b *indexer) texts(r *ast.Record, in *definition) {
	b.mentions(r.Get("description"), in)
	b.mentions(r.Get("title"), in)
}

func (b *indexer) mentions(p *ast.Property, in *definition) {
	if p == nil || p.Value == nil {
		return
	}
	words := report.Mentions(p.Value)
	if len(words) == 0 {
		return
	}
	f := indexedForm(p.Value)
	for _, w := range words {
		b.refer(place{spelling: indexedSpelling(w.Span, f), name: w.Text, purpose: mention, in: in})
	}
}

// indexedForm returns how a part of a text is written.
func indexedForm(n ast.Node) form {
	switch v := n.(type) {
	case *ast.Name:
		return [...]form{ast.NameSymbol: asName, ast.NameQuoted: inBacktick, ast.NameDouble: inDouble}[v.Kind]
	case *ast.String:
		return [...]form{ast.QuoteDouble: inDouble, ast.QuoteSingle: inSingle, ast.QuoteBacktick: inBacktick, ast.QuoteFence: inFence}[v.Quote]
	case *ast.Tagged:
		if v.Fence {
			return inFence
		}
		return inBacktick
	}
	return asName
}

// signature finds the names of a signature: a path of nodes, or one.
func (b *indexer) signature(p *ast.Pattern, of *definition) {
	switch p.Form {
	case ast.FormPath:
		for _, e := range p.Elements {
			b.signature(e, of)
		}
	case ast.FormNode:
		b.node(p, parameterKind, of)
	}
}

// node finds the names of a parameter, or of a field of a type.
func (b *indexer) node(p *ast.Pattern, k definitionKind, of *definition) {
	def := b.definition(k, p, of)
	def.name, def.pattern = p.Identity(), p
	if name := p.Subject.Identity; name != nil {
		def.spelling = indexedSpelling(name.Span(), asName)
	}
	if given := p.Property("paramName"); given != nil && given.Value != nil {
		if text, ok := ast.WordOf(given.Value); ok && text != "" {
			if text == def.name {
				also := def.spelling
				def.also = &also
			}
			def.name, def.spelling = text, indexedSpelling(given.Value.Span(), asValue)
		}
	}
	b.add(def)
	def.holds = b.typeShape()
	for _, l := range p.Subject.Labels {
		b.typeNames(l.Name, def, def.holds)
	}
	b.typeAttributes(p.Subject.Record, def)
}

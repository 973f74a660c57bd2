package lsp

import (
	"path/filepath"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
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
		b.use(use{spelling: at(i.Span, asValue), name: path, does: imported})
	}
	for _, p := range f.Patterns {
		if p.Form == ast.FormBracket && p.HasLabel(ast.LabelLibrary) {
			b.library(p)
		} else {
			b.pattern(p, nil)
		}
	}
}

// at returns the spelling of a name at a place.
func at(s source.Span, f form) spelling { return spelling{int32(s.Start), int32(s.End), f} }

func (b *indexer) use(u use) { b.uses = append(b.uses, u) }

// define adds a definition by the name of a pattern. Without a name it counts as
// the owner of what is in it.
func (b *indexer) define(k kind, p *ast.Pattern, owner *definition) *definition {
	def := &definition{document: b.document, kind: k, name: p.Identity(), whole: p.Span(), owner: owner, pattern: p}
	if name := p.Subject.Identity; name != nil {
		def.spelling = at(name.Span(), asName)
	} else {
		def.spelling = at(p.Span().Head(), asName)
	}
	b.add(def)
	return def
}

// add adds a definition that has a name.
func (b *indexer) add(def *definition) {
	if def.name == "" {
		return
	}
	b.definitions = append(b.definitions, def)
	if def.owner != nil && def.kind.isPart() {
		def.owner.parts = append(def.owner.parts, def)
	}
}

// pattern finds the names of a pattern that stands at the top, or inside of
// another one.
func (b *indexer) pattern(p *ast.Pattern, in *definition) {
	_, isAgent := ast.AsAgent(p)
	_, isTool := ast.AsTool(p)
	switch {
	case p.Form == ast.FormBad:
	case p.Form == ast.FormRef:
		b.use(use{spelling: at(p.Span(), asName), name: p.Identity(), does: element, in: in})
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
			def.name, def.spelling = text, at(name.Value.Span(), asValue)
			b.add(def)
		} else if ok && text == def.name {
			def.also = append(def.also, at(name.Value.Span(), asValue))
		}
	}
	b.texts(p.Subject.Record, def)
	b.mentions(p.Property("instruction"), def)
	b.typing(p.Property("returns"), def)
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
	words := compile.Mentions(p.Value)
	if len(words) == 0 {
		return
	}
	f := formOf(p.Value)
	for _, w := range words {
		b.use(use{spelling: at(w.Span, f), name: w.Text, does: mention, in: in})
	}
}

// formOf returns how a part of a text is written.
func formOf(v ast.Value) form {
	switch v := v.(type) {
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

// typing finds the types of a property that says a type.
func (b *indexer) typing(p *ast.Property, in *definition) {
	if p != nil && p.Value != nil {
		b.types(p.Value, in)
	}
}

// types finds the types of a type expression.
func (b *indexer) types(n ast.Node, in *definition) {
	for _, w := range compile.TypeReferences(n) {
		b.use(use{spelling: at(w.Span, asName), name: w.Text, does: typing, in: in})
	}
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
func (b *indexer) node(p *ast.Pattern, k kind, of *definition) {
	def := &definition{document: b.document, kind: k, name: p.Identity(), whole: p.Span(), owner: of, pattern: p}
	if name := p.Subject.Identity; name != nil {
		def.spelling = at(name.Span(), asName)
	}
	if given := p.Property("paramName"); given != nil && given.Value != nil {
		text, ok := ast.TextOf(given.Value)
		if word, bare := given.Value.(*ast.Symbol); bare {
			text, ok = word.Text, true
		}
		if ok && text != "" {
			if text == def.name {
				def.also = append(def.also, def.spelling)
			}
			def.name, def.spelling = text, at(given.Value.Span(), asValue)
		}
	}
	b.add(def)
	in := topmost(of)
	for _, l := range p.Subject.Labels {
		b.types(l.Name, in)
	}
	b.attributes(p.Subject.Record, def, typesOf(p))
}

// typesOf returns the types that the labels of a node name.
func typesOf(p *ast.Pattern) []string {
	var names []string
	for _, l := range p.Subject.Labels {
		for _, w := range compile.TypeReferences(l.Name) {
			names = append(names, w.Text)
		}
	}
	return names
}

// topmost returns the tool, the type or the entry that a part belongs to.
func topmost(def *definition) *definition {
	for def.kind.isPart() && def.owner != nil {
		def = def.owner
	}
	return def
}

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
	def := &definition{document: b.document, kind: fieldKind, name: p.Key.Text, spelling: at(p.Key.Span(), asName), whole: p.Span(), owner: of}
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
		def := &definition{document: b.document, kind: fieldKind, whole: r.Span(), owner: of}
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

// library finds the names of a library.
func (b *indexer) library(p *ast.Pattern) {
	def := b.define(libraryKind, p, nil)
	b.texts(p.Subject.Record, def)
	for _, e := range p.Elements {
		if e.Form == ast.FormBracket {
			b.entry(e, def)
		}
	}
}

// entry finds the names of an entry.
func (b *indexer) entry(p *ast.Pattern, library *definition) {
	def := b.define(entryKind, p, library)
	b.texts(p.Subject.Record, def)
	for _, key := range []string{"url", "run"} {
		if t := p.Property(key); t != nil && t.Value != nil && !p.HasLabel(string(compile.EntryMCP)) {
			b.template(t.Value, def)
		}
	}
	if p.HasLabel(string(compile.EntryMCP)) {
		b.server(p, def)
	}
	for _, e := range p.Elements {
		if e.Form != ast.FormNode || !isRule(e) {
			b.signature(e, def)
			continue
		}
		if r := e.Subject.Record; r != nil {
			for _, match := range r.Properties {
				b.use(use{spelling: at(match.Key.Span(), asName), name: match.Key.Text, does: argument, in: def})
			}
		}
	}
}

// isRule reports whether a node is a rule of an entry, also one that is
// misspelt.
func isRule(p *ast.Pattern) bool {
	s := p.Subject
	return s.Identity == nil && len(s.Labels) == 1 && s.Labels[0].Separator == ":" && !compile.IsTypeName(s.Labels[0].Name.Text)
}

// template finds the arguments of a template, or of a list of them.
func (b *indexer) template(v ast.Value, in *definition) {
	if list, ok := v.(*ast.Array); ok {
		for _, e := range list.Elements {
			b.template(e, in)
		}
		return
	}
	f := formOf(v)
	for _, w := range compile.Arguments(v) {
		b.use(use{spelling: at(w.Span, f), name: w.Text, does: argument, in: in})
	}
}

// server finds the tools that a server is allowed to give.
func (b *indexer) server(p *ast.Pattern, in *definition) {
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
		name, ok := ast.TextOf(e)
		if word, bare := e.(*ast.Symbol); bare {
			name, ok = word.Text, true
		}
		if ok && name != "" {
			b.use(use{spelling: at(e.Span(), asValue), name: prefix + name, does: served, in: in})
		}
	}
}

package lsp

import (
	"context"
	"slices"
)

// A symbol is everything that has one name and must keep it: a tool, its other
// definitions in the same words, and the entries of libraries that implement
// it; a parameter of these; a type; a field.
type symbol struct {
	name        string
	definitions map[*definition]bool
}

// An occurrence is a place of a document that references a symbol, or defines
// it.
type occurrence struct {
	*document
	*place
	certain bool // it names nothing else
}

// symbol returns the symbol of definitions that have one name.
func (f *finder) symbol(start []*definition) *symbol {
	s := &symbol{name: start[0].name, definitions: map[*definition]bool{}}
	var parts []*definition
	var tops []*definition
	for _, def := range start {
		if def.kind.isPart() && def.owner != nil {
			parts = append(parts, def)
		} else {
			tops = append(tops, def)
		}
	}
	f.joinSymbol(s, tops)
	f.joinSymbolParts(s, parts)
	return s
}

// joinSymbol adds definitions to a symbol, with those that must have the same name.
func (f *finder) joinSymbol(s *symbol, start []*definition) {
	if len(start) == 0 {
		return
	}
	groups := f.symbolGroups(s.name)
	of := map[*definition][]int{}
	for i, group := range groups {
		for _, def := range group {
			of[def] = append(of[def], i)
		}
	}
	for open := slices.Clone(start); len(open) > 0; {
		def := open[len(open)-1]
		open = open[:len(open)-1]
		if s.definitions[def] {
			continue
		}
		s.definitions[def] = true
		for _, i := range of[def] {
			open = append(open, groups[i]...)
			groups[i] = nil
		}
	}
}

// symbolGroups returns the definitions of a name that represent each other: those
// that some document cannot distinguish, and an entry with the tools that it
// implements.
func (f *finder) symbolGroups(name string) [][]*definition {
	var groups [][]*definition
	for _, d := range f.all {
		if len(d.index().named(name)) == 0 {
			continue
		}
		groups = append(groups, f.alikeSymbols(d, toolKind, name), f.alikeSymbols(d, typeKind, name), d.indexedDefinitions(patternKind, name))
		for _, entry := range d.indexedDefinitions(entryKind, name) {
			groups = append(groups, append([]*definition{entry}, f.contracts(d, name)...))
		}
	}
	return groups
}

// alikeSymbols returns the definitions that a document cannot distinguish: its own, or
// without any the first of each file that it imports.
func (f *finder) alikeSymbols(d *document, k definitionKind, name string) []*definition {
	if own := d.indexedDefinitions(k, name); len(own) > 0 {
		return own
	}
	var list []*definition
	for _, other := range f.visible(d)[1:] {
		if own := other.indexedDefinitions(k, name); len(own) > 0 {
			list = append(list, own[0])
		}
	}
	return list
}

// joinSymbolParts adds parameters and fields to a symbol, with those that must have
// the same name.
func (f *finder) joinSymbolParts(s *symbol, start []*definition) {
	for open := start; len(open) > 0; {
		def := open[len(open)-1]
		open = open[:len(open)-1]
		if s.definitions[def] {
			continue
		}
		s.definitions[def] = true
		for owner := range f.symbol([]*definition{def.owner}).definitions {
			for _, part := range owner.partsNamed(s.name) {
				if part.kind == def.kind {
					s.definitions[part] = true
				}
			}
		}
		if len(open) == 0 && def.kind == fieldKind {
			open = f.discriminatedSymbols(s)
		}
	}
}

// discriminatedSymbols returns the fields that are discriminators of some union,
// together with those of a symbol, and that are not part of it yet.
func (f *finder) discriminatedSymbols(s *symbol) []*definition {
	var more []*definition
	for _, d := range f.all {
		for _, u := range d.index().named(s.name) {
			if u.purpose != field {
				continue
			}
			fields := f.resolve(d, u)
			if slices.ContainsFunc(fields, func(def *definition) bool { return s.definitions[def] }) {
				for _, def := range fields {
					if !s.definitions[def] {
						more = append(more, def)
					}
				}
			}
		}
	}
	return more
}

// symbolOccurrences returns the places of a symbol in the documents of the finder, in
// the order of the documents and of their text.
func (f *finder) symbolOccurrences(ctx context.Context, s *symbol) ([]occurrence, error) {
	var list []occurrence
	for _, d := range f.all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list = append(list, f.symbolOccurrencesIn(d, s)...)
	}
	return list, nil
}

// symbolOccurrencesIn returns the places of a symbol in a document.
func (f *finder) symbolOccurrencesIn(d *document, s *symbol) []occurrence {
	var list []occurrence
	type meaning struct {
		in      *definition
		purpose purpose
	}
	relations := map[meaning]relation{} // references of one name mostly mean the same
	for _, u := range d.index().named(s.name) {
		if u.definition != nil {
			if s.definitions[u.definition] {
				list = append(list, occurrence{d, u, true})
			}
			continue
		}
		key := meaning{u.in, u.purpose}
		a, known := relations[key]
		if !known || u.purpose == field {
			a = s.relate(f.resolve(d, u))
			relations[key] = a
		}
		if a != unrelated {
			list = append(list, occurrence{d, u, a == certain})
		}
	}
	return list
}

// A relation is whether a reference names a symbol.
type relation uint8

const (
	unrelated relation = iota
	possible           // and of something else
	certain
)

// relate returns the relation of a reference to the symbol, by its definitions.
func (s *symbol) relate(defs []*definition) relation {
	of := 0
	for _, def := range defs {
		if s.definitions[def] {
			of++
		}
	}
	switch of {
	case 0:
		return unrelated
	case len(defs):
		return certain
	}
	return possible
}

// symbolEntries returns the entries among the definitions of a symbol, in the order of
// the documents.
func (f *finder) symbolEntries(s *symbol) []*definition {
	var list []*definition
	for _, d := range f.all {
		for _, def := range d.indexedDefinitions(entryKind, s.name) {
			if s.definitions[def] {
				list = append(list, def)
			}
		}
	}
	return list
}

// declares reports whether a definition of the symbol declares it. An entry of
// a library does only if no agent of the workspace has the tool.
func (s *symbol) declares(def *definition) bool {
	if topmostDefinition(def).kind != entryKind {
		return true
	}
	for other := range s.definitions {
		if topmostDefinition(other).kind != entryKind {
			return false
		}
	}
	return true
}

package lsp

import (
	"context"
	"slices"
	"sort"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// goToDefinition handles textDocument/definition and textDocument/declaration.
// An entry of a library is defined by the tool that it does the work of, if any
// agent of the workspace has that.
func goToDefinition(ctx context.Context, s *snapshot, d *document, p *protocol.TextDocumentPositionParams) ([]protocol.Location, error) {
	f, err := s.finderAt(ctx, d)
	if err != nil {
		return nil, err
	}
	defs, at := f.at(d, p.Position)
	switch {
	case at == nil:
		return nil, nil
	case at.purpose == imported:
		if other, err := s.file(at.name); err == nil && other != nil {
			return []protocol.Location{{URI: other.uri}}, nil
		}
		return nil, nil
	case at.definition != nil:
		if tools := f.defining(at.definition); len(tools) > 0 {
			defs = tools
		}
	}
	return definitionLocations(defs), nil
}

// defining returns the tools of agents that an entry implements, or their
// parameters for a parameter of one.
func (f *finder) defining(def *definition) []*definition {
	switch owner := def.owner; {
	case def.kind == entryKind:
		return f.contracts(def.document, def.name)
	case def.kind == parameterKind && owner != nil && owner.kind == entryKind:
		var list []*definition
		for _, tool := range f.defining(owner) {
			list = append(list, tool.partsNamed(def.name)...)
		}
		return list
	}
	return nil
}

// definitionLocations returns the locations of definitions, each once.
func definitionLocations(defs []*definition) []protocol.Location {
	list := make([]protocol.Location, 0, len(defs))
	for i, def := range defs {
		if slices.Index(defs, def) == i {
			list = append(list, protocol.Location{URI: def.document.uri, Range: def.document.rangeAt(def.spelling)})
		}
	}
	return list
}

// goToType handles textDocument/typeDefinition: the types of a parameter or a
// field, those of what a tool gives, those of the answers of an agent.
func goToType(ctx context.Context, s *snapshot, p *protocol.TypeDefinitionParams) ([]protocol.Location, error) {
	f, defs, err := s.definitionsAt(ctx, p.TextDocumentPositionParams, false)
	var types []*definition
	for _, def := range defs {
		types = append(types, f.definitionTypes(def)...)
	}
	return definitionLocations(types), err
}

// definitionTypes returns the types that a definition is of.
func (f *finder) definitionTypes(def *definition) []*definition {
	from, to := int(def.from), int(def.to)
	switch def.kind {
	case typeKind:
		return []*definition{def}
	case toolKind, entryKind:
		from = to
		if e := signatureElement(def.pattern); e != nil {
			if n := len(e.Elements); n > 0 {
				e = e.Elements[n-1]
			}
			from, to = e.Span().Start, e.Span().End
		}
	}
	var list []*definition
	x := def.document.index()
	first := sort.Search(len(x.places), func(i int) bool { return int(x.places[i].start) >= from })
	for _, u := range x.places[first:] {
		if int(u.end) > to {
			break
		}
		if u.purpose == typing && (def.kind != agentKind || u.in == def) {
			list = append(list, f.resolve(def.document, u)...)
		}
	}
	return list
}

// goToImplementation handles textDocument/implementation: the entries of
// libraries that do the work of a tool.
func goToImplementation(ctx context.Context, s *snapshot, p *protocol.ImplementationParams) ([]protocol.Location, error) {
	f, defs, err := s.definitionsAt(ctx, p.TextDocumentPositionParams, true)
	var list []*definition
	for _, def := range defs {
		if def.kind == toolKind || def.kind == entryKind {
			list = append(list, f.symbolEntries(f.symbol([]*definition{def}))...)
		}
	}
	return definitionLocations(list), err
}

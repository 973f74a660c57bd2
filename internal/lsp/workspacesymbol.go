package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// maxSymbols is how many symbols a response holds; the client asks again when
// the query is longer.
const maxSymbols = 200

// workspaceSymbols handles workspace/symbol: the agents, tools, types, libraries
// and entries whose names have the letters of the query in its order, the best
// first.
func workspaceSymbols(ctx context.Context, s *snapshot, p *protocol.WorkspaceSymbolParams) ([]protocol.SymbolInformation, error) {
	f, err := s.finder(ctx)
	if err != nil {
		return nil, err
	}
	type match struct {
		definition *definition
		rank       int
	}
	var found []match
	query := strings.Join(strings.Fields(p.Query), "")
	for _, d := range f.all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, def := range d.index().definitions {
			if def.kind.isPart() || def.kind == patternKind {
				continue
			}
			if rank, ok := workspaceSymbolRank(query, def.name); ok {
				found = append(found, match{def, rank})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(a.rank-b.rank, len(a.definition.name)-len(b.definition.name), strings.Compare(a.definition.name, b.definition.name))
	})
	list := []protocol.SymbolInformation{}
	for _, m := range found[:min(len(found), maxSymbols)] {
		def := m.definition
		container := s.shownPath(def.document)
		if def.owner != nil {
			container = def.owner.name
		}
		list = append(list, protocol.SymbolInformation{
			Name: def.name, Kind: documentSymbolKind(def.pattern), Tags: deprecatedSymbolTags(def.pattern), ContainerName: &container,
			Location: protocol.Location{URI: def.document.uri, Range: def.document.indexedRange(def.spelling)},
		})
	}
	return list, nil
}

// workspaceSymbolRank returns how well a query matches a name in any case, the lower the better:
// it is the name, starts it, is a part of it, or its letters occur in their order.
func workspaceSymbolRank(query, name string) (rank int, ok bool) {
	query, name = strings.ToLower(query), strings.ToLower(name)
	switch {
	case name == query:
		return 0, true
	case strings.HasPrefix(name, query):
		return 1, true
	case strings.Contains(name, query):
		return 2, true
	}
	for _, letter := range query {
		if _, name, ok = strings.Cut(name, string(letter)); !ok {
			return 0, false
		}
	}
	return 3, true
}

package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
		score      int
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
			if score, ok := fuzzy(query, def.name); ok {
				found = append(found, match{def, score})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(b.score-a.score, len(a.definition.name)-len(b.definition.name), strings.Compare(a.definition.name, b.definition.name))
	})
	list := []protocol.SymbolInformation{}
	for _, m := range found[:min(len(found), maxSymbols)] {
		def := m.definition
		container := s.shownPath(def.document)
		if def.owner != nil {
			container = def.owner.name
		}
		list = append(list, protocol.SymbolInformation{
			Name: def.name, Kind: symbolKind(def.pattern), Tags: symbolTags(def.pattern), ContainerName: &container,
			Location: protocol.Location{URI: def.document.uri, Range: def.document.rangeAt(def.spelling)},
		})
	}
	return list, nil
}

// What a letter of a query is worth in a name.
const (
	worthLetter = 1  // somewhere
	worthNext   = 4  // behind the one before
	worthWord   = 6  // at the start of a word
	worthStart  = 10 // at the start of the name
	worthCase   = 1  // in the same case
)

// fuzzy returns how well a query matches a name, and whether it does: its
// letters occur in the name in their order, in any case.
func fuzzy(query, name string) (score int, ok bool) {
	if strings.EqualFold(query, name) {
		score = 1000
	}
	previous, at := rune(0), 0
	behind := false // whether the letter before was one of the query
	for _, want := range query {
		for {
			if at == len(name) {
				return 0, false
			}
			r, size := utf8.DecodeRuneInString(name[at:])
			first := at == 0
			at += size
			starts := first || !isWordRune(previous) || unicode.IsUpper(r) && unicode.IsLower(previous)
			previous = r
			if unicode.ToLower(r) != unicode.ToLower(want) {
				behind = false
				continue
			}
			switch {
			case first:
				score += worthStart
			case behind:
				score += worthNext
			case starts:
				score += worthWord
			default:
				score += worthLetter
			}
			if r == want {
				score += worthCase
			}
			behind = true
			break
		}
	}
	return score, true
}

// isWordRune reports whether a character is part of a word of a name.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

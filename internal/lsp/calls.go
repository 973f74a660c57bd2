package lsp

import (
	"context"
	"slices"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// This file shows agents, tools and types as a call hierarchy: an agent calls
// its tools, and both the types that they are made of. An item is found again by
// its place.

// prepareCalls handles textDocument/prepareCallHierarchy.
func prepareCalls(ctx context.Context, s *snapshot, p *protocol.CallHierarchyPrepareParams) ([]protocol.CallHierarchyItem, error) {
	_, defs, err := s.calledDefinitions(ctx, p.TextDocumentPositionParams, false)
	var list []protocol.CallHierarchyItem
	for _, def := range defs {
		list = append(list, s.callItem(def))
	}
	return list, err
}

// calledDefinitions returns the agents, tools and types at a position, or those whose part
// is there.
func (s *snapshot) calledDefinitions(ctx context.Context, at protocol.TextDocumentPositionParams, everywhere bool) (*finder, []*definition, error) {
	f, defs, err := s.definitionsAt(ctx, at, everywhere)
	var list []*definition
	for _, def := range defs {
		if top := topmostDefinition(def); top.canCall() && !slices.Contains(list, top) {
			list = append(list, top)
		}
	}
	return f, list, err
}

// callPlace returns the position of an item.
func callPlace(item protocol.CallHierarchyItem) protocol.TextDocumentPositionParams {
	return protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: item.URI}, Position: item.SelectionRange.Start}
}

// canCall reports whether a definition is part of the hierarchy.
func (def *definition) canCall() bool {
	return def.kind == agentKind || def.kind == toolKind || def.kind == typeKind
}

// callItem returns a definition as an item of the hierarchy.
func (s *snapshot) callItem(def *definition) protocol.CallHierarchyItem {
	detail := s.shownPath(def.document)
	return protocol.CallHierarchyItem{
		Name: def.name, Kind: documentSymbolKind(def.pattern), Tags: deprecatedSymbolTags(def.pattern), Detail: &detail, URI: def.document.uri,
		Range: def.document.span(int(def.from), int(def.to)), SelectionRange: def.document.indexedRange(def.spelling),
	}
}

// A call is a definition with the ranges at which another one references it, or
// it another one.
type call struct {
	definition *definition
	ranges     []protocol.Range
}

// calls returns the calls at some places of a document, by what chosen returns of
// the caller and of what it calls; nil leaves a call out.
func (f *finder) calls(d *document, places []*place, chosen func(from, to *definition) *definition) []call {
	var list []call
	for _, p := range places {
		from, to := p.in, p.definition
		switch {
		case to != nil:
			from = to.owner
		case p.purpose == element || p.purpose == typing:
			if defs := f.resolve(d, p); len(defs) > 0 {
				to = defs[0]
			}
		}
		if from == nil || to == nil || !from.canCall() || !to.canCall() {
			continue
		}
		def := chosen(from, to)
		if def == nil {
			continue
		}
		i := slices.IndexFunc(list, func(c call) bool { return c.definition == def })
		if i < 0 {
			i, list = len(list), append(list, call{definition: def})
		}
		list[i].ranges = append(list[i].ranges, d.indexedRange(p.spelling))
	}
	return list
}

// outgoingCalls handles callHierarchy/outgoingCalls.
func outgoingCalls(ctx context.Context, s *snapshot, p *protocol.CallHierarchyOutgoingCallsParams) ([]protocol.CallHierarchyOutgoingCall, error) {
	f, defs, err := s.calledDefinitions(ctx, callPlace(p.Item), false)
	if err != nil || len(defs) == 0 {
		return nil, err
	}
	d := defs[0].document
	list := []protocol.CallHierarchyOutgoingCall{}
	for _, c := range f.calls(d, d.index().places, func(from, to *definition) *definition {
		if from == defs[0] {
			return to
		}
		return nil
	}) {
		list = append(list, protocol.CallHierarchyOutgoingCall{To: s.callItem(c.definition), FromRanges: c.ranges})
	}
	return list, nil
}

// incomingCalls handles callHierarchy/incomingCalls.
func incomingCalls(ctx context.Context, s *snapshot, p *protocol.CallHierarchyIncomingCallsParams) ([]protocol.CallHierarchyIncomingCall, error) {
	f, defs, err := s.calledDefinitions(ctx, callPlace(p.Item), true)
	if err != nil || len(defs) == 0 {
		return nil, err
	}
	list := []protocol.CallHierarchyIncomingCall{}
	for _, d := range f.all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, c := range f.calls(d, d.index().named(defs[0].name), func(from, to *definition) *definition {
			if to == defs[0] {
				return from
			}
			return nil
		}) {
			list = append(list, protocol.CallHierarchyIncomingCall{From: s.callItem(c.definition), FromRanges: c.ranges})
		}
	}
	return list, nil
}

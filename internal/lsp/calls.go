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
	_, defs, err := s.called(ctx, p.TextDocumentPositionParams, false)
	var list []protocol.CallHierarchyItem
	for _, def := range defs {
		list = append(list, s.callItem(def))
	}
	return list, err
}

// called returns the agents, tools and types at a position, or those whose part
// is there.
func (s *snapshot) called(ctx context.Context, at protocol.TextDocumentPositionParams, everywhere bool) (*finder, []*definition, error) {
	f, defs, err := s.definitionsAt(ctx, at, everywhere)
	var list []*definition
	for _, def := range defs {
		if top := topmost(def); top.canCall() && !slices.Contains(list, top) {
			list = append(list, top)
		}
	}
	return f, list, err
}

// placeOf returns the position of an item.
func placeOf(item protocol.CallHierarchyItem) protocol.TextDocumentPositionParams {
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
		Name: def.name, Kind: symbolKind(def.pattern), Tags: symbolTags(def.pattern), Detail: &detail, URI: def.document.uri,
		Range: def.document.span(int(def.from), int(def.to)), SelectionRange: def.document.rangeAt(def.spelling),
	}
}

// calls are the ranges at which one definition references others, in the order
// of the first of each.
type calls struct {
	definitions []*definition
	ranges      map[*definition][]protocol.Range
}

// add notes a place.
func (c *calls) add(def *definition, at protocol.Range) {
	if c.ranges == nil {
		c.ranges = map[*definition][]protocol.Range{}
	}
	if c.ranges[def] == nil {
		c.definitions = append(c.definitions, def)
	}
	c.ranges[def] = append(c.ranges[def], at)
}

// outgoingCalls handles callHierarchy/outgoingCalls.
func outgoingCalls(ctx context.Context, s *snapshot, p *protocol.CallHierarchyOutgoingCallsParams) ([]protocol.CallHierarchyOutgoingCall, error) {
	f, defs, err := s.called(ctx, placeOf(p.Item), false)
	if err != nil || len(defs) == 0 {
		return nil, err
	}
	def := defs[0]
	d := def.document
	x := d.index()
	var found calls
	for _, other := range x.definitions {
		if other.owner == def && other.kind == toolKind {
			found.add(other, d.rangeAt(other.spelling))
		}
	}
	for _, u := range x.places {
		if u.in != def || u.purpose != element && u.purpose != typing {
			continue
		}
		for _, other := range f.resolve(d, u) {
			if other.canCall() {
				found.add(other, d.rangeAt(u.spelling))
				break // of several of one name the first counts
			}
		}
	}
	list := []protocol.CallHierarchyOutgoingCall{}
	for _, other := range found.definitions {
		list = append(list, protocol.CallHierarchyOutgoingCall{To: s.callItem(other), FromRanges: found.ranges[other]})
	}
	return list, nil
}

// incomingCalls handles callHierarchy/incomingCalls.
func incomingCalls(ctx context.Context, s *snapshot, p *protocol.CallHierarchyIncomingCallsParams) ([]protocol.CallHierarchyIncomingCall, error) {
	f, defs, err := s.called(ctx, placeOf(p.Item), true)
	if err != nil || len(defs) == 0 {
		return nil, err
	}
	def := defs[0]
	list := []protocol.CallHierarchyIncomingCall{}
	if owner := def.owner; owner != nil && owner.canCall() {
		list = append(list, protocol.CallHierarchyIncomingCall{From: s.callItem(owner), FromRanges: []protocol.Range{def.document.rangeAt(def.spelling)}})
	}
	for _, d := range f.all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := d.index()
		var found calls
		for _, u := range x.named(def.name) {
			if u.purpose != element && u.purpose != typing || u.in == nil || !u.in.canCall() {
				continue
			}
			if to := f.resolve(d, u); len(to) > 0 && to[0] == def {
				found.add(u.in, d.rangeAt(u.spelling))
			}
		}
		for _, other := range found.definitions {
			list = append(list, protocol.CallHierarchyIncomingCall{From: s.callItem(other), FromRanges: found.ranges[other]})
		}
	}
	return list, nil
}

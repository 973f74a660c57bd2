package lsp

import (
	"context"
	"slices"

	"github.com/gram-lang/gramc/compile"
)

// This file asks the client to refresh what it shows of a document besides
// diagnostics, when that depends on other documents and they have changed. Inlay
// hints and semantic tokens do; lenses do not.

// refreshBasis returns the options of a document for what the client is to show of
// it, and notes what it imports. The first note counts until the client is
// asked to refresh.
func (s *snapshot) refreshBasis(d *document) *compile.Options {
	o := s.examineOptionsOf(d)
	d.basis.CompareAndSwap(nil, &o.Imported)
	return o
}

// refresh asks the client to refresh if what it shows has changed.
func (s *session) refresh(ctx context.Context, snap *snapshot) {
	defer s.recovered("the refresh")
	stale := false
	for _, d := range snap.shown() {
		if last := d.basis.Load(); last != nil && !slices.Equal(*last, snap.examineOptionsOf(d).Imported) {
			d.basis.CompareAndSwap(last, nil)
			stale = true
		}
	}
	can := snap.capabilities.Workspace
	if stale && can.InlayHint.Refresh {
		s.call(ctx, "workspace/inlayHint/refresh", nil)
	}
	if stale && can.SemanticTokens.Refresh {
		s.call(ctx, "workspace/semanticTokens/refresh", nil)
	}
}

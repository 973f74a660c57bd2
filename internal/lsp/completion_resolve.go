package lsp

import (
	"context"
	"encoding/json"

	"github.com/gram-lang/gramc/internal/vocabulary"
)

// resolveCompletion handles completionItem/resolve: the item as it came, with
// its documentation.
func resolveCompletion(ctx context.Context, s *snapshot, p *map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	item := *p
	var about completionData
	if json.Unmarshal(item["data"], &about) != nil {
		return item, nil
	}
	text, err := s.documentation(ctx, about)
	if text == "" || err != nil {
		return item, err
	}
	docs, err := json.Marshal(markdown(text))
	if err != nil {
		return nil, err
	}
	item["documentation"] = docs
	return item, nil
}

// documentation returns the documentation of the subject of an item.
func (s *snapshot) documentation(ctx context.Context, about completionData) (string, error) {
	h := &describer{snapshot: s, d: s.document(about.URI)}
	switch {
	case about.Key != "":
		if d, known := vocabulary.PropertyOf(about.Owner, about.Key); known {
			h.page.property(d)
		}
	case about.Builtin != "":
		h.page.builtinNamed(about.Builtin)
	case about.Word != "":
		h.page.word(about.Word)
	case h.d != nil:
		f, err := s.finderAt(ctx, h.d)
		if err != nil {
			return "", err
		}
		if defs := f.oneOf(h.d, about.Name, toolKind, typeKind); len(defs) > 0 {
			h.definition(f, defs[0])
		}
	}
	return h.page.String(), nil
}

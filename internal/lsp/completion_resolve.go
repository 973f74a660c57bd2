package lsp

import (
	"context"
	"encoding/json"

	"github.com/gram-lang/gramc/internal/vocabulary"
)

// resolveCompletion handles completionItem/resolve: the item as it came, with
// its documentation.
func resolveCompletion(ctx context.Context, s *snapshot, p *map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	return resolveItem(*p, "documentation", func(about completionData) (string, error) { return s.itemDocumentation(ctx, about) })
}

// resolveItem returns an item as it came, with a field of Markdown about its data.
func resolveItem[D any](item map[string]json.RawMessage, field string, describe func(D) (string, error)) (map[string]json.RawMessage, error) {
	var about D
	if json.Unmarshal(item["data"], &about) != nil {
		return item, nil
	}
	text, err := describe(about)
	if text == "" || err != nil {
		return item, err
	}
	item[field], err = json.Marshal(markdown(text))
	return item, err
}

// itemDocumentation returns the documentation of the subject of an item.
func (s *snapshot) itemDocumentation(ctx context.Context, about completionData) (string, error) {
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

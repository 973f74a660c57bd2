package lsp

import (
	"context"
	"encoding/json"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// resolveCompletion handles completionItem/resolve: the item as it came, with
// its documentation.
func resolveCompletion(_ context.Context, s *snapshot, p *map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	item := *p
	var about completionData
	if json.Unmarshal(item["data"], &about) != nil {
		return item, nil
	}
	text := s.documentation(about)
	if text == "" {
		return item, nil
	}
	docs, err := json.Marshal(markdown(text))
	if err != nil {
		return nil, err
	}
	item["documentation"] = docs
	return item, nil
}

// documentation returns the documentation of the subject of an item.
func (s *snapshot) documentation(about completionData) string {
	p := &page{}
	switch {
	case about.Key != "":
		if d, known := vocabulary.PropertyOf(about.Owner, about.Key); known {
			p.property(d)
		}
	case about.Builtin != "":
		p.builtinNamed(about.Builtin)
	case about.Word != "":
		p.word(about.Word)
	case about.URI != "":
		s.aboutName(p, about.URI, about.Name)
	}
	return p.String()
}

// aboutName adds what the tool or the type is that a document defines.
func (s *snapshot) aboutName(p *page, uri, name string) {
	d := s.document(uri)
	if d == nil {
		return
	}
	view := compile.NewView(d.ast(), s.optionsOf(d))
	for _, o := range d.exports() {
		switch {
		case o.name != name:
		case o.isType:
			if def := view.Type(name); def != nil {
				p.namedType(def)
			}
			return
		default:
			p.tool(view.Tool(ast.Tool{Pattern: o.pattern}), o.pattern)
			return
		}
	}
}

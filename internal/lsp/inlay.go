package lsp

import (
	"context"
	"encoding/json"
	"slices"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/report"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/source"
)

// An inlayHint is what an editor shows between the characters of a text.
type inlayHint struct {
	Position    protocol.Position       `json:"position"`
	Label       string                  `json:"label"`
	Kind        int                     `json:"kind"`
	Tooltip     *protocol.MarkupContent `json:"tooltip,omitempty"`
	PaddingLeft bool                    `json:"paddingLeft"`
	Data        *hintData               `json:"data,omitempty"`
}

// The kinds of hints that the protocol knows.
const (
	hintOfType      = 1
	hintOfParameter = 2
)

// hintData identify the subject of a hint.
type hintData struct {
	URI    string `json:"uri"`
	Offset int    `json:"offset"` // of a name
}

type inlayHintParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Range        protocol.Range                  `json:"range"`
}

// inlayHints handles textDocument/inlayHint: whether a parameter or a field is
// required, its JSON type, and defaults that are not written.
func inlayHints(ctx context.Context, s *snapshot, d *document, p *inlayHintParams) ([]inlayHint, error) {
	h := &hinter{d: d, hints: []inlayHint{}}
	h.from, h.to = d.offsets(p.Range)
	for _, top := range d.ast().Patterns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if span := top.Span(); span.Start > h.to || span.End < h.from {
			continue
		}
		if h.view == nil {
			h.view = compile.NewView(d.ast(), s.basisOf(d))
		}
		h.pattern(top, nil)
	}
	return h.hints, nil
}

// A hinter collects the hints of a range of a document.
type hinter struct {
	d        *document
	view     *compile.View
	from, to int
	hints    []inlayHint
}

// add adds a hint behind a place in the range.
func (h *hinter) add(at source.Span, label string, kind int, name source.Span) {
	if at.IsZero() || at.End < h.from || at.End > h.to || label == "" {
		return
	}
	hint := inlayHint{Position: h.d.position(at.End), Label: label, Kind: kind, PaddingLeft: true}
	if !name.IsZero() {
		hint.Data = &hintData{h.d.uri, name.Start}
	}
	h.hints = append(h.hints, hint)
}

// pattern adds the hints of a pattern and of what is in it. Library is the one
// around, nil when there is none.
func (h *hinter) pattern(p, owner *ast.Pattern) {
	if span := p.Span(); span.Start > h.to || span.End < h.from || p.Form != ast.FormBracket {
		return
	}
	if t, ok := ast.AsTool(p); ok {
		if lowered := h.view.Tool(t); lowered.Signature != nil && t.Signature() != nil {
			h.chain(t.Signature(), lowered.Signature)
		}
		return
	}
	switch kind := library.EntryOf(p); {
	case ast.IsNamedType(p):
		if def := h.view.Type(p.Identity()); def != nil && def.Pattern == p && def.Type != nil && def.Type.Resolved() != nil {
			h.fields(p, def.Type.Resolved().Fields)
		}
		return
	case owner != nil && kind != "":
		h.entry(p, kind, owner.Property("approve") != nil || p.Property("approve") != nil)
		return
	case library.IsLibrary(p):
		owner = p
	}
	for _, e := range p.Elements {
		h.pattern(e, owner)
	}
}

// chain adds the hints of a signature.
func (h *hinter) chain(p *ast.Pattern, s *types.Signature) {
	nodes := p.Elements
	if p.Form == ast.FormNode {
		nodes = []*ast.Pattern{p}
	}
	for _, n := range nodes {
		labels := n.Subject.Labels
		if len(labels) == 0 {
			continue
		}
		at := labels[len(labels)-1].Span()
		if param := paramOf(n, s.Params); param != nil {
			h.add(at, hintOf(param), hintOfParameter, report.NameSpan(n))
		} else if s.Return != nil && s.Return.Span == report.NameSpan(n) {
			h.add(at, s.Return.Type.JSONWord(), hintOfType, source.Span{})
		}
	}
}

// paramOf returns the parameter or the field that a node is.
func paramOf(n *ast.Pattern, list []*types.Param) *types.Param {
	place := report.NameSpan(n)
	if name := n.Property("paramName"); name != nil && name.Value != nil {
		place = name.Value.Span()
	}
	if i := slices.IndexFunc(list, func(p *types.Param) bool { return p.Span == place }); i >= 0 {
		return list[i]
	}
	return nil
}

// fields adds the hints of the fields of a named type.
func (h *hinter) fields(p *ast.Pattern, fields []*types.Param) {
	for _, n := range p.Elements {
		if f := paramOf(n, fields); f != nil && len(n.Subject.Labels) > 0 {
			h.add(n.Subject.Labels[len(n.Subject.Labels)-1].Span(), hintOf(f), hintOfParameter, report.NameSpan(n))
		}
	}
	if p.Subject.Record == nil {
		return
	}
	for _, property := range p.Subject.Record.Properties {
		i := slices.IndexFunc(fields, func(f *types.Param) bool { return f.Span == property.Key.Span() })
		if i >= 0 && property.Value != nil {
			h.add(property.Value.Span(), hintOf(fields[i]), hintOfParameter, property.Key.Span())
		}
	}
}

// hintOf returns the hint of a parameter or a field.
func hintOf(p *types.Param) string {
	text := "required"
	if p.Optional {
		text = "optional"
	}
	if word := p.Type.JSONWord(); word != "" {
		text += " " + word
	}
	if p.Default == nil && !p.Optional {
		return text
	}
	if inherited := p.Type.Keyword("default"); p.Default == nil && inherited != nil {
		text += " = " + cut(string(inherited))
	}
	return text
}

// entry adds the defaults of an entry. Decided is whether the file decides
// which calls need approval.
func (h *hinter) entry(p *ast.Pattern, kind library.EntryKind, decided bool) {
	at := report.NameSpan(p)
	if labels := p.Subject.Labels; len(labels) > 0 {
		at = labels[len(labels)-1].Span()
	}
	builtin, _ := library.BuiltinOf(p)
	switch {
	case kind == library.EntryHTTP && p.Property("method") == nil:
		h.add(at, "GET", hintOfType, source.Span{})
	case kind == library.EntryMCP && p.Property("allow") == nil && !decided:
		h.add(at, "all tools, asks", hintOfType, source.Span{})
	case kind == library.EntryMCP && p.Property("allow") == nil:
		h.add(at, "all tools", hintOfType, source.Span{})
	case kind == library.EntryBuiltin && builtin.Name == "write_file" && !decided:
		h.add(at, "asks", hintOfType, source.Span{})
	}
	if e := signatureElement(p); e != nil {
		if s := h.view.Signature(e); s != nil {
			h.chain(e, s)
		}
	}
}

// resolveInlayHint handles inlayHint/resolve: the hint as it came, with the
// description of the parameter.
func resolveInlayHint(ctx context.Context, s *snapshot, p *map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	hint := *p
	var about hintData
	if json.Unmarshal(hint["data"], &about) != nil || about.URI == "" {
		return hint, nil
	}
	d := s.document(about.URI)
	if d == nil {
		return hint, nil
	}
	at := protocol.TextDocumentPositionParams{Position: d.position(about.Offset)}
	hovered, err := hover(ctx, s, d, &protocol.HoverParams{TextDocumentPositionParams: at})
	if err != nil || hovered == nil {
		return hint, err
	}
	if hint["tooltip"], err = json.Marshal(hovered.Contents); err != nil {
		return nil, err
	}
	return hint, nil
}

package lsp

import (
	"context"
	"encoding/json"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/report"
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
	h := &inlayHinter{d: d, hints: []inlayHint{}}
	if !s.settings.showsInlayHints() {
		return h.hints, nil
	}
	h.from, h.to = d.offsets(p.Range)
	for _, top := range d.ast().Patterns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !h.isNear(top.Span().Start, top.Span().End) {
			continue
		}
		if h.view == nil {
			h.view = compile.NewView(d.ast(), s.refreshBasis(d))
		}
		for _, def := range d.indexOf(top).definitions {
			if h.isNear(int(def.from), int(def.to)) {
				h.definition(def)
			}
		}
	}
	return h.hints, nil
}

// An inlayHinter collects the hints of a range of a document.
type inlayHinter struct {
	d        *document
	view     *compile.View
	from, to int
	hints    []inlayHint
}

// isNear reports whether a part of the document reaches into the range.
func (h *inlayHinter) isNear(start, end int) bool { return start <= h.to && end >= h.from }

// definition adds the hints of a tool, a type or an entry.
func (h *inlayHinter) definition(def *definition) {
	switch def.kind {
	case entryKind:
		h.entry(def)
		h.parts(def)
	case toolKind, typeKind:
		h.parts(def)
	}
}

// add adds a hint behind an offset in the range, of what has its name at another.
func (h *inlayHinter) add(end int, label string, kind int, data *hintData) {
	if strings.HasPrefix(h.d.text[end:], "`") {
		end++
	}
	if h.isNear(end, end) && label != "" {
		h.hints = append(h.hints, inlayHint{Position: h.d.position(end), Label: label, Kind: kind, PaddingLeft: true, Data: data})
	}
}

// parts adds the hints of the parameters and the result of a tool or an entry, or
// of the fields of a type.
func (h *inlayHinter) parts(def *definition) {
	params, result := signatureParts(h.view, def)
	for _, p := range params {
		if at := p.Type.Span; at.File == h.d.source() && p.Span.File == at.File {
			h.add(at.End, inlayHintOf(p), hintOfParameter, &hintData{h.d.uri, p.Span.Start})
		}
	}
	if result != nil {
		h.add(result.Type.Span.End, result.Type.JSONWord(), hintOfType, nil)
	}
}

// inlayLabelEnd returns where the last label of a pattern ends, or else its name.
func inlayLabelEnd(p *ast.Pattern) int {
	if n := len(p.Subject.Labels); n > 0 {
		return p.Subject.Labels[n-1].Span().End
	}
	return report.NameSpan(p).End
}

// inlayHintOf returns the hint of a parameter or a field.
func inlayHintOf(p *types.Param) string {
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
		text += " = " + cutMarkdown(string(inherited))
	}
	return text
}

// entry adds the defaults of an entry: of an MCP server and of a tool that writes
// files which calls need approval, unless the file decides that.
func (h *inlayHinter) entry(def *definition) {
	p, kind := def.pattern, library.EntryKindOf(def.pattern)
	asks := p.Property("approve") == nil && def.owner.pattern.Property("approve") == nil
	builtin, _ := library.BuiltinOf(p)
	label := ""
	switch {
	case kind == library.EntryHTTP && p.Property("method") == nil:
		label = "GET"
	case kind == library.EntryMCP && p.Property("allow") == nil && asks:
		label = "all tools, asks"
	case kind == library.EntryMCP && p.Property("allow") == nil:
		label = "all tools"
	case kind == library.EntryBuiltin && builtin.Name == "write_file" && asks:
		label = "asks"
	}
	h.add(inlayLabelEnd(p), label, hintOfType, nil)
}

// resolveInlayHint handles inlayHint/resolve: the hint as it came, with the
// description of the parameter.
func resolveInlayHint(ctx context.Context, s *snapshot, p *map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	return resolveItem(*p, "tooltip", func(about hintData) (string, error) {
		d := s.document(about.URI)
		if d == nil {
			return "", nil
		}
		h := &hovered{describer: describer{snapshot: s, d: d}, offset: about.Offset}
		err := h.describe(ctx)
		return h.page.String(), err
	})
}

package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/vocabulary"
	"github.com/gram-lang/gramc/source"
)

// hover handles textDocument/hover: it describes what the cursor is on, with
// its problems.
func hover(ctx context.Context, s *snapshot, d *document, p *protocol.HoverParams) (*protocol.Hover, error) {
	h := &hovered{describer: describer{snapshot: s, d: d}, offset: d.offset(p.Position)}
	if err := h.describe(ctx); err != nil || h.page.Len() == 0 {
		return nil, err
	}
	at := d.rangeOf(h.place)
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: h.page.String()}, Range: &at}, nil
}

// A hovered is a place that is being described.
type hovered struct {
	describer
	offset int
	nodes  []ast.Node  // around the place, the outermost first
	place  source.Span // of what is described
}

// describe describes the name at the place, or else the innermost node that means
// something, and adds its problems.
func (h *hovered) describe(ctx context.Context) error {
	h.nodes = ast.PathTo(h.d.ast(), h.offset)
	named, err := h.named(ctx)
	if err != nil {
		return err
	}
	if !named {
		h.meaning()
	}
	h.problems()
	return nil
}

// named describes what the name at the place defines or refers to.
func (h *hovered) named(ctx context.Context) (bool, error) {
	if len(h.nodes) < 2 {
		return false, nil
	}
	top, ok := h.nodes[1].(*ast.Pattern)
	if !ok {
		return false, nil
	}
	at := h.d.indexOf(top).at(h.offset)
	if at == nil {
		return false, nil
	}
	f, err := h.finderAt(ctx, h.d)
	if err != nil {
		return false, err
	}
	defs, _ := f.at(h.d, h.d.position(h.offset))
	switch {
	case at.purpose == served:
		h.page.para("**%s** · a tool of the server %s", plainMarkdown(at.name), plainMarkdown(at.in.name))
	case at.purpose == argument && at.form == asName:
		h.page.para("**%s** · the argument of a call, compared with a pattern in which * is any run of characters", plainMarkdown(at.name))
	case at.purpose == argument:
		h.page.para("**%s** · an argument of the call", plainMarkdown(at.name))
	}
	if len(defs) > 0 {
		h.definition(f, defs[0])
	}
	if h.page.Len() > 0 {
		h.place = h.d.source().Span(int(at.start), int(at.end))
	}
	return h.page.Len() > 0, nil
}

// meaning describes the innermost node that means something.
func (h *hovered) meaning() {
	for i, n := range slices.Backward(h.nodes) {
		around := h.nodes[:i]
		found := false
		switch n := n.(type) {
		case *ast.Name:
			switch parent := around[i-1].(type) {
			case *ast.Property:
				found = h.key(n, parent)
			case *ast.Label:
				found = h.label(n, around)
			}
		case *ast.Record:
			return
		case ast.Value:
			found = h.value(n, around)
		}
		if found {
			if h.place.IsZero() {
				h.place = n.Span()
			}
			return
		}
	}
}

// key describes a property.
func (h *hovered) key(n *ast.Name, p *ast.Property) bool {
	c := h.d.contextAt(n.Span().Start)
	for _, d := range c.ownerProperties(0) {
		if d.Key == n.Text && (p.Separator == ":" || ownerTakesType(c.owner(0), n.Text)) {
			h.page.property(d)
			return true
		}
	}
	return false
}

// hoveredType returns the type expression that a value is.
func hoveredType(v ast.Value) (string, bool) {
	if r, ok := v.(*ast.Record); ok {
		if t := r.Get("type"); t != nil {
			return hoveredType(t.Value)
		}
	}
	return ast.WordOf(v)
}

// label describes a label: of a pattern what it makes of it, of a node which
// type it is.
func (h *hovered) label(n *ast.Name, around []ast.Node) bool {
	if p := patternAround(around); p.Form == ast.FormBracket || library.RuleLabel(p) != nil {
		return h.page.word(n.Text)
	}
	return h.typeIn(n, n.Text)
}

// typeIn describes the type under the cursor, which is a word of the language in a
// type expression or all of it.
func (h *hovered) typeIn(n ast.Node, text string) bool {
	at, end := h.d.wordAt(h.offset), n.Span().End
	word, rest := at.Text(), strings.TrimLeft(h.d.text[min(at.End, end):end], " ")
	if h.page.word(word) {
		h.place = at
		return true
	}
	if p, known := vocabulary.PropertyOf(vocabulary.OwnerAlias, word); known && strings.HasPrefix(rest, "=") {
		h.page.property(p)
		h.place = at
		return true
	}
	t := compile.NewView(h.d.ast(), h.examineOptionsOf(h.d)).TypeOf(text)
	if t != nil {
		h.page.para("%s", markdownCode(cutMarkdown(text)))
		h.page.typ(t)
		h.page.schema(t.Schema(""))
	}
	return t != nil
}

// value describes the value of a property.
func (h *hovered) value(v ast.Value, around []ast.Node) bool {
	for len(around) > 0 {
		if _, ok := around[len(around)-1].(*ast.Array); !ok {
			break
		}
		around = around[:len(around)-1]
	}
	property, ok := around[len(around)-1].(*ast.Property)
	text, isText := ast.WordOf(v)
	if !ok || !isText {
		return false
	}
	owner, key := h.d.contextAt(property.Key.Span().Start).owner(0), property.Key.Text
	switch {
	case owner == vocabulary.OwnerAgent && (key == "model" || key == "models"):
		return h.model(text)
	case owner == vocabulary.OwnerHeader && key == "import":
		return h.importedFile(text)
	case key == "pattern" && ownerIsTyped(owner):
		h.page.pattern(text)
		return true
	case key == "values" && owner == vocabulary.OwnerEnum, key == "enum" && ownerIsTyped(owner):
		h.page.enumValue(text, property)
		return true
	case owner == vocabulary.OwnerBuiltin && key == "builtin":
		return h.page.builtinNamed(text)
	case library.EntryKindOf(patternAround(around)) != "" && strings.Contains(text, "$"):
		return h.variable(v)
	case ownerTakesType(owner, key), property.Separator == "::" && ownerIsTyped(owner):
		return h.typeIn(v, text)
	}
	return false
}

// model describes the model of an agent.
func (h *hovered) model(text string) bool {
	m, err := compile.ParseModel(text, h.models)
	if err != nil {
		return false
	}
	h.page.model(m, h.models)
	return true
}

// importedFile describes a file by what it defines.
func (h *hovered) importedFile(path string) bool {
	if h.d.path == "" {
		return false
	}
	d, err := h.file(filepath.Join(filepath.Dir(h.d.path), filepath.FromSlash(path)))
	if err != nil || d == nil {
		return false
	}
	h.page.para("**%s**", plainMarkdown(h.shownPath(d)))
	for i, o := range d.exports() {
		if i == maxShown {
			h.page.line("… and %d more", len(d.exports())-i)
			break
		}
		what := "tool"
		if o.isType {
			what = "type"
		}
		h.page.line("%s %s %s", what, markdownCode(o.name), plainMarkdown(cutMarkdown(patternPropertyText(o.pattern, "description"))))
	}
	return true
}

// variable describes ${NAME} in a text of an entry.
func (h *hovered) variable(v ast.Value) bool {
	for _, name := range variableNames(v.Span()) {
		if name.Start <= h.offset && h.offset <= name.End {
			h.place = name
			h.page.para("**%s** · an environment variable, whose value is kept secret", plainMarkdown(name.Text()))
			return true
		}
	}
	return false
}

// problems adds the problems at the place that are known already; it never
// waits for a check.
func (h *hovered) problems() {
	e := h.d.examined.Load()
	if e == nil {
		return
	}
	for _, d := range e.problems {
		s := d.Span
		if s.File != h.d.source() || h.offset < s.Start || h.offset > s.End || s.Start < s.End && h.offset == s.End {
			continue
		}
		h.page.explanation(d, h.diagnosticSeverity(d))
		if h.place.IsZero() {
			h.place = s
		}
	}
}

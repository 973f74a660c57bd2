package lsp

import (
	"context"
	"iter"
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
	h := &hovered{snapshot: s, d: d, offset: d.offset(p.Position), nodes: d.nodesAt(p.Position), others: s.others(ctx, d)}
	h.meaning()
	h.problems()
	if h.page.Len() == 0 {
		return nil, nil
	}
	at := d.rangeOf(h.place)
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: h.page.String()}, Range: &at}, nil
}

// A hovered is a place that is being described.
type hovered struct {
	*snapshot
	d      *document
	offset int
	nodes  []ast.Node // around the place, the outermost first
	others iter.Seq[*document]
	page   page
	place  source.Span // of what is described
	view   *compile.View

	providers []string // whose limits are described
}

// compiled returns the view of the document.
func (h *hovered) compiled() *compile.View {
	if h.view == nil {
		h.view = compile.NewView(h.d.ast(), h.optionsOf(h.d))
	}
	return h.view
}

// meaning describes the name at the place, else the innermost node that means
// something.
func (h *hovered) meaning() {
	if h.named() {
		return
	}
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

// named describes what the name at the place defines or refers to.
func (h *hovered) named() bool {
	if len(h.nodes) < 2 {
		return false
	}
	top, ok := h.nodes[1].(*ast.Pattern)
	if !ok {
		return false
	}
	at := h.d.indexOf(top).at(h.offset)
	if at == nil {
		return false
	}
	h.place = h.d.source().Span(int(at.start), int(at.end))
	if found := at.definition != nil && h.definition(at.definition) || at.definition == nil && h.referred(at); found {
		return true
	}
	h.place = source.Span{}
	return false
}

// referred describes what a name refers to.
func (h *hovered) referred(u *place) bool {
	switch u.purpose {
	case element:
		return h.reference(patternAround(h.nodes))
	case typing:
		return h.namedType(u.name)
	case served:
		h.page.para("**%s** · a tool of the server %s", plainText(u.name), plainText(u.in.name))
		h.toolOf(u.name)
		return true
	}
	return false
}

// key describes a property, or the field that it declares.
func (h *hovered) key(n *ast.Name, p *ast.Property) bool {
	c := h.d.contextAt(n.Span().Start)
	owner := c.owner(0)
	if owner == ownerRule {
		h.page.para("**%s** · the argument of a call, compared with a pattern in which * is any run of characters", plainText(n.Text))
		return true
	}
	for _, d := range c.properties(0) {
		if d.Key == n.Text && (p.Separator == ":" || takesType(owner, n.Text)) {
			h.page.property(d)
			return true
		}
	}
	if p.Separator == "::" && isTyped(owner) {
		if word, ok := typeOfValue(p.Value); ok {
			return h.typeText(word)
		}
	}
	return false
}

// typeOfValue returns the type expression that a value is.
func typeOfValue(v ast.Value) (string, bool) {
	if r, ok := v.(*ast.Record); ok {
		if t := r.Get("type"); t != nil {
			return typeOfValue(t.Value)
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

// typeIn describes the type under the cursor, which is a name in a type
// expression or all of it.
func (h *hovered) typeIn(n ast.Node, text string) bool {
	at, end := h.d.wordAt(h.offset), n.Span().End
	word, rest := at.Text(), strings.TrimLeft(h.d.text[min(at.End, end):end], " ")
	if word != text && (h.namedType(word) || h.page.word(word)) {
		h.place = at
		return true
	}
	if p, known := vocabulary.PropertyOf(vocabulary.OwnerAlias, word); known && strings.HasPrefix(rest, "=") {
		h.page.property(p)
		h.place = at
		return true
	}
	return h.typeText(text)
}

// namedType describes a type that the document knows by a name.
func (h *hovered) namedType(name string) bool {
	def := h.compiled().Type(name)
	if def != nil {
		h.page.namedType(def)
	}
	return def != nil
}

// typeText describes a type expression.
func (h *hovered) typeText(text string) bool {
	if h.namedType(text) || h.page.word(text) {
		return true
	}
	t := h.compiled().TypeOf(text)
	if t == nil {
		return false
	}
	h.page.para("%s", inline(cut(text)))
	h.page.typ(t)
	h.page.schema(t.Schema(""))
	return true
}

// reference describes the tool that an element of an agent references, with the
// limits of the provider of the agent.
func (h *hovered) reference(p *ast.Pattern) bool {
	t, ok := h.compiled().Names().Tool(p)
	if !ok {
		return false
	}
	lowered := h.compiled().Tool(t)
	h.page.tool(lowered, t.Pattern)
	for _, n := range slices.Backward(h.nodes) {
		if around, ok := n.(*ast.Pattern); ok {
			if a, isAgent := ast.AsAgent(around); isAgent {
				h.limits(lowered, a)
				break
			}
		}
	}
	h.definedIn(t.Pattern)
	return true
}

// limits adds the limits of the provider of an agent, each provider once.
func (h *hovered) limits(t *compile.Tool, a ast.Agent) {
	m, err := compile.ParseModel(a.Model())
	if err != nil || slices.Contains(h.providers, m.Provider) {
		return
	}
	h.providers = append(h.providers, m.Provider)
	h.page.limits(t, m)
}

// definedIn adds which other file defines a pattern.
func (h *hovered) definedIn(p *ast.Pattern) {
	if p.Span().File == h.d.source() {
		return
	}
	if at := h.location(p.Span()); at.URI != "" {
		name := at.URI[strings.LastIndexByte(at.URI, '/')+1:]
		h.page.para("Defined in [%s](%s#L%d)", plainText(name), at.URI, at.Range.Start.Line+1)
	}
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
		h.page.explanation(d, h.severityOf(d))
		if h.place.IsZero() {
			h.place = s
		}
	}
}

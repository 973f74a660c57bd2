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
	"github.com/gram-lang/gramc/compile/vocabulary"
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
}

// compiled returns the view of the document.
func (h *hovered) compiled() *compile.View {
	if h.view == nil {
		h.view = compile.NewView(h.d.ast(), h.optionsOf(h.d))
	}
	return h.view
}

// meaning describes the innermost node that means something.
func (h *hovered) meaning() {
	for i, n := range slices.Backward(h.nodes) {
		around := h.nodes[:i]
		switch n := n.(type) {
		case *ast.Name:
			if h.name(n, around) {
				h.place = firstPlace(h.place, n.Span())
				return
			}
		case *ast.Pattern:
			if n.Form == ast.FormRef && h.reference(n, around) {
				h.place = n.Span()
				return
			}
		case ast.Value:
			if h.value(n, around) {
				h.place = firstPlace(h.place, n.Span())
				return
			}
			if _, isRecord := n.(*ast.Record); isRecord {
				return
			}
		}
	}
}

// firstPlace returns the first span that is a place.
func firstPlace(a, b source.Span) source.Span {
	if a.IsZero() {
		return b
	}
	return a
}

// name describes the name of a pattern, a label or a key.
func (h *hovered) name(n *ast.Name, around []ast.Node) bool {
	switch parent := last(around).(type) {
	case *ast.Property:
		return h.key(n, parent, around)
	case *ast.Label:
		return h.label(n, around)
	case *ast.Subject:
		if p, ok := last(around[:len(around)-1]).(*ast.Pattern); ok {
			return h.defined(p, around[:len(around)-2])
		}
	}
	return false
}

// last returns the last node, nil when there is none.
func last(nodes []ast.Node) ast.Node {
	if len(nodes) == 0 {
		return nil
	}
	return nodes[len(nodes)-1]
}

// key describes a property, or the field that it declares.
func (h *hovered) key(n *ast.Name, p *ast.Property, around []ast.Node) bool {
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
	i := slices.IndexFunc(around, func(a ast.Node) bool { _, ok := a.(*ast.Subject); return ok })
	for j := len(around) - 1; j >= 0; j-- {
		p, ok := around[j].(*ast.Pattern)
		if !ok {
			continue
		}
		if p.Form == ast.FormBracket || library.RuleLabel(p) != nil {
			return h.word(n.Text)
		}
		break
	}
	return i >= 0 && h.typeIn(n, n.Text)
}

func (h *hovered) word(word string) bool {
	before := h.page.Len()
	aboutWord(&h.page, word)
	return h.page.Len() > before
}

// typeIn describes the type under the cursor, which is a name in a type
// expression or all of it.
func (h *hovered) typeIn(n ast.Node, text string) bool {
	at, end := h.d.wordAt(h.offset), n.Span().End
	word, rest := at.Text(), strings.TrimLeft(h.d.text[min(at.End, end):end], " ")
	if word != text && h.namedOrLanguage(word) {
		h.place = at
		return true
	}
	if d, known := vocabulary.PropertyOf(vocabulary.OwnerAlias, word); known && strings.HasPrefix(rest, "=") {
		h.page.property(d)
		h.place = at
		return true
	}
	return h.typeText(text)
}

// namedOrLanguage describes a type with a name.
func (h *hovered) namedOrLanguage(name string) bool {
	if def := h.compiled().Type(name); def != nil {
		h.page.namedType(def)
		return true
	}
	return h.word(name)
}

// typeText describes a type expression.
func (h *hovered) typeText(text string) bool {
	if h.namedOrLanguage(text) {
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
func (h *hovered) reference(p *ast.Pattern, around []ast.Node) bool {
	t, ok := h.compiled().Names().Tool(p)
	if !ok {
		return false
	}
	lowered := h.compiled().Tool(t)
	h.page.tool(lowered, t.Pattern)
	h.limitsFor(lowered, around)
	h.definedIn(t.Pattern)
	return true
}

// limitsFor adds the limits of the provider of the agent around.
func (h *hovered) limitsFor(t *compile.Tool, around []ast.Node) {
	for _, n := range slices.Backward(around) {
		if p, ok := n.(*ast.Pattern); ok {
			if a, isAgent := ast.AsAgent(p); isAgent {
				if m, err := compile.ParseModel(a.Model()); err == nil {
					h.page.limits(t, m)
				}
				return
			}
		}
	}
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

package lsp

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// definition describes what a name defines.
func (h *hovered) definition(def *definition) bool {
	p := def.pattern
	if p == nil {
		return false
	}
	switch def.kind {
	case agentKind:
		h.agent(ast.Agent{Pattern: p})
	case toolKind:
		h.tool(ast.Tool{Pattern: p})
	case typeKind:
		return h.namedType(def.name)
	case libraryKind:
		h.library(p)
	case entryKind:
		return h.entry(p)
	case parameterKind, fieldKind:
		return h.parameter(def)
	default:
		return false
	}
	return true
}

// agent describes an agent.
func (h *hovered) agent(a ast.Agent) {
	h.page.para("**%s** · an agent", plainText(a.Name()))
	if d, ok := a.Description(); ok {
		h.page.para("%s", plainText(d))
	}
	if a.Model() != "" {
		h.page.para("Model %s", inline(a.Model()))
	}
	names := h.compiled().Names()
	for e := range a.Tools() {
		if t, ok := names.Tool(e); ok {
			h.page.line("%s %s", inline(t.Name()), plainText(cut(t.Description())))
		}
	}
	if r := a.Property("returns"); r != nil {
		if text, ok := typeOfValue(r.Value); ok {
			h.page.para("Responds with %s", inline(text))
		}
	}
}

// tool describes a tool, with the limits of the providers of the agents of the
// file that have it.
func (h *hovered) tool(t ast.Tool) {
	lowered := h.compiled().Tool(t)
	h.page.tool(lowered, t.Pattern)
	names := h.compiled().Names()
	for _, a := range names.Agents() {
		for e := range a.Tools() {
			if has, ok := names.Tool(e); ok && has.Pattern == t.Pattern {
				h.limits(lowered, a)
			}
		}
	}
}

// parameter describes a parameter or a field.
func (h *hovered) parameter(def *definition) bool {
	list, _ := partsOf(h.compiled(), topmost(def))
	i := slices.IndexFunc(list, func(p *types.Param) bool { return p.Name == def.name })
	if i < 0 {
		return false
	}
	h.page.para("%s", paramText(list[i]))
	h.page.deprecation(def.pattern)
	h.page.schema(list[i].Type.Schema(list[i].Description))
	return true
}

// signatureOf returns the signature of an entry of a library, nil when it has
// none.
func (h *hovered) signatureOf(entry *ast.Pattern) *types.Signature {
	if e := signatureElement(entry); e != nil {
		return h.compiled().Signature(e)
	}
	return nil
}

// signatureElement returns the element of an entry that is its signature.
func signatureElement(entry *ast.Pattern) *ast.Pattern {
	for _, e := range entry.Elements {
		if (e.Form == ast.FormPath || e.Form == ast.FormNode) && library.RuleLabel(e) == nil {
			return e
		}
	}
	return nil
}

// library lists the entries of a library.
func (h *hovered) library(p *ast.Pattern) {
	h.page.heading(p, "a library")
	for _, e := range p.Elements {
		if kind := library.EntryOf(e); kind != "" {
			h.page.line("%s, %s", inline(e.Identity()), kind)
		}
	}
}

// entry describes an entry and its parameters: by the signature of the entry,
// as the built-in that it is, or as an agent of the project has the tool.
func (h *hovered) entry(p *ast.Pattern) bool {
	kind := library.EntryOf(p)
	if kind == "" {
		return false
	}
	if b, known := library.BuiltinOf(p); known && kind == library.EntryBuiltin {
		h.page.builtin(b)
		return true
	}
	h.page.heading(p, string(kind))
	for _, key := range []string{"run", "shell", "url", "command"} {
		if property := p.Property(key); property != nil && property.Value != nil {
			h.page.code("gram", ast.Print(property.Value))
			break
		}
	}
	if s := h.signatureOf(p); s != nil {
		h.page.signature(s)
		h.page.schema(s.InputSchema())
	} else if kind != library.EntryMCP {
		h.toolOf(p.Identity())
	}
	return true
}

// toolOf adds the tool of that name of the project.
func (h *hovered) toolOf(name string) {
	for other := range h.others {
		for _, o := range other.exports() {
			if o.name == name && !o.isType {
				view := compile.NewView(other.ast(), h.optionsOf(other))
				h.page.tool(view.Tool(ast.Tool{Pattern: o.pattern}), o.pattern)
				h.definedIn(o.pattern)
				return
			}
		}
	}
}

// value describes the value of a property.
func (h *hovered) value(v ast.Value, around []ast.Node) bool {
	var property *ast.Property
	for i := len(around) - 1; i >= 0 && property == nil; i-- {
		switch n := around[i].(type) {
		case *ast.Property:
			property = n
		case *ast.Array:
		default:
			return false
		}
	}
	if property == nil {
		return false
	}
	c := h.d.contextAt(property.Key.Span().Start)
	owner, key := c.owner(0), property.Key.Text
	text, isText := ast.WordOf(v)
	switch entry := patternAround(around); {
	case !isText:
		return false
	case owner == vocabulary.OwnerAgent && key == "instruction":
		return h.mention(v)
	case owner == vocabulary.OwnerBuiltin && key == "builtin":
		return h.page.builtinNamed(text)
	case library.EntryOf(entry) != "" && strings.ContainsAny(text, "{$"):
		return h.template(v, entry)
	case takesType(owner, key), property.Separator == "::" && isTyped(owner):
		return h.typeIn(v, text)
	}
	return false
}

// patternAround returns the innermost pattern of some nodes, an empty one when
// there is none.
func patternAround(nodes []ast.Node) *ast.Pattern {
	for _, n := range slices.Backward(nodes) {
		if p, ok := n.(*ast.Pattern); ok {
			return p
		}
	}
	return &ast.Pattern{Subject: &ast.Subject{}}
}

// template describes ${NAME} in a text of an entry, and {name} in a template.
func (h *hovered) template(v ast.Value, entry *ast.Pattern) bool {
	span := v.Span()
	parts, ranges, _ := template.Parse(span.Text(), true)
	for i, part := range parts {
		end := span.Start + ranges[i].End - len("}")
		if part.Kind == template.Literal || h.offset < end-len(part.Text) || h.offset > end {
			continue
		}
		h.place = span.File.Span(end-len(part.Text), end)
		if part.Kind == template.Environment {
			h.page.para("**%s** · an environment variable, whose value is kept secret", plainText(part.Text))
			return true
		}
		if s := h.signatureOf(entry); s != nil {
			if i := slices.IndexFunc(s.Params, func(p *types.Param) bool { return p.Name == part.Text }); i >= 0 {
				h.page.para("%s", paramText(s.Params[i]))
				return true
			}
		}
		h.page.para("**%s** · an argument of the call", plainText(part.Text))
		return true
	}
	return false
}

// mention describes the tool that an instruction names in backticks.
func (h *hovered) mention(v ast.Value) bool {
	for _, m := range report.Mentions(v) {
		if h.offset < m.Span.Start || h.offset > m.Span.End {
			continue
		}
		for _, e := range patternAround(h.nodes).Elements {
			if t, ok := h.compiled().Names().Tool(e); ok && t.Name() == m.Text {
				h.place = m.Span
				return h.reference(e)
			}
		}
	}
	return false
}

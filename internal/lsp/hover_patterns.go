package lsp

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/report"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/compile/vocabulary"
	"github.com/gram-lang/gramc/internal/template"
)

// defined describes the pattern that a name defines.
func (h *hovered) defined(p *ast.Pattern, around []ast.Node) bool {
	if p.Form == ast.FormRef {
		return h.reference(p, around)
	}
	if p.Form == ast.FormNode {
		return h.node(p, around)
	}
	if p.Form != ast.FormBracket {
		return false
	}
	if a, ok := ast.AsAgent(p); ok {
		return h.agent(a)
	}
	if t, ok := ast.AsTool(p); ok {
		return h.tool(t, around)
	}
	if ast.IsNamedType(p) {
		def := h.compiled().Type(p.Identity())
		if def != nil {
			h.page.namedType(def)
		}
		return def != nil
	}
	if library.IsLibrary(p) {
		return h.library(p)
	}
	if parent, ok := last(around).(*ast.Pattern); ok && library.IsLibrary(parent) {
		return h.entry(p)
	}
	return false
}

// agent describes an agent.
func (h *hovered) agent(a ast.Agent) bool {
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
	return true
}

// tool describes a tool, with the limits of the providers of the agents of the
// file that have it.
func (h *hovered) tool(t ast.Tool, around []ast.Node) bool {
	lowered := h.compiled().Tool(t)
	h.page.tool(lowered, t.Pattern)
	described := map[string]bool{}
	names := h.compiled().Names()
	for _, a := range names.Agents() {
		m, err := compile.ParseModel(a.Model())
		if err != nil || described[m.Provider] {
			continue
		}
		for e := range a.Tools() {
			if has, ok := names.Tool(e); ok && has.Pattern == t.Pattern {
				described[m.Provider] = true
				h.page.limits(lowered, m)
				break
			}
		}
	}
	return true
}

// node describes a parameter or a field.
func (h *hovered) node(n *ast.Pattern, around []ast.Node) bool {
	if len(n.Subject.Labels) == 0 {
		return false
	}
	for _, list := range h.paramsAround(around) {
		for _, p := range list {
			if p.Span == report.NameSpan(n) || p.Name == n.Identity() && n.Identity() != "" {
				h.page.para("%s", paramText(p))
				h.page.deprecation(n)
				h.page.schema(p.Type.Schema(p.Description))
				return true
			}
		}
	}
	return false
}

// paramsAround returns the parameters of the signature, and the fields of the
// named type, around a node.
func (h *hovered) paramsAround(around []ast.Node) (lists [][]*types.Param) {
	for _, n := range around {
		p, ok := n.(*ast.Pattern)
		if !ok {
			continue
		}
		if t, isTool := ast.AsTool(p); isTool {
			if s := h.compiled().Tool(t).Signature; s != nil {
				lists = append(lists, s.Params)
			}
		}
		if ast.IsNamedType(p) {
			if def := h.compiled().Type(p.Identity()); def != nil && def.Type != nil && def.Type.Resolved() != nil {
				lists = append(lists, def.Type.Resolved().Fields)
			}
		}
		if library.EntryOf(p) != "" {
			if s := h.signatureOf(p); s != nil {
				lists = append(lists, s.Params)
			}
		}
	}
	return lists
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
func (h *hovered) library(p *ast.Pattern) bool {
	h.page.para("**%s** · a library", plainText(p.Identity()))
	if d := textOf(p, "description"); d != "" {
		h.page.para("%s", plainText(d))
	}
	for _, e := range p.Elements {
		if kind := library.EntryOf(e); kind != "" {
			h.page.line("%s, %s", inline(e.Identity()), kind)
		}
	}
	return true
}

// entry describes an entry and its parameters: by the signature of the entry,
// as the built-in that it is, or as an agent of the project has the tool.
func (h *hovered) entry(p *ast.Pattern) bool {
	kind := library.EntryOf(p)
	if kind == "" {
		return false
	}
	if kind == library.EntryBuiltin {
		if b, known := library.BuiltinOf(p); known {
			aboutBuiltin(&h.page, b.Name)
			return true
		}
	}
	h.page.para("**%s** · %s", plainText(p.Identity()), kind)
	if d := textOf(p, "description"); d != "" {
		h.page.para("%s", plainText(d))
	}
	for _, key := range []string{"run", "shell", "url", "command"} {
		if property := p.Property(key); property != nil && property.Value != nil {
			h.page.code("gram", ast.Print(property.Value))
			break
		}
	}
	if s := h.signatureOf(p); s != nil {
		h.page.signature(s)
		h.page.schema(s.InputSchema())
		return true
	}
	if kind != library.EntryMCP {
		h.toolOf(p.Identity())
	}
	return true
}

// toolOf adds the tool of that name of the project.
func (h *hovered) toolOf(name string) {
	for other := range h.others {
		for _, o := range other.offers() {
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
	switch {
	case !isText:
		return false
	case owner == vocabulary.OwnerAgent && key == "instruction":
		return h.mention(v)
	case owner == vocabulary.OwnerBuiltin && key == "builtin":
		before := h.page.Len()
		aboutBuiltin(&h.page, text)
		return h.page.Len() > before
	case library.EntryOf(patternAround(around)) == library.EntryMCP && key == "allow":
		return h.served()
	case library.EntryOf(patternAround(around)) != "" && strings.ContainsAny(text, "{$"):
		return h.template(v, patternAround(around))
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

// served describes a tool that a server is allowed to give, as an agent of the
// project has it.
func (h *hovered) served() bool {
	x := h.d.index()
	found, ok := x.at(h.offset)
	if !ok || found.definition != nil || x.references[found.reference].purpose != served {
		return false
	}
	u := x.references[found.reference]
	h.page.para("**%s** · a tool of the server %s", plainText(u.name), plainText(u.in.name))
	h.toolOf(u.name)
	return true
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
				return h.reference(e, h.nodes)
			}
		}
	}
	return false
}

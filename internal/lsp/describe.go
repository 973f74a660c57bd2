package lsp

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
)

// A describer describes what names define, for a document.
type describer struct {
	*snapshot
	d    *document
	page markdownPage
}

// definition describes what a name defines, and says where, if that is another
// document.
func (h *describer) definition(f *finder, def *definition) {
	d, p := def.document, def.pattern
	view := compile.NewView(d.ast(), h.examineOptionsOf(d))
	switch def.kind {
	case agentKind:
		h.agent(ast.Agent{Pattern: p}, view.Names())
	case toolKind:
		tool := view.Tool(ast.Tool{Pattern: p})
		h.page.tool(tool, p)
		h.limits(tool)
	case typeKind:
		if t := view.Type(def.name); t != nil {
			h.page.namedType(t)
		}
	case libraryKind:
		h.library(p)
	case entryKind:
		h.entry(f, def, view)
	case parameterKind, fieldKind:
		h.parameter(def, view)
	}
	if d != h.d && h.page.Len() > 0 {
		at := d.indexedRange(def.spelling)
		name := d.uri[strings.LastIndexByte(d.uri, '/')+1:]
		h.page.para("Defined in [%s](%s#L%d)", plainMarkdown(name), d.uri, at.Start.Line+1)
	}
}

// agent describes an agent.
func (h *describer) agent(a ast.Agent, names *compile.Names) {
	h.page.heading(a.Pattern, "an agent")
	for i, model := range a.Models() {
		if i == 0 {
			h.page.para("Model %s", markdownCode(model))
		} else {
			h.page.para("or else %s", markdownCode(model))
		}
	}
	for e := range a.Tools() {
		if t, ok := names.Tool(e); ok {
			h.page.line("%s %s", markdownCode(t.Name()), plainMarkdown(cutMarkdown(t.Description())))
		}
	}
	if r := a.Property("returns"); r != nil {
		if text, ok := hoveredType(r.Value); ok {
			h.page.para("Responds with %s", markdownCode(text))
		}
	}
}

// limits adds the limits of the providers of the agents of the document that have
// a tool, each provider once.
func (h *describer) limits(tool *compile.Tool) {
	var providers []string
	for _, a := range compile.ResolveNames(h.d.ast()).Agents() {
		for _, model := range a.Models() {
			m, err := compile.ParseModel(model, h.models)
			if err == nil && patternHasElement(a.Pattern, tool.Name) && !slices.Contains(providers, m.Provider) {
				providers = append(providers, m.Provider)
				h.page.limits(tool, m, h.models)
			}
		}
	}
}

// parameter describes a parameter or a field.
func (h *describer) parameter(def *definition, view *compile.View) {
	list, _ := signatureParts(view, topmostDefinition(def))
	param := signatureParam(list, def)
	if param == nil {
		return
	}
	h.page.para("%s", paramMarkdown(param))
	if def.pattern != nil {
		h.page.deprecation(def.pattern)
	}
	h.page.schema(param.Type.Schema(param.Description))
}

// library lists the entries of a library.
func (h *describer) library(p *ast.Pattern) {
	h.page.heading(p, "a library")
	for _, e := range p.Elements {
		if kind := library.EntryKindOf(e); kind != "" {
			h.page.line("%s, %s", markdownCode(e.Identity()), kind)
		}
	}
}

// entry describes an entry and its parameters: by the signature of the entry,
// as the built-in that it is, or as the agents of the workspace have the tool.
func (h *describer) entry(f *finder, def *definition, view *compile.View) {
	p := def.pattern
	kind := library.EntryKindOf(p)
	if b, known := library.BuiltinOf(p); known && kind == library.EntryBuiltin {
		h.page.builtin(b)
		return
	}
	if kind == "" {
		return
	}
	h.page.heading(p, string(kind))
	for _, key := range []string{"run", "shell", "url", "command"} {
		if property := p.Property(key); property != nil && property.Value != nil {
			h.page.code("gram", ast.Print(property.Value))
			break
		}
	}
	if e := signatureElement(p); e != nil {
		if s := view.Signature(e); s != nil {
			h.page.signature(s)
			h.page.schema(s.InputSchema())
		}
	} else if tools := f.contracts(def.document, def.name); len(tools) > 0 && kind != library.EntryMCP {
		h.definition(f, tools[0])
	}
}

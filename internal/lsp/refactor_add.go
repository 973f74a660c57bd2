package lsp

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// A missingProperty is a property that something should have.
type missingProperty struct {
	key, value string // the value is a snippet
	plain      string // the value where the client knows no snippets; "" for that of the snippet
	otherwise  string // another property that does instead
}

// addProperties offers to add the properties that the innermost thing around the
// place should have. The fix of a problem adds required ones too, but at the
// end of the record.
func (o *selection) addProperties() {
	p, outer := o.innermost()
	if p == nil || p.Form == ast.FormRef {
		return
	}
	o.addSignature(p)
	what, missing := o.addableProperties(p, outer)
	for _, l := range missing {
		if p.Property(l.key) != nil || l.otherwise != "" && p.Property(l.otherwise) != nil {
			continue
		}
		title := "add " + l.key + " to " + what
		if l.key == "description" {
			title = "describe " + what
		}
		o.add(title, kindRewrite, func(c *changes) {
			c.addMissing(o.doc, p.Subject, l)
		})
	}
}

// addableProperties returns what a pattern is called, and the properties that it should
// have.
func (o *selection) addableProperties(p, outer *ast.Pattern) (what string, list []missingProperty) {
	_, isAgent := ast.AsAgent(p)
	_, isTool := ast.AsTool(p)
	about := "What it is"
	switch {
	case p.Identity() == "" || outer == nil && p.Form == ast.FormNode:
		return "", nil
	case p.Form == ast.FormNode:
		what = "the parameter"
		if ast.IsNamedType(outer) {
			what = "the field"
		} else if _, inTool := ast.AsTool(outer); !inTool && !o.top().HasLabel(ast.LabelLibrary) {
			return "", nil
		}
	case p.Form != ast.FormBracket:
		return "", nil
	case isAgent:
		what, about = "the agent", "What it is for"
		list = []missingProperty{
			{key: "instruction", value: `"${1:You are a helpful assistant.}"`},
			{key: "model", value: `"${1:OpenAI/gpt-5.4-mini}"`, otherwise: "models"},
		}
	case isTool:
		list = []missingProperty{{key: "description", value: `"${1:What it does}"`, plain: `"…"`}}
		return "the tool " + p.Identity(), list
	case ast.IsNamedType(p):
		what = "the type"
	case p.HasLabel(ast.LabelLibrary):
		what, about = "the library", "What works on this machine"
	case outer != nil && outer.HasLabel(ast.LabelLibrary):
		return "the entry " + p.Identity(), addableEntryProperties(p)
	default:
		return "", nil
	}
	list = append(list, missingProperty{key: "description", value: `"${1:` + about + `}"`, plain: `""`})
	return what + " " + p.Identity(), list
}

// addableEntryProperties returns the properties that an entry of a library requires. The
// values of built-ins are the examples of the documentation.
func addableEntryProperties(p *ast.Pattern) (list []missingProperty) {
	switch library.EntryKindOf(p) {
	case library.EntryCommand:
		list = []missingProperty{{key: "run", value: `["${1:./program}"]`, otherwise: "shell"}}
	case library.EntryHTTP:
		list = []missingProperty{{key: "url", value: `"${1:https://api.example.com/}"`}}
	case library.EntryMCP:
		list = []missingProperty{{key: "command", value: `["${1:npx}", "${2:-y}", "${3:server}"]`, otherwise: "url"}}
	case library.EntryBuiltin:
		builtin, _ := library.BuiltinOf(p)
		for _, key := range builtin.Required {
			d, _ := vocabulary.PropertyOf(vocabulary.OwnerBuiltin, key)
			_, value, _ := strings.Cut(d.Example, ": ")
			list = append(list, missingProperty{key: key, value: escapeSnippet(value)})
		}
	}
	return list
}

// addSignature offers to add a signature to a tool that has none.
func (o *selection) addSignature(p *ast.Pattern) {
	if _, isTool := ast.AsTool(p); !isTool || len(p.Elements) > 0 || p.Identity() == "" {
		return
	}
	o.add("add a signature to the tool "+p.Identity(), kindRewrite, func(c *changes) {
		at, text := p.Subject.Span().End, " | "+signatureSnippet
		if c.canAsk() {
			c.ask(o.doc, at, at, text)
		} else {
			c.replace(o.doc, at, at, snippetWithoutPlaceholders(text))
		}
	})
}

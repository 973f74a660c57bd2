package lsp

import (
	"context"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/vocabulary"
)

// A lack is a property that something should have.
type lack struct {
	key, value string // the value is a snippet
	plain      string // the value where the client knows no snippets; "" for that of the snippet
	otherwise  string // another property that does instead
}

// complete offers to add what the innermost thing around the place should have.
// Where one must be there, a problem has a fix too; but that stands at the end
// of the record.
func (o *offer) complete() {
	p, outer := o.innermost()
	if p == nil || p.Form == ast.FormRef {
		return
	}
	o.addSignature(p)
	what, lacks := o.lacks(p, outer)
	for _, l := range lacks {
		if p.Property(l.key) != nil || l.otherwise != "" && p.Property(l.otherwise) != nil {
			continue
		}
		title := "add " + l.key + " to " + what
		if l.key == "description" {
			title = "describe " + what
		}
		o.add(title, kindRewrite, func(_ context.Context, c *changes) error {
			c.addLack(o.doc, p.Subject, l)
			return nil
		})
	}
}

// lacks returns what a pattern is called, and what such a one should have.
func (o *offer) lacks(p, outer *ast.Pattern) (what string, list []lack) {
	description := func(text string) lack {
		return lack{key: "description", value: `"${1:` + text + `}"`, plain: `""`}
	}
	name := " " + p.Identity()
	_, isAgent := ast.AsAgent(p)
	_, isTool := ast.AsTool(p)
	switch {
	case p.Identity() == "":
	case p.Form == ast.FormNode:
		return o.partLacks(p, outer, description("What it is"))
	case p.Form != ast.FormBracket:
	case isAgent:
		return "the agent" + name, []lack{
			description("What it is for"),
			{key: "instruction", value: `"${1:You are a helpful assistant.}"`},
			{key: "model", value: `"${1:OpenAI/gpt-4o-mini}"`},
		}
	case isTool:
		return "the tool" + name, []lack{{key: "description", value: `"${1:What it does}"`, plain: `"…"`}}
	case ast.IsNamedType(p):
		return "the type" + name, []lack{description("What it is")}
	case p.HasLabel(ast.LabelLibrary):
		return "the library" + name, []lack{description("What works on this machine")}
	case outer != nil && outer.HasLabel(ast.LabelLibrary):
		return "the entry" + name, entryLacks(p)
	}
	return "", nil
}

// partLacks is lacks of a parameter or a field.
func (o *offer) partLacks(p, outer *ast.Pattern, description lack) (what string, list []lack) {
	if outer == nil {
		return "", nil
	}
	_, inTool := ast.AsTool(outer)
	switch {
	case inTool || o.top().HasLabel(ast.LabelLibrary):
		return "the parameter " + p.Identity(), []lack{description}
	case ast.IsNamedType(outer):
		return "the field " + p.Identity(), []lack{description}
	}
	return "", nil
}

// entryLacks returns what an entry of a library should have: what it cannot be
// without.
func entryLacks(p *ast.Pattern) []lack {
	switch kind := library.EntryOf(p); kind {
	case library.EntryCommand:
		return []lack{{key: "run", value: `["${1:./program}"]`, otherwise: "shell"}}
	case library.EntryHTTP:
		return []lack{{key: "url", value: `"${1:https://api.example.com/}"`}}
	case library.EntryMCP:
		return []lack{{key: "command", value: `["${1:npx}", "${2:-y}", "${3:server}"]`, otherwise: "url"}}
	case library.EntryBuiltin:
		return builtinLacks(p)
	}
	return nil
}

// builtinLacks is entryLacks of a built-in tool. Its properties are those that
// the documentation shows.
func builtinLacks(p *ast.Pattern) []lack {
	builtin, _ := library.BuiltinOf(p)
	var list []lack
	for _, key := range builtin.Required {
		d, _ := vocabulary.PropertyOf(vocabulary.OwnerBuiltin, key)
		_, value, _ := strings.Cut(d.Example, ": ")
		list = append(list, lack{key: key, value: escapeSnippet(value)})
	}
	return list
}

// addSignature offers to add a signature to a tool that has none.
func (o *offer) addSignature(p *ast.Pattern) {
	if _, isTool := ast.AsTool(p); !isTool || len(p.Elements) > 0 || p.Identity() == "" {
		return
	}
	o.add("add a signature to the tool "+p.Identity(), kindRewrite, func(_ context.Context, c *changes) error {
		at, text := p.Subject.Span().End, " | "+signatureSnippet
		if c.canAsk() {
			c.ask(o.doc, at, at, text)
		} else {
			c.replace(o.doc, at, at, plain(text))
		}
		return nil
	})
}

// addLack adds a property that a subject lacks; the client asks for its value, if
// it can.
func (c *changes) addLack(d *document, s *ast.Subject, l lack) {
	if !c.canAsk() {
		if l.plain == "" {
			l.plain = plain(l.value)
		}
		c.addProperty(d, s, l.key+": "+l.plain)
		return
	}
	start, end, before, after := d.propertyPlace(s)
	if strings.Contains(before, "\n") {
		before = strings.TrimRight(before, " \t") // the client indents the lines of a snippet
	}
	c.ask(d, start, end, before+l.key+": "+l.value+escapeSnippet(after))
}

// addProperty adds a property to the record of a subject.
func (c *changes) addProperty(d *document, s *ast.Subject, property string) {
	start, end, before, after := d.propertyPlace(s)
	c.replace(d, start, end, before+property+after)
}

// propertyPlace returns where a property is added to the record of a subject, at
// its end, and what is written around it, laid out as the others are.
func (d *document) propertyPlace(s *ast.Subject) (start, end int, before, after string) {
	r := s.Record
	switch {
	case r == nil:
		return s.Span().End, s.Span().End, " {", "}"
	case len(r.Properties) == 0:
		return r.Span().Start, r.Span().End, "{", "}"
	}
	last := r.Properties[len(r.Properties)-1].Span()
	between := " "
	if strings.Contains(d.text[r.Span().Start:r.Properties[0].Span().Start], "\n") {
		between = d.lineBreak() + d.indentOf(r.Properties[0].Span().Start)
	}
	return last.End, last.End, "," + between, ""
}

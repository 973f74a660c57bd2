package compile

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// This file is about what its author calls deprecated: it works as before, and
// should not be used in what is new. Whoever uses it all the same is told by a
// hint.

// Deprecation reports whether the record of a tool, a type, a parameter or a
// field says that it is deprecated, and what it says of that: deprecated:true, or
// a text in place of true.
func Deprecation(r *ast.Record) (reason string, deprecated bool) {
	p := attributeIn(r, "deprecated")
	if p == nil {
		return "", false
	}
	if yes, ok := p.Value.(*ast.Bool); ok {
		return "", yes.Value
	}
	return ast.TextOf(p.Value)
}

// deprecation reads true, false, or a text, which means true.
func (c *compiler) deprecation(p *ast.Property, what string) bool {
	if text, ok := ast.TextOf(p.Value); ok && !blank(text) && !strings.EqualFold(text, "true") && !strings.EqualFold(text, "false") {
		return true
	}
	return c.flag(p, what)
}

func readDeprecated(c *compiler, p *ast.Property, a *attributed) json.RawMessage {
	return strconv.AppendBool(nil, c.deprecation(p, a.what))
}

// deprecated hints at a use of a tool or a type that is deprecated. The word says
// which of them it is.
func (c *compiler) deprecated(use source.Span, word string, definition *ast.Pattern) {
	reason, yes := Deprecation(definition.Subject.Record)
	if !yes || c.imported(use) {
		return
	}
	d := c.diags.Hintf(use, diag.CodeDeprecated, "the %s %s is deprecated", word, quote(definition.Identity()))
	if reason = strings.TrimRight(strings.TrimSpace(reason), "."); reason != "" {
		d.Message += ": " + clip(reason)
	}
	relate(d, nameSpan(definition), "defined here")
}

// deprecatedTools hints at the tools that agents refer to, that instructions name
// in backticks, and that entries of libraries do the work of.
func (c *compiler) deprecatedTools(libraries []*Library) {
	for _, a := range c.names.agents {
		has := map[string]*ast.Pattern{}
		for e := range a.Tools() {
			t, ok := c.names.Tool(e)
			if !ok {
				continue
			}
			has[t.Name()] = t.Pattern
			if e.Form == ast.FormRef {
				c.deprecated(e.Span(), "tool", t.Pattern)
			}
		}
		p := a.Property("instruction")
		if p == nil || p.Value == nil {
			continue
		}
		for _, word := range Mentions(p.Value) {
			if t := has[word.Text]; t != nil {
				c.deprecated(word.Span, "tool", t)
			}
		}
	}
	for _, l := range libraries {
		for _, e := range l.Entries {
			places := e.toolSpans()
			for i, name := range e.tools() {
				if same := c.names.sameName[name]; len(same) > 0 {
					c.deprecated(places[i], "tool", same[0])
				}
			}
		}
	}
}

package lint

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// This file holds the rules of any gram file, whatever it is about: a key
// occurs once in a record, and what only this program accepts is marked.

// A Linter checks the nodes of any gram file.
type Linter struct {
	*report.Reporter
	Strict      bool                      // what the reference grammar refuses is an error
	HasOwnRules func(p *ast.Pattern) bool // whether the names of a pattern have rules of their own
}

// Node checks n and everything below it.
func (c *Linter) Node(n ast.Node) {
	if f, whole := n.(*ast.File); whole {
		c.definitions(f)
		c.carriageReturnsLayout(f)
	}
	ast.Walk(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Pattern:
			c.Broken = c.Broken || n.Form == ast.FormBad
			c.duplicateAnnotationKeys(n.Annotations)
			c.dashesLayout(n)
		case *ast.Subject:
			c.subject(n)
			return false
		case *ast.Arrow:
			c.arrowLayout(n)
		case *ast.Record:
			c.record(n)
			return false
		case *ast.Annotation:
			if n.Identified {
				return true
			}
			if n.Key != nil && n.Key.Kind != ast.NameSymbol {
				c.notPortable(n.Key.Span(), "a quoted key of an annotation")
			}
			c.property(n.Value)
			return false
		}
		return true
	})
}

func (c *Linter) subject(s *ast.Subject) {
	if s.Identity != nil {
		c.quoted(s.Identity, s.Identity.Raw)
	}
	c.duplicateLabels(s.Labels)
	for _, l := range s.Labels {
		c.labelLayout(l)
		c.quoted(l.Name, l.Name.Raw)
	}
	if s.Record != nil {
		c.record(s.Record)
	}
}

func (c *Linter) record(r *ast.Record) {
	DuplicateKeys(c.Reporter, r)
	for _, p := range r.Properties {
		c.key(p.Key)
		c.property(p.Value)
	}
}

// property checks the value of a property or an annotation.
func (c *Linter) property(v ast.Value) {
	if v == nil {
		c.Broken = true
		return
	}
	c.value(v, &v)
}

// value checks v, which is *top or stands inside it. *Top is nil once it has
// been reported that *top is nested too deep.
func (c *Linter) value(v ast.Value, top *ast.Value) {
	switch v := v.(type) {
	case *ast.String:
		if v.Quote != ast.QuoteFence {
			c.quoted(v, v.Raw)
		} else {
			c.fenceLayout(v.Span(), v.Raw)
		}
	case *ast.Tagged:
		if v.Fence {
			c.fenceLayout(v.Span(), v.Raw)
		} else {
			c.tagLayout(v)
			c.quoted(v, strings.TrimLeft(strings.TrimPrefix(v.Raw, v.Tag), " \t"))
		}
	case *ast.Number:
		c.number(v)
	case *ast.Range:
		c.number(v.Lower)
		c.number(v.Upper)
	case *ast.Array:
		c.nested(v, top)
		if len(v.Elements) == 0 {
			c.notPortable(v.Span(), "an empty array")
		}
		for _, e := range v.Elements {
			c.value(e, top)
		}
	case *ast.Record:
		c.nested(v, top)
		c.mapValue(v, top)
	}
}

func (c *Linter) mapValue(m *ast.Record, top *ast.Value) {
	DuplicateKeys(c.Reporter, m)
	for _, p := range m.Properties {
		c.key(p.Key)
		if p.Separator == "::" {
			c.notPortable(p.Key.Span(), `"::" inside a map`)
		}
		if p.Value == nil {
			c.Broken = true
			continue
		}
		c.value(p.Value, top)
	}
}

func (c *Linter) key(n *ast.Name) {
	c.quoted(n, n.Raw)
	if n.Text == "" && n.Raw != "" {
		c.Diags.Hintf(n.Span(), diag.CodeOddLayout, "an empty key")
	}
}

// nested reports, once below each top value, that an array or a map stands
// inside another.
func (c *Linter) nested(v ast.Value, top *ast.Value) {
	if *top == nil || *top == v {
		return
	}
	c.notPortable(v.Span(), report.KindOf(v)+" inside "+report.KindOf(*top))
	*top = nil
}

func (c *Linter) number(n *ast.Number) {
	if n == nil {
		return
	}
	c.oddNumber(n)
	if n.Kind == ast.Measurement && strings.Contains(n.Raw, ".") {
		c.notPortable(n.Span(), "a measurement with decimals")
	}
}

// quoted checks the spelling of a text or a name in quotes.
func (c *Linter) quoted(n ast.Node, raw string) {
	if len(raw) < 2 || raw[0] != '"' && raw[0] != '\'' && raw[0] != '`' {
		return
	}
	s, body := n.Span(), raw[1:len(raw)-1]
	if end := strings.IndexByte(body, '\n'); end >= 0 {
		c.quoteLayout(s, body, end)
		body = body[:end]
	}
	if strings.HasPrefix(strings.TrimLeft(body, " \t\r\v\f"), "//") {
		c.notPortable(s, "text that starts with //")
		return
	}
	for i := 0; ; i++ {
		next := strings.IndexByte(body[i:], '\\')
		if i += next + 1; next < 0 || i == len(body) {
			return
		}
		if strings.IndexByte("\"'`", body[i]) >= 0 && body[i] != raw[0] {
			c.notPortable(s, `the escape \`+body[i:i+1]+" in text that another quote ends")
			return
		}
	}
}

func (c *Linter) notPortable(s source.Span, what string) {
	if c.Strict {
		c.Diags.Errorf(s, diag.CodeNotPortable, "%s is not in tree-sitter-gram", what)
		return
	}
	c.Diags.Infof(s, diag.CodeNotPortable, "%s is accepted here but not by tree-sitter-gram", what)
}

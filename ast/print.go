package ast

import (
	"cmp"
	"fmt"
	"strings"
)

// Print returns the node as gram text on one line (a fence keeps its lines),
// without comments. Values keep their spelling. The text of a tree that parsed
// without errors parses back to an equal tree; the text of a signature is what
// a compiled program keeps of it.
func Print(n Node) string {
	p := &printer{}
	p.node(n)
	return p.String()
}

type printer struct{ strings.Builder }

func (p *printer) put(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

func (p *printer) node(n Node) {
	switch n := n.(type) {
	case *File:
		p.file(n)
	case *Pattern:
		p.pattern(n)
	case *Subject:
		p.subject(n)
	case *Name:
		p.put(n.spelling())
	case *Label:
		p.put(n.Separator, n.Name.spelling())
	case *Arrow:
		p.arrow(n)
	case *Annotation:
		p.annotation(n)
	case *Property:
		p.put(n.Key.spelling(), n.Separator)
		p.value(n.Value)
	case Value:
		p.value(n)
	default:
		panic(fmt.Sprintf("ast: print of a %T", n))
	}
}

func (p *printer) file(f *File) {
	if f.Header != nil {
		p.value(f.Header)
		p.put("\n")
	}
	for _, pat := range f.Patterns {
		p.pattern(pat)
		p.put("\n")
	}
}

func (p *printer) pattern(n *Pattern) {
	for _, a := range n.Annotations {
		p.annotation(a)
		p.put(" ")
	}
	switch n.Form {
	case FormBad:
		p.put(n.Span().Text())
	case FormRef:
		p.subject(n.Subject)
	case FormNode:
		p.put("(")
		p.subject(n.Subject)
		p.put(")")
	case FormPath:
		for i, e := range n.Elements {
			p.pattern(e)
			if i < len(n.Arrows) {
				p.arrow(n.Arrows[i])
			}
		}
	case FormBracket:
		p.put("[")
		p.subject(n.Subject)
		before := " | "
		for _, e := range n.Elements {
			p.put(before)
			p.pattern(e)
			before = ", "
		}
		p.put("]")
	}
}

func (p *printer) subject(s *Subject) {
	if s.Identity != nil {
		p.put(s.Identity.spelling())
	}
	for _, l := range s.Labels {
		p.put(cmp.Or(l.Separator, ":"), l.Name.spelling())
	}
	if s.Record != nil {
		if s.Identity != nil || len(s.Labels) > 0 {
			p.put(" ")
		}
		p.value(s.Record)
	}
}

func (p *printer) arrow(a *Arrow) {
	stroke := []string{"-", "=", "~"}[a.Family]
	if a.Direction == Left || a.Direction == Both {
		p.put("<")
	}
	p.put(stroke)
	if a.Subject != nil {
		p.put("[")
		p.subject(a.Subject)
		p.put("]")
	}
	p.put(stroke)
	if a.Direction == Right || a.Direction == Both {
		p.put(">")
	}
}

func (p *printer) annotation(a *Annotation) {
	if a.Identified {
		p.put("@@")
		p.subject(a.Subject)
		return
	}
	p.put("@", a.Key.spelling(), "(")
	p.value(a.Value)
	p.put(")")
}

func (p *printer) value(v Value) {
	switch v := v.(type) {
	case nil:
	case *String:
		p.put(v.spelling())
	case *Tagged:
		p.put(v.spelling())
	case *Number:
		p.put(v.Raw)
	case *Bool:
		p.put(fmt.Sprint(v.Value))
	case *Symbol:
		p.put(v.Text)
	case *Range:
		p.rangeValue(v)
	case *Array:
		p.put("[")
		for i, e := range v.Elements {
			if i > 0 {
				p.put(", ")
			}
			p.value(e)
		}
		p.put("]")
	case *Record:
		p.put("{")
		for i, prop := range v.Properties {
			if i > 0 {
				p.put(", ")
			}
			p.node(prop)
		}
		p.put("}")
	}
}

func (p *printer) rangeValue(r *Range) {
	if r.Lower != nil {
		p.put(r.Lower.Raw)
	}
	if r.Lower != nil && r.Upper != nil {
		p.put("..")
	} else {
		p.put("...")
	}
	if r.Upper != nil {
		p.put(r.Upper.Raw)
	}
}

func (n *Name) spelling() string {
	switch {
	case n.Raw != "":
		return n.Raw
	case n.Kind == NameQuoted:
		return quote(n.Text, '`')
	case n.Kind == NameDouble:
		return quote(n.Text, '"')
	}
	return n.Text
}

func (s *String) spelling() string {
	switch {
	case s.Raw != "":
		return s.Raw
	case s.Quote == QuoteFence:
		return "```\n" + s.Text + "\n```"
	case s.Quote == QuoteSingle:
		return quote(s.Text, '\'')
	case s.Quote == QuoteBacktick:
		return quote(s.Text, '`')
	}
	return quote(s.Text, '"')
}

func (t *Tagged) spelling() string {
	switch {
	case t.Raw != "":
		return t.Raw
	case t.Fence:
		return "```" + t.Tag + "\n" + t.Text + "\n```"
	}
	return t.Tag + quote(t.Text, '`')
}

// escapes are the only escapes of gram, beside the quote itself.
var escapes = strings.NewReplacer(`\`, `\\`, "\b", `\b`, "\f", `\f`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

func quote(text string, q byte) string {
	return string(q) + strings.ReplaceAll(escapes.Replace(text), string(q), `\`+string(q)) + string(q)
}

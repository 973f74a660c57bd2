package ast

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Print returns the node as gram text on one line (a fence keeps its lines),
// without comments. Values keep their spelling. The text of a tree that parsed
// without errors parses back to an equal tree; the text of a signature is what
// a compiled program keeps of it.
func Print(n Node) string {
	p := &astPrinter{}
	p.node(n)
	return p.String()
}

type astPrinter struct{ strings.Builder }

func (p *astPrinter) put(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

func (p *astPrinter) node(n Node) {
	switch n := n.(type) {
	case nil: // a value that did not parse
	case *File:
		if n.Header != nil {
			p.node(n.Header)
			p.put("\n")
		}
		for _, pattern := range n.Patterns {
			p.pattern(pattern)
			p.put("\n")
		}
	case *Pattern:
		p.pattern(n)
	case *Subject:
		p.subject(n)
	case *Name:
		p.put(n.printed())
	case *Label:
		p.put(cmp.Or(n.Separator, ":"), n.Name.printed())
	case *Arrow:
		first, second := n.Halves()
		p.put(first)
		if n.Subject != nil {
			p.put("[")
			p.subject(n.Subject)
			p.put("]")
		}
		p.put(second)
	case *Annotation:
		p.annotation(n)
	case *Property:
		p.put(n.Key.printed(), n.Separator)
		p.node(n.Value)
	case *String:
		p.put(n.printed())
	case *Tagged:
		p.put(n.printed())
	case *Number:
		p.put(n.Raw)
	case *Bool:
		p.put(strconv.FormatBool(n.Value))
	case *Symbol:
		p.put(n.Text)
	case *Range:
		p.put(n.Lower.printed(), n.Dots(), n.Upper.printed())
	case *Array:
		printList(p, "[", "", n.Elements, "]")
	case *Record:
		printList(p, "{", "", n.Properties, "}")
	default:
		panic(fmt.Sprintf("ast: print of a %T", n))
	}
}

// printList prints nodes, each but the first after a comma.
func printList[N Node](p *astPrinter, open, before string, list []N, closing string) {
	p.put(open)
	for _, n := range list {
		p.put(before)
		p.node(n)
		before = ", "
	}
	p.put(closing)
}

func (p *astPrinter) pattern(n *Pattern) {
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
				p.node(n.Arrows[i])
			}
		}
	case FormBracket:
		p.put("[")
		p.subject(n.Subject)
		printList(p, "", " | ", n.Elements, "]")
	}
}

func (p *astPrinter) subject(s *Subject) {
	if s.Identity != nil {
		p.put(s.Identity.printed())
	}
	for _, l := range s.Labels {
		p.node(l)
	}
	if s.Record != nil {
		if s.Identity != nil || len(s.Labels) > 0 {
			p.put(" ")
		}
		p.node(s.Record)
	}
}

func (p *astPrinter) annotation(a *Annotation) {
	if a.Identified {
		p.put("@@")
		p.subject(a.Subject)
		return
	}
	p.put("@", a.Key.printed(), "(")
	p.node(a.Value)
	p.put(")")
}

// printed returns the number as written, "" for none.
func (n *Number) printed() string {
	if n == nil {
		return ""
	}
	return n.Raw
}

func (n *Name) printed() string {
	return printedText(n.Raw, n.Text, [...]string{NameQuoted: "`", NameInteger: "", NameDouble: `"`}[n.Kind])
}

func (s *String) printed() string {
	return printedText(s.Raw, s.Text, [...]string{`"`, "'", "`", fence}[s.Quote])
}

func (t *Tagged) printed() string {
	switch {
	case t.Raw != "":
		return t.Raw
	case t.Fence:
		return fence + t.Tag + "\n" + t.Text + "\n" + fence
	}
	return t.Tag + printedText("", t.Text, "`")
}

const fence = "```"

// escapes are the only escapes of gram, beside the quote itself.
var escapes = strings.NewReplacer(`\`, `\\`, "\b", `\b`, "\f", `\f`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// printedText returns raw, or if that is "", as of a node made in code, text in quotes.
func printedText(raw, text, quote string) string {
	switch {
	case raw != "":
		return raw
	case quote == "":
		return text
	case quote == fence:
		return fence + "\n" + text + "\n" + fence
	}
	return quote + strings.ReplaceAll(escapes.Replace(text), quote, `\`+quote) + quote
}

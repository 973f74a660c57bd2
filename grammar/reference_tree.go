package grammar

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// A referenceBuilder turns what the reference grammar parsed into the tree.
type referenceBuilder struct{ file *source.File }

// at returns the base of a node of those tokens.
func (b *referenceBuilder) at(tokens ...lexer.Token) ast.Base {
	last := tokens[len(tokens)-1]
	return ast.At(b.file.Span(tokens[0].Pos.Offset, last.Pos.Offset+len(last.Value)))
}

// after returns the base of an empty node after a token.
func (b *referenceBuilder) after(t lexer.Token) ast.Base {
	end := t.Pos.Offset + len(t.Value)
	return ast.At(b.file.Span(end, end))
}

func (b *referenceBuilder) build(f *file) *ast.File {
	tree := &ast.File{Base: ast.At(b.file.Span(0, len(b.file.Text()))), Source: b.file, Header: b.record(f.Header)}
	for _, p := range f.Patterns {
		tree.Patterns = append(tree.Patterns, b.pattern(p))
	}
	return tree
}

func (b *referenceBuilder) pattern(p *pattern) *ast.Pattern {
	node := b.element(&element{Bracket: p.Bracket, Path: p.Path})
	if i := p.Identified; i != nil {
		subject := b.subject(&subject{Tokens: i.Tokens[1:], Identity: i.Identity, Labels: i.Labels}, i.Tokens[0])
		node.Annotations = append(node.Annotations, &ast.Annotation{Base: b.at(i.Tokens...), Identified: true, Subject: subject})
	}
	for _, a := range p.Annotations {
		node.Annotations = append(node.Annotations, &ast.Annotation{Base: b.at(a.Tokens...), Key: b.name(a.Key), Value: b.value(a.Value)})
	}
	node.Base = b.at(p.Tokens...)
	return node
}

func (b *referenceBuilder) element(e *element) *ast.Pattern {
	switch {
	case e.Bracket != nil:
		p := &ast.Pattern{Base: b.at(e.Bracket.Tokens...), Form: ast.FormBracket}
		p.Subject = b.subject(e.Bracket.Subject, e.Bracket.Tokens[0])
		for _, element := range e.Bracket.Elements {
			p.Elements = append(p.Elements, b.element(element))
		}
		return p
	case e.Path != nil:
		return b.path(e.Path)
	}
	name := b.name(e.Reference.Token)
	return &ast.Pattern{Base: name.Base, Form: ast.FormRef, Subject: &ast.Subject{Base: name.Base, Identity: name}}
}

func (b *referenceBuilder) path(p *path) *ast.Pattern {
	first := b.node(p.First)
	if len(p.Hops) == 0 {
		return first
	}
	start := first.Span().Start
	tree := &ast.Pattern{Base: b.at(p.Tokens...), Form: ast.FormPath, Elements: []*ast.Pattern{first}}
	tree.Subject = &ast.Subject{Base: ast.At(b.file.Span(start, start))}
	for _, h := range p.Hops {
		tree.Arrows = append(tree.Arrows, b.arrow(h.Arrow))
		tree.Elements = append(tree.Elements, b.node(h.Node))
	}
	return tree
}

func (b *referenceBuilder) node(n *node) *ast.Pattern {
	return &ast.Pattern{Base: b.at(n.Tokens...), Form: ast.FormNode, Subject: b.subject(n.Subject, n.Tokens[0])}
}

func (b *referenceBuilder) arrow(a *arrow) *ast.Arrow {
	halves := a.Dash
	switch {
	case a.Fat != nil:
		halves = (*dash)(a.Fat)
	case a.Squiggle != nil:
		halves = (*dash)(a.Squiggle)
	}
	tree := &ast.Arrow{Base: b.at(a.Tokens...), Family: family(halves.First), Direction: direction(halves.First, halves.Second)}
	if halves.Subject != nil {
		tree.Subject = b.subject(halves.Subject, a.Tokens[1])
	}
	return tree
}

// subject returns a subject that stands after the given token.
func (b *referenceBuilder) subject(s *subject, before lexer.Token) *ast.Subject {
	tree := &ast.Subject{Base: b.after(before), Record: b.record(s.Record)}
	if len(s.Tokens) > 0 {
		tree.Base = b.at(s.Tokens...)
	}
	if s.Identity != nil {
		tree.Identity = b.name(s.Identity.Token)
	}
	for _, l := range s.Labels {
		tree.Labels = append(tree.Labels, &ast.Label{Base: b.at(l.Tokens...), Separator: l.Separator, Name: b.name(l.Name)})
	}
	return tree
}

func (b *referenceBuilder) name(t lexer.Token) *ast.Name {
	n := &ast.Name{Base: b.at(t), Text: t.Value, Raw: t.Value}
	switch kind(t.Type) {
	case tokInteger:
		n.Kind = ast.NameInteger
	case tokBacktick:
		n.Kind, n.Text = ast.NameQuoted, content(t)
	case tokDouble:
		n.Kind, n.Text = ast.NameDouble, content(t)
	}
	return n
}

// content returns the text of a quoted token.
func content(t lexer.Token) string {
	text, _ := unquote(t.Value)
	return text
}

func (b *referenceBuilder) record(r *record) *ast.Record {
	if r == nil {
		return nil
	}
	tree := &ast.Record{Base: b.at(r.Tokens...)}
	for _, p := range r.Properties {
		tree.Properties = append(tree.Properties, &ast.Property{
			Base: b.at(p.Tokens...), Key: b.name(p.Key), Separator: p.Separator, Value: b.value(p.Value),
		})
	}
	return tree
}

func (b *referenceBuilder) value(v *value) ast.Value {
	base := b.at(v.Tokens...)
	switch {
	case v.Bool != "":
		return &ast.Bool{Base: base, Value: v.Bool == "true"}
	case v.Word != nil && v.Word.Text != nil:
		tag, text := v.Word.Symbol.Value, *v.Word.Text
		return &ast.Tagged{Base: base, Tag: tag, Text: content(text), Raw: tag + text.Value}
	case v.Word != nil:
		return &ast.Symbol{Base: base, Text: v.Word.Symbol.Value}
	case v.Text != nil:
		return b.text(*v.Text)
	case v.Number != nil && (v.Number.Open || v.Number.Upper != nil):
		return &ast.Range{Base: base, Lower: b.number(v.Number.Lower), Upper: b.number(v.Number.Upper)}
	case v.Number != nil:
		return b.number(v.Number.Lower)
	case v.Upper != nil:
		return &ast.Range{Base: base, Upper: b.number(v.Upper)}
	case v.Record != nil:
		return b.record(v.Record)
	}
	tree := &ast.Array{Base: base}
	for _, element := range v.Array.Values {
		tree.Elements = append(tree.Elements, b.value(element))
	}
	return tree
}

func (b *referenceBuilder) text(t lexer.Token) ast.Value {
	if kind(t.Type) == tokFence {
		tag, text := fenceText(t.Value)
		if tag != "" {
			return &ast.Tagged{Base: b.at(t), Tag: tag, Text: text, Raw: t.Value, Fence: true}
		}
		return &ast.String{Base: b.at(t), Quote: ast.QuoteFence, Text: text, Raw: t.Value}
	}
	quotes := map[kind]ast.Quote{tokDouble: ast.QuoteDouble, tokSingle: ast.QuoteSingle, tokBacktick: ast.QuoteBacktick}
	return &ast.String{Base: b.at(t), Quote: quotes[kind(t.Type)], Text: content(t), Raw: t.Value}
}

func (b *referenceBuilder) number(n *number) *ast.Number {
	if n == nil {
		return nil
	}
	kind, _ := numberForm(n.Token.Value)
	return &ast.Number{Base: b.at(n.Token), Kind: kind, Raw: n.Token.Value}
}

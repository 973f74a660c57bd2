package grammar

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
)

// A referenceBuilder turns what the reference grammar parsed into the tree. Names,
// texts and numbers are made by the cursor.
type referenceBuilder struct{ *cursor }

// span returns the base of a node of those tokens.
func (b referenceBuilder) span(tokens []lexer.Token) ast.Base {
	return b.between(tokens[0].Pos.Offset, referenceToken(tokens[len(tokens)-1]).end())
}

func (b referenceBuilder) name(t lexer.Token) *ast.Name { return b.nameOf(referenceToken(t)) }

func (b referenceBuilder) file(f *file) *ast.File {
	tree := b.newParseTree()
	tree.Header = b.record(f.Header)
	for _, p := range f.Patterns {
		tree.Patterns = append(tree.Patterns, b.pattern(p))
	}
	return tree
}

func (b referenceBuilder) pattern(p *pattern) *ast.Pattern {
	tree := b.element(&element{Bracket: p.Bracket, Path: p.Path})
	if i := p.Identified; i != nil {
		subject := b.subject(&subject{Tokens: i.Tokens[1:], Identity: i.Identity, Labels: i.Labels}, i.Tokens[0])
		tree.Annotations = append(tree.Annotations, &ast.Annotation{Base: b.span(i.Tokens), Identified: true, Subject: subject})
	}
	for _, a := range p.Annotations {
		tree.Annotations = append(tree.Annotations, &ast.Annotation{Base: b.span(a.Tokens), Key: b.name(a.Key), Value: b.value(a.Value)})
	}
	tree.Base = b.span(p.Tokens)
	return tree
}

func (b referenceBuilder) element(e *element) *ast.Pattern {
	switch {
	case e.Path != nil:
		return b.path(e.Path)
	case e.Reference != nil:
		name := b.name(e.Reference.Token)
		return &ast.Pattern{Base: name.Base, Form: ast.FormRef, Subject: &ast.Subject{Base: name.Base, Identity: name}}
	}
	tree := b.enclosed(ast.FormBracket, e.Bracket.Tokens, e.Bracket.Subject)
	for _, element := range e.Bracket.Elements {
		tree.Elements = append(tree.Elements, b.element(element))
	}
	return tree
}

// enclosed returns a pattern whose first token is its opening bracket.
func (b referenceBuilder) enclosed(form ast.Form, tokens []lexer.Token, s *subject) *ast.Pattern {
	return &ast.Pattern{Base: b.span(tokens), Form: form, Subject: b.subject(s, tokens[0])}
}

func (b referenceBuilder) path(p *path) *ast.Pattern {
	nodes := []*ast.Pattern{b.enclosed(ast.FormNode, p.First.Tokens, p.First.Subject)}
	var arrows []*ast.Arrow
	for _, h := range p.Hops {
		arrows = append(arrows, b.arrow(h.Arrow))
		nodes = append(nodes, b.enclosed(ast.FormNode, h.Node.Tokens, h.Node.Subject))
	}
	if len(arrows) == 0 {
		return nodes[0]
	}
	start := p.Tokens[0].Pos.Offset
	empty := &ast.Subject{Base: b.between(start, start)}
	return &ast.Pattern{Base: b.span(p.Tokens), Form: ast.FormPath, Subject: empty, Elements: nodes, Arrows: arrows}
}

func (b referenceBuilder) arrow(a *arrow) *ast.Arrow {
	halves := a.Dash
	switch {
	case a.Fat != nil:
		halves = (*dash)(a.Fat)
	case a.Squiggle != nil:
		halves = (*dash)(a.Squiggle)
	}
	tree := &ast.Arrow{Base: b.span(a.Tokens), Family: pathArrowFamily(halves.First), Direction: pathArrowDirection(halves.First, halves.Second)}
	if halves.Subject != nil {
		tree.Subject = b.subject(halves.Subject, a.Tokens[1])
	}
	return tree
}

// subject returns a subject that stands after the given token.
func (b referenceBuilder) subject(s *subject, before lexer.Token) *ast.Subject {
	end := referenceToken(before).end()
	tree := &ast.Subject{Base: b.between(end, end), Record: b.record(s.Record)}
	if len(s.Tokens) > 0 {
		tree.Base = b.span(s.Tokens)
	}
	if s.Identity != nil {
		tree.Identity = b.name(s.Identity.Token)
	}
	for _, l := range s.Labels {
		tree.Labels = append(tree.Labels, &ast.Label{Base: b.span(l.Tokens), Separator: l.Separator, Name: b.name(l.Name)})
	}
	return tree
}

func (b referenceBuilder) record(r *record) *ast.Record {
	if r == nil {
		return nil
	}
	tree := &ast.Record{Base: b.span(r.Tokens)}
	for _, p := range r.Properties {
		property := &ast.Property{Base: b.span(p.Tokens), Key: b.name(p.Key), Separator: p.Separator, Value: b.value(p.Value)}
		tree.Properties = append(tree.Properties, property)
	}
	return tree
}

func (b referenceBuilder) value(v *value) ast.Value {
	base := b.span(v.Tokens)
	switch {
	case v.Bool != "":
		return &ast.Bool{Base: base, Value: v.Bool == "true"}
	case v.Word != nil && v.Word.Text != nil:
		return b.taggedValue(referenceToken(v.Word.Symbol), referenceToken(*v.Word.Text))
	case v.Word != nil:
		return &ast.Symbol{Base: base, Text: v.Word.Symbol.Value}
	case v.Text != nil:
		return b.textValue(referenceToken(*v.Text))
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

func (b referenceBuilder) number(n *number) *ast.Number {
	if n == nil {
		return nil
	}
	return b.numberValueOf(referenceToken(n.Token))
}

package format

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
)

// value prints a value, and nothing for none.
func (p *formatPrinter) value(v ast.Value) {
	if v == nil {
		return
	}
	p.before(v)
	switch v := v.(type) {
	case *ast.Tagged:
		if v.Fence {
			p.spelling(v)
		} else {
			p.token(v.Tag) // whitespace may follow it
			p.quoted(v.Raw[len(v.Tag):])
		}
	case *ast.Range:
		if v.Lower != nil {
			p.spelling(v.Lower)
		}
		p.token(v.Dots())
		if v.Upper != nil {
			p.spelling(v.Upper)
		}
	case *ast.Array:
		p.token("[")
		list(p, v, false, "", v.Elements, "]", (*formatPrinter).value)
	case *ast.Record:
		p.token("{")
		list(p, v, false, "", v.Properties, "}", (*formatPrinter).property)
	default:
		p.spelling(v)
	}
	p.suffix(v)
}

// spelling prints a node as it is spelled.
func (p *formatPrinter) spelling(n ast.Node) { p.quoted(n.Span().Text()) }

// quoted prints a token that may hold line breaks.
func (p *formatPrinter) quoted(text string) {
	if strings.IndexByte(text, '\n') < 0 {
		p.token(text)
		return
	}
	p.expect(text)
	p.add(op{kind: opRaw, text: text})
}

// sign prints a sign, which may stand before the comment that ends the line.
func (p *formatPrinter) sign(text string) {
	p.expect(text)
	p.add(op{kind: opSign, text: text})
}

// property prints key: value.
func (p *formatPrinter) property(n *ast.Property) {
	p.before(n)
	p.name(n.Key)
	p.sign(n.Separator)
	if n.Separator == ":" || !hugs(n.Value) {
		p.step(opSpace)
	}
	deeper := n.Value != nil && leads(n.Value) || end(n.Key) > n.Key.Span().End
	if deeper {
		p.step(opIndent)
	}
	p.value(n.Value)
	if deeper {
		p.step(opDedent)
	}
	p.suffix(n)
}

// hugs reports whether a value stands directly behind "::".
func hugs(v ast.Value) bool {
	switch v := v.(type) {
	case *ast.Symbol, *ast.Record:
		return true
	case *ast.String:
		return v.Quote == ast.QuoteBacktick
	}
	return false
}

// list prints the items of a list and its closing bracket, on lines of their own
// if they do not fit or the author broke the line before the first.
func list[N ast.Node](p *formatPrinter, owner ast.Node, broken bool, space string, items []N, closing string, print func(*formatPrinter, N)) {
	if len(items) == 0 {
		p.closing(owner, true)
		p.token(closing)
		return
	}
	p.begin(broken || p.breaksBefore(start(items[0])) > 0, false)
	p.opening(items[0])
	p.step(opIndent)
	p.add(op{kind: opLine, text: space})
	for i, n := range items {
		if i > 0 {
			p.sign(",")
			p.add(op{kind: opLine, text: " ", blank: p.blankBefore(start(n))})
		}
		print(p, n)
	}
	p.step(opDedent)
	p.closing(owner, false)
	p.step(opLine)
	p.token(closing)
	p.step(opEnd)
}

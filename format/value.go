package format

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
)

// value prints a value, and nothing for none.
func (p *printer) value(v ast.Value) {
	if v == nil {
		return
	}
	p.before(v)
	switch v := v.(type) {
	case *ast.Tagged:
		p.tagged(v)
	case *ast.Range:
		if v.Lower != nil {
			p.spelling(v.Lower)
		}
		p.token(v.Dots())
		if v.Upper != nil {
			p.spelling(v.Upper)
		}
	case *ast.Array:
		list(p, v, "[", v.Elements, "]", (*printer).value)
	case *ast.Record:
		list(p, v, "{", v.Properties, "}", (*printer).property)
	default:
		p.spelling(v)
	}
	p.suffix(v)
}

// spelling prints a node as it is spelt.
func (p *printer) spelling(n ast.Node) { p.quoted(n.Span().Text()) }

// quoted prints a token that may hold line breaks.
func (p *printer) quoted(text string) {
	if strings.IndexByte(text, '\n') < 0 {
		p.token(text)
		return
	}
	p.expect(text)
	p.add(op{kind: opRaw, text: text})
}

func (p *printer) tagged(v *ast.Tagged) {
	if v.Fence {
		p.spelling(v)
		return
	}
	p.token(v.Tag) // whitespace may stand behind it
	p.quoted(v.Raw[len(v.Tag):])
}

// property prints key: value.
func (p *printer) property(n *ast.Property) {
	p.before(n)
	p.name(n.Key)
	p.expect(n.Separator)
	p.add(op{kind: opSign, text: n.Separator})
	if n.Separator == ":" || !hugs(n.Value) {
		p.add(op{kind: opSpace})
	}
	deeper := n.Value != nil && leads(n.Value) || end(n.Key) > n.Key.Span().End
	if deeper {
		p.add(op{kind: opIndent})
	}
	p.value(n.Value)
	if deeper {
		p.add(op{kind: opDedent})
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

// list prints items between brackets, separated by commas.
func list[N ast.Node](p *printer, owner ast.Node, open string, items []N, shut string, print func(*printer, N)) {
	p.token(open)
	if len(items) == 0 {
		p.closing(owner, true)
		p.token(shut)
		return
	}
	p.begin(p.breaksBefore(start(items[0])) > 0, false)
	p.opening(items[0])
	p.add(op{kind: opIndent})
	p.add(op{kind: opLine})
	for i, n := range items {
		if i > 0 {
			p.comma(n)
		}
		print(p, n)
	}
	p.add(op{kind: opDedent})
	p.closing(owner, false)
	p.add(op{kind: opLine})
	p.token(shut)
	p.add(op{kind: opEnd})
}

// comma prints what stands before an item of a list that is not the first.
func (p *printer) comma(n ast.Node) {
	p.expect(",")
	p.add(op{kind: opSign, text: ","})
	p.add(op{kind: opLine, text: " ", blank: p.blankBefore(start(n))})
}

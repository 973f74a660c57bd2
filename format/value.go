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
	p.commentsBefore(v)
	switch v := v.(type) {
	case *ast.Tagged:
		if v.Fence {
			p.valueSpelling(v)
		} else {
			p.token(v.Tag) // whitespace may follow it
			p.quotedValue(v.Raw[len(v.Tag):])
		}
	case *ast.Range:
		if v.Lower != nil {
			p.valueSpelling(v.Lower)
		}
		p.token(v.Dots())
		if v.Upper != nil {
			p.valueSpelling(v.Upper)
		}
	case *ast.Array:
		p.token("[")
		formatValueList(p, v, false, false, v.Elements, "]", (*formatPrinter).value)
	case *ast.Record:
		p.token("{")
		formatValueList(p, v, false, false, v.Properties, "}", (*formatPrinter).propertyValue)
	default:
		p.valueSpelling(v)
	}
	p.suffixComments(v)
}

// valueSpelling prints a node as it is spelled.
func (p *formatPrinter) valueSpelling(n ast.Node) { p.quotedValue(n.Span().Text()) }

// quotedValue prints a token that may hold line breaks.
func (p *formatPrinter) quotedValue(text string) {
	if strings.IndexByte(text, '\n') < 0 {
		p.token(text)
		return
	}
	p.expect(opRaw, text)
}

// propertyValue prints key: value.
func (p *formatPrinter) propertyValue(n *ast.Property) {
	p.commentsBefore(n)
	p.patternName(n.Key)
	p.sign(n.Separator)
	if n.Separator == ":" || !hugsValue(n.Value) {
		p.step(opSpace)
	}
	deeper := n.Value != nil && hasLeadingComments(n.Value) || endWithComments(n.Key) > n.Key.Span().End
	if deeper {
		p.step(opIndent)
	}
	p.value(n.Value)
	if deeper {
		p.step(opDedent)
	}
	p.suffixComments(n)
}

// hugsValue reports whether a value stands directly behind "::".
func hugsValue(v ast.Value) bool {
	switch v := v.(type) {
	case *ast.Symbol, *ast.Record:
		return true
	case *ast.String:
		return v.Quote == ast.QuoteBacktick
	}
	return false
}

// formatValueList prints the items of a list and its closing bracket, on lines of their own
// if they do not fit or the author broke the line before the first.
func formatValueList[N ast.Node](p *formatPrinter, owner ast.Node, broken, spaced bool, items []N, closing string, print func(*formatPrinter, N)) {
	if len(items) == 0 {
		p.closingComments(owner, true)
		p.token(closing)
		return
	}
	p.begin(broken || p.breaksBefore(startWithComments(items[0])) > 0, false)
	p.openingComment(items[0])
	p.step(opIndent)
	p.add(layoutOp{kind: opLine, space: spaced})
	for i, n := range items {
		if i > 0 {
			p.sign(",")
			p.add(layoutOp{kind: opLine, space: true, blank: p.blankBefore(startWithComments(n))})
		}
		print(p, n)
	}
	p.step(opDedent)
	p.closingComments(owner, false)
	p.step(opLine)
	p.token(closing)
	p.step(opEnd)
}

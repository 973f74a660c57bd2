package grammar

import (
	"fmt"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
)

// argument is the value in the parentheses of an annotation.
type argument struct {
	value    ast.Value
	problems []problem
}

// Parse implements participle.Parseable.
func (a *argument) Parse(lex *lexer.PeekingLexer) error {
	c := &cursor{PeekingLexer: lex}
	if c.atAny(")") {
		return participle.NextMatch
	}
	a.value = c.value()
	a.problems = c.problems
	return nil
}

// value reads a value. Where there is none it notes a problem, takes nothing
// that may belong to what follows, and returns nil.
func (c *cursor) value() ast.Value {
	t := c.Peek()
	start := t.Pos.Offset
	switch {
	case isBad(t):
		c.unexpected("")
		c.Next()
		return nil
	case t.Type == tokPunct:
		switch t.Value {
		case "[":
			return c.array()
		case "{":
			return c.record()
		case "...":
			c.Next()
			upper := c.number("a number after ...")
			return &ast.Range{Base: c.since(start), Upper: upper}
		}
		c.unexpected("a value")
		return nil
	case t.EOF():
		c.unexpected("a value")
		return nil
	case t.Type == tokInteger || t.Type == tokNumber:
		return c.numberOrRange()
	case t.Type == tokSymbol:
		return c.symbolOrTagged()
	}
	c.Next()
	if t.Type == tokFence {
		tag, text := fenceText(t.Value)
		if tag != "" {
			return &ast.Tagged{Base: c.since(start), Tag: tag, Text: text, Raw: t.Value, Fence: true}
		}
		return &ast.String{Base: c.since(start), Quote: ast.QuoteFence, Text: text, Raw: t.Value}
	}
	quote := map[lexer.TokenType]ast.Quote{tokSingle: ast.QuoteSingle, tokBacktick: ast.QuoteBacktick}[t.Type]
	return &ast.String{Base: c.since(start), Quote: quote, Text: c.unquote(t), Raw: t.Value}
}

// unquote returns the content of a quoted token and notes its bad escapes.
func (c *cursor) unquote(t *lexer.Token) string {
	text, bad := unquote(t.Value)
	for _, at := range bad {
		escape := t.Value[at : at+2]
		c.note(t.Pos.Offset+at, t.Pos.Offset+at+2,
			fmt.Sprintf("unknown escape %s; for a backslash write \\\\", escape))
	}
	return text
}

func (c *cursor) number(expected string) *ast.Number {
	t := c.Peek()
	if t.Type != tokInteger && t.Type != tokNumber {
		c.unexpected(expected)
		return nil
	}
	c.Next()
	kind, _ := numberForm(t.Value)
	return &ast.Number{Base: c.since(t.Pos.Offset), Kind: kind, Raw: t.Value}
}

// numberOrRange reads 1, 1..5 or 1... .
func (c *cursor) numberOrRange() ast.Value {
	start := c.Peek().Pos.Offset
	lower := c.number("")
	switch {
	case c.accept("..."):
		return &ast.Range{Base: c.since(start), Lower: lower}
	case c.accept(".."):
		upper := c.number("a number after ..; an open range is written with three dots")
		return &ast.Range{Base: c.since(start), Lower: lower, Upper: upper}
	}
	return lower
}

// symbolOrTagged reads true, word or tag`text`.
func (c *cursor) symbolOrTagged() ast.Value {
	t := c.Next()
	start := t.Pos.Offset
	if t.Value == "true" || t.Value == "false" {
		return &ast.Bool{Base: c.since(start), Value: t.Value == "true"}
	}
	if text := c.Peek(); text.Type == tokBacktick {
		c.Next()
		return &ast.Tagged{Base: c.since(start), Tag: t.Value, Text: c.unquote(text), Raw: t.Value + text.Value}
	}
	return &ast.Symbol{Base: c.since(start), Text: t.Value}
}

// array reads [value, …].
func (c *cursor) array() *ast.Array {
	open := c.Next()
	a := &ast.Array{}
	for more := !c.at("]"); more; more = c.separator("]", c.atValue()) {
		if v := c.value(); v != nil {
			a.Elements = append(a.Elements, v)
		} else {
			c.skip(",]|")
		}
	}
	c.close(open, "]")
	a.Base = c.since(open.Pos.Offset)
	return a
}

// atValue reports whether the next token can start a value.
func (c *cursor) atValue() bool {
	t := c.Peek()
	return t.Type != tokPunct && !t.EOF() || c.at("[") || c.at("{") || c.at("...")
}

// separator moves from one entry of a list to the next and reports whether
// there is one. A comma before the closing bracket and a comma left out before
// what can only be the next entry are noted.
func (c *cursor) separator(closing string, nextEntry bool) bool {
	switch {
	case c.at(","):
		comma := c.Next()
		if !c.at(closing) {
			return true
		}
		c.note(comma.Pos.Offset, comma.Pos.Offset+1, fmt.Sprintf(`unexpected "," before %q`, closing))
		return false
	case nextEntry && !c.restart():
		c.missing(`missing ","`)
		return true
	case c.atAny("|)]}") || c.restart():
		return false // close says what is missing
	}
	c.unexpected(fmt.Sprintf(`"," or %q; a text of more than one word stands in quotes`, closing))
	c.skip("," + closing + "|")
	return c.accept(",") && !c.at(closing)
}

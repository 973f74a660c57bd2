package grammar

import (
	"fmt"

	"github.com/gram-lang/gramc/ast"
)

// value reads a value. Where there is none it notes a problem, takes nothing
// that may belong to what follows, and returns nil.
func (c *cursor) value() ast.Value {
	t := c.peek()
	c.valueStart = t.begin()
	switch t.kind {
	case tokSymbol:
		return c.symbolOrTagged()
	case tokDouble:
		return c.text(ast.QuoteDouble)
	case tokSingle:
		return c.text(ast.QuoteSingle)
	case tokBacktick:
		return c.text(ast.QuoteBacktick)
	case tokInteger, tokNumber:
		return c.numberOrRange()
	case tokFence:
		return c.fenced()
	case tokLeftBracket:
		return c.array()
	case tokLeftBrace:
		return c.record()
	case tokEllipsis:
		c.next()
		upper := c.number("a number after ...")
		return &ast.Range{Base: c.since(t.begin()), Upper: upper}
	}
	if t.bad() {
		c.unexpected("").fixWith(badFixes(*t, true))
		c.next()
		return nil
	}
	c.unexpected("a value")
	return nil
}

// text takes a quoted text.
func (c *cursor) text(quote ast.Quote) *ast.String {
	t := c.next()
	s := c.strings.take()
	s.Base, s.Quote, s.Text, s.Raw = c.since(t.begin()), quote, c.unquote(t), t.text
	return s
}

// fenced takes a fence.
func (c *cursor) fenced() ast.Value {
	t := c.next()
	base := c.since(t.begin())
	tag, text := fenceText(t.text)
	if tag != "" {
		return &ast.Tagged{Base: base, Tag: tag, Text: text, Raw: t.text, Fence: true}
	}
	return &ast.String{Base: base, Quote: ast.QuoteFence, Text: text, Raw: t.text}
}

// unquote returns the content of a quoted token and notes its bad escapes.
func (c *cursor) unquote(t *token) string {
	text, bad := unquote(t.text)
	for _, at := range bad {
		length := runeEnd(t.text, at+1) - at
		c.note(t.begin()+at, t.begin()+at+length,
			fmt.Sprintf("unknown escape %s; for a backslash write \\\\", t.text[at:at+length])).
			offer(escapeFixes(t.text[at:], t.begin()+at, t.text[0])...)
	}
	return text
}

func (c *cursor) number(expected string) *ast.Number {
	t := c.peek()
	if t.kind != tokInteger && t.kind != tokNumber {
		c.unexpected(expected)
		return nil
	}
	c.next()
	kind, _ := numberForm(t.text)
	return &ast.Number{Base: c.since(t.begin()), Kind: kind, Raw: t.text}
}

// numberOrRange reads 1, 1..5 or 1... .
func (c *cursor) numberOrRange() ast.Value {
	start := c.peek().begin()
	lower := c.number("")
	switch {
	case c.accept(tokEllipsis):
		return &ast.Range{Base: c.since(start), Lower: lower}
	case c.accept(tokDots):
		upper := c.number("a number after ..; an open range is written with three dots")
		return &ast.Range{Base: c.since(start), Lower: lower, Upper: upper}
	}
	return lower
}

// symbolOrTagged reads true, word or tag`text`.
func (c *cursor) symbolOrTagged() ast.Value {
	t := c.next()
	start := t.begin()
	if t.text == "true" || t.text == "false" {
		return &ast.Bool{Base: c.since(start), Value: t.text == "true"}
	}
	text := c.peek()
	switch {
	case text.bad() && text.text[0] == '`':
		c.unexpected("").fixWith(badFixes(*text, true))
		c.next()
		return nil
	case text.kind == tokBacktick:
		c.next()
		return &ast.Tagged{Base: c.since(start), Tag: t.text, Text: c.unquote(text), Raw: t.text + text.text}
	}
	return &ast.Symbol{Base: c.since(start), Text: t.text}
}

// array reads [value, …].
func (c *cursor) array() *ast.Array {
	open := c.next()
	mark := c.valueLists.mark()
	for more := !c.at(tokRightBracket); more; more = c.separator(tokRightBracket, c.atValue) {
		if c.atOpenRecord() {
			c.valueLists.add(c.record())
		} else if v := c.value(); v != nil {
			c.valueLists.add(v)
		} else {
			c.skip(1<<tokComma | 1<<tokRightBracket | 1<<tokBar)
		}
	}
	a := &ast.Array{Elements: c.valueLists.list(mark)}
	c.close(open)
	a.Base = c.since(open.begin())
	return a
}

// atValue reports whether the next token can start a value.
func (c *cursor) atValue() bool { return startsValue(c.peek()) }

// startsValue reports whether a token can start a value.
func startsValue(t *token) bool {
	return t.kind != tokEnd && !(signs &^ (1<<tokLeftBracket | 1<<tokLeftBrace | 1<<tokEllipsis)).has(t.kind)
}

// separator moves from one entry of a list to the next and reports whether
// there is one. A comma before the closing bracket and a comma left out before
// what can only be the next entry are noted.
func (c *cursor) separator(closer kind, atEntry func() bool) bool {
	switch {
	case c.at(tokComma):
		comma := c.next()
		for c.at(tokComma) {
			stray := c.next()
			c.note(stray.begin(), stray.end(), `unexpected "," after another one`).offer(withoutComma(stray))
		}
		if !c.at(closer) {
			return true
		}
		c.note(comma.begin(), comma.end(), fmt.Sprintf(`unexpected "," before %q`, sign(closer))).offer(withoutComma(comma))
		return false
	case c.at(closer):
		return false
	case c.at(tokBadChars) && c.peek().text == ";":
		semicolon := c.next()
		c.note(semicolon.begin(), semicolon.end(), `unexpected ";", expected ","`).
			offer(write(semicolon.begin(), semicolon.end(), ",").asSafe())
		return !c.at(closer)
	case atEntry() && !c.restart():
		c.missing(`missing ","`).offer(insert(",", c.end()).asSafe())
		return true
	case c.in(closers | 1<<tokBar), c.atEnd(), c.restart():
		return false // close says what is missing
	}
	at, start := c.peek().begin(), c.valueStart
	p := c.unexpected(fmt.Sprintf(`"," or %q; a text of more than one word stands in quotes`, sign(closer)))
	if kind := c.peek().kind; !c.peek().bad() || kind == tokBadChars {
		p.fixWith(func(text string) []fix { return bareValue(text, start, at) })
	}
	c.skip(1<<tokComma | 1<<closer | 1<<tokBar)
	return c.accept(tokComma) && !c.at(closer)
}

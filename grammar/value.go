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
		return c.symbolOrTaggedValue()
	case tokDouble, tokSingle, tokBacktick, tokFence:
		return c.textValue(c.next())
	case tokInteger, tokNumber:
		return c.numberOrRangeValue()
	case tokLeftBracket:
		return c.arrayValue()
	case tokLeftBrace:
		return c.record()
	case tokEllipsis:
		c.next()
		upper := c.numberValue("a number after ...")
		return &ast.Range{Base: c.since(c.valueStart), Upper: upper}
	}
	if t.bad() {
		c.unexpected("").fixWith(badFixes(t, true))
		c.next()
		return nil
	}
	c.unexpected("a value")
	return nil
}

// textValue returns a text in quotes or in a fence.
func (c *cursor) textValue(t token) ast.Value {
	if t.kind == tokFence {
		tag, text := fenceText(t.text)
		if tag != "" {
			return &ast.Tagged{Base: c.base(t), Tag: tag, Text: text, Raw: t.text, Fence: true}
		}
		return &ast.String{Base: c.base(t), Quote: ast.QuoteFence, Text: text, Raw: t.text}
	}
	quotes := [...]ast.Quote{tokSingle: ast.QuoteSingle, tokDouble: ast.QuoteDouble, tokBacktick: ast.QuoteBacktick}
	s := c.strings.take(c)
	s.Base, s.Quote, s.Text, s.Raw = c.base(t), quotes[t.kind], c.unquoteValue(t), t.text
	return s
}

// taggedValue returns a text in backticks with its tag.
func (c *cursor) taggedValue(tag, text token) *ast.Tagged {
	base := c.between(tag.begin(), text.end())
	return &ast.Tagged{Base: base, Tag: tag.text, Text: c.unquoteValue(text), Raw: tag.text + text.text}
}

// unquoteValue returns the content of a quoted token and notes its bad escapes.
func (c *cursor) unquoteValue(t token) string {
	text, bad := unquoteText(t.text)
	for _, at := range bad {
		length := textRuneEnd(t.text, at+1) - at
		c.note(t.begin()+at, t.begin()+at+length,
			fmt.Sprintf("unknown escape %s; for a backslash write \\\\", t.text[at:at+length])).
			offerFix(fixTextEscape(t.text[at:], t.begin()+at, t.text[0])...)
	}
	return text
}

func (c *cursor) numberValue(expected string) *ast.Number {
	digits := c.peek()
	if digits.kind != tokInteger && digits.kind != tokNumber {
		c.unexpected(expected)
		return nil
	}
	c.next()
	return c.numberValueOf(digits)
}

func (c *cursor) numberValueOf(t token) *ast.Number {
	n := c.numbers.take(c)
	n.Base, n.Raw = c.base(t), t.text
	if t.kind != tokInteger {
		n.Kind, _ = numberForm(t.text)
	}
	return n
}

// numberOrRangeValue reads 1, 1..5 or 1... .
func (c *cursor) numberOrRangeValue() ast.Value {
	start := c.peek().begin()
	lower := c.numberValue("")
	switch {
	case c.accept(tokEllipsis):
		return &ast.Range{Base: c.since(start), Lower: lower}
	case c.accept(tokDots):
		upper := c.numberValue("a number after ..; an open range is written with three dots")
		return &ast.Range{Base: c.since(start), Lower: lower, Upper: upper}
	}
	return lower
}

// symbolOrTaggedValue reads true, word or tag`text`.
func (c *cursor) symbolOrTaggedValue() ast.Value {
	t := c.next()
	if t.text == "true" || t.text == "false" {
		return &ast.Bool{Base: c.base(t), Value: t.text == "true"}
	}
	text := c.peek()
	switch {
	case text.bad() && text.text[0] == '`':
		c.unexpected("").fixWith(badFixes(text, true))
		c.next()
		return nil
	case text.kind == tokBacktick:
		return c.taggedValue(t, c.next())
	}
	return &ast.Symbol{Base: c.base(t), Text: t.text}
}

// arrayValue reads [value, …].
func (c *cursor) arrayValue() *ast.Array {
	open := c.next()
	mark := c.valueLists.mark()
	for more := !c.at(tokRightBracket); more; more = c.valueSeparator(tokRightBracket, c.atValue) {
		if v := c.value(); v != nil {
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
func startsValue(t token) bool {
	return t.kind != tokEnd && !(signs &^ (1<<tokLeftBracket | 1<<tokLeftBrace | 1<<tokEllipsis)).has(t.kind)
}

// valueSeparator moves from one entry of a list to the next and reports whether
// there is one. A comma before the closing bracket and a comma left out before
// what can only be the next entry are noted.
func (c *cursor) valueSeparator(closer kind, atEntry func() bool) bool {
	switch {
	case c.at(tokComma):
		comma := c.next()
		for c.at(tokComma) {
			stray := c.next()
			c.note(stray.begin(), stray.end(), `unexpected "," after another one`)
		}
		if !c.at(closer) {
			return true
		}
		c.note(comma.begin(), comma.end(), fmt.Sprintf(`unexpected "," before %q`, closerInMessage(closer)))
		return false
	case c.at(closer):
		return false
	case c.at(tokBadChars) && c.peek().text == ";":
		semicolon := c.next()
		c.note(semicolon.begin(), semicolon.end(), `unexpected ";", expected ","`)
		return !c.at(closer)
	case atEntry() && !c.restart():
		c.missing(`missing ","`)
		return true
	case c.in(closers | 1<<tokBar), c.atEnd(), c.restart():
		return false // close reports what is missing
	}
	at, start := c.peek().begin(), c.valueStart
	p := c.unexpected(fmt.Sprintf(`"," or %q; a text of more than one word stands in quotes`, closerInMessage(closer)))
	if kind := c.peek().kind; !c.peek().bad() || kind == tokBadChars {
		p.fixWith(func(text string) []fix { return fixBareText(text, start, at) })
	}
	if c.skipValue(closer); closer == tokRightBrace && c.atRecordPair() {
		return true
	}
	return c.accept(tokComma) && !c.at(closer)
}

// skipValue moves over what follows a value and does not belong there, up to the next entry
// of a list: in a record that can be a line with a key.
func (c *cursor) skipValue(closer kind) {
	if closer == tokRightBrace {
		for !c.atEnd() && !c.restart() && !c.in(openers|closers|1<<tokComma|1<<tokBar) {
			if c.peek().indent > 0 && c.atRecordPair() {
				break
			}
			c.next()
			c.lost++
		}
		if c.atRecordPair() {
			c.sync = max(c.sync, c.end())
			return
		}
	}
	c.skip(1<<tokComma | 1<<closer | 1<<tokBar)
}

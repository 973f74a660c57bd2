package grammar

import (
	"fmt"

	"github.com/gram-lang/gramc/ast"
)

// record reads {key: value, …}: a record, or a map, which is the same as a value.
func (c *cursor) record() *ast.Record {
	open, lost := c.next(), c.lost
	mark := c.propertyLists.mark()
	for more := !c.at(tokRightBrace); more; {
		p := c.recordProperty()
		if p != nil {
			c.propertyLists.add(p)
		} else {
			c.skip(1<<tokComma | 1<<tokRightBrace | 1<<tokBar)
		}
		before := c.lost
		more = c.valueSeparator(tokRightBrace, c.atRecordPair)
		if p != nil && c.lost > before {
			p.Value = nil // what stands after it was part of it
		}
	}
	r := c.records.take(c)
	r.Properties = c.propertyLists.list(mark)
	c.close(open)
	r.Base = c.since(open.begin())
	r.Broken = c.lost > lost
	return r
}

// recordProperty reads key: value, or nothing and returns nil.
func (c *cursor) recordProperty() *ast.Property {
	start := c.peek().begin()
	key := c.recordKey()
	if key == nil {
		return nil
	}
	p := c.properties.take(c)
	p.Key, p.Separator = key, ":"
	switch {
	case c.in(colons):
		p.Separator = c.next().text
	case c.peek().text == "=" && startsValue(c.second()) && !c.second().bad():
		equals := c.next()
		c.note(equals.begin(), equals.end(), fmt.Sprintf(`unexpected "=", expected ":" and a value for the key %s`, clipMessage(key.Text)))
	case c.atValue() && !c.atRecordPair() && !c.at(tokBadChars):
		c.missing(fmt.Sprintf(`missing ":" after the key %s`, clipMessage(key.Text)))
	default:
		c.unexpected(fmt.Sprintf(`":" and a value for the key %s`, clipMessage(key.Text)))
		p.Base = c.since(start)
		if !c.atRecordPair() {
			c.skip(1<<tokComma | 1<<tokRightBrace | 1<<tokBar)
		}
		return p
	}
	if c.in(1<<tokBar|1<<tokBadChars) && c.foreignTextBlock(start) {
		p.Base = c.since(start)
		return p
	}
	p.Value = c.value()
	if p.Value == nil && !c.atRecordPair() {
		c.skip(1<<tokComma | 1<<tokRightBrace | 1<<tokBar)
	}
	p.Base = c.since(start)
	return p
}

func (c *cursor) recordKey() *ast.Name {
	if c.in(1<<tokSymbol | 1<<tokBacktick | 1<<tokDouble) {
		return c.name()
	}
	t := c.peek()
	p := c.unexpected(`a key: a name, or text in " or backticks`)
	if t.kind != tokSingle {
		return nil
	}
	text, _ := unquoteText(t.text)
	p.offerFix(writeFix(t.begin(), t.end(), fixAsKey(text)).asSafe())
	return c.name()
}

// atRecordPair reports whether a key and a colon follow, or the sign that other
// languages have for it.
func (c *cursor) atRecordPair() bool {
	second := c.second()
	return c.in(keys) && (colons.has(second.kind) || second.text == "=")
}

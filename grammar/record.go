package grammar

import (
	"fmt"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
)

// record is {key: value, …}.
type record struct {
	record   *ast.Record
	problems []problem
}

// Parse implements participle.Parseable.
func (r *record) Parse(lex *lexer.PeekingLexer) error {
	c := &cursor{PeekingLexer: lex}
	if !c.at("{") {
		return participle.NextMatch
	}
	r.record = c.record()
	r.problems = c.problems
	return nil
}

// record reads a record, or a map, which is the same as a value.
func (c *cursor) record() *ast.Record {
	open, lost := c.Next(), c.lost
	r := &ast.Record{}
	for more := !c.at("}"); more; {
		p := c.property()
		if p != nil {
			r.Properties = append(r.Properties, p)
		} else {
			c.skip(",}|")
		}
		before := c.lost
		more = c.separator("}", c.atPair())
		if p != nil && c.lost > before {
			p.Value = nil // what stands behind it was part of it
		}
	}
	c.close(open, "}")
	r.Base = c.since(open.Pos.Offset)
	r.Broken = c.lost > lost
	return r
}

// property reads key: value, or nothing and returns nil.
func (c *cursor) property() *ast.Property {
	start := c.Peek().Pos.Offset
	key := c.key()
	if key == nil {
		return nil
	}
	p := &ast.Property{Key: key, Separator: ":"}
	switch {
	case c.at(":"), c.at("::"):
		p.Separator = c.Next().Value
	case c.atValue() && !c.atPair():
		c.missing(fmt.Sprintf(`missing ":" after the key %s`, clip(key.Text)))
	default:
		c.unexpected(fmt.Sprintf(`":" and a value for the key %s`, clip(key.Text)))
		p.Base = c.since(start)
		if !c.atPair() {
			c.skip(",}|")
		}
		return p
	}
	p.Value = c.value()
	if p.Value == nil && !c.atPair() {
		c.skip(",}|")
	}
	p.Base = c.since(start)
	return p
}

func (c *cursor) key() *ast.Name {
	t := c.Peek()
	kind, ok := map[lexer.TokenType]ast.NameKind{
		tokSymbol: ast.NameSymbol, tokBacktick: ast.NameQuoted, tokDouble: ast.NameDouble,
	}[t.Type]
	if !ok {
		c.unexpected(`a key: a name, or text in " or backticks`)
		return nil
	}
	return c.name(kind)
}

// name takes the next token as a name.
func (c *cursor) name(kind ast.NameKind) *ast.Name {
	t := c.Next()
	text := t.Value
	if kind == ast.NameQuoted || kind == ast.NameDouble {
		text = c.unquote(t)
	}
	return &ast.Name{Base: c.since(t.Pos.Offset), Kind: kind, Text: text, Raw: t.Value}
}

// atPair reports whether a key and a colon follow.
func (c *cursor) atPair() bool {
	switch c.Peek().Type {
	case tokSymbol, tokBacktick, tokDouble, tokSingle:
		next := c.second()
		return next.Type == tokPunct && (next.Value == ":" || next.Value == "::")
	}
	return false
}

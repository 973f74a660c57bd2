package grammar

import (
	"fmt"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
)

// head is the subject of a bracket, up to its | or ].
type head struct {
	subject  *ast.Subject
	broken   bool // the elements may be lost
	problems []problem
}

// Parse implements participle.Parseable.
func (h *head) Parse(lex *lexer.PeekingLexer) error {
	c := &cursor{PeekingLexer: lex}
	h.subject = c.subject()
	if !c.atAny("|][(") && !c.restart() {
		c.unexpected(`"|" and elements, or "]"`)
		c.skip("|]")
	}
	h.broken = c.lost > 0
	h.problems = c.problems
	return nil
}

// identified is the subject of @@: a name, labels, or both.
type identified struct {
	subject  *ast.Subject
	problems []problem
}

// Parse implements participle.Parseable.
func (i *identified) Parse(lex *lexer.PeekingLexer) error {
	c := &cursor{PeekingLexer: lex}
	start := c.Peek().Pos.Offset
	i.subject = &ast.Subject{Identity: c.identity(), Labels: c.labels()}
	i.subject.Base = c.since(start)
	if i.subject.Identity == nil && i.subject.Labels == nil {
		c.unexpected("a name or a label after @@")
	} else if c.at("{") {
		c.unexpected("the pattern that @@ speaks of; a record goes inside that pattern")
		c.record()
	}
	i.problems = c.problems
	return nil
}

// subject reads name:Label {record}, of which each part may be absent.
func (c *cursor) subject() *ast.Subject {
	start := c.Peek().Pos.Offset
	s := &ast.Subject{Identity: c.identity()}
	s.Labels = c.labels()
	if c.at("{") {
		s.Record = c.record()
	}
	if s.Identity != nil || s.Labels != nil || s.Record != nil {
		s.Base = c.since(start)
	} else {
		s.Base = c.since(c.end())
	}
	return s
}

func (c *cursor) identity() *ast.Name {
	switch t := c.Peek(); t.Type {
	case tokSymbol:
		return c.name(ast.NameSymbol)
	case tokBacktick:
		return c.name(ast.NameQuoted)
	case tokInteger:
		return c.name(ast.NameInteger)
	case tokDouble, tokSingle:
		c.note(t.Pos.Offset, t.Pos.Offset+len(t.Value), "a name in quotes: names are quoted with backticks")
		return c.name(ast.NameQuoted)
	}
	return nil
}

func (c *cursor) labels() []*ast.Label {
	var labels []*ast.Label
	for c.at(":") || c.at("::") {
		separator := c.Next()
		kind := ast.NameSymbol
		switch c.Peek().Type {
		case tokBacktick:
			kind = ast.NameQuoted
		case tokSymbol:
		default:
			c.unexpected(fmt.Sprintf("a label after %s", separator.Value))
			return labels
		}
		label := &ast.Label{Separator: separator.Value, Name: c.name(kind)}
		label.Base = c.since(separator.Pos.Offset)
		labels = append(labels, label)
	}
	return labels
}

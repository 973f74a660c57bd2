package grammar

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
)

// pipe stands between the subject and the elements of a bracket.
type pipe struct{ problems []problem }

// Parse implements participle.Parseable.
func (p *pipe) Parse(lex *lexer.PeekingLexer) error {
	c := &cursor{PeekingLexer: lex}
	switch {
	case c.accept("|"):
	case (c.at("[") || c.at("(")) && !c.restart():
		if !c.afterBrackets() {
			c.missing(`missing "|" before the elements`)
		}
	default:
		return participle.NextMatch
	}
	p.problems = c.problems
	return nil
}

// afterBrackets reports whether the last two tokens open brackets: of [[[ only
// the first is told.
func (c *cursor) afterBrackets() bool {
	i := c.RawCursor()
	if i < 2 {
		return false
	}
	last := c.Range(i-2, i)
	return opens(last[0]) && opens(last[1])
}

// comma stands before each element but the first. It decides whether there is
// an element.
type comma struct{ problems []problem }

// Parse implements participle.Parseable.
func (m *comma) Parse(lex *lexer.PeekingLexer) error {
	c := &cursor{PeekingLexer: lex}
	expected := c.afterSeparator()
	switch {
	case c.atAny("]"), c.at(",") && c.trailing(), c.restart() && !expected:
		return participle.NextMatch
	case expected:
	case c.accept(","):
	case c.atElement() && !opens(*c.previous()): // behind [ the pipe is missing
		c.missing(`missing "," between the elements`)
	}
	m.problems = c.problems
	return nil
}

// afterSeparator reports whether the last token was | or a comma, so that an
// element must follow.
func (c *cursor) afterSeparator() bool {
	t := c.previous()
	return t.Type == tokPunct && (t.Value == "|" || t.Value == ",")
}

// trailing reports whether the list ends behind the comma that comes next.
func (c *cursor) trailing() bool {
	t := c.second()
	return t.EOF() || t.Type == tokPunct && t.Value == "]"
}

// atElement reports whether the next token can start an element.
func (c *cursor) atElement() bool {
	switch c.Peek().Type {
	case tokSymbol, tokBacktick, tokInteger:
		return true
	}
	return c.at("[") || c.at("(")
}

// ref is a bare name in an element list.
type ref struct {
	pattern  *ast.Pattern
	problems []problem
}

// Parse implements participle.Parseable.
func (r *ref) Parse(lex *lexer.PeekingLexer) error {
	c := &cursor{PeekingLexer: lex}
	if !c.atElement() {
		return participle.NextMatch
	}
	start := c.Peek().Pos.Offset
	subject := &ast.Subject{Identity: c.identity()}
	subject.Base = c.since(start)
	r.pattern = &ast.Pattern{Base: subject.Base, Form: ast.FormRef, Subject: subject}
	if c.at(":") || c.at("::") || c.at("{") {
		c.unexpected(`"," or "]": a pattern with labels or a record needs brackets or parentheses`)
		c.skip(",]|")
	}
	r.problems = c.problems
	return nil
}

// junk is what stands in an element list and is no element.
type junk struct {
	pattern  *ast.Pattern
	problems []problem
}

// Parse implements participle.Parseable.
func (j *junk) Parse(lex *lexer.PeekingLexer) error {
	c := &cursor{PeekingLexer: lex}
	start := c.Peek().Pos.Offset
	switch expected := c.afterSeparator(); {
	case c.at("@"), c.at("@@"):
		c.unexpected("an element: annotations stand only before a top-level pattern")
	case expected:
		c.unexpected("an element: a pattern in [ ] or ( ), or the name of one")
	default:
		c.unexpected(`"," or "]"`)
	}
	if c.at("{") {
		c.group()
	} else {
		c.Next()
	}
	if !c.afterSeparator() {
		c.skip(",]|")
	}
	j.pattern = &ast.Pattern{Base: c.since(start), Subject: &ast.Subject{Base: c.since(c.end())}}
	j.problems = c.problems
	return nil
}

// closing is the end of a bracket.
type closing struct {
	end      int
	open     bool // the file ended first
	problems []problem
}

// Parse implements participle.Parseable.
func (e *closing) Parse(lex *lexer.PeekingLexer) error {
	c := &cursor{PeekingLexer: lex}
	if t := c.previous(); c.at("]") && t.Type == tokPunct && t.Value == "|" {
		c.unexpected(`an element after "|"`)
	}
	if c.at(",") {
		c.unexpected(`an element or "]" without a comma before it`)
		c.Next()
	}
	if !c.accept("]") {
		e.open = c.Peek().EOF() && !c.quiet()
		if !e.open && !c.quiet() {
			c.add(missingCloser(c.end(), "]"))
		}
	}
	e.end = c.end()
	e.problems = c.problems
	return nil
}

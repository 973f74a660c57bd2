package grammar

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
)

// path is a node, or nodes joined by arrows.
type path struct {
	pattern  *ast.Pattern
	problems []problem
}

// Parse implements participle.Parseable.
func (p *path) Parse(lex *lexer.PeekingLexer) error {
	c := &cursor{PeekingLexer: lex}
	if !c.at("(") {
		return participle.NextMatch
	}
	p.pattern = c.path()
	p.problems = c.problems
	return nil
}

// path reads node { arrow node }.
func (c *cursor) path() *ast.Pattern {
	told := c.told
	p := c.wholePath()
	p.Broken = c.told > told
	return p
}

func (c *cursor) wholePath() *ast.Pattern {
	start := c.Peek().Pos.Offset
	first := c.node()
	if !c.atArrow() {
		return first
	}
	empty := &ast.Subject{Base: between(start, start)}
	p := &ast.Pattern{Form: ast.FormPath, Subject: empty, Elements: []*ast.Pattern{first}}
	for c.atArrow() {
		arrow := c.arrow()
		if !c.at("(") {
			c.notNode()
		}
		if !c.at("(") || c.restart() && c.quiet() {
			break
		}
		p.Arrows = append(p.Arrows, arrow)
		p.Elements = append(p.Elements, c.node())
	}
	p.Base = c.since(start)
	if len(p.Elements) == 1 {
		return first
	}
	return p
}

// notNode notes that an arrow does not lead to a node, and moves over what
// stands there instead if that is a name or a bracket.
func (c *cursor) notNode() {
	c.unexpected("a node in parentheses after the arrow")
	switch t := c.Peek(); {
	case c.restart():
	case t.Type == tokSymbol, t.Type == tokBacktick, t.Type == tokInteger:
		c.skip(",|([@")
	case c.at("["), c.at("{"):
		c.group()
		for c.atArrow() {
			c.Next()
		}
	}
}

// group moves over a bracket and all that it holds.
func (c *cursor) group() {
	c.Next()
	c.skip("")
	if c.atAny(")]}") {
		c.Next()
	}
}

// node reads (subject).
func (c *cursor) node() *ast.Pattern {
	open := c.Next()
	p := &ast.Pattern{Form: ast.FormNode, Subject: c.subject()}
	switch {
	case c.at(")"), c.restart(), c.Peek().EOF():
	case c.atArrow() && p.Subject.Span().Start < p.Subject.Span().End: // close says what is missing
	case c.at(","):
		c.unexpected(`")"; several parameters stand in one chain: (a::Text)==>(b::Int)==>(::String)`)
		c.skip(")")
	case len(p.Subject.Labels) > 0 && p.Subject.Record == nil:
		c.unexpected("\")\"; a type that is more than a name stands in backticks: ::`[Text]`")
		c.skip(")")
	default:
		c.unexpected(`")"`)
		c.skip(")")
	}
	c.close(open, ")")
	p.Base = c.since(open.Pos.Offset)
	return p
}

func (c *cursor) atArrow() bool { return isArrowPart(c.Peek()) }

// arrow reads two halves with an optional subject between them, both of one
// family.
func (c *cursor) arrow() *ast.Arrow {
	first := c.Next()
	a := &ast.Arrow{Family: family(first.Value)}
	c.restOfArrow(a, first)
	a.Base = c.since(first.Pos.Offset)
	return a
}

func (c *cursor) restOfArrow(a *ast.Arrow, first *lexer.Token) {
	if strings.HasSuffix(first.Value, ">") {
		c.badArrow(first)
		return
	}
	if c.at("[") {
		open := c.Next()
		a.Subject = c.subject()
		if !c.at("]") && !c.restart() && !c.Peek().EOF() {
			c.unexpected(`"]"; an arrow holds a subject and no elements`)
			c.skip("]")
		}
		c.close(open, "]")
	}
	second := c.Peek()
	if !c.atArrow() || strings.HasPrefix(second.Value, "<") {
		c.badArrow(first)
		return
	}
	if family(second.Value) != a.Family {
		c.note(second.Pos.Offset, end(second), "both halves of an arrow must have the same stroke")
	}
	c.Next()
	a.Direction = direction(first.Value, second.Value)
	if c.atArrow() {
		c.badArrow(first)
	}
}

func family(half string) ast.ArrowFamily {
	switch strings.Trim(half, "<>") {
	case "=":
		return ast.Fat
	case "~":
		return ast.Squiggle
	}
	return ast.Dash
}

func direction(first, second string) ast.Direction {
	left, right := strings.HasPrefix(first, "<"), strings.HasSuffix(second, ">")
	switch {
	case left && right:
		return ast.Both
	case left:
		return ast.Left
	case right:
		return ast.Right
	}
	return ast.Undirected
}

// badArrow notes that no arrow starts like this, and moves to what follows it.
func (c *cursor) badArrow(first *lexer.Token) {
	for c.atArrow() {
		c.Next()
	}
	if c.at("[") && !c.restart() {
		c.group()
		for c.atArrow() {
			c.Next()
		}
	}
	if text := first.Value; c.end() == end(first) {
		c.note(first.Pos.Offset, c.end(), fmt.Sprintf("%q is no arrow; write %q", text, longArrow(text)))
		return
	}
	c.note(first.Pos.Offset, c.end(), "this is no arrow: arrows are --, -->, <--, <-->, and the same with = and ~; a name goes between the halves: -[name]->")
}

// longArrow returns the arrow that was meant by half of one.
func longArrow(half string) string {
	stroke := strings.Trim(half, "<>")
	return strings.Replace(half, stroke, stroke+stroke, 1)
}

package grammar

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
)

// path is a node, or nodes joined by arrows.
type path struct{}

// Parse implements participle.Parseable.
func (*path) Parse(lex *lexer.PeekingLexer) error { return starts(lex, tokLeftParen) }

// path reads node { arrow node }.
func (c *cursor) path() *ast.Pattern {
	told := c.told
	p := c.wholePath()
	p.Broken = c.told > told
	return p
}

func (c *cursor) wholePath() *ast.Pattern {
	start := c.peek().begin()
	first := c.node()
	if !c.at(tokArrow) {
		return first
	}
	mark := c.patternLists.mark()
	c.patternLists.add(first)
	var arrows []*ast.Arrow
	for c.at(tokArrow) {
		arrow := c.arrow()
		if !c.at(tokLeftParen) {
			c.notNode()
		}
		if !c.at(tokLeftParen) || c.restart() && c.quiet() {
			break
		}
		arrows = append(arrows, arrow)
		c.patternLists.add(c.node())
	}
	nodes := c.patternLists.list(mark)
	if len(nodes) == 1 {
		return first
	}
	p, empty := c.patterns.take(), c.subjects.take()
	empty.Base = c.between(start, start)
	p.Base, p.Form, p.Subject, p.Elements, p.Arrows = c.since(start), ast.FormPath, empty, nodes, arrows
	return p
}

// notNode notes that an arrow does not lead to a node, and moves over what
// stands there instead if that is a name or a bracket.
func (c *cursor) notNode() {
	c.unexpected("a node in parentheses after the arrow")
	switch t := c.peek(); {
	case c.restart():
	case names.has(t.kind):
		c.skip(patterns | 1<<tokComma | 1<<tokBar | 1<<tokAt)
	case t.kind == tokLeftBracket, t.kind == tokLeftBrace:
		c.group()
		for c.at(tokArrow) {
			c.next()
		}
	}
}

// group moves over a bracket and all that it holds.
func (c *cursor) group() {
	c.next()
	c.skip(0)
	if c.in(closers) {
		c.next()
	}
}

// node reads (subject).
func (c *cursor) node() *ast.Pattern {
	open := c.next()
	p := c.patterns.take()
	p.Form, p.Subject = ast.FormNode, c.subject()
	switch {
	case c.at(tokRightParen), c.restart(), c.atEnd():
	case c.at(tokArrow) && p.Subject.Span().Start < p.Subject.Span().End: // close says what is missing
	case c.at(tokComma):
		c.unexpected(`")"; several parameters stand in one chain: (a::Text)==>(b::Int)==>(::String)`)
		c.skip(1 << tokRightParen)
	case len(p.Subject.Labels) > 0 && p.Subject.Record == nil:
		c.unexpected("\")\"; a type that is more than a name stands in backticks: ::`[Text]`")
		c.skip(1 << tokRightParen)
	default:
		c.unexpected(`")"`)
		c.skip(1 << tokRightParen)
	}
	c.close(open)
	p.Base = c.since(open.begin())
	return p
}

// arrow reads two halves with an optional subject between them, both of one
// family.
func (c *cursor) arrow() *ast.Arrow {
	first := c.next()
	a := &ast.Arrow{Family: family(first.text)}
	c.restOfArrow(a, first)
	a.Base = c.since(first.begin())
	return a
}

func (c *cursor) restOfArrow(a *ast.Arrow, first *token) {
	if strings.HasSuffix(first.text, ">") {
		c.badArrow(first)
		return
	}
	if c.at(tokLeftBracket) {
		open := c.next()
		a.Subject = c.subject()
		if !c.at(tokRightBracket) && !c.restart() && !c.atEnd() {
			c.unexpected(`"]"; an arrow holds a subject and no elements`)
			c.skip(1 << tokRightBracket)
		}
		c.close(open)
	}
	second := c.peek()
	if !c.at(tokArrow) || strings.HasPrefix(second.text, "<") {
		c.badArrow(first)
		return
	}
	if family(second.text) != a.Family {
		c.note(second.begin(), second.end(), "both halves of an arrow must have the same stroke")
	}
	c.next()
	a.Direction = direction(first.text, second.text)
	if c.at(tokArrow) {
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
func (c *cursor) badArrow(first *token) {
	for c.at(tokArrow) {
		c.next()
	}
	if c.at(tokLeftBracket) && !c.restart() {
		c.group()
		for c.at(tokArrow) {
			c.next()
		}
	}
	if text := first.text; c.end() == first.end() {
		c.note(first.begin(), c.end(), fmt.Sprintf("%q is no arrow; write %q", text, longArrow(text)))
		return
	}
	c.note(first.begin(), c.end(), "this is no arrow: arrows are --, -->, <--, <-->, and the same with = and ~; a name goes between the halves: -[name]->")
}

// longArrow returns the arrow that was meant by half of one.
func longArrow(half string) string {
	stroke := strings.Trim(half, "<>")
	return strings.Replace(half, stroke, stroke+stroke, 1)
}

package grammar

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/ast"
)

// path reads node { arrow node }.
func (c *cursor) path() *ast.Pattern {
	noted := c.noted
	p := c.wholePath()
	p.Broken = c.noted > noted
	return p
}

func (c *cursor) wholePath() *ast.Pattern {
	first := c.pathNode()
	start := first.Span().Start
	if !c.at(tokArrow) {
		return first
	}
	mark, arrows := c.patternLists.mark(), c.arrowLists.mark()
	c.patternLists.add(first)
	for c.at(tokArrow) {
		arrow := c.pathArrow()
		if !c.at(tokLeftParen) {
			c.notPathNode()
		}
		if !c.at(tokLeftParen) || c.restart() && c.quiet() {
			break
		}
		c.arrowLists.add(arrow)
		c.patternLists.add(c.pathNode())
	}
	nodes := c.patternLists.list(mark)
	if len(nodes) == 1 {
		return first
	}
	p, empty := c.patterns.take(c), c.subjects.take(c)
	empty.Base = c.between(start, start)
	p.Base, p.Form, p.Subject, p.Elements, p.Arrows = c.since(start), ast.FormPath, empty, nodes, c.arrowLists.list(arrows)
	return p
}

// notPathNode notes that an arrow does not lead to a node, and moves over what
// stands there instead if that is a name or a bracket.
func (c *cursor) notPathNode() {
	arrow, t := c.arrowStart, c.peek()
	p := c.unexpected("a node in parentheses after the arrow")
	switch {
	case c.restart():
	case names.has(t.kind):
		p.fixWith(pathFixes(t.begin()))
		c.skip(patterns | 1<<tokComma | 1<<tokBar | 1<<tokAt)
	case t.kind == tokLeftBracket, t.kind == tokLeftBrace:
		c.pathGroup()
		for c.at(tokArrow) {
			c.next()
			p.fixWith(pathArrowFixes(arrow, c.end()))
		}
	}
}

// pathGroup moves over a bracket and all that it holds.
func (c *cursor) pathGroup() {
	c.next()
	c.skip(0)
	if c.in(closers) {
		c.next()
	}
}

// pathNode reads (subject).
func (c *cursor) pathNode() *ast.Pattern {
	open := c.next()
	start, p := open.begin(), c.patterns.take(c)
	p.Form, p.Subject = ast.FormNode, c.subject()
	switch {
	case c.at(tokRightParen), c.restart(), c.atEnd():
	case c.peek().text == "=" && len(p.Subject.Labels) > 0 && startsValue(c.second()):
		c.unexpected(`")"; a default is a property: (x::Int {default: 3})`).
			fixWith(func(text string) []fix { return foreignSignatureFixes(text, start) })
		c.skip(1 << tokRightParen)
	case c.at(tokArrow) && p.Subject.Span().Start < p.Subject.Span().End: // close reports what is missing
	case c.at(tokRightBracket) && p.Subject.Span().Start < p.Subject.Span().End:
		if c.second().kind == tokArrow {
			c.unexpected(`")"`)
			c.next()
			p.Base = c.since(start)
			return p
		} // else close reports what is missing
	case c.at(tokComma):
		found := c.unexpected(`")"; several parameters stand in one chain: (a::Text)==>(b::Int)==>(::String)`)
		chain := c.pathParameters()
		found.fixWith(func(text string) []fix { return append(foreignSignatureFixes(text, start), chain...) })
	case c.at(tokBar):
		c.pathNodeElements(open, p.Subject)
		p.Base = c.since(start)
		return p
	case len(p.Subject.Labels) > 0 && p.Subject.Record == nil:
		at := p.Subject.Labels[len(p.Subject.Labels)-1].Name.Span().Start
		c.unexpected("\")\"; a type that is more than a name stands in backticks: ::`[Text]`").
			fixWith(func(text string) []fix {
				return append(foreignSignatureFixes(text, start), foreignTypeFixes(text, at)...)
			})
		c.skip(1 << tokRightParen)
	default:
		found := c.unexpected(`")"`)
		ofToken := found.lazyFixes
		found.fixWith(func(text string) (all []fix) {
			if ofToken != nil {
				all = ofToken(text)
			}
			return append(foreignSignatureFixes(text, start), all...)
		})
		c.skip(1 << tokRightParen)
	}
	c.close(open)
	p.Base = c.since(start)
	return p
}

// pathNodeElements moves over the elements of a pattern that stands in
// parentheses.
func (c *cursor) pathNodeElements(open token, s *ast.Subject) {
	start := open.begin()
	if n := len(s.Labels); n > 0 && s.Labels[n-1].Separator == "::" && s.Record == nil {
		bar := c.peek()
		c.note(bar.begin(), bar.end(), "a union of types stands in backticks: ::`Text | Int`").
			fixWith(func(text string) []fix { return foreignSignatureFixes(text, start) })
	} else {
		c.note(open.begin(), open.end(), "a pattern with elements stands in square brackets: [name:Label | …]").
			fixWith(func(text string) []fix { return foreignSignatureUnionFixes(text, start) })
	}
	for c.in(1<<tokBar | 1<<tokComma) {
		c.next()
		c.skip(1<<tokRightParen | 1<<tokRightBracket | 1<<tokBar | 1<<tokComma)
	}
	if c.in(1<<tokRightParen|1<<tokRightBracket) && !c.restart() {
		c.next()
	}
}

// pathArrow reads two halves with an optional subject between them, both of one
// family.
func (c *cursor) pathArrow() *ast.Arrow {
	first := c.next()
	c.arrowStart = first.begin()
	a := c.arrows.take(c)
	a.Family = pathArrowFamily(first.text)
	c.restOfPathArrow(a, first)
	a.Base = c.since(first.begin())
	return a
}

func (c *cursor) restOfPathArrow(a *ast.Arrow, first token) {
	if strings.HasSuffix(first.text, ">") {
		c.badPathArrow(first)
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
		if !c.at(tokArrow) && !c.quiet() {
			c.missing("missing the second half of the arrow")
			return
		}
	}
	second := c.peek()
	if !c.at(tokArrow) || strings.HasPrefix(second.text, "<") {
		c.badPathArrow(first)
		return
	}
	if pathArrowFamily(second.text) != a.Family {
		c.note(second.begin(), second.end(), "both halves of an arrow must have the same stroke").
			fixWith(pathArrowFixes(first.begin(), second.end()))
	}
	c.next()
	a.Direction = pathArrowDirection(first.text, second.text)
	if c.at(tokArrow) {
		c.badPathArrow(first)
	}
}

// pathArrowFamily returns the family of half an arrow, which has one stroke.
func pathArrowFamily(half string) ast.ArrowFamily {
	return ast.ArrowFamily(strings.IndexByte("-=~", strings.Trim(half, "<>")[0]))
}

func pathArrowDirection(first, second string) (d ast.Direction) {
	if strings.HasPrefix(first, "<") {
		d += ast.Left
	}
	if strings.HasSuffix(second, ">") {
		d += ast.Right // with Left that is Both
	}
	return d
}

// badPathArrow notes that no arrow starts like this, and moves to what follows it.
func (c *cursor) badPathArrow(first token) {
	for c.at(tokArrow) {
		c.next()
	}
	if c.at(tokLeftBracket) && !c.restart() {
		c.pathGroup()
		for c.at(tokArrow) {
			c.next()
		}
	}
	if text := first.text; c.end() == first.end() {
		at := first.begin()
		c.note(at, c.end(), fmt.Sprintf("%q is no arrow; write %q", text, longPathArrow(text))).
			fixWith(func(text string) []fix { return foreignSignatureResultFixes(text, at) })
		return
	}
	p := c.note(first.begin(), c.end(), "this is no arrow: arrows are --, -->, <--, <-->, and the same with = and ~; a name goes between the halves: -[name]->")
	p.fixWith(pathArrowFixes(first.begin(), c.end()))
}

// longPathArrow returns the arrow that was meant by half of one.
func longPathArrow(half string) string {
	stroke := strings.Trim(half, "<>")
	return strings.Replace(half, stroke, stroke+stroke, 1)
}

// pathParameters moves over parameters that stand in one parenthesis, with commas
// between, and returns the fix that makes a chain of them.
func (c *cursor) pathParameters() []fix {
	f := fix{title: "write a chain"}
	surplus := c.previous().kind == tokLeftParen // the first comma
	labelled := true
	for c.at(tokComma) {
		comma := c.next()
		start := c.peek().begin()
		subject := c.subject()
		labelled = labelled && subject.Labels != nil
		f.edits = append(f.edits, edit{comma.begin(), start, ")==>("})
	}
	if !c.at(tokRightParen) || c.previous().kind == tokComma {
		c.skip(1 << tokRightParen)
		return nil
	}
	if surplus {
		return []fix{changeFix("remove ,", f.edits[0].start, f.edits[0].start+1, "")}
	}
	f.safe = labelled
	return []fix{f}
}

package grammar

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
)

// bracket reads [subject | element, …].
func (c *cursor) bracket() *ast.Pattern {
	open := c.next()
	p := c.patterns.take(c)
	p.Form = ast.FormBracket
	broken := c.bracketHead(p)
	if c.bracketBar() {
		if bar := c.previous(); bar.kind == tokBar && c.in(1<<tokDouble|1<<tokSingle) && p.HasLabel(ast.LabelEnum) && p.Subject.Record == nil {
			broken = true
			c.bracketEnumValues(p.Subject.Span().End)
		} else {
			p.Elements = c.bracketElements(open)
		}
	}
	if broken && len(p.Elements) == 0 {
		at := c.between(p.Subject.Span().End, 0)
		p.Elements = []*ast.Pattern{{Base: at, Subject: &ast.Subject{Base: at}}}
	}
	c.fresh()
	c.closeBracket(open)
	p.Base = c.since(open.begin())
	return p
}

// bracketHead reads the subject of a bracket, up to its | or ], and reports whether
// elements may be lost.
func (c *cursor) bracketHead(p *ast.Pattern) (broken bool) {
	c.fresh()
	lost := c.lost
	p.Subject = c.subject()
	if !c.in(patterns|1<<tokBar|1<<tokRightBracket) && !c.atEnd() && !c.restart() {
		c.unexpected(`"|" and elements, or "]"`)
		c.skip(1<<tokBar | 1<<tokRightBracket)
	}
	return c.lost > lost
}

// bracketBar takes what stands between the subject and the elements, and reports
// whether there are elements.
func (c *cursor) bracketBar() bool {
	c.fresh()
	switch {
	case c.accept(tokBar):
		return true
	case c.in(patterns) && !c.restart():
		if !c.afterBrackets() {
			c.missing(`missing "|" before the elements`)
		}
		return true
	}
	return false
}

// afterBrackets reports whether the last two tokens open brackets: of [[[ only
// the first is reported.
func (c *cursor) afterBrackets() bool {
	return c.pos >= 2 && patterns.has(c.tokens[c.pos-2].kind) && patterns.has(c.tokens[c.pos-1].kind)
}

// bracketEnumValues takes the texts that stand as elements of an enum after its subject.
func (c *cursor) bracketEnumValues(subject int) {
	p := c.unexpected("a record: the values of an enum are a property, {values: [\"a\", \"b\"]}")
	var values []string
	for c.in(1<<tokDouble | 1<<tokSingle | 1<<tokComma | 1<<tokBar) {
		if t := c.next(); texts.has(t.kind) {
			values = append(values, t.text)
		}
	}
	p.offerFix(writeFix(subject, c.end(), " {values: ["+strings.Join(values, ", ")+"]}").asSafe())
}

// bracketElements reads element { "," element }.
func (c *cursor) bracketElements(open token) []*ast.Pattern {
	mark := c.patternLists.mark()
	for c.bracketComma(open) {
		c.fresh()
		switch kind := c.peek().kind; {
		case kind == tokLeftBracket:
			c.patternLists.add(c.bracket())
		case kind == tokLeftParen:
			c.patternLists.add(c.path())
		case kind == tokSymbol && c.second().kind == tokSymbol && c.foreignFunctionSignature(c.peek().begin(), false):
		case names.has(kind):
			c.patternLists.add(c.bracketElementRef())
		default:
			c.patternLists.add(c.bracketJunk())
		}
	}
	return c.patternLists.list(mark)
}

// bracketComma takes what stands before each element but the first, and reports
// whether there is an element.
func (c *cursor) bracketComma(open token) bool {
	c.fresh()
	expected := c.afterBracketSeparator()
	switch {
	case c.layout && c.at(tokComma) && c.second().kind == tokLeftBracket && bracketOutdented(c.second(), open, 0):
		return false
	case c.atEnd(), c.at(tokRightBracket), c.at(tokComma) && c.trailingBracketComma(), c.restart() && !expected:
		return false
	case expected:
	case c.accept(tokComma):
	case c.atBracketElement() && !patterns.has(c.previous().kind): // after [ the pipe is missing
		c.missing(`missing "," between the elements`)
	}
	return true
}

// bracketOutdented reports whether t, the first of its line, stands that much left of
// open, which is the first of its line too.
func bracketOutdented(t, open token, by uint16) bool {
	return t.indent > 0 && open.indent > 0 && t.indent+by <= open.indent
}

// afterBracketSeparator reports whether the last token was | or a comma, so that an
// element must follow.
func (c *cursor) afterBracketSeparator() bool {
	kind := c.previous().kind
	return kind == tokBar || kind == tokComma
}

// trailingBracketComma reports whether the list ends after the comma that comes next.
func (c *cursor) trailingBracketComma() bool {
	t := c.second()
	return t.kind == tokEnd || t.kind == tokRightBracket
}

// atBracketElement reports whether the next token can start an element.
func (c *cursor) atBracketElement() bool { return c.in(names | patterns) }

// bracketElementRef reads a bare name in an element list.
func (c *cursor) bracketElementRef() *ast.Pattern {
	start := c.peek().begin()
	p, subject := c.patterns.take(c), c.subjects.take(c)
	subject.Identity = c.subjectIdentity()
	subject.Base = c.since(start)
	p.Base, p.Form, p.Subject = subject.Base, ast.FormRef, subject
	switch name := c.previous(); {
	case c.in(colons | 1<<tokLeftBrace):
		found := c.unexpected(`"," or "]": a pattern with labels or a record needs brackets or parentheses`)
		c.subjectLabels()
		if c.at(tokLeftBrace) {
			c.record()
		}
		found.fixWith(pathPatternFixes(start, c.end()))
		c.skip(1<<tokComma | 1<<tokRightBracket | 1<<tokBar)
	case c.at(tokArrow), c.at(tokBadChars) && strings.HasPrefix(c.peek().text, ">") && strings.HasSuffix(name.text, "-"):
		c.unexpected(`"," or "]": the nodes of a path stand in parentheses`).fixWith(pathFixes(start))
		c.skip(1<<tokComma | 1<<tokRightBracket | 1<<tokBar)
	}
	return p
}

// bracketJunk takes what stands in an element list and is not an element: the rest of
// the list in a text of too many mistakes.
func (c *cursor) bracketJunk() *ast.Pattern {
	start := c.peek().begin()
	switch expected := c.afterBracketSeparator(); {
	case c.at(tokAt), c.at(tokAts):
		c.unexpected("an element: annotations stand only before a top-level pattern")
	case expected && (c.at(tokDouble) || c.at(tokSingle)):
		c.unexpected("an element: a pattern in [ ] or ( ), or the name of one").offerFix(fixAsNameToken(c.peek()))
	case c.peek().text == "-" && c.peek().indent > 0:
		at := start - int(c.peek().indent) + 1
		c.unexpected("an element; elements stand side by side with commas").
			fixWith(func(text string) []fix { return foreignDashFixes(text, at) })
	case expected:
		c.unexpected("an element: a pattern in [ ] or ( ), or the name of one")
	default:
		c.unexpected(`"," or "]"`)
	}
	if c.at(tokLeftBrace) {
		c.pathGroup()
	} else {
		c.next()
	}
	switch {
	case c.full():
		c.skip(1 << tokRightBracket)
	case !c.afterBracketSeparator():
		c.skip(1<<tokComma | 1<<tokRightBracket | 1<<tokBar)
	}
	return &ast.Pattern{Base: c.since(start), Subject: &ast.Subject{Base: c.since(c.end())}}
}

// closeBracket takes the end of a bracket that stands at open.
func (c *cursor) closeBracket(open token) {
	if c.layout && c.at(tokRightBracket) && bracketOutdented(c.peek(), open, 1) {
		c.missingCloser(open)
		return
	}
	if c.at(tokRightBracket) && c.previous().kind == tokBar {
		c.unexpected(`an element after "|"`)
	}
	if c.at(tokComma) {
		c.unexpected(`an element or "]" without a comma before it`)
		c.next()
	}
	c.close(open)
}

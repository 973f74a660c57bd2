package grammar

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// MaxSize is the size of the largest file, in bytes.
const MaxSize = 16 << 20

// Parse parses the text of a file. The tree is never nil; where the text is
// not gram it holds FormBad patterns, or properties without a value, and the
// list explains why. The list holds only errors, in the order of the text.
func Parse(name, text string) (*ast.File, diag.List) {
	return ParseFile(source.NewFile(name, text))
}

// ParseFile is Parse for a file that exists already.
func ParseFile(src *source.File) (*ast.File, diag.List) {
	return newCursor(src).parse()
}

func (c *cursor) parse() (*ast.File, diag.List) {
	file := c.parseTree()
	return file, c.report()
}

// ParseRecovered is Parse without diagnostics: it returns the tree and the number of mistakes.
func ParseRecovered(name, text string) (file *ast.File, mistakes int) {
	c := newCursor(source.NewFile(name, text))
	file = c.parseTree()
	return file, len(c.reportDistinct())
}

// parseTree returns the tree and notes the problems.
func (c *cursor) parseTree() *ast.File {
	file := c.newParseTree()
	if !c.isParseable() {
		return file
	}
	c.fresh()
	if c.at(tokLeftBrace) && !c.inner {
		noted := c.noted
		file.Header = c.record()
		if c.noted > noted {
			c.noteBrokenParse(0)
		}
	}
	c.parseTopLevel(file)
	c.parseEnd()
	ast.AttachComments(file, c.scan.comments)
	return file
}

// newParseTree returns the tree of the file without what stands in it.
func (c *cursor) newParseTree() *ast.File {
	return &ast.File{Base: c.between(0, len(c.scan.text)), Source: c.file}
}

// parseEnd notes what the lexer met on its way to the end of the file.
func (c *cursor) parseEnd() {
	if c.total > c.limit {
		c.reportFull(c.peek().begin())
	}
	for _, p := range c.scan.problems {
		c.add(p)
	}
}

// isParseable notes what is wrong with the bytes of the text, and reports whether
// it can be parsed at all.
func (c *cursor) isParseable() bool {
	text := c.scan.text
	switch {
	case len(text) > MaxSize:
		c.add(problem{code: diag.CodeTooLarge, message: fmt.Sprintf("more than the %d bytes that are read at most", MaxSize)})
		return false
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"):
		c.add(problem{end: 2, code: diag.CodeNotUTF8, message: "the file is UTF-16; gram files are UTF-8"})
		return false
	case !utf8.ValidString(text):
		at := firstUnparseableByte(text)
		c.add(problem{start: at, end: at + 1, code: diag.CodeNotUTF8, message: "a byte that is not UTF-8"})
	}
	return true
}

// firstUnparseableByte returns the offset of the first byte that is not UTF-8.
func firstUnparseableByte(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return len(text)
}

// parseTopLevel parses one top-level pattern after another.
func (c *cursor) parseTopLevel(file *ast.File) {
	start := 0
	for !c.atEnd() {
		c.fresh()
		if c.restart() {
			c.spilled = false
		}
		var p *ast.Pattern
		from, noted := len(c.problems), c.noted
		if c.restart() {
			start = c.peek().begin()
		}
		switch c.peek().kind {
		case tokLeftParen:
			p = c.path()
		case tokLeftBracket:
			p = c.parseTopBracket()
		case tokAt, tokAts:
			p = c.annotatedPattern()
			c.reportForgiven(from)
		default:
			p = c.parseStray()
		}
		if c.noted > noted {
			c.noteBrokenParse(start)
		}
		c.spilled = c.spilled || len(c.problems) > from && p != nil && p.Form == ast.FormBracket
		if p != nil {
			file.Patterns = append(file.Patterns, p)
		}
	}
}

// skipToParseablePattern moves on to what can start a top-level pattern. An annotation
// counts only in the first column: elsewhere it can be part of the mistake. So does
// every pattern in a text of too many mistakes.
func (c *cursor) skipToParseablePattern() {
	for !c.atEnd() && (c.full() || !c.in(patterns)) && !c.restart() {
		if c.at(tokLeftBrace) {
			c.pathGroup()
		} else {
			c.next()
		}
	}
}

// parseStray takes what stands at top level and is not a pattern, up to the next one.
func (c *cursor) parseStray() *ast.Pattern {
	t := c.peek()
	start := t.begin()
	if t.kind == tokSymbol && (c.foreignImports() || c.second().kind == tokSymbol && c.foreignFunctionSignature(start, true)) {
		return nil
	}
	switch {
	case c.spilled && c.in(closers|1<<tokComma):
	case c.at(tokComma):
		c.unexpected("a pattern; top-level patterns stand side by side without commas")
	case c.at(tokLeftBrace):
		c.unexpected("a pattern; a record by itself stands only at the start of the file")
	case c.in(closers):
		c.unexpected("a pattern; there is nothing to close")
	case c.at(tokArrow):
		c.unexpected("a pattern; an arrow stands between two nodes, a comment starts with //")
	case t.kind == tokSymbol:
		c.unexpected("a pattern in [ ] or ( ); a name by itself stands only in an element list")
		if after := c.second(); after.kind == tokLeftParen && after.begin() == t.end() {
			c.next()
		}
	default:
		c.unexpected("a pattern in [ ] or ( )")
	}
	if c.at(tokLeftBrace) || c.at(tokLeftParen) {
		c.pathGroup()
	} else {
		c.next()
	}
	c.skipToParseablePattern()
	return &ast.Pattern{Base: c.since(start), Subject: &ast.Subject{Base: c.since(c.end())}}
}

// maxReadTwice is the size of the largest bracket that is read twice.
const maxReadTwice = 256 << 10

// parseTopBracket reads a bracket. When it is not closed, the layout of the text
// shows where that was forgotten.
func (c *cursor) parseTopBracket() *ast.Pattern {
	from, start := len(c.problems), c.mark()
	p := c.bracket()
	c.reportForgiven(from)
	if !slices.ContainsFunc(c.problems[from:], func(p problem) bool { return p.kind == closer || p.kind == unclosed }) {
		return p
	}
	size := c.peek().begin() - start.next.begin()
	if c.readTwice += size; c.readTwice > 2*len(c.scan.text) || size > maxReadTwice {
		return p // else the time could grow with the square of the text, and two large trees are in memory
	}
	first := slices.Clone(c.problems[from:])
	end := c.mark()
	c.problems, c.layout = c.problems[:from], true
	c.returnTo(start)
	c.fresh()
	again := c.bracket()
	c.layout = false
	c.reportForgiven(from)
	if len(c.problems)-from > len(first) {
		c.problems = append(c.problems[:from], first...)
		c.returnTo(end)
		return p
	}
	return again
}

// noteBrokenParse notes where the items start that are broken, and those that follow them. What
// does not start a line belongs to the item before, and a pattern to its annotations.
func (c *cursor) noteBrokenParse(start int) {
	if n := len(c.items); n == 0 || c.items[n-1] < start {
		c.items = append(c.items, start)
	}
	annotated := start < len(c.scan.text) && c.scan.text[start] == '@'
	if !c.atEnd() && c.restart() && !(annotated && c.in(patterns)) {
		c.items = append(c.items, c.peek().begin())
	}
}

package grammar

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/source"
)

// A chunker hands out the tokens of one top-level pattern at a time, since
// participle wants all tokens of a parse in memory. Where brackets do not
// match, a chunk may hold several patterns.
type chunker struct {
	scan    *scanner
	ahead   lexer.Token // the next token, maybe of the next chunk
	size    int         // tokens in the chunk
	last    [2]lexer.Token
	notes   bool // the chunk starts with an annotation
	started bool // the chunk has a [ or ( that is no argument of an annotation
}

// maxJunk is how many tokens that belong to no pattern make a chunk.
const maxJunk = 1024

// maxChunk is how many tokens the longest pattern may have.
const maxChunk = 4_000_000

func newChunker(src *source.File) *chunker {
	c := &chunker{scan: &scanner{file: src, text: src.Text()}}
	c.ahead = c.scan.next()
	return c
}

// done reports whether no tokens are left.
func (c *chunker) done() bool { return c.ahead.EOF() }

// next returns the tokens of the next chunk.
func (c *chunker) next() *lexer.PeekingLexer {
	*c = chunker{scan: c.scan, ahead: c.ahead}
	tokens, err := lexer.Upgrade(c)
	if err != nil {
		panic("grammar: " + err.Error())
	}
	return tokens
}

// Next implements lexer.Lexer; it ends each chunk with an EOF.
func (c *chunker) Next() (lexer.Token, error) {
	t := c.ahead
	if t.EOF() || c.boundary(t) {
		return lexer.Token{Type: lexer.EOF, Pos: t.Pos}, nil
	}
	if opens(t) && !c.argument() {
		c.started = true
	}
	if c.size == 0 {
		c.notes = t.Value == "@" || t.Value == "@@"
	}
	c.last = [2]lexer.Token{c.last[1], t}
	c.size++
	c.ahead = c.scan.next()
	return t, nil
}

// boundary reports whether t starts the next chunk.
func (c *chunker) boundary(t lexer.Token) bool {
	depth := c.scan.depth
	if opens(t) || t.Value == "{" {
		depth-- // the scanner has counted t already
	}
	switch {
	case c.size >= maxChunk:
		return true
	case c.size == 0, depth > 0, t.Type != tokPunct:
		return false
	case !c.started && !c.notes && c.size >= maxJunk:
		return true
	case !opens(t) && t.Value != "@" && t.Value != "@@":
		return false
	}
	return (c.started || !c.notes) && !isArrowPart(&c.last[1])
}

// opens reports whether t opens a pattern.
func opens(t lexer.Token) bool { return t.Type == tokPunct && (t.Value == "[" || t.Value == "(") }

// argument reports whether a parenthesis that comes now holds the value of an
// annotation.
func (c *chunker) argument() bool {
	return c.last[0].Value == "@" && (c.last[1].Type == tokSymbol || c.last[1].Type == tokBacktick)
}

func isArrowPart(t *lexer.Token) bool {
	return t.Type == tokPunct && strings.Trim(t.Value, "-=~<>") == ""
}

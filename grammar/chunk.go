package grammar

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/source"
)

// A chunker hands out the tokens of some top-level patterns at a time, since
// participle wants all tokens of a parse in memory.
type chunker struct {
	scan  *scanner
	ahead lexer.Token // the next token, maybe of the next chunk
	total int         // tokens of the file so far
	depth int         // brackets open
	size  int         // tokens in the chunk
	last  [2]lexer.Token

	annotated bool // annotations have come, and the pattern that they speak of has not
}

// minChunk is how many tokens make a chunk, if it can end there.
const minChunk = 64

// MaxTokens is how many tokens a file may have: names, texts, numbers and
// signs. A file of MaxSize that people wrote has fewer.
const MaxTokens = 6_000_000

func newChunker(src *source.File) *chunker {
	c := &chunker{scan: &scanner{file: src, text: src.Text()}}
	c.ahead = c.scan.next()
	return c
}

// done reports whether no tokens are left, or the rest is too much.
func (c *chunker) done() bool { return c.ahead.EOF() || c.full() }

// full reports whether the file has more tokens than it may have.
func (c *chunker) full() bool { return c.total >= MaxTokens && !c.ahead.EOF() }

// next returns the tokens of the next chunk.
func (c *chunker) next() *lexer.PeekingLexer {
	*c = chunker{scan: c.scan, ahead: c.ahead, total: c.total, depth: c.depth}
	tokens, err := lexer.Upgrade(c)
	if err != nil {
		panic("grammar: " + err.Error())
	}
	return tokens
}

// Next implements lexer.Lexer; it ends each chunk with an EOF.
func (c *chunker) Next() (lexer.Token, error) {
	t := c.ahead
	top := c.depth == 0
	if c.done() || top && c.boundary(t) {
		return lexer.Token{Type: lexer.EOF, Pos: t.Pos}, nil
	}
	switch {
	case top && t.Type == tokPunct && (t.Value == "@" || t.Value == "@@"):
		c.annotated = true
	case top && opens(t) && !c.argument():
		c.annotated = false
	}
	if t.Type == tokPunct {
		switch t.Value {
		case "(", "[", "{":
			c.depth++
		case ")", "]", "}":
			c.depth = max(0, c.depth-1)
		}
	}
	c.last = [2]lexer.Token{c.last[1], t}
	c.size++
	c.total++
	c.ahead = c.scan.next()
	return t, nil
}

// boundary reports whether t, which is in no bracket, may start a chunk: it
// goes on with neither a path nor the annotations of a pattern.
func (c *chunker) boundary(t lexer.Token) bool {
	return c.size >= minChunk && !c.annotated && !isArrowPart(&t) && !isArrowPart(&c.last[1])
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

package grammar

import (
	"github.com/gram-lang/gramc/source"
)

// A chunker hands out the tokens of some top-level patterns at a time, so that
// a large file needs little memory.
type chunker struct {
	scan  scanner
	ahead token // the next token, maybe of the next chunk
	total int   // tokens of the file so far
	depth int   // brackets open

	tokens []token

	annotated bool // annotations have come, and the pattern that they speak of has not
}

// minChunk is how many tokens make a chunk, if it can end there.
const minChunk = 64

// MaxTokens is how many tokens a file may have: names, texts, numbers and
// signs. A file of MaxSize that people wrote has fewer.
const MaxTokens = 6_000_000

func newChunker(src *source.File) *chunker {
	c := &chunker{scan: scanner{file: src, text: src.Text()}}
	c.scan.next(&c.ahead)
	return c
}

// done reports whether no tokens are left, or the rest is too much.
func (c *chunker) done() bool { return c.ahead.kind == tokEnd || c.full() }

// full reports whether the file has more tokens than it may have.
func (c *chunker) full() bool { return c.total >= MaxTokens && c.ahead.kind != tokEnd }

// next returns the tokens of the next chunk, of which the last is an EOF. They
// are good until the next call.
func (c *chunker) next() []token {
	c.annotated = false
	if c.tokens == nil {
		const perToken = 4 // about the least number of bytes that people write for one
		c.tokens = make([]token, 0, min(len(c.scan.text)/perToken, 8*minChunk)+1)
	}
	for c.tokens = c.tokens[:0]; c.more(); {
		c.take()
	}
	c.tokens = append(c.tokens, token{start: c.ahead.start})
	return c.tokens
}

// more reports whether the chunk goes on with the next token. It ends between
// two top-level patterns: where a bracket is missing, it goes on to where two
// stand side by side.
func (c *chunker) more() bool {
	return !c.done() && (len(c.tokens) < minChunk || c.depth > 0 || c.annotated ||
		!tops.has(c.ahead.kind) || !closers.has(c.tokens[len(c.tokens)-1].kind))
}

// take puts the next token into the chunk.
func (c *chunker) take() {
	switch kind := c.ahead.kind; {
	case c.depth == 0 && (kind == tokAt || kind == tokAts):
		c.annotated = true
	case openers.has(kind):
		if c.depth == 0 && kind != tokLeftBrace && !isArgument(c.tokens) {
			c.annotated = false
		}
		c.depth++
	case closers.has(kind):
		c.depth = max(0, c.depth-1)
	}
	c.tokens = append(c.tokens, c.ahead)
	c.total++
	c.scan.next(&c.ahead)
}

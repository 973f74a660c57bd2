package grammar

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A problem is a mistake in the text, before it is tied to a file.
type problem struct {
	start, end int
	code       diag.Code // "" is CodeSyntax
	message    string
	kind       problemKind
}

// A problemKind tells the problems that may follow from another one.
type problemKind uint8

const (
	plain     problemKind = iota
	swallower             // a text without end, which may have taken closing brackets
	closer                // a closing bracket is missing
	unclosed              // the file ended inside a bracket
)

// A cursor is what the hand-written productions read tokens with.
type cursor struct {
	*lexer.PeekingLexer
	problems []problem
	sync     int // up to here a problem is already told
	lost     int // how often text was left out of the tree
	told     int // how often a mistake was noted
}

// at reports whether the next token is that punctuation.
func (c *cursor) at(text string) bool {
	t := c.Peek()
	return t.Type == tokPunct && t.Value == text
}

// atAny reports whether the next token is punctuation of one of the given
// one-byte texts, or the end.
func (c *cursor) atAny(texts string) bool {
	t := c.Peek()
	if t.Type != tokPunct {
		return t.EOF()
	}
	for i := range len(texts) {
		if t.Value == texts[i:i+1] {
			return true
		}
	}
	return false
}

// accept takes the next token if it is that punctuation.
func (c *cursor) accept(text string) bool {
	if c.at(text) {
		c.Next()
		return true
	}
	return false
}

// second returns the token after the next one.
func (c *cursor) second() *lexer.Token {
	here := c.MakeCheckpoint()
	c.Next()
	t := c.Peek()
	c.LoadCheckpoint(here)
	return t
}

// previous returns the token before the next one, nil at the start.
func (c *cursor) previous() *lexer.Token {
	i := c.RawCursor()
	if i == 0 {
		return nil
	}
	return &c.Range(i-1, i)[0]
}

// end returns where the token before the next one ends.
func (c *cursor) end() int {
	if t := c.previous(); t != nil {
		return end(t)
	}
	return 0
}

// since returns the base of a node from start to the last token.
func (c *cursor) since(start int) ast.Base {
	return ast.At(source.Span{Start: start, End: max(start, c.end())})
}

// note adds a problem.
func (c *cursor) note(start, end int, message string) {
	c.add(problem{start: start, end: end, message: message})
}

func (c *cursor) add(p problem) {
	if len(c.problems) <= maxProblems { // one more, so that "and N more" is true
		c.problems = append(c.problems, p)
	}
	c.told++
	c.sync = max(c.sync, p.end)
}

// quiet reports whether the trouble at this place was told before, by this
// cursor or, with a bad token, by another.
func (c *cursor) quiet() bool {
	t := c.previous()
	return t != nil && (isBad(t) || c.end() <= c.sync)
}

// missing notes that something is absent behind the last token.
func (c *cursor) missing(message string) {
	if !c.quiet() {
		c.note(c.end(), c.end(), message)
	}
}

// unexpected notes that the next token is wrong. A bad token says why itself.
func (c *cursor) unexpected(expected string) {
	t := c.Peek()
	if c.quiet() {
		c.sync = max(c.sync, end(t))
		return
	}
	p := problem{start: t.Pos.Offset, end: end(t), message: unexpectedMessage(t, expected)}
	switch t.Type {
	case tokTooDeep:
		p.code = diag.CodeTooDeep
	case tokBadText, tokBadFence:
		p.kind = swallower
		c.lost++
	}
	c.add(p)
}

// close takes the bracket that closes what stands at open, or notes that it is
// missing.
func (c *cursor) close(open *lexer.Token, closing string) {
	switch {
	case c.accept(closing), c.quiet():
	case c.Peek().EOF():
		c.add(neverClosed(open, closing))
	default:
		c.add(missingCloser(c.end(), closing))
	}
}

// skip moves on until the next token is one of the given punctuation at the
// same depth, or a bracket closes that was open before, or a top-level pattern
// seems to start.
func (c *cursor) skip(until string) {
	from := c.RawCursor()
	defer func() {
		c.sync = max(c.sync, c.end())
		if c.RawCursor() > from {
			c.lost++
		}
	}()
	for depth := 0; !c.Peek().EOF() && !c.restart(); c.Next() {
		t := c.Peek()
		if t.Type != tokPunct {
			continue
		}
		if depth == 0 && (c.atAny(until) || c.atAny(")]}")) {
			return
		}
		switch t.Value {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
	}
}

// restart reports whether the next token looks like the start of a top-level
// pattern: an opening [, ( or @ in the first column.
func (c *cursor) restart() bool {
	t := c.Peek()
	return t.Pos.Column == 1 && t.Type == tokPunct &&
		(t.Value == "[" || t.Value == "(" || t.Value == "@" || t.Value == "@@")
}

func isBad(t *lexer.Token) bool { return t.Type >= tokBadText }

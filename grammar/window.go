package grammar

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// A window shows participle some tokens. A PeekingLexer takes all its tokens
// when it is made, one by one; so one is made of blanks, and what is not too
// long is written over them.
type window struct {
	lex    *lexer.PeekingLexer
	start  lexer.Checkpoint
	tokens []lexer.Token // what lex reads from
}

// windowSize is enough for most annotations.
const windowSize = 12

// open returns a lexer of those tokens, which is good until the next call.
func (w *window) open(tokens []token) *lexer.PeekingLexer {
	if len(tokens) >= len(w.tokens) {
		size := max(len(tokens)+1, windowSize)
		lex, err := lexer.Upgrade(&blanks{size})
		if err != nil {
			panic("grammar: " + err.Error())
		}
		w.lex, w.start, w.tokens = lex, lex.MakeCheckpoint(), lex.Range(0, lexer.RawCursor(size))
	}
	for i := range tokens {
		t, to := &tokens[i], &w.tokens[i]
		to.Type, to.Value, to.Pos.Offset, to.Pos.Column = lexer.TokenType(t.kind), t.text, t.begin(), int(t.indent)
		if t.kind == tokEnd {
			to.Type = lexer.EOF
		}
	}
	w.tokens[len(tokens)] = lexer.Token{Type: lexer.EOF, Pos: lexer.Position{Offset: tokens[len(tokens)-1].end()}}
	w.lex.LoadCheckpoint(w.start)
	return w.lex
}

// blanks is a lexer.Lexer of that many tokens, of which the last is an EOF.
type blanks struct{ left int }

// Next implements lexer.Lexer.
func (b *blanks) Next() (lexer.Token, error) {
	if b.left--; b.left > 0 {
		return lexer.Token{}, nil
	}
	return lexer.Token{Type: lexer.EOF}, nil
}

// fromWindow returns the token that a window shows as t.
func fromWindow(t *lexer.Token) token {
	return token{text: t.Value, start: int32(t.Pos.Offset), kind: kind(max(0, t.Type)), indent: uint16(t.Pos.Column)}
}

// newCursor returns a cursor over the tokens of lex, up to the first in no
// bracket that closes one or is of the given kinds.
func newCursor(lex *lexer.PeekingLexer, until kinds) *cursor {
	c := &cursor{}
	ahead := *lex
	for depth := 0; depth >= 0 && !ahead.Peek().EOF(); {
		t := fromWindow(ahead.Next())
		c.tokens = append(c.tokens, t)
		switch {
		case depth == 0 && until.has(t.kind):
			depth = -1
		case openers.has(t.kind):
			depth++
		case closers.has(t.kind):
			depth--
		}
	}
	c.tokens = append(c.tokens, token{start: int32(ahead.Peek().Pos.Offset)})
	return c
}

// leave moves lex to where the cursor stands.
func (c *cursor) leave(lex *lexer.PeekingLexer) {
	for range c.pos {
		lex.Next()
	}
}

// starts is a production that takes the bracket of that kind and no more: what
// starts there is read without participle.
func starts(lex *lexer.PeekingLexer, kind kind) error {
	if lex.Peek().Type != lexer.TokenType(kind) {
		return participle.NextMatch
	}
	lex.Next()
	return nil
}

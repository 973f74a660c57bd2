package grammar

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/source"
)

// A TokenKind is what a Token is.
type TokenKind uint8

// The kinds of tokens.
const (
	EndToken      TokenKind = iota // the end of the text; it is empty
	WordToken                      // a symbol
	NumberToken                    // a number, also one with letters right after it
	TextToken                      // a text in quotes or in a fence, with these
	OpenTextToken                  // a text whose closing quote or fence is missing
	CommentToken                   // from // to the end of the line, without whitespace at its end
	SignToken                      // a bracket, or one or two characters such as : :: | == -> ..
	BadToken                       // text that is not a token of gram
)

// A Token is a part of a text: its bytes from Start to End.
type Token struct {
	Kind       TokenKind
	Start, End int
}

// A Scanner cuts a text into tokens, whatever it holds: gram, a part of it, or a
// type expression. It is the lexer of Parse, but returns comments as tokens,
// and takes no comments of other languages for such. It is for editors, which
// work with texts that do not parse.
type Scanner struct {
	scan  gramLexer
	ahead []Token // the last one first
}

// NewScanner returns a scanner of a text.
func NewScanner(text string) *Scanner {
	return &Scanner{scan: gramLexer{file: source.NewFile("", text), text: text, gramOnly: true}}
}

// Seek makes an offset the place where the next token is looked for.
func (s *Scanner) Seek(offset int) {
	s.ahead = s.ahead[:0]
	s.scan.pos, s.scan.depth = offset, 0
	s.scan.line = strings.LastIndexByte(s.scan.text[:offset], '\n') + 1
}

// Next returns the next token, and EndToken from the end of the text on.
func (s *Scanner) Next() Token {
	if len(s.ahead) == 0 { // a token and the comments before it
		var t token
		s.scan.next(&t)
		s.ahead = append(s.ahead, Token{scannedKind(t.kind), t.begin(), t.end()})
		for _, c := range slices.Backward(s.scan.comments) {
			s.ahead = append(s.ahead, Token{CommentToken, c.Span.Start, c.Span.Start + len(c.Text())})
		}
		s.scan.comments = s.scan.comments[:0]
	}
	last := len(s.ahead) - 1
	t := s.ahead[last]
	s.ahead = s.ahead[:last]
	return t
}

func scannedKind(k kind) TokenKind {
	switch {
	case k == tokEnd:
		return EndToken
	case k == tokSymbol:
		return WordToken
	case k == tokInteger, k == tokNumber, k == tokBadNumber:
		return NumberToken
	case k >= tokSingle && k <= tokFence:
		return TextToken
	case k == tokBadText, k == tokBadBreak, k == tokBadTriple, k == tokBadFence:
		return OpenTextToken
	case signs.has(k):
		return SignToken
	}
	return BadToken
}

package grammar

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// MaxDepth is the number of brackets that may be open at once.
const MaxDepth = 1000

// maxNumber is the length of the longest number, in bytes.
const maxNumber = 10_000

// The kinds of token. Punctuation, arrow parts and range marks are all Punct
// and told apart by their text; the kinds whose names start with Bad hold text
// that is no token of gram.
const (
	tokSymbol lexer.TokenType = iota + 1
	tokInteger
	tokNumber // every number that is not a plain integer
	tokSingle
	tokDouble
	tokBacktick
	tokFence
	tokPunct
	tokBadText   // a quote that is not closed on its line
	tokBadBreak  // a quote with a line break inside
	tokBadTriple // text between three quotes
	tokBadFence  // a fence that does not open or close properly
	tokBadNumber // digits glued to what cannot follow them
	tokBadChars  // characters that occur nowhere in gram
	tokTooDeep   // everything in a bracket that is nested too deep
)

// definition makes participle accept tokens that scanner made. Parse feeds the
// parser itself, so that it can keep the comments.
type definition struct{}

// Symbols names the tokens that grammar.go calls by name.
func (definition) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{"EOF": lexer.EOF, "Symbol": tokSymbol, "Backtick": tokBacktick}
}

// Lex is never called: ParseFile gives the parser its tokens.
func (definition) Lex(string, io.Reader) (lexer.Lexer, error) {
	panic("grammar: participle reads no files here")
}

// A scanner cuts a text into tokens. It never fails and takes time in
// proportion to the text. Comments are kept aside and never reach the parser.
type scanner struct {
	file      *source.File
	text      string
	pos       int // the next byte
	line      int // where the current line starts
	depth     int // brackets open
	comments  []*ast.Comment
	noFence   bool // no closing fence in the rest of the text
	noTriple  bool // no """ in the rest of the text
	lineStart bool // nothing but blanks so far on this line
}

// next returns the next token.
func (s *scanner) next() lexer.Token {
	s.skip()
	start := s.pos
	// Only Offset and Column are set: Column is 1 at the start of a line, where
	// the parser looks for the next top-level pattern after a mistake.
	pos := lexer.Position{Offset: start, Column: start - s.line + 1}
	if start == len(s.text) {
		return lexer.Token{Type: lexer.EOF, Pos: pos}
	}
	s.lineStart = false
	kind := s.scan(s.text[start])
	return lexer.Token{Type: kind, Value: s.text[start:s.pos], Pos: pos}
}

// skip moves over blanks and comments.
func (s *scanner) skip() {
	if s.pos == 0 {
		s.pos = len(byteOrderMark(s.text))
		s.lineStart = true
	}
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\n':
			s.pos++
			s.line, s.lineStart = s.pos, true
		case isBlank(c):
			s.pos++
		case strings.HasPrefix(s.text[s.pos:], "//"):
			end := lineEnd(s.text, s.pos)
			s.comments = append(s.comments, &ast.Comment{Span: s.file.Span(s.pos, end), Suffix: !s.lineStart})
			s.pos = end
		default:
			return
		}
	}
}

func byteOrderMark(text string) string {
	if strings.HasPrefix(text, "\ufeff") {
		return "\ufeff"
	}
	return ""
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func lineEnd(text string, from int) int {
	if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(text)
}

// scan moves over the token that starts with c and returns its kind.
func (s *scanner) scan(c byte) lexer.TokenType {
	switch {
	case isSymbolStart(c):
		s.pos += symbolLength(s.text[s.pos:])
		return tokSymbol
	case isDigit(c), c == '-' && s.pos+1 < len(s.text) && isDigit(s.text[s.pos+1]):
		return s.number()
	}
	switch c {
	case '"':
		return s.quoted(c, tokDouble)
	case '\'':
		return s.quoted(c, tokSingle)
	case '`':
		if strings.HasPrefix(s.text[s.pos:], fence) {
			return s.fence()
		}
		return s.quoted(c, tokBacktick)
	case '(', '[', '{':
		return s.open()
	case ')', ']', '}':
		s.depth = max(0, s.depth-1)
		return s.punct(1)
	case ',', '|':
		return s.punct(1)
	case ':', '@':
		return s.punct(1 + s.follows(c))
	case '-', '=', '~':
		return s.punct(1 + s.follows('>'))
	case '<':
		if s.follows('-')+s.follows('=')+s.follows('~') == 1 {
			return s.punct(2)
		}
	case '.':
		switch {
		case strings.HasPrefix(s.text[s.pos:], "..."):
			return s.punct(3)
		case strings.HasPrefix(s.text[s.pos:], ".."):
			return s.punct(2)
		}
	}
	return s.badChars()
}

// follows returns 1 when c is the byte after the next one, and else 0.
func (s *scanner) follows(c byte) int {
	if s.pos+1 < len(s.text) && s.text[s.pos+1] == c {
		return 1
	}
	return 0
}

func (s *scanner) punct(length int) lexer.TokenType {
	s.pos += length
	return tokPunct
}

// open takes an opening bracket, or all of a bracket that is too deep, so that
// the parser never sees more than MaxDepth.
func (s *scanner) open() lexer.TokenType {
	s.depth++
	if s.depth <= MaxDepth {
		return s.punct(1)
	}
	s.pos++
	for s.depth > MaxDepth && s.pos < len(s.text) {
		s.skip()
		if s.pos == len(s.text) {
			break
		}
		switch c := s.text[s.pos]; c {
		case '(', '[', '{':
			s.depth++
			s.pos++
		default:
			s.scan(c)
		}
	}
	return tokTooDeep
}

func isSymbolStart(c byte) bool { return isLetter(c) || c == '_' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSymbolPart(c byte) bool {
	return isSymbolStart(c) || isDigit(c) || c == '.' || c == '@' || c == '-'
}

// symbolLength returns the length of the symbol that text starts with.
func symbolLength(text string) int {
	if text == "" || !isSymbolStart(text[0]) {
		return 0
	}
	return prefix(text, isSymbolPart)
}

// prefix returns how many bytes at the start of text satisfy is.
func prefix(text string, is func(byte) bool) int {
	for i := 0; i < len(text); i++ {
		if !is(text[i]) {
			return i
		}
	}
	return len(text)
}

// badChars takes a run of characters of which none can start a token.
func (s *scanner) badChars() lexer.TokenType {
	const starts = "\"'`()[]{},|:@-=~<./_"
	for s.pos++; s.pos < len(s.text); s.pos++ {
		c := s.text[s.pos]
		if isBlank(c) || isSymbolStart(c) || isDigit(c) || strings.IndexByte(starts, c) >= 0 {
			break
		}
	}
	// Never end inside a character.
	for s.pos < len(s.text) && !utf8.RuneStart(s.text[s.pos]) {
		s.pos++
	}
	return tokBadChars
}

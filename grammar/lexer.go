package grammar

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// MaxDepth is the number of brackets that may be open at once.
const MaxDepth = 1000

// MaxTokens is how many tokens a file may have: names, texts, numbers and
// signs. A file of MaxSize that people wrote has fewer.
const MaxTokens = 6_000_000

// maxNumber is the length of the longest number, in bytes.
const maxNumber = 10_000

// A gramLexer cuts a text into tokens. It never fails and takes time in
// proportion to the text. Comments are kept aside and never reach the parser.
type gramLexer struct {
	file      *source.File
	text      string
	pos       int // the next byte
	line      int // where the current line starts
	depth     int // brackets open
	comments  []*ast.Comment
	noFence   int       // from here on no fence closes; 0 as long as that is unknown
	noTriple  int       // from here on there is no """
	noBlock   int       // from here on there is no */
	noSmart   [2]int    // up to where no typographic quote closes a text, double ones and single ones
	problems  []problem // comments of other languages
	lineStart bool      // nothing but whitespace so far on this line
	gramOnly  bool      // what other languages write for a comment is none
}

// next puts the next token into t.
func (s *gramLexer) next(t *token) {
	s.skip()
	start := s.pos
	t.start, t.indent = int32(start), 0
	if s.lineStart || start == s.line {
		t.indent = uint16(min(start-s.line+1, math.MaxUint16))
	}
	if start == len(s.text) {
		t.kind, t.text = tokEnd, ""
		return
	}
	s.lineStart = false
	t.kind = s.scan(s.text[start])
	t.text = s.text[start:s.pos]
}

// skip moves over whitespace and comments.
func (s *gramLexer) skip() {
	if s.pos == 0 {
		s.pos = len(byteOrderMark(s.text))
		s.lineStart = true
	}
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\n':
			s.pos++
			s.line, s.lineStart = s.pos, true
		case isWhitespace(c):
			s.pos++
		case c == '/' && strings.HasPrefix(s.text[s.pos:], "//"):
			end := lexLineEnd(s.text, s.pos)
			s.comments = append(s.comments, &ast.Comment{Span: s.file.Span(s.pos, end), Suffix: !s.lineStart})
			s.pos = end
		case (c == '/' || c == '#' || c == '-') && !s.gramOnly && s.foreignComment(c):
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

func isWhitespace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func lexLineEnd(text string, from int) int {
	if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(text)
}

// scan moves over the token that starts with c and returns its kind.
func (s *gramLexer) scan(c byte) kind {
	if class[c]&symbolStart != 0 {
		s.pos += lexPrefix(s.text[s.pos:], symbolPart)
		return tokSymbol
	}
	switch k := signKinds[c]; {
	case openers.has(k):
		return s.open(k)
	case closers.has(k):
		s.depth = max(0, s.depth-1)
		return s.sign(k, 1)
	case (k == tokColon || k == tokAt) && strings.HasPrefix(s.text[s.pos+1:], s.text[s.pos:s.pos+1]):
		return s.sign(k+1, 2)
	case signs.has(k):
		return s.sign(k, 1)
	case k == tokBacktick && strings.HasPrefix(s.text[s.pos:], fence):
		return s.fencedText()
	case k != tokEnd:
		return s.quotedText(c, k)
	case class[c]&digit != 0:
		return s.number()
	}
	return s.rare(c)
}

// signKinds has what starts with each byte: a sign or a text, tokEnd for anything
// else. What starts with : or @ can be the kind after it.
var signKinds = [256]kind{
	'(': tokLeftParen, ')': tokRightParen, '[': tokLeftBracket, ']': tokRightBracket, '{': tokLeftBrace, '}': tokRightBrace,
	',': tokComma, '|': tokBar, ':': tokColon, '@': tokAt, '"': tokDouble, '\'': tokSingle, '`': tokBacktick,
}

// rare is scan for what is rare in gram, or no gram.
func (s *gramLexer) rare(c byte) kind {
	var after byte
	if s.pos+1 < len(s.text) {
		after = s.text[s.pos+1]
	}
	switch {
	case c == '-' && class[after]&digit != 0:
		return s.number()
	case (c == '-' || c == '=' || c == '~') && after == '>':
		return s.sign(tokArrow, 2)
	case c == '-', c == '=', c == '~':
		return s.sign(tokArrow, 1)
	case c == '<' && (after == '-' || after == '=' || after == '~'):
		return s.sign(tokArrow, 2)
	case strings.HasPrefix(s.text[s.pos:], "..."):
		return s.sign(tokEllipsis, 3)
	case strings.HasPrefix(s.text[s.pos:], ".."):
		return s.sign(tokDots, 2)
	}
	if length := s.smartTextLength(); length > 0 {
		return s.sign(tokBadQuotes, length)
	}
	return s.badChars()
}

func (s *gramLexer) sign(kind kind, length int) kind {
	s.pos += length
	return kind
}

// open takes an opening bracket, or all of a bracket that is too deep, so that
// the parser never sees more than MaxDepth.
func (s *gramLexer) open(kind kind) kind {
	s.depth++
	if s.depth <= MaxDepth {
		return s.sign(kind, 1)
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

// The classes of a byte, as bits.
const (
	letter = 1 << iota
	digit
	octalDigit
	hexDigit
	symbolStart
	symbolPart
)

// class holds the classes of each byte.
var class = lexClasses()

func lexClasses() (of [256]uint8) {
	add := func(bytes string, bits uint8) {
		for i := range len(bytes) {
			of[bytes[i]] |= bits
		}
	}
	const letters = "abcdefghijklmnopqrstuvwxyz"
	add(letters+strings.ToUpper(letters), letter|symbolStart|symbolPart)
	add("abcdefABCDEF", hexDigit)
	add("01234567", octalDigit)
	add("0123456789", digit|hexDigit|symbolPart)
	add("_", symbolStart|symbolPart)
	add(".@-", symbolPart)
	return of
}

func isDigit(c byte) bool { return class[c]&digit != 0 }

// lexSymbolLength returns the length of the symbol that text starts with.
func lexSymbolLength(text string) int {
	if text == "" || class[text[0]]&symbolStart == 0 {
		return 0
	}
	return lexPrefix(text, symbolPart)
}

// lexPrefix returns how many bytes at the start of text are of those classes.
func lexPrefix(text string, of uint8) int {
	for i := range len(text) {
		if class[text[i]]&of == 0 {
			return i
		}
	}
	return len(text)
}

// badChars takes a run of characters of which none can start a token.
func (s *gramLexer) badChars() kind {
	const starts = "\"'`()[]{},|:@-=~<./_"
	for s.pos++; s.pos < len(s.text); s.pos++ {
		c := s.text[s.pos]
		if isWhitespace(c) || class[c]&(symbolStart|digit) != 0 || strings.IndexByte(starts, c) >= 0 {
			break
		}
	}
	// Never end inside a character.
	for s.pos < len(s.text) && !utf8.RuneStart(s.text[s.pos]) {
		s.pos++
	}
	return tokBadChars
}

// distanceTo returns how far after an offset a text occurs, -1 where it does not; then
// nowhere remembers that there is none from there on.
func (s *gramLexer) distanceTo(text string, from int, nowhere *int) int {
	if *nowhere > 0 && from >= *nowhere {
		return -1
	}
	n := strings.Index(s.text[from:], text)
	if n < 0 {
		*nowhere = from
	}
	return n
}

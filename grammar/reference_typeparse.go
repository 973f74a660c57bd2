package grammar

import (
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// ReferenceType parses a type expression, the text of ::`[Text?]` between the
// backticks, by the reference grammar, and returns the first mistake. No more than
// MaxDepth types may be nested.
func ReferenceType(text string) error {
	_, err := parseType(text)
	return err
}

func parseType(text string) (*typeExpression, error) {
	tokens, err := lexer.Upgrade(&typeTokens{text: text})
	if err != nil {
		panic("grammar: " + err.Error()) // Next never fails
	}
	return typeParser().ParseFromLexer(tokens)
}

// typeParser builds the grammar of types, once, when it is first used. It is
// immutable and safe to share.
var typeParser = sync.OnceValue(func() *participle.Parser[typeExpression] {
	return participle.MustBuild[typeExpression](participle.Lexer(typeLexer{}), participle.UseLookahead(0))
})

// typeKinds are the tokens of types, each with the form of its text at the start
// of what is left. The first that matches wins.
var typeKinds = []struct {
	name string
	form *regexp.Regexp
}{
	{"Name", regexp.MustCompile("^[A-Za-z_\\x{80}-\\x{10FFFF}][0-9A-Za-z_.@\\x{80}-\\x{10FFFF}-]*")},
	{"Text", regexp.MustCompile(`^("([^"\\]|\\(["'\\/bfnrt]|u[0-9A-Fa-f]{4}))*"|'([^'\\]|\\(["'\\/bfnrt]|u[0-9A-Fa-f]{4}))*')`)},
	{"Range", regexp.MustCompile(`^(` + jsonNumber + `\.\.\.|` + jsonNumber + `\.\.` + jsonNumber + `|\.\.\.` + jsonNumber + `)`)},
	{"JSONNumber", regexp.MustCompile(`^` + jsonNumber)},
	{"Brackets", regexp.MustCompile(`^\[[ \t]*\]`)},
	{"Sign", regexp.MustCompile(`^(::|[][(){}<>|?,:=*])`)},
}

const jsonNumber = `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?0*[0-9]{1,3})?`

// typeLexer makes participle read the tokens of types.
type typeLexer struct{}

// Symbols implements lexer.Definition.
func (typeLexer) Symbols() map[string]lexer.TokenType {
	symbols := map[string]lexer.TokenType{"EOF": lexer.EOF}
	for i, k := range typeKinds {
		symbols[k.name] = lexer.TokenType(i + 1)
	}
	return symbols
}

// Lex implements lexer.Definition.
func (typeLexer) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	return &typeTokens{text: string(text)}, err
}

// typeTokens cuts a text into the tokens of types. It never fails: the rest of a
// text that is no token, is nested too deep, or is a second * of an object, is one
// bad token.
type typeTokens struct {
	text  string
	pos   int
	depth int         // brackets and Maybes that are open
	open  []typeLevel // the text, and each open bracket
}

// typeLevel is what has been read between two brackets.
type typeLevel struct {
	maybes int // Maybes that wait for their type
	rests  int // fields whose name is *
}

// Next implements lexer.Lexer.
func (s *typeTokens) Next() (lexer.Token, error) {
	s.pos = len(s.text) - len(strings.TrimLeft(s.text[s.pos:], " \t\r\n\v\f"))
	rest := s.text[s.pos:]
	t := lexer.Token{Type: lexer.EOF, Pos: lexer.Position{Offset: s.pos, Line: 1, Column: s.pos + 1}}
	if rest == "" {
		return t, nil
	}
	t.Type, t.Value = 0, rest
	for i, k := range typeKinds {
		if text := k.form.FindString(rest); text != "" {
			t.Type, t.Value = lexer.TokenType(i+1), text
			break
		}
	}
	if !s.allowed(t.Value) {
		t.Type, t.Value = 0, rest
	}
	s.pos += len(t.Value)
	return t, nil
}

// allowed follows how deep the text is nested, by brackets and by Maybe, which takes
// one type after it, and reports whether a token may come next.
func (s *typeTokens) allowed(sign string) bool {
	if len(s.open) == 0 {
		s.open = []typeLevel{{}}
	}
	level := &s.open[len(s.open)-1]
	switch sign {
	case "Maybe":
		s.depth++
		level.maybes++
	case "*":
		level.rests++
		return level.rests == 1
	case "(", "[", "{", "<":
		s.depth++
		s.open = append(s.open, typeLevel{})
	case ")", "]", "}", ">", ",", "|":
		s.depth -= level.maybes
		level.maybes = 0
		if sign != "," && sign != "|" && len(s.open) > 1 {
			s.depth--
			s.open = s.open[:len(s.open)-1]
		}
	}
	return s.depth <= MaxDepth
}

package grammar

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// ReferenceType parses a type expression, the text of ::`[Text?]` between the
// backticks, by the reference grammar. It returns the expression with parentheses
// around its parts, which has the same meaning and shows the structure. The error
// says where the first mistake is. No more than MaxDepth parts may be nested.
func ReferenceType(text string) (string, error) {
	tokens, err := lexer.Upgrade(&typeTokens{text: text})
	if err != nil {
		panic("grammar: " + err.Error()) // Next never fails
	}
	parsed, err := typeParser().ParseFromLexer(tokens)
	if err != nil {
		return "", err
	}
	return parsed.write()
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
// text that is no token, or is nested too deep, is one bad token.
type typeTokens struct {
	text   string
	pos    int
	depth  int   // brackets and Maybes that are open
	maybes []int // for each open bracket, how many of them are its Maybes
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
	if s.count(t.Value); s.depth > MaxDepth {
		t.Type, t.Value = 0, rest
	}
	s.pos += len(t.Value)
	return t, nil
}

// count follows how deep the text is nested: by brackets, and by Maybe, which
// takes one type behind it.
func (s *typeTokens) count(sign string) {
	if len(s.maybes) == 0 {
		s.maybes = []int{0}
	}
	last := len(s.maybes) - 1
	switch sign {
	case "Maybe":
		s.depth++
		s.maybes[last]++
	case "(", "[", "{", "<":
		s.depth++
		s.maybes = append(s.maybes, 0)
	case ")", "]", "}", ">", ",", "|":
		s.depth -= s.maybes[last]
		s.maybes[last] = 0
		if sign != "," && sign != "|" && last > 0 {
			s.depth--
			s.maybes = s.maybes[:last]
		}
	}
}

// The methods write what they parsed with parentheses around each type that has
// something behind it.

func (e *typeExpression) write() (string, error) {
	var parts []string
	for _, a := range e.Alternatives {
		text, err := a.write()
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " | "), nil
}

func (p *typePostfix) write() (string, error) {
	text, err := p.Primary.write()
	for _, s := range p.Suffixes {
		text = "(" + text + ")" + s.Sign
		if s.Attributes != nil {
			text += joined(s.Attributes.Tokens)
		}
	}
	return text, err
}

func (p *typePrimary) write() (string, error) {
	inside := func(open string, e *typeExpression, closing string) (string, error) {
		text, err := e.write()
		return open + text + closing, err
	}
	switch {
	case p.Maybe != nil:
		text, err := p.Maybe.write()
		return "Maybe (" + text + ")", err
	case p.Map != nil && p.Map.Values != nil:
		return inside("Map<", p.Map.Values, ">")
	case p.Map != nil:
		return p.Map.Name, nil
	case p.Array != nil:
		return inside("[", p.Array, "]")
	case p.Group != nil:
		return inside("(", p.Group, ")")
	case p.Object != nil:
		return p.Object.write()
	}
	return p.Literal + p.Name, nil
}

func (o *typeObject) write() (string, error) {
	var parts []string
	rest := false
	for _, f := range o.Fields {
		if f.Rest != nil && rest {
			return "", errors.New("an object has at most one *")
		}
		rest = rest || f.Rest != nil
		text, err := f.write()
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}

func (f *typeField) write() (string, error) {
	if f.Rest != nil {
		text, err := f.Rest.write()
		return "*: " + text, err
	}
	text, err := f.Type.write()
	if f.Mark {
		text = f.Name + "?: " + text
	} else {
		text = f.Name + ": " + text
	}
	if f.Default != nil {
		text += " = " + joined(f.Default.Tokens)
	}
	return text, err
}

// joined returns the text of some tokens.
func joined(tokens []lexer.Token) string {
	var parts []string
	for _, t := range tokens {
		parts = append(parts, t.Value)
	}
	return strings.Join(parts, " ")
}

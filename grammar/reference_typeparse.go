package grammar

import (
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
	tokens, err := typeParser().Lex("", strings.NewReader(text))
	if err == nil {
		err = checkTypeTokens(tokens)
	}
	if err != nil {
		return nil, err
	}
	return typeParser().ParseString("", text)
}

// typeParser builds the grammar of types, once, when it is first used. It is
// immutable and safe to share.
var typeParser = sync.OnceValue(func() *participle.Parser[typeExpression] {
	return participle.MustBuild[typeExpression](
		participle.Lexer(lexer.MustSimple(typeTokens)), participle.Elide("Whitespace"), participle.UseLookahead(0))
})

// typeTokens are the tokens of types. The first that matches wins.
var typeTokens = []lexer.SimpleRule{
	{Name: "Name", Pattern: "[A-Za-z_\\x{80}-\\x{10FFFF}][0-9A-Za-z_.@\\x{80}-\\x{10FFFF}-]*"},
	{Name: "Text", Pattern: `("([^"\\]|\\(["'\\/bfnrt]|u[0-9A-Fa-f]{4}))*"|'([^'\\]|\\(["'\\/bfnrt]|u[0-9A-Fa-f]{4}))*')`},
	{Name: "Range", Pattern: `(` + jsonNumber + `\.\.\.|` + jsonNumber + `\.\.` + jsonNumber + `|\.\.\.` + jsonNumber + `)`},
	{Name: "JSONNumber", Pattern: jsonNumber},
	{Name: "Brackets", Pattern: `\[[ \t]*\]`},
	{Name: "Sign", Pattern: `(::|[][(){}<>|?,:=*])`},
	{Name: "Whitespace", Pattern: `[ \t\r\n\v\f]+`},
}

const jsonNumber = `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?0*[0-9]{1,3})?`

// checkTypeTokens reports what no production can: types that are nested too deep,
// for participle has no limit of its own, and a second * of an object.
func checkTypeTokens(tokens []lexer.Token) error {
	type bracket struct {
		depth int  // of what it holds
		rest  bool // it has a *
	}
	open := []bracket{{}}
	depth := 0 // brackets and Maybes around the token
	for _, t := range tokens {
		innermost := &open[len(open)-1]
		switch t.Value {
		case "Maybe":
			depth++
		case "(", "[", "{", "<":
			depth++
			open = append(open, bracket{depth: depth})
		case ",", "|":
			depth = innermost.depth
		case ")", "]", "}", ">":
			depth = innermost.depth - 1
			open = open[:max(1, len(open)-1)]
		case "*":
			if innermost.rest {
				return participle.Errorf(t.Pos, "an object has at most one *")
			}
			innermost.rest = true
		}
		if depth > MaxDepth {
			return participle.Errorf(t.Pos, "more than %d types are nested", MaxDepth)
		}
	}
	return nil
}

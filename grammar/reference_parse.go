package grammar

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// ParseReference parses the text of a file by the reference grammar, which defines
// what gram is. What it accepts Parse accepts, with an equal tree, and nothing
// else. It is slow and stops at the first mistake: then the file is nil and the
// list holds one diagnostic, without fixes. A list of more than a million entries is
// a mistake too.
func ParseReference(name, text string) (*ast.File, diag.List) {
	c := newCursor(source.NewFile(name, text))
	if !c.isParseable() || len(c.problems) > 0 {
		return nil, c.referenceParseMistake()
	}
	peeking, err := lexer.Upgrade(referenceTokens{c})
	if err != nil {
		panic("grammar: " + err.Error()) // Next never fails
	}
	parsed, err := referenceParser().ParseFromLexer(peeking)
	if err != nil {
		c.referenceParseError(err)
	}
	c.parseEnd()
	if len(c.problems) > 0 {
		return nil, c.referenceParseMistake()
	}
	file := referenceBuilder{c}.file(parsed)
	ast.AttachComments(file, c.scan.comments)
	return file, nil
}

// referenceParseError notes an error of participle.
func (c *cursor) referenceParseError(err error) {
	var unexpected *participle.UnexpectedTokenError
	var at participle.Error
	switch {
	case errors.As(err, &unexpected):
		t := referenceToken(unexpected.Unexpected)
		c.note(t.begin(), t.end(), fmt.Sprintf("the reference grammar has no %s here", describeInMessage(t)))
	case errors.As(err, &at):
		c.note(at.Position().Offset, at.Position().Offset, at.Message())
	default:
		panic("grammar: " + err.Error())
	}
}

// referenceParseMistake returns the first of the problems, without fixes.
func (c *cursor) referenceParseMistake() diag.List {
	var list diag.List
	first := c.reportDistinct()[0]
	list.Errorf(c.file.Span(first.start, first.end), cmp.Or(first.code, diag.CodeSyntax), "%s", first.message)
	return list
}

// ReferenceEBNF returns the reference grammar for people: participle's print of
// the productions and the form of each token, of gram and of its types.
func ReferenceEBNF() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", referenceParser())
	for _, k := range referenceKinds {
		fmt.Fprintf(&b, "<%s> = %s .\n", strings.ToLower(k.name), k.form)
	}
	fmt.Fprintf(&b, "\n%s\n\n", typeParser())
	for _, k := range typeTokens[:len(typeTokens)-2] {
		fmt.Fprintf(&b, "<%s> = /%s/ .\n", strings.ToLower(k.Name), k.Pattern)
	}
	return b.String()
}

// referenceKinds are the tokens that the productions call by name, with their
// forms. In a form, / / surround a regular expression.
var referenceKinds = []struct {
	name string
	kind kind
	form string
}{
	{"Symbol", tokSymbol, `/[A-Za-z_][0-9A-Za-z_.@-]*/`},
	{"Integer", tokInteger, `/-?(0|[1-9][0-9]*)/`},
	{"Numeral", tokNumber, `/-?(0|[1-9][0-9]*)((\.[0-9]+)?[A-Za-z]+|\.[0-9]+)|0x[0-9A-Fa-f]+|0[0-7]+/`},
	{"DoubleQuoted", tokDouble, `/"([^"\\\n]|\\["'` + "`" + `\/\\bfnrt])*"/`},
	{"SingleQuoted", tokSingle, `/'([^'\\\n]|\\["'` + "`" + `\/\\bfnrt])*'/`},
	{"Backticked", tokBacktick, "/`([^`\\\\\\n]|\\\\[\"'`\\/\\\\bfnrt])*`/"},
	{"Fence", tokFence, "\"```\" <symbol>? newline text \"```\""},
}

// referenceParser builds the reference grammar, once, when it is first used. It is
// immutable and safe to share.
var referenceParser = sync.OnceValue(func() *participle.Parser[file] {
	return participle.MustBuild[file](participle.Lexer(referenceLexer{}), participle.UseLookahead(0))
})

// referenceLexer makes participle read tokens of the lexer.
type referenceLexer struct{}

// Symbols implements lexer.Definition.
func (referenceLexer) Symbols() map[string]lexer.TokenType {
	symbols := map[string]lexer.TokenType{"EOF": lexer.EOF}
	for _, k := range referenceKinds {
		symbols[k.name] = lexer.TokenType(k.kind)
	}
	return symbols
}

// Lex implements lexer.Definition.
func (referenceLexer) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	return referenceTokens{newCursor(source.NewFile(name, string(text)))}, err
}

// referenceTokens are the tokens of a cursor. No production takes a bad token. The
// lexer makes one of what is nested too deep, so that participle, which has
// no limit of its own, never sees more than MaxDepth brackets.
type referenceTokens struct{ *cursor }

// Next implements lexer.Lexer. It never fails, and notes unknown escapes.
func (s referenceTokens) Next() (lexer.Token, error) {
	t := s.next()
	read := lexer.Token{Type: lexer.TokenType(t.kind), Value: t.text, Pos: lexer.Position{Offset: t.begin()}}
	switch t.kind {
	case tokEnd:
		read.Type = lexer.EOF
	case tokSingle, tokDouble, tokBacktick:
		s.unquoteValue(t)
	}
	return read, nil
}

// referenceToken returns the token of the lexer that participle read.
func referenceToken(t lexer.Token) token {
	return token{kind: kind(max(0, t.Type)), text: t.Value, start: int32(t.Pos.Offset)}
}

// ParseReferenceType parses a type expression, the text of ::`[Text?]` between the
// backticks, by the reference grammar, and returns the first mistake. No more than
// MaxDepth types may be nested.
func ParseReferenceType(text string) error {
	_, err := parseReferenceTypeTokens(text)
	return err
}

func parseReferenceTypeTokens(text string) (*typeExpression, error) {
	tokens, err := typeParser().Lex("", strings.NewReader(text))
	if err == nil {
		err = checkReferenceTypeTokens(tokens)
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

// checkReferenceTypeTokens reports what no production can: types that are nested too deep,
// for participle has no limit of its own, and a second * of an object.
func checkReferenceTypeTokens(tokens []lexer.Token) error {
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

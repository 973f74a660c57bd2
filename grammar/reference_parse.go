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

// Reference parses the text of a file by the reference grammar, which defines
// what gram is. What it accepts Parse accepts, with an equal tree, and nothing
// else. It is slow and stops at the first mistake: then the file is nil and the
// list holds one diagnostic, without fixes. A list of more than a million entries is
// a mistake too.
func Reference(name, text string) (*ast.File, diag.List) {
	c := newCursor(source.NewFile(name, text))
	if !c.readable() || len(c.problems) > 0 {
		return nil, c.firstMistake()
	}
	peeking, err := lexer.Upgrade(referenceTokens{c})
	if err != nil {
		panic("grammar: " + err.Error()) // Next never fails
	}
	parsed, err := referenceParser().ParseFromLexer(peeking)
	if err != nil {
		c.refuse(err)
	}
	c.ended()
	if len(c.problems) > 0 {
		return nil, c.firstMistake()
	}
	file := referenceBuilder{c}.file(parsed)
	ast.Attach(file, c.scan.comments)
	return file, nil
}

// refuse notes an error of participle.
func (c *cursor) refuse(err error) {
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

// firstMistake returns the first of the problems, without fixes.
func (c *cursor) firstMistake() diag.List {
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
		s.unquote(t)
	}
	return read, nil
}

// referenceToken returns the token of the lexer that participle read.
func referenceToken(t lexer.Token) token {
	return token{kind: kind(max(0, t.Type)), text: t.Value, start: int32(t.Pos.Offset)}
}

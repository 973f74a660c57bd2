package grammar

import (
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
	src := source.NewFile(name, text)
	c := newCursor(src)
	if !c.readable(src) || len(c.problems) > 0 {
		return nil, c.report(src)
	}
	tokens := newReferenceTokens(src)
	peeking, err := lexer.Upgrade(tokens)
	if err != nil {
		panic("grammar: " + err.Error()) // Next never fails
	}
	parsed, err := referenceParser().ParseFromLexer(peeking)
	if err != nil {
		return nil, referenceError(src, err)
	}
	b := &referenceBuilder{file: src}
	file := b.build(parsed)
	ast.Attach(file, tokens.scan.comments)
	return file, nil
}

// referenceError turns an error of participle into a diagnostic.
func referenceError(src *source.File, err error) (list diag.List) {
	var unexpected *participle.UnexpectedTokenError
	var at participle.Error
	switch {
	case errors.As(err, &unexpected):
		t := token{kind: kind(max(0, unexpected.Unexpected.Type)), text: unexpected.Unexpected.Value, start: int32(unexpected.Unexpected.Pos.Offset)}
		list.Errorf(src.Span(t.begin(), t.end()), diag.CodeSyntax, "the reference grammar has no %s here", describe(&t))
	case errors.As(err, &at):
		list.Errorf(src.Span(at.Position().Offset, at.Position().Offset), diag.CodeSyntax, "%s", at.Message())
	default:
		panic("grammar: " + err.Error())
	}
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
	for _, k := range typeKinds[:len(typeKinds)-1] {
		fmt.Fprintf(&b, "<%s> = /%s/ .\n", strings.ToLower(k.name), strings.TrimPrefix(k.form.String(), "^"))
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

// referenceLexer makes participle read tokens of the scanner.
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
	return newReferenceTokens(source.NewFile(name, string(text))), err
}

// referenceTokens are the tokens of a file. No production takes a bad token. The
// scanner makes one of what is nested too deep, so that participle, which has
// no limit of its own, never sees more than MaxDepth brackets.
type referenceTokens struct {
	scan  scanner
	total int
}

func newReferenceTokens(src *source.File) *referenceTokens {
	return &referenceTokens{scan: scanner{file: src, text: src.Text()}}
}

// Next implements lexer.Lexer. It never fails.
func (s *referenceTokens) Next() (lexer.Token, error) {
	var t token
	foreign := len(s.scan.problems)
	s.scan.next(&t)
	to := lexer.Token{Type: lexer.TokenType(t.kind), Value: t.text, Pos: lexer.Position{Offset: t.begin()}}
	switch s.total++; {
	case s.total > MaxTokens && t.kind != tokEnd:
		to.Type, to.Value = lexer.TokenType(tokBadText), ""
		s.scan.pos = len(s.scan.text)
	case len(s.scan.problems) > foreign: // after a comment of another language
		to.Type, to.Pos.Offset = lexer.TokenType(tokBadText), s.scan.problems[foreign].start
		to.Value = s.scan.text[to.Pos.Offset:t.end()]
	case t.kind == tokEnd:
		to.Type = lexer.EOF
	case t.badEscape():
		to.Type = lexer.TokenType(tokBadText)
	}
	return to, nil
}

// badEscape reports whether the token is a text with an escape that gram does
// not know.
func (t *token) badEscape() bool {
	if t.kind != tokSingle && t.kind != tokDouble && t.kind != tokBacktick {
		return false
	}
	_, bad := unquote(t.text)
	return len(bad) > 0
}

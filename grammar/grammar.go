package grammar

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// document is a whole file: [ record ] { item }.
type document struct {
	Header *record `parser:"@@?"`
	Items  []*item `parser:"@@*"`
}

// item is one top-level pattern with its annotations.
type item struct {
	Annotations []*annotation `parser:"@@*"`
	Bracket     *bracket      `parser:"( @@"`
	Path        *path         `parser:"| @@ )"`
}

// annotation is @key(value) or @@subject.
type annotation struct {
	Pos        lexer.Position
	Identified *identified  `parser:"\"@@\" @@"`
	Key        *lexer.Token `parser:"| \"@\" @(Symbol | Backtick) \"(\""`
	Value      *argument    `parser:"@@"`
	Close      *lexer.Token `parser:"@\")\""`
}

// parser builds the grammar, once, when it is first used. It is immutable and
// safe to share.
var parser = sync.OnceValue(func() *participle.Parser[document] {
	return participle.MustBuild[document](participle.Lexer(definition{}), participle.UseLookahead(0))
})

// items returns the parser of one top-level pattern.
var items = sync.OnceValue(func() *participle.Parser[item] {
	p, err := participle.ParserForProduction[item](parser())
	if err != nil {
		panic("grammar: " + err.Error())
	}
	return p
})

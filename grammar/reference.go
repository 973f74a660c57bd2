package grammar

import "github.com/alecthomas/participle/v2/lexer"

// This file is the definition of gram: its whole grammar, as productions of
// participle. The grammar is LL(1) and needs no lookahead. Tokens are those of
// the lexer; whitespace and comments may stand between any two of them. Types
// in backticks have a grammar of their own, in reference_type.go.

// file is {kind: "x"} followed by patterns.
type file struct {
	Header   *record    `parser:"@@?"`
	Patterns []*pattern `parser:"@@*"`
}

// pattern is a pattern at top level: @@name:Label @key(value) [subject | element].
type pattern struct {
	Tokens      []lexer.Token
	Identified  *identified   `parser:"@@?"`
	Annotations []*annotation `parser:"@@*"`
	Bracket     *bracket      `parser:"( @@"`
	Path        *path         `parser:"| @@ )"`
}

// identified is @@name:Label.
type identified struct {
	Tokens   []lexer.Token
	Identity *identifier `parser:"'@@' ( @@"`
	Labels   []*label    `parser:"@@* | @@+ )"`
}

// annotation is @key(value).
type annotation struct {
	Tokens []lexer.Token
	Key    lexer.Token `parser:"'@' @( Symbol | Backticked )"`
	Value  *value      `parser:"'(' @@ ')'"`
}

// bracket is [subject | element, …].
type bracket struct {
	Tokens   []lexer.Token
	Subject  *subject   `parser:"'[' @@"`
	Elements []*element `parser:"( '|' @@ ( ',' @@ )* )? ']'"`
}

// element is a pattern in a bracket, or the name of one.
type element struct {
	Bracket   *bracket    `parser:"@@"`
	Path      *path       `parser:"| @@"`
	Reference *identifier `parser:"| @@"`
}

// path is a node, or nodes joined by arrows: (a)-->(b).
type path struct {
	Tokens []lexer.Token
	First  *node  `parser:"@@"`
	Hops   []*hop `parser:"@@*"`
}

// hop is an arrow and the node that it leads to.
type hop struct {
	Arrow *arrow `parser:"@@"`
	Node  *node  `parser:"@@"`
}

// node is (subject).
type node struct {
	Tokens  []lexer.Token
	Subject *subject `parser:"'(' @@ ')'"`
}

// arrow is -->, ==>, ~~> and so on, with an optional subject between its halves,
// which have the same stroke: -[subject]->.
type arrow struct {
	Tokens   []lexer.Token
	Dash     *dash     `parser:"@@"`
	Fat      *fat      `parser:"| @@"`
	Squiggle *squiggle `parser:"| @@"`
}

type dash struct {
	First   string   `parser:"@( '-' | '<-' )"`
	Subject *subject `parser:"( '[' @@ ']' )?"`
	Second  string   `parser:"@( '-' | '->' )"`
}

type fat struct {
	First   string   `parser:"@( '=' | '<=' )"`
	Subject *subject `parser:"( '[' @@ ']' )?"`
	Second  string   `parser:"@( '=' | '=>' )"`
}

type squiggle struct {
	First   string   `parser:"@( '~' | '<~' )"`
	Subject *subject `parser:"( '[' @@ ']' )?"`
	Second  string   `parser:"@( '~' | '~>' )"`
}

// subject is name:Label {record}. Each part may be absent.
type subject struct {
	Tokens   []lexer.Token
	Identity *identifier `parser:"@@?"`
	Labels   []*label    `parser:"@@*"`
	Record   *record     `parser:"@@?"`
}

// identifier is the name of a pattern.
type identifier struct {
	Token lexer.Token `parser:"@( Symbol | Backticked | Integer )"`
}

// label is :Name or ::Name.
type label struct {
	Tokens    []lexer.Token
	Separator string      `parser:"@( ':' | '::' )"`
	Name      lexer.Token `parser:"@( Symbol | Backticked )"`
}

// record is {key: value, …}. As a value it is a map.
type record struct {
	Tokens     []lexer.Token
	Properties []*property `parser:"'{' ( @@ ( ',' @@ )* )? '}'"`
}

// property is key: value.
type property struct {
	Tokens    []lexer.Token
	Key       lexer.Token `parser:"@( Symbol | Backticked | DoubleQuoted )"`
	Separator string      `parser:"@( ':' | '::' )"`
	Value     *value      `parser:"@@"`
}

// value is what a property or an annotation holds.
type value struct {
	Tokens []lexer.Token
	Bool   string         `parser:"@( 'true' | 'false' )"`
	Word   *word          `parser:"| @@"`
	Text   *lexer.Token   `parser:"| @( DoubleQuoted | SingleQuoted | Backticked | Fence )"`
	Number *numberOrRange `parser:"| @@"`
	Upper  *number        `parser:"| '...' @@"`
	Array  *array         `parser:"| @@"`
	Record *record        `parser:"| @@"`
}

// word is a bare word, or the tag of a text: date`2024-01-15`.
type word struct {
	Symbol lexer.Token  `parser:"@Symbol"`
	Text   *lexer.Token `parser:"@Backticked?"`
}

// numberOrRangeValue is a number, or a range that starts with one: 1..5 or 1... .
type numberOrRange struct {
	Lower *number `parser:"@@"`
	Open  bool    `parser:"( @'...'"`
	Upper *number `parser:"| '..' @@ )?"`
}

type number struct {
	Token lexer.Token `parser:"@( Integer | Numeral )"`
}

// array is [value, …].
type array struct {
	Values []*value `parser:"'[' ( @@ ( ',' @@ )* )? ']'"`
}

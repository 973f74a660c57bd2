package grammar

import "github.com/alecthomas/participle/v2/lexer"

// This file defines the types that stand in backticks, ::`[Text?]`, as
// productions of participle. They have tokens of their own. What the names mean,
// and which attributes a type has, is checked by package compile, whose parser
// is written by hand: it resolves names while it parses, so that it reports the
// first mistake of a text whether it is one of grammar or of meaning, with fixes
// for the types of other languages. A fuzz test compares the two.

// typeExpression is a type, or a union of types: A | B.
type typeExpression struct {
	Alternatives []*typePostfix `parser:"@@ ( '|' @@ )*"`
}

// typePostfix is a type with what stands after it: Text?, Text[], Text(min=1).
type typePostfix struct {
	Primary  *typePrimary  `parser:"@@"`
	Suffixes []*typeSuffix `parser:"@@*"`
}

type typeSuffix struct {
	Sign       string          `parser:"@( '?' | Brackets )"`
	Attributes *typeAttributes `parser:"| @@"`
}

// typeAttributes is (name=value, …).
type typeAttributes struct {
	Tokens []lexer.Token
	List   []*typeAttribute `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
}

type typeAttribute struct {
	Name  string     `parser:"@Name ( '=' | ':' )"`
	Value *typeValue `parser:"@@"`
}

// typePrimary is a type without what may stand after it.
type typePrimary struct {
	Maybe   *typePostfix    `parser:"'Maybe' (?! JSONNumber ) @@"`
	Map     *typeMap        `parser:"| @@"`
	Literal string          `parser:"| @( 'true' | 'false' | 'null' | Text | JSONNumber )"`
	Name    string          `parser:"| @Name"`
	Array   *typeExpression `parser:"| '[' @@ ']'"`
	Object  *typeObject     `parser:"| @@"`
	Group   *typeExpression `parser:"| '(' @@ ')'"`
}

// typeMap is Map or Map<Text>.
type typeMap struct {
	Name   string          `parser:"@'Map'"`
	Values *typeExpression `parser:"( '<' @@ '>' )?"`
}

// typeObject is {name: Text, age?: Int = 1, *: Any}. It has at most one *.
type typeObject struct {
	Fields []*typeField `parser:"'{' ( @@ ( ',' @@ )* )? '}'"`
}

type typeField struct {
	Rest    *typeExpression `parser:"'*' ':' @@"`
	Name    string          `parser:"| ( @( Name | Text )"`
	Mark    bool            `parser:"@'?'?"`
	Type    *typeExpression `parser:"( ':' | '::' ) @@"`
	Default *typeValue      `parser:"( '=' @@ )? )"`
}

// typeValue is a default, or the value of an attribute.
type typeValue struct {
	Tokens   []lexer.Token
	Scalar   string       `parser:"@( Text | JSONNumber | Range | Name )"`
	Empty    bool         `parser:"| @Brackets"`
	Elements []*typeValue `parser:"| '[' ( @@ ( ',' @@ )* )? ']'"`
	Entries  []*typeEntry `parser:"| '{' ( @@ ( ',' @@ )* )? '}'"`
}

type typeEntry struct {
	Key   string     `parser:"@( Name | Text ) ':'"`
	Value *typeValue `parser:"@@"`
}

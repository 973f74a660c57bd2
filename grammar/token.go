package grammar

// A token is a piece of the text.
type token struct {
	text   string
	start  int32  // where it starts in the file
	indent uint16 // the column of the first token of a line, from 1; 0 of others
	kind   kind
}

// begin returns where a token starts.
func (t token) begin() int { return int(t.start) }

// end returns where a token ends.
func (t token) end() int { return int(t.start) + len(t.text) }

// first reports whether the token starts in the first column.
func (t token) first() bool { return t.indent == 1 }

// bad reports whether the token is not part of gram.
func (t token) bad() bool { return t.kind >= tokBadText }

// A kind is what a token is. The kinds whose names start with Bad hold text
// that is not a token of gram.
type kind uint8

const (
	tokEnd kind = iota // of the file
	tokSymbol
	tokInteger
	tokNumber // every number that is not a plain integer
	tokSingle
	tokDouble
	tokBacktick
	tokFence
	tokLeftParen // each closing bracket comes right after its opening one
	tokRightParen
	tokLeftBracket
	tokRightBracket
	tokLeftBrace
	tokRightBrace
	tokComma
	tokBar
	tokColon
	tokColons   // ::
	tokAt       // @
	tokAts      // @@
	tokArrow    // half of an arrow
	tokDots     // ..
	tokEllipsis // ...
	tokBadText  // a quote that is not closed on its line
	tokBadBreak // a quote with a line break inside
	tokBadTriple
	tokBadFence  // a fence that does not open or close properly
	tokBadNumber // digits glued to what cannot follow them
	tokBadQuotes // text between typographic quotes
	tokBadChars  // characters that occur nowhere in gram
	tokTooDeep   // everything in a bracket that is nested too deep
)

// Kinds is a set of kinds of token.
type kinds uint64

const (
	openers  kinds = 1<<tokLeftParen | 1<<tokLeftBracket | 1<<tokLeftBrace
	closers  kinds = 1<<tokRightParen | 1<<tokRightBracket | 1<<tokRightBrace
	patterns kinds = 1<<tokLeftParen | 1<<tokLeftBracket           // what opens a pattern
	tops     kinds = patterns | 1<<tokAt | 1<<tokAts               // what a top-level pattern starts with
	names    kinds = 1<<tokSymbol | 1<<tokBacktick | 1<<tokInteger // what an identifier is
	texts    kinds = 1<<tokSingle | 1<<tokDouble | 1<<tokBacktick | 1<<tokFence
	keys     kinds = 1<<tokSymbol | 1<<tokBacktick | 1<<tokDouble | 1<<tokSingle // what looks like a key
	colons   kinds = 1<<tokColon | 1<<tokColons
	signs    kinds = openers | closers | colons | 1<<tokComma | 1<<tokBar | 1<<tokAt | 1<<tokAts | 1<<tokArrow | 1<<tokDots | 1<<tokEllipsis
)

// has reports whether a kind is in the set.
func (k kinds) has(kind kind) bool { return k>>kind&1 != 0 }

package ast

import (
	"math"

	"github.com/gram-lang/gramc/source"
)

// A Node is a part of the tree. The interface is closed: the types of this
// package are all there are.
type Node interface {
	Span() source.Span   // the text of the node; zero for a node made in code
	Comments() *Comments // the comments that belong to the node; may be nil
	base() *Base
}

// A Base is what every node has. At makes one. It is small, because an editor
// holds the trees of many files.
type Base struct {
	file       *source.File
	comments   *Comments
	start, end int32
}

// At returns the base of a node that stands at the given place, in the first
// 2 GiB of a text; gram has no larger files.
func At(s source.Span) Base {
	return Base{file: s.File, start: int32(min(s.Start, math.MaxInt32)), end: int32(min(s.End, math.MaxInt32))}
}

// Span returns the text of the node.
func (b *Base) Span() source.Span {
	return source.Span{File: b.file, Start: int(b.start), End: int(b.end)}
}

func (b *Base) base() *Base { return b }

// A File is a whole gram file.
type File struct {
	Base
	Source   *source.File
	Header   *Record // nil when absent
	Patterns []*Pattern
}

// A Form is the notation in which a pattern is written.
type Form uint8

// The forms of a pattern.
const (
	FormBad     Form = iota // text that is not gram; nothing but its span is known
	FormBracket             // [subject | element, …]
	FormNode                // (subject)
	FormPath                // (a)-->(b)-->(c): Elements are the nodes, Arrows stand between them
	FormRef                 // a name in an element list: only Subject.Identity is set
)

// A Subject is name:Label {record}. Each part may be absent.
type Subject struct {
	Base
	Identity *Name
	Labels   []*Label
	Record   *Record
}

// The kinds of a name.
const (
	NameSymbol  NameKind = iota // hello
	NameQuoted                  // `hello world`
	NameInteger                 // 42, only an identifier
	NameDouble                  // "hello", only a key
)

// A Label is :Name or ::Name.
type Label struct {
	Base
	Separator string // ":" or "::"
	Name      *Name
}

// An ArrowFamily is the stroke of an arrow.
type ArrowFamily uint8

// The families.
const (
	Dash     ArrowFamily = iota // -->
	Fat                         // ==>
	Squiggle                    // ~~>
)

// A Direction is where an arrow points.
type Direction uint8

// The directions.
const (
	Undirected Direction = iota // --
	Right                       // -->
	Left                        // <--
	Both                        // <-->
)

// An Arrow joins two nodes of a path: -->, =[name:Label {…}]=>.
type Arrow struct {
	Base
	Family    ArrowFamily
	Direction Direction
	Subject   *Subject // nil when the arrow has no brackets
}

// Halves returns the signs of the arrow before and after its subject: = and => of
// a fat arrow that points right.
func (a *Arrow) Halves() (first, second string) {
	stroke := [...]string{Dash: "-", Fat: "=", Squiggle: "~"}[a.Family]
	first, second = stroke, stroke
	if a.Direction == Left || a.Direction == Both {
		first = "<" + stroke
	}
	if a.Direction == Right || a.Direction == Both {
		second = stroke + ">"
	}
	return first, second
}

// An Annotation is @key(value) or, Identified, @@name:Label.
type Annotation struct {
	Base
	Identified bool
	Subject    *Subject // of @@
	Key        *Name    // of @
	Value      Value    // of @; nil when it did not parse
}

// A Record is {key: value, …}. It is also a Value: a map.
type Record struct {
	Base
	Properties []*Property
	Broken     bool // part of it did not parse, and properties may be missing here
}

// Get returns the first property of that key, nil when there is none. It may
// be called on a nil record.
func (r *Record) Get(key string) *Property {
	if r == nil {
		return nil
	}
	for _, p := range r.Properties {
		if p.Key.Text == key {
			return p
		}
	}
	return nil
}

// A Property is key: value or key:: value.
type Property struct {
	Base
	Key       *Name
	Separator string // ":" or "::"
	Value     Value  // nil when it did not parse
}

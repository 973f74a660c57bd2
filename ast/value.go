package ast

import (
	"math/big"
	"strings"
)

// A Value is what a property holds: *String, *Number, *Bool, *Symbol, *Tagged,
// *Range, *Array or *Record.
type Value interface {
	Node
	value()
}

func (*String) value() {}
func (*Number) value() {}
func (*Bool) value()   {}
func (*Symbol) value() {}
func (*Tagged) value() {}
func (*Range) value()  {}
func (*Array) value()  {}
func (*Record) value() {}

// A Quote is how a text is quoted.
type Quote uint8

// The quotes.
const (
	QuoteDouble   Quote = iota // "text"
	QuoteSingle                // 'text'
	QuoteBacktick              // `text`
	QuoteFence                 // three backticks, on lines of their own
)

// A String is a text.
type String struct {
	Base
	Quote Quote
	Text  string // without quotes and escapes
	Raw   string // as written; "" for a string made in code
}

// A Tagged is a text with a tag: date`2024-01-15`, or a fence with a tag.
type Tagged struct {
	Base
	Tag   string
	Text  string
	Raw   string // as written, tag included; "" when made in code
	Fence bool
}

// A NumberKind is how a number is written.
type NumberKind uint8

// The kinds of a number.
const (
	Integer     NumberKind = iota // -42
	Decimal                       // 3.14
	Hexadecimal                   // 0xCAFE
	Octal                         // 0755
	Measurement                   // 5kg, 3.5s
)

// A Number is a number, of any length, with its spelling.
type Number struct {
	Base
	Kind NumberKind
	Raw  string
}

// Unit returns the unit of a measurement, "" for any other number.
func (n *Number) Unit() string {
	if n.Kind != Measurement {
		return ""
	}
	return n.Raw[n.unitStart():]
}

func (n *Number) unitStart() int {
	return len(n.Raw) - len(strings.TrimLeft(n.Raw, "-.0123456789"))
}

// Digits returns the number as JSON writes it, in decimal and without unit.
func (n *Number) Digits() string {
	switch n.Kind {
	case Hexadecimal:
		return inDecimal(n.Raw[len("0x"):], 16)
	case Octal:
		return inDecimal(n.Raw, 8)
	case Measurement:
		return n.Raw[:n.unitStart()]
	}
	return n.Raw
}

func inDecimal(digits string, base int) string {
	v, ok := new(big.Int).SetString(digits, base)
	if !ok {
		panic("ast: number " + digits)
	}
	return v.String()
}

// A Bool is true or false.
type Bool struct {
	Base
	Value bool
}

// A Symbol is a bare word.
type Symbol struct {
	Base
	Text string
}

// A Range is 1..5, 1... or ...5.
type Range struct {
	Base
	Lower, Upper *Number // nil where the range is open
}

// Dots returns the sign between the bounds: three dots where the range is open.
func (r *Range) Dots() string {
	if r.Lower != nil && r.Upper != nil {
		return ".."
	}
	return "..."
}

// An Array is [value, …].
type Array struct {
	Base
	Elements []Value
}

// WordOf returns the text of a Symbol, a String or a Tagged value, and false for
// any other value or none.
func WordOf(v Value) (string, bool) {
	if word, ok := v.(*Symbol); ok {
		return word.Text, true
	}
	return TextOf(v)
}

// TextOf returns the text of a String or a Tagged value, and false for any
// other value or none.
func TextOf(v Value) (string, bool) {
	switch v := v.(type) {
	case *String:
		return v.Text, true
	case *Tagged:
		return v.Text, true
	}
	return "", false
}

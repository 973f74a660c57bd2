// Package calc evaluates arithmetic: exactly where that is possible, and else
// to many more digits than it shows.
//
//	calc.Eval("0.1 + 0.2")            // 0.3
//	calc.Eval("9007199254740993 + 1") // 9007199254740994
//	calc.Eval("sqrt(2)")              // 1.414213562373095
//
// An expression has the operators + - * / % and ^ (or **, for powers), numbers
// such as 12, .5 and 1e-3, parentheses, the constants pi and e, and the
// functions abs, ceil, cos, exp, floor, ln, log10, max, min, round, sin, sqrt
// and tan. Powers bind tightest and from the right, so that -2^2 is -4; the
// remainder % has the sign of its second number; round(x, digits) rounds
// halves away from zero; angles are in radians.
//
// Whatever the text, an evaluation takes a few milliseconds and little memory:
// text, depth and size of the numbers have limits. It is not a programming
// language and will not become one.
package calc

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	maxText   = 1024 // bytes of an expression
	maxDepth  = 100  // operands inside of operands
	maxBits   = 4096 // of the numerator and of the denominator of a number
	maxDigits = 999  // before the point of a result; Go and JSON Schema validators take no more
)

// Eval returns the value of an expression as a JSON number. A whole number is
// given in full, and so is a decimal fraction of at most 34 digits; anything
// else is rounded to 17 digits. The error says what is wrong and where.
func Eval(expression string) (string, error) {
	switch {
	case len(expression) > maxText:
		return "", fmt.Errorf("the expression has %d bytes; at most %d are evaluated", len(expression), maxText)
	case !utf8.ValidString(expression):
		return "", errors.New("the expression is not UTF-8 text")
	case strings.TrimSpace(expression) == "":
		return "", errors.New("the expression is empty")
	}
	p := parser{text: expression}
	p.next()
	value, err := p.expression(0)
	if err == nil && p.token.kind != end {
		err = p.leftover()
	}
	if err != nil {
		return "", err
	}
	return value.json()
}

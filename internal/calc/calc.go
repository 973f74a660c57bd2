// Package calc evaluates arithmetic: fractions exactly, and what has no exact
// value in float64.
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
// An evaluation takes a few milliseconds and little memory, whatever the text:
// its length, its depth and the size of the numbers are limited.
package calc

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Eval returns the value of an expression as a JSON number. A whole number is
// given in full, and so is a decimal fraction with at most 34 digits after the
// point; any other fraction is rounded to 17 digits, and a float64 to 16. The
// error names the problem and its place.
func Eval(expression string) (string, error) {
	const maxText = 1024 // bytes
	switch {
	case len(expression) > maxText:
		return "", fmt.Errorf("the expression has %d bytes; at most %d are evaluated", len(expression), maxText)
	case !utf8.ValidString(expression):
		return "", errors.New("the expression is not UTF-8 text")
	case strings.TrimSpace(expression) == "":
		return "", errors.New("the expression is empty")
	}
	tree, err := parse(expression)
	if err != nil {
		return "", err
	}
	value := tree.eval()
	if value.err != nil {
		return "", errorAt(expression, value.place.Offset, value.err)
	}
	return value.json()
}

// errorAt returns an error that names a character of the expression.
func errorAt(expression string, offset int, err error) error {
	return fmt.Errorf("at character %d: %w", utf8.RuneCountInString(expression[:offset])+1, err)
}

package grammar

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
)

// number takes a number: the longest of its forms, and everything glued to it,
// which makes it a bad one.
func (s *gramLexer) number() kind {
	kind, length := numberForm(s.text[s.pos:])
	s.pos += length
	if glued := gluedNumberLength(s.text[s.pos:]); glued > 0 || length > maxNumber {
		s.pos += glued
		return tokBadNumber
	}
	if kind == ast.Integer {
		return tokInteger
	}
	return tokNumber
}

// numberForm returns the form of the number at the start of text, which starts
// with a digit or with a minus and a digit, and its length.
func numberForm(text string) (ast.NumberKind, int) {
	sign := len(text) - len(strings.TrimPrefix(text, "-"))
	kind, length := ast.Integer, sign+1
	if text[sign] != '0' {
		length = sign + lexPrefix(text[sign:], digit)
	} else if octal := lexPrefix(text[1:], octalDigit); sign == 0 && octal > 0 {
		kind, length = ast.Octal, 1+octal
	}
	if kind == ast.Octal {
		return kind, length
	}
	if rest := text[length:]; len(rest) > 1 && rest[0] == '.' && isDigit(rest[1]) {
		kind, length = ast.Decimal, length+1+lexPrefix(rest[1:], digit)
	}
	if unit := lexPrefix(text[length:], letter); unit > 0 {
		if hex := hexNumberLength(text); hex >= length+unit {
			return ast.Hexadecimal, hex
		}
		return ast.Measurement, length + unit
	}
	return kind, length
}

// hexNumberLength returns the length of a hexadecimal number, 0 when text starts
// with none.
func hexNumberLength(text string) int {
	digits := lexPrefix(strings.TrimPrefix(text, "0x"), hexDigit)
	if !strings.HasPrefix(text, "0x") || digits == 0 {
		return 0
	}
	return len("0x") + digits
}

// gluedNumberLength returns the length of what stands right after a number and
// cannot: letters, digits and signs, up to the dots of a range.
func gluedNumberLength(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '.' && i+1 < len(text) && text[i+1] == '.' || class[c]&symbolPart == 0 {
			return i
		}
	}
	return len(text)
}

// isWholeNumber reports whether all of text is one number.
func isWholeNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || !isDigit(digits[0]) {
		return false
	}
	_, n := numberForm(text)
	return n == len(text)
}

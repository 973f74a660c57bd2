package jsonschema

import (
	"cmp"
	"strconv"
	"strings"
)

// IsNumber reports whether a text is a JSON number.
func IsNumber(text string) bool {
	text = strings.TrimPrefix(text, "-")
	whole := countDigits(text)
	if whole == 0 || whole > 1 && text[0] == '0' {
		return false
	}
	if text = text[whole:]; strings.HasPrefix(text, ".") {
		fraction := countDigits(text[1:])
		if fraction == 0 {
			return false
		}
		text = text[1+fraction:]
	}
	if text == "" {
		return true
	}
	if text[0]|0x20 != 'e' {
		return false
	}
	if text = text[1:]; text != "" && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	return text != "" && countDigits(text) == len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// countDigits returns the number of digits that a text begins with.
func countDigits(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// A Decimal is the exact value of a JSON number: sign, 0.Digits × 10^Exponent,
// where the digits neither start nor end with 0. Zero has no digits. Equal
// numbers have equal Decimals.
type Decimal struct {
	Negative bool
	Digits   string
	Exponent int64
	huge     string // the exponent as written, where it has no int64
}

// DecimalOf returns the value of a JSON number, whatever its length.
func DecimalOf(text string) Decimal {
	const most = 1 << 60
	d := Decimal{Negative: strings.HasPrefix(text, "-")}
	text = strings.TrimPrefix(text, "-")
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		written := strings.TrimPrefix(text[i+1:], "+")
		e, err := strconv.ParseInt(written, 10, 64)
		if err != nil || e > most || e < -most {
			d.huge, e = written, most
			if written[0] == '-' {
				e = -most
			}
		}
		d.Exponent, text = e, text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	d.Exponent += int64(len(whole))
	digits := whole + fraction
	trimmed := strings.TrimLeft(digits, "0")
	d.Exponent -= int64(len(digits) - len(trimmed))
	d.Digits = strings.TrimRight(trimmed, "0")
	if d.Digits == "" {
		return Decimal{}
	}
	return d
}

// Sign returns -1, 0 or 1.
func (d Decimal) Sign() int {
	switch {
	case d.Digits == "":
		return 0
	case d.Negative:
		return -1
	}
	return 1
}

// IsInteger reports whether the number is a whole one.
func (d Decimal) IsInteger() bool { return int64(len(d.Digits)) <= max(d.Exponent, 0) }

// Compare returns -1, 0 or 1 as d is less than, equal to or greater than e.
func (d Decimal) Compare(e Decimal) int {
	if s, t := d.Sign(), e.Sign(); s != t || s == 0 {
		return cmp.Compare(s, t)
	}
	return d.Sign() * cmp.Or(cmp.Compare(d.Exponent, e.Exponent), cmp.Compare(d.Digits, e.Digits))
}

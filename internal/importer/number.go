package importer

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// A decimal is the value of a JSON number: sign, 0.digits × 10^exponent, where
// the digits neither start nor end with 0. Zero has no digits.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// decimalOf reads a number. An exponent that is too large for anything counts
// as a very large one.
func decimalOf(text string) decimal {
	const most = 1 << 60
	d := decimal{negative: strings.HasPrefix(text, "-")}
	text = strings.TrimPrefix(text, "-")
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.ParseInt(strings.TrimPrefix(text[i+1:], "+"), 10, 64)
		if err != nil || e > most || e < -most {
			e = most
			if text[i+1] == '-' {
				e = -most
			}
		}
		d.exponent, text = e, text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	d.exponent += int64(len(whole))
	digits := whole + fraction
	trimmed := strings.TrimLeft(digits, "0")
	d.exponent -= int64(len(digits) - len(trimmed))
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
}

// compareNumbers compares the values of two JSON numbers.
func compareNumbers(a, b string) int {
	x, y := decimalOf(a), decimalOf(b)
	if s, t := x.sign(), y.sign(); s != t || s == 0 {
		return s - t
	}
	return x.sign() * cmp.Or(cmp.Compare(x.exponent, y.exponent), cmp.Compare(x.digits, y.digits))
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// sign returns -1, 0 or 1 as a number is below, equal to or above 0.
func sign(text string) int { return decimalOf(text).sign() }

// isWhole reports whether a number is an integer, and one that package compile
// takes for one.
func isWhole(text string) bool {
	if !strings.ContainsAny(text, "eE") {
		d := decimalOf(text)
		return int64(len(d.digits)) <= max(d.exponent, 0)
	}
	r := rational(text)
	return r != nil && r.IsInt()
}

// rational returns a number, nil for one that is too long or too large to
// compute with.
func rational(text string) *big.Rat { return plainjson.Rational(text, 400, 400) }

// wholeNumber returns a count: a number from 0 that is an integer.
func wholeNumber(n *node) (uint64, bool) {
	const most = 1 << 53
	if n.kind != kindNumber || !isWhole(n.text) {
		return 0, false
	}
	r := rational(n.text)
	if r == nil || r.Sign() < 0 || !r.Num().IsUint64() || r.Num().Uint64() >= most {
		return 0, false
	}
	return r.Num().Uint64(), true
}

// equal reports whether two values are the same: numbers by value, objects in
// any order.
func equal(a, b *node) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case kindNumber:
		return decimalOf(a.text) == decimalOf(b.text)
	case kindArray:
		if len(a.items) != len(b.items) {
			return false
		}
		for i := range a.items {
			if !equal(a.items[i], b.items[i]) {
				return false
			}
		}
		return true
	case kindObject:
		if len(a.members) != len(b.members) {
			return false
		}
		for _, m := range a.members {
			if other := b.get(m.key); other == nil || !equal(m.value, other) {
				return false
			}
		}
		return true
	}
	return a.text == b.text
}

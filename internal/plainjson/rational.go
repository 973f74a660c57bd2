package plainjson

import (
	"math/big"
	"strconv"
	"strings"
)

// Rational returns the value of a number as JSON writes it. It is nil for a text
// that is none, and for one that would take long to compute with: of more than
// maxLength bytes, or with an exponent beyond maxExponent.
func Rational(text string, maxLength, maxExponent int) *big.Rat {
	if text == "" || len(text) > maxLength {
		return nil
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if e, err := strconv.Atoi(text[i+1:]); err != nil || e > maxExponent || e < -maxExponent {
			return nil
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

package types

import (
	"encoding/json"
	"math/big"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// PlainNumber returns the digits of a number that RawJSON has too.
func PlainNumber(v ast.Value) (string, bool) {
	n, ok := v.(*ast.Number)
	if !ok || n == nil || n.Kind == ast.Measurement {
		return "", false
	}
	return n.Digits(), true
}

// compareNumbers compares two RawJSON values, and reports whether both are numbers.
func compareNumbers(a, b json.RawMessage) (order int, ok bool) {
	if !isNumber(a) || !isNumber(b) {
		return 0, false
	}
	return jsonschema.DecimalOf(string(a)).Compare(jsonschema.DecimalOf(string(b))), true
}

// isNumber reports whether a RawJSON value is a number.
func isNumber(value json.RawMessage) bool {
	return len(value) > 0 && (value[0] == '-' || '0' <= value[0] && value[0] <= '9')
}

// maxDigits is how long a number may be that something is compared with, and
// how large its exponent.
const maxDigits = 400

// Rational returns a RawJSON number, nil for none and for one that is too long or
// too large to compute with.
func Rational(number json.RawMessage) *big.Rat {
	return plainjson.Rational(string(number), maxDigits, maxDigits)
}

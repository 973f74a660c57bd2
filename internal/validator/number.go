package validator

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A limit is a bound of numbers.
type limit struct {
	keyword string
	written string
	bound   number
}

func newNumberLimit(keyword string, n *jsonschema.Node) limit {
	return limit{keyword, n.Raw(), numberOf(n.Raw())}
}

// A number can be compared exactly.
type number struct {
	written string
	short   bool    // float compares as the number does
	float   float64 // of a short number
}

// numberOf reads a number. Up to 15 digits, different numbers have different floats in the
// same order.
func numberOf(written string) number {
	const exact = 15
	if len(written) > exact || strings.ContainsAny(written, "eE") {
		return number{written: written}
	}
	float, err := strconv.ParseFloat(written, 64)
	return number{written, err == nil, float}
}

func (n number) compare(other number) int {
	if n.short && other.short {
		return cmp.Compare(n.float, other.float)
	}
	return jsonschema.DecimalOf(n.written).Compare(jsonschema.DecimalOf(other.written))
}

func (l limit) allows(n number) bool {
	order := n.compare(l.bound)
	switch l.keyword {
	case "minimum":
		return order >= 0
	case "maximum":
		return order <= 0
	case "exclusiveMinimum":
		return order > 0
	}
	return order < 0
}

// isMultipleNumber reports whether a number is a whole multiple of a step, both as JSON writes
// them. The time depends on the digits alone: no power of ten is computed.
func isMultipleNumber(number, step string) bool {
	a, b := jsonschema.DecimalOf(number), jsonschema.DecimalOf(step)
	if a.Sign() == 0 {
		return true
	}
	n, ok := new(big.Int).SetString(a.Digits, 10)
	d, also := new(big.Int).SetString(b.Digits, 10)
	if !ok || !also {
		return false
	}
	// a is n times ten to the power of x, b is d times ten to the power of y. Neither n nor
	// d is divisible by ten.
	x, y := a.Exponent-int64(len(a.Digits)), b.Exponent-int64(len(b.Digits))
	if x < y {
		return false
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(x-y), d)
	return n.Mod(n.Mul(n.Mod(n, d), power), d).Sign() == 0
}

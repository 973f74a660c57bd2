package calc

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

var (
	errTooLarge = errors.New("the number is too large")
	errTooSmall = errors.New("the number is too close to zero")
	errByZero   = errors.New("division by zero")
)

// A number is a fraction, or else a float64. It is never changed.
type number struct {
	rat   *big.Rat // nil for a float64
	float float64
	err   error           // the reason for a missing number
	place *lexer.Position // of the error
}

func failedNumber(format string, args ...any) number { return number{err: fmt.Errorf(format, args...)} }

// at returns n with the place of its error, if it has none yet.
func (n number) at(place lexer.Position) number {
	if n.err != nil && n.place == nil {
		n.place = &place
	}
	return n
}

// fractionNumber returns a number for a fraction. One that is too long is rounded.
func fractionNumber(r *big.Rat) number {
	const maxBits = 4096 // of the numerator and of the denominator
	size := r.Num().BitLen() - r.Denom().BitLen()
	switch {
	case r.Sign() != 0 && size > maxBits:
		return number{err: errTooLarge}
	case r.Sign() != 0 && size < -maxBits:
		return number{err: errTooSmall}
	case max(r.Num().BitLen(), r.Denom().BitLen()) > maxBits:
		f, err := number{rat: r}.toFloat()
		return number{float: f, err: err}
	}
	return number{rat: r}
}

// numberFromFloat returns a number for a float64 that was computed from others.
func numberFromFloat(f float64) number {
	switch {
	case math.IsNaN(f):
		return failedNumber("this has no real value")
	case math.IsInf(f, 0):
		return number{err: errTooLarge}
	}
	return number{float: f}
}

// toFloat returns n as a float64. A fraction may be out of its range.
func (n number) toFloat() (float64, error) {
	if n.rat == nil {
		return n.float, nil
	}
	f, _ := n.rat.Float64()
	switch {
	case math.IsInf(f, 0):
		return f, errTooLarge
	case f == 0 && n.rat.Sign() != 0:
		return f, errTooSmall
	}
	return f, nil
}

// settled returns n as a fraction; of a float64 it takes the 15 digits that
// errors of rounding do not reach.
func (n number) settled() *big.Rat {
	if n.rat != nil {
		return n.rat
	}
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(n.float+0, 'g', 15, 64))
	return r
}

func (n number) negative() number {
	if n.rat != nil {
		return number{rat: new(big.Rat).Neg(n.rat)}
	}
	n.float = -n.float
	return n
}

func (n number) sign() int { return n.settled().Sign() }

func literalNumber(text string) number {
	const maxExponent = 4 // digits
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(strings.TrimLeft(exponent, "+-0")) > maxExponent {
		return failedNumber("the exponent of %q is too large", text)
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return failedNumber("%q is not a number", text)
	}
	return fractionNumber(r)
}

// epsilon is the distance of float64 numbers around 1.
const epsilon = 0x1p-52

// An operation is exact for fractions, or else computed in float64.
type operation struct {
	exact func(r, a, b *big.Rat) *big.Rat
	float func(x, y float64) float64
}

var operations = map[string]operation{
	"+": {(*big.Rat).Add, addNumberFloats},
	"-": {(*big.Rat).Sub, func(x, y float64) float64 { return addNumberFloats(x, -y) }},
	"*": {(*big.Rat).Mul, func(x, y float64) float64 { return x * y }},
	"/": {(*big.Rat).Quo, func(x, y float64) float64 { return x / y }},
}

// addNumberFloats adds; the sum is 0 where nothing is left but errors of rounding.
func addNumberFloats(x, y float64) float64 {
	if math.Abs(x+y) <= 4*epsilon*math.Abs(x) {
		return 0
	}
	return x + y
}

// operateNumbers computes the value of two numbers and an operator.
func operateNumbers(operator string, a, b number) number {
	switch {
	case a.err != nil:
		return a
	case b.err != nil:
		return b
	case operator == "^":
		return raiseNumber(a, b)
	case strings.Contains("/%", operator) && b.sign() == 0:
		return number{err: errByZero}
	case operator == "%": // has the sign of b
		quotient := operateNumbers("/", a, b)
		if quotient.err != nil {
			return quotient
		}
		return operateNumbers("-", a, operateNumbers("*", floorFunction(quotient), b))
	}
	op := operations[operator]
	if a.rat != nil && b.rat != nil {
		return fractionNumber(op.exact(new(big.Rat), a.rat, b.rat))
	}
	return numbersInFloats(op.float, a, b)
}

func numbersInFloats(f func(x, y float64) float64, a, b number) number {
	x, errX := a.toFloat()
	y, errY := b.toFloat()
	if err := cmp.Or(errX, errY); err != nil {
		return number{err: err}
	}
	return numberFromFloat(f(x, y))
}

func numberFloor(r *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(r.Num(), r.Denom())) // rounds down, since the denominator is positive
}

// raiseNumber is exact where the power is a fraction that is not too long.
func raiseNumber(a, b number) number {
	one := number{rat: big.NewRat(1, 1)}
	switch {
	case b.sign() == 0:
		return one
	case a.sign() == 0 && b.sign() < 0:
		return number{err: errByZero}
	case a.sign() == 0:
		return a
	case a.sign() < 0 && !b.settled().IsInt():
		return failedNumber("only whole powers of a negative number are real")
	case b.rat != nil && b.rat.Cmp(big.NewRat(1, 2)) == 0:
		return squareRootFunction(a)
	case a.rat != nil && b.rat != nil && b.rat.IsInt():
		if r := exactNumberPower(a.rat, b.rat.Num()); r != nil {
			return fractionNumber(r)
		}
	}
	power := math.Pow
	if off := operateNumbers("-", a, one); off.rat != nil {
		if digits, _ := off.rat.Float64(); math.Abs(digits) < 0.01 { // has digits that float64 around 1 has not
			power = func(_, y float64) float64 { return math.Exp(y * math.Log1p(digits)) }
		}
	}
	result := numbersInFloats(power, a, b)
	if result.err == nil && result.float == 0 {
		result.err = errTooSmall
	}
	return result
}

// exactNumberPower returns nil where the power would be long.
func exactNumberPower(a *big.Rat, n *big.Int) *big.Rat {
	const maxBits = 8192
	size := new(big.Int).Abs(n)
	bits := max(a.Num().BitLen(), a.Denom().BitLen())
	if bits > 1 && (!size.IsInt64() || size.Int64() > int64(maxBits/bits)) {
		return nil
	}
	r := new(big.Rat).SetFrac(new(big.Int).Exp(a.Num(), size, nil), new(big.Int).Exp(a.Denom(), size, nil))
	if n.Sign() < 0 {
		r.Inv(r)
	}
	return r
}

// json returns n as a JSON number. Go and JSON Schema validators take none with
// more digits or zeros.
func (n number) json() (string, error) {
	const maxDigits, fullPlaces, roundedDigits, floatDigits = 999, 34, 17, 16
	if n.rat == nil {
		return strconv.FormatFloat(n.float+0, 'g', floatDigits, 64), nil
	}
	limit := exactNumberPower(big.NewRat(10, 1), big.NewInt(maxDigits))
	size := new(big.Rat).Abs(n.rat)
	switch places, finite := n.rat.FloatPrec(); {
	case size.Cmp(limit) >= 0:
		return "", fmt.Errorf("the result is too large: it has more than %d digits before the point", maxDigits)
	case size.Sign() != 0 && size.Cmp(limit.Inv(limit)) <= 0:
		return "", fmt.Errorf("the result is too close to zero: it has more than %d zeros after the point", maxDigits)
	case finite && places <= fullPlaces:
		return n.rat.FloatString(places), nil
	}
	const precision = 256 // bits, before the number is rounded
	return new(big.Float).SetPrec(precision).SetRat(n.rat).Text('g', roundedDigits), nil
}

package calc

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
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
}

func whole(n int64) number { return number{rat: big.NewRat(n, 1)} }

// fraction returns a number for a fraction. One that is too long is rounded.
func fraction(r *big.Rat) (number, error) {
	const maxBits = 4096 // of the numerator and of the denominator
	size := r.Num().BitLen() - r.Denom().BitLen()
	switch {
	case r.Sign() != 0 && size > maxBits:
		return number{}, errTooLarge
	case r.Sign() != 0 && size < -maxBits:
		return number{}, errTooSmall
	case max(r.Num().BitLen(), r.Denom().BitLen()) > maxBits:
		f, err := number{rat: r}.toFloat()
		return number{float: f}, err
	}
	return number{rat: r}, nil
}

// fromFloat returns a number for a float64 that was computed from others.
func fromFloat(f float64) (number, error) {
	switch {
	case math.IsNaN(f):
		return number{}, errors.New("this has no real value")
	case math.IsInf(f, 0):
		return number{}, errTooLarge
	}
	return number{float: f}, nil
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

func toFloats(a, b number) (x, y float64, err error) {
	x, err = a.toFloat()
	y, errY := b.toFloat()
	return x, y, cmp.Or(err, errY)
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
	return number{float: -n.float}
}

func (n number) sign() int { return n.settled().Sign() }

func literal(text string) (number, error) {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return number{}, fmt.Errorf("%q is not a number", text)
	}
	return fraction(r)
}

// operate computes what an operator makes of two numbers.
func operate(operator string, a, b number) (number, error) {
	if strings.Contains("/%", operator) && b.sign() == 0 {
		return number{}, errByZero
	}
	switch operator {
	case "^":
		return raise(a, b)
	case "%":
		return remainder(a, b)
	}
	if a.rat != nil && b.rat != nil {
		var r big.Rat
		switch operator {
		case "+":
			r.Add(a.rat, b.rat)
		case "-":
			r.Sub(a.rat, b.rat)
		case "*":
			r.Mul(a.rat, b.rat)
		case "/":
			r.Quo(a.rat, b.rat)
		}
		return fraction(&r)
	}
	x, y, err := toFloats(a, b)
	if err != nil {
		return number{}, err
	}
	switch operator {
	case "*":
		return fromFloat(x * y)
	case "/":
		return fromFloat(x / y)
	case "-":
		y = -y
	}
	if math.Abs(x+y) <= 4*epsilon*math.Abs(x) {
		return number{}, nil // nothing is left but errors of rounding
	}
	return fromFloat(x + y)
}

// epsilon is the distance of float64 numbers around 1.
const epsilon = 0x1p-52

// remainder has the sign of b.
func remainder(a, b number) (number, error) {
	quotient, err := operate("/", a, b)
	if err != nil {
		return number{}, err
	}
	times, err := operate("*", number{rat: floorOf(quotient.settled())}, b)
	if err != nil {
		return number{}, err
	}
	return operate("-", a, times)
}

func floorOf(r *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(r.Num(), r.Denom())) // rounds down, since the denominator is positive
}

// raise is exact where the power is a fraction that is not too long.
func raise(a, b number) (number, error) {
	switch {
	case b.sign() == 0:
		return whole(1), nil
	case a.sign() == 0 && b.sign() < 0:
		return number{}, errByZero
	case a.sign() == 0:
		return a, nil
	case a.sign() < 0 && !b.settled().IsInt():
		return number{}, errors.New("only whole powers of a negative number are real")
	case b.rat != nil && b.rat.Cmp(big.NewRat(1, 2)) == 0:
		return squareRoot(a)
	case a.rat != nil && b.rat != nil && b.rat.IsInt():
		if r := exactPower(a.rat, b.rat.Num()); r != nil {
			return fraction(r)
		}
	}
	x, y, err := toFloats(a, b)
	if err != nil {
		return number{}, err
	}
	result := math.Pow(x, y)
	if near, _ := operate("-", a, whole(1)); near.rat != nil && math.Abs(x-1) < 0.01 {
		off, _ := near.rat.Float64() // has digits that x has not
		result = math.Exp(y * math.Log1p(off))
	}
	if result == 0 {
		return number{}, errTooSmall
	}
	return fromFloat(result)
}

// exactPower returns nil where the power would be long.
func exactPower(a *big.Rat, n *big.Int) *big.Rat {
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
	limit := exactPower(big.NewRat(10, 1), big.NewInt(maxDigits))
	size := new(big.Rat).Abs(n.rat)
	switch places, finite := n.rat.FloatPrec(); {
	case size.Cmp(limit) >= 0:
		return "", fmt.Errorf("the result is too large: it has more than %d digits before the point", maxDigits)
	case size.Sign() != 0 && size.Cmp(limit.Inv(limit)) <= 0:
		return "", fmt.Errorf("the result is too close to zero: it has more than %d zeros behind the point", maxDigits)
	case finite && places <= fullPlaces:
		return n.rat.FloatString(places), nil
	}
	const precision = 256 // bits, before the number is rounded
	return new(big.Float).SetPrec(precision).SetRat(n.rat).Text('g', roundedDigits), nil
}

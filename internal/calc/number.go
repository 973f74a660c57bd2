package calc

import (
	"errors"
	"fmt"
	"math/big"
)

// precision is how many bits of a number that is not exact are kept, and
// reliable how many of them are taken to be right.
const (
	precision = 256
	reliable  = 200
)

var (
	errTooLarge = errors.New("the number is too large")
	errTooSmall = errors.New("the number is too close to zero")
	errByZero   = errors.New("division by zero")
)

// A number is a value of an expression. It is never changed.
type number struct {
	*big.Rat
	exact bool
}

func whole(n *big.Int) number { return number{new(big.Rat).SetInt(n), true} }

// magnitude returns an exponent of two that is at most one off.
func magnitude(r *big.Rat) int { return r.Num().BitLen() - r.Denom().BitLen() }

// fit returns a number that is small enough to go on with. What is too long
// but not too large is rounded.
func fit(r *big.Rat, exact bool) (number, error) {
	switch m := magnitude(r); {
	case r.Sign() == 0:
		return number{r, exact}, nil
	case m > maxBits:
		return number{}, errTooLarge
	case m < -maxBits:
		return number{}, errTooSmall
	}
	if exact && r.Num().BitLen() <= maxBits && r.Denom().BitLen() <= maxBits {
		return number{r, true}, nil
	}
	rounded, _ := new(big.Float).SetPrec(precision).SetRat(r).Rat(nil)
	return number{rounded, false}, nil
}

func (n number) negative() number { return number{new(big.Rat).Neg(n.Rat), n.exact} }

func add(a, b number) (number, error) {
	sum := new(big.Rat).Add(a.Rat, b.Rat)
	exact := a.exact && b.exact
	if !exact && sum.Sign() != 0 && magnitude(sum) < max(magnitude(a.Rat), magnitude(b.Rat))-reliable {
		sum.SetInt64(0) // nothing is left but what was rounded away
	}
	return fit(sum, exact)
}

func subtract(a, b number) (number, error) { return add(a, b.negative()) }

func multiply(a, b number) (number, error) {
	return fit(new(big.Rat).Mul(a.Rat, b.Rat), a.exact && b.exact)
}

func divide(a, b number) (number, error) {
	if b.Sign() == 0 {
		return number{}, errByZero
	}
	return fit(new(big.Rat).Quo(a.Rat, b.Rat), a.exact && b.exact)
}

// remainder has the sign of b.
func remainder(a, b number) (number, error) {
	quotient, err := divide(a, b)
	if err != nil {
		return number{}, err
	}
	times, err := multiply(whole(quotient.floor()), b)
	if err != nil {
		return number{}, err
	}
	return subtract(a, times)
}

// floor returns the largest integer that is not above n. A number that is not
// exact counts as the integer that it cannot be told from.
func (n number) floor() *big.Int {
	if !n.exact {
		near := floorOf(new(big.Rat).Add(n.Rat, big.NewRat(1, 2)))
		off := new(big.Rat).Sub(n.Rat, new(big.Rat).SetInt(near))
		if off.Sign() == 0 || magnitude(off) < max(magnitude(n.Rat), 0)-reliable {
			return near
		}
	}
	return floorOf(n.Rat)
}

func floorOf(r *big.Rat) *big.Int {
	return new(big.Int).Div(r.Num(), r.Denom()) // rounds down, since the denominator is positive
}

// rounded returns n with that many digits behind the point, or before it if
// the number of digits is negative.
func (n number) rounded(digits int) (number, error) {
	unit := new(big.Rat).SetInt(powerOfTen(max(digits, -digits)))
	if digits > 0 {
		unit.Inv(unit)
	}
	inUnits := number{new(big.Rat).Quo(n.Rat, unit), n.exact}
	inUnits.Abs(inUnits.Rat)
	inUnits.Add(inUnits.Rat, big.NewRat(1, 2))
	r := new(big.Rat).SetInt(inUnits.floor())
	if n.Sign() < 0 {
		r.Neg(r)
	}
	return fit(r.Mul(r, unit), true)
}

func powerOfTen(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// power computes exactly where the result is a fraction that is small enough.
func power(a, b number) (number, error) {
	switch {
	case b.Sign() == 0:
		return whole(big.NewInt(1)), nil
	case a.Sign() == 0 && b.Sign() < 0:
		return number{}, errByZero
	case a.Sign() == 0:
		return a, nil
	case b.exact && b.Cmp(big.NewRat(1, 2)) == 0:
		return squareRoot(a)
	case a.Sign() < 0 && !b.IsInt():
		return number{}, errors.New("only whole powers of a negative number are real")
	}
	odd := b.IsInt() && b.Num().Bit(0) == 1
	size := new(big.Rat).Abs(a.Rat)
	if a.exact && b.exact && b.IsInt() {
		if r := exactPower(size, b.Num()); r != nil {
			if a.Sign() < 0 && odd {
				r.Neg(r)
			}
			return fit(r, true)
		}
	}
	exponent := logarithm(size)
	result, err := exponential(exponent.Mul(exponent, float(b.Rat)))
	if err == nil && a.Sign() < 0 && odd {
		result = result.negative()
	}
	return result, err
}

// exactPower returns nil where the power would be long.
func exactPower(a *big.Rat, n *big.Int) *big.Rat {
	num, den := a.Num(), a.Denom()
	if num.Cmp(den) == 0 {
		return new(big.Rat).SetInt64(1)
	}
	times := new(big.Int).Abs(n)
	// A number of n bits may be as small as 2^(n-1).
	if !times.IsInt64() || times.Int64() > 2*maxBits/int64(max(num.BitLen(), den.BitLen())) {
		return nil
	}
	r := new(big.Rat).SetFrac(new(big.Int).Exp(num, times, nil), new(big.Int).Exp(den, times, nil))
	if n.Sign() < 0 {
		r.Inv(r)
	}
	return r
}

// asDigits returns n as a number of digits.
func (n number) asDigits() (int, error) {
	const most = 1000
	if !n.IsInt() || n.Num().CmpAbs(big.NewInt(most)) > 0 {
		return 0, fmt.Errorf("the number of digits must be whole, and at most %d", most)
	}
	return int(n.Num().Int64()), nil
}

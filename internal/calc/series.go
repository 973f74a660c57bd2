package calc

import (
	"errors"
	"math/big"
)

// working is the precision in which the series are added up. It is larger than
// that of the result by what they lose.
const working = precision + 128

// maxAngle is an exponent of two: larger angles are refused, because the
// constant π has not the digits to reduce them.
const maxAngle = 128

var (
	piDigits  = constant("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196")
	ln2Digits = constant("0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586332699641868754200148102057068573368552023575813055703267075163507596193072757082837143519030703862389167347112335")
)

// constant reads the 200 digits of a constant.
func constant(digits string) *big.Float {
	f, _, err := big.ParseFloat(digits, 10, 640, big.ToNearestEven)
	if err != nil {
		panic("calc: " + err.Error())
	}
	return f
}

func float(r *big.Rat) *big.Float { return new(big.Float).SetPrec(working).SetRat(r) }

// inexact returns a result of the series.
func inexact(f *big.Float) (number, error) {
	switch exponent := f.MantExp(nil); {
	case exponent > maxBits:
		return number{}, errTooLarge
	case exponent < -maxBits:
		return number{}, errTooSmall
	}
	r, _ := f.Rat(nil)
	return fit(r, false)
}

func pi() (number, error) { return inexact(piDigits) }

func euler() (number, error) { return exponential(float(big.NewRat(1, 1))) }

func squareRoot(n number) (number, error) {
	if n.Sign() < 0 {
		return number{}, errors.New("a negative number has no real square root")
	}
	num, den := new(big.Int).Sqrt(n.Num()), new(big.Int).Sqrt(n.Denom())
	root := new(big.Rat).SetFrac(num, den)
	if n.exact && new(big.Rat).Mul(root, root).Cmp(n.Rat) == 0 {
		return number{root, true}, nil
	}
	return inexact(new(big.Float).SetPrec(working).Sqrt(float(n.Rat)))
}

// exponential returns e^x: x = k·ln 2 + r, and a Taylor series of r/256.
func exponential(x *big.Float) (number, error) {
	const halvings = 8
	switch limit := int64(maxBits); {
	case x.Cmp(big.NewFloat(float64(limit))) > 0:
		return number{}, errTooLarge
	case x.Cmp(big.NewFloat(float64(-limit))) < 0:
		return number{}, errTooSmall
	}
	k, r := reduce(x, ln2Digits)
	r.SetMantExp(r, -halvings)
	sum := new(big.Float).SetPrec(working).SetInt64(1)
	term := new(big.Float).Copy(sum)
	for i := int64(1); !negligible(term); i++ {
		term.Mul(term, r)
		term.Quo(term, big.NewFloat(float64(i)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return inexact(sum.SetMantExp(sum, int(k.Int64())))
}

// reduce returns the k and the small r of x = k·unit + r.
func reduce(x, unit *big.Float) (k *big.Int, r *big.Float) {
	long := unit.Prec()
	quotient := new(big.Float).SetPrec(long).Quo(x, unit)
	if quotient.Sign() < 0 {
		quotient.Sub(quotient, big.NewFloat(0.5))
	} else {
		quotient.Add(quotient, big.NewFloat(0.5))
	}
	k, _ = quotient.Int(nil)
	r = new(big.Float).SetPrec(long).SetInt(k)
	r.Sub(x, r.Mul(r, unit))
	return k, r.SetPrec(working)
}

// negligible reports whether a term of a series that starts with about 1 adds
// nothing more.
func negligible(term *big.Float) bool { return term.Sign() == 0 || term.MantExp(nil) < -working }

// logarithm returns ln x of a positive x: x = 2^k·m, and ln m is twice the
// area tangent of z = (m-1)/(m+1), which is small.
func logarithm(x *big.Rat) *big.Float {
	k := magnitude(x)
	m := new(big.Rat).Set(x)
	scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(k, -k))))
	if k > 0 {
		m.Quo(m, scale)
	} else {
		m.Mul(m, scale)
	}
	two := big.NewRat(2, 1)
	switch { // m lies between 1/2 and 2
	case m.Cmp(big.NewRat(3, 4)) < 0:
		m.Mul(m, two)
		k--
	case m.Cmp(big.NewRat(3, 2)) > 0:
		m.Quo(m, two)
		k++
	}
	one := big.NewRat(1, 1)
	z := float(new(big.Rat).Quo(new(big.Rat).Sub(m, one), new(big.Rat).Add(m, one)))
	sum := new(big.Float).SetPrec(working)
	square := new(big.Float).Mul(z, z)
	ratio := new(big.Float).SetPrec(working).SetInt64(1) // of the power of z to z itself
	for i := int64(1); !negligible(ratio); i += 2 {
		sum.Add(sum, new(big.Float).Quo(ratio, big.NewFloat(float64(i))))
		ratio.Mul(ratio, square)
	}
	sum.Mul(sum, z)
	sum.SetMantExp(sum, 1)
	shift := new(big.Float).SetPrec(working).SetInt64(int64(k))
	return sum.Add(sum, shift.Mul(shift, ln2Digits))
}

func naturalLog(n number) (number, error) {
	switch {
	case n.Sign() <= 0:
		return number{}, errors.New("only a number above zero has a logarithm")
	case n.exact && n.Cmp(big.NewRat(1, 1)) == 0:
		return whole(new(big.Int)), nil
	}
	return inexact(logarithm(n.Rat))
}

// decimalLog is exact for powers of ten.
func decimalLog(n number) (number, error) {
	if n.exact && n.Sign() > 0 {
		for _, r := range []*big.Rat{n.Rat, new(big.Rat).Inv(n.Rat)} {
			zeros := len(r.Num().String()) - 1
			if r.IsInt() && r.Num().Cmp(powerOfTen(zeros)) == 0 {
				if r != n.Rat {
					zeros = -zeros
				}
				return whole(big.NewInt(int64(zeros))), nil
			}
		}
	}
	natural, err := naturalLog(n)
	if err != nil {
		return number{}, err
	}
	return inexact(new(big.Float).Quo(float(natural.Rat), logarithm(big.NewRat(10, 1))))
}

// sine returns the sine of an angle plus so many quarters of the circle.
func sine(angle number, quarters int64) (number, error) {
	if angle.Sign() == 0 && angle.exact {
		return whole(big.NewInt(quarters & 1)), nil
	}
	if magnitude(angle.Rat) > maxAngle {
		return number{}, errors.New("the angle is too large")
	}
	long := new(big.Float).SetPrec(piDigits.Prec()).SetRat(angle.Rat)
	k, r := reduce(long, new(big.Float).SetMantExp(piDigits, -1))
	if k.Sign() != 0 && r.MantExp(nil) < -reliable {
		r.SetInt64(0) // nothing is left but what was rounded away
	}
	quarter := new(big.Int).Add(k, big.NewInt(quarters))
	result := sineSeries(r, quarter.Bit(0) == 1)
	if quarter.Bit(1) == 1 {
		result.Neg(result)
	}
	return inexact(result)
}

// sineSeries returns the sine of a small angle, or its cosine.
func sineSeries(r *big.Float, cosine bool) *big.Float {
	first := int64(1)
	sum := new(big.Float).Copy(r)
	if cosine {
		first = 0
		sum.SetInt64(1)
	}
	square := new(big.Float).Mul(r, r)
	ratio := new(big.Float).SetPrec(working).SetInt64(1) // of the term to the first one
	total := new(big.Float).Copy(ratio)
	for i := first + 1; !negligible(ratio); i += 2 {
		ratio.Mul(ratio, square)
		ratio.Quo(ratio, big.NewFloat(float64(-i*(i+1))))
		total.Add(total, ratio)
	}
	return sum.Mul(sum, total)
}

func tangent(n number) (number, error) {
	s, err := sine(n, 0)
	if err != nil {
		return number{}, err
	}
	c, err := sine(n, 1)
	if err != nil {
		return number{}, err
	}
	if c.Sign() == 0 {
		return number{}, errors.New("this angle has no tangent")
	}
	return divide(s, c)
}

package calc

import (
	"errors"
	"math/big"
	"strconv"
	"strings"
)

const (
	fullDigits    = 34 // of a decimal fraction that is given in full
	roundedDigits = 17 // of what is rounded
)

// json returns n as a JSON number.
func (n number) json() (string, error) {
	if n.Sign() == 0 {
		return "0", nil
	}
	digits, exponent := n.decimal()
	switch {
	case exponent >= maxDigits:
		return "", errors.New("the result is too large: it has more than " + strconv.Itoa(maxDigits) + " digits before the point")
	case exponent <= -maxDigits:
		return "", errors.New("the result is too close to zero: it has more than " + strconv.Itoa(maxDigits) + " zeros behind the point")
	}
	text := layOut(digits, exponent, n.exact && n.IsInt())
	if n.Sign() < 0 {
		text = "-" + text
	}
	return text, nil
}

// decimal returns the digits of |n| and the exponent of ten of the first one.
func (n number) decimal() (digits string, exponent int) {
	size := new(big.Rat).Abs(n.Rat)
	if n.exact {
		if places, finite := size.FloatPrec(); finite {
			shifted := new(big.Int).Mul(size.Num(), powerOfTen(places))
			digits = shifted.Quo(shifted, size.Denom()).String()
			if places == 0 || len(digits) <= fullDigits {
				return digits, len(digits) - 1 - places
			}
		}
	}
	const bitsPerDigit = 3.321928094887362
	exponent = int(float64(magnitude(size)) / bitsPerDigit)
	for {
		scaled := new(big.Rat).SetInt(powerOfTen(max(roundedDigits-1-exponent, exponent-roundedDigits+1)))
		if exponent >= roundedDigits {
			scaled.Inv(scaled)
		}
		scaled.Mul(scaled, size)
		digits = floorOf(scaled.Add(scaled, big.NewRat(1, 2))).String()
		switch {
		case len(digits) > roundedDigits:
			exponent++
		case len(digits) < roundedDigits:
			exponent--
		default:
			return strings.TrimRight(digits, "0"), exponent
		}
	}
}

// layOut writes digits as people do, unless that takes many zeros.
func layOut(digits string, exponent int, inFull bool) string {
	const fewZeros, plain = -7, 21
	switch {
	case exponent < fewZeros || exponent >= max(plain, len(digits)) && !inFull:
		if len(digits) > 1 {
			digits = digits[:1] + "." + digits[1:]
		}
		return digits + "e" + strconv.Itoa(exponent)
	case exponent < 0:
		return "0." + strings.Repeat("0", -exponent-1) + digits
	case exponent >= len(digits)-1:
		return digits + strings.Repeat("0", exponent-len(digits)+1)
	}
	return digits[:exponent+1] + "." + digits[exponent+1:]
}

package calc

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
)

var constants = map[string]float64{"e": math.E, "pi": math.Pi}

// A function takes a number of arguments.
type function struct {
	least, most int
	compute     func(args []number) number
}

var functions = map[string]function{
	"abs":   unary(func(n number) number { return extreme(1, n, n.negative()) }),
	"ceil":  unary(func(n number) number { return floor(n.negative()).negative() }),
	"cos":   unary(trigonometric(math.Cos)),
	"exp":   unary(exponential),
	"floor": unary(floor),
	"ln":    unary(logarithm(math.Log)),
	"log10": unary(logarithm(math.Log10)),
	"max":   {1, math.MaxInt, func(args []number) number { return extreme(1, args...) }},
	"min":   {1, math.MaxInt, func(args []number) number { return extreme(-1, args...) }},
	"round": {1, 2, round},
	"sin":   unary(trigonometric(math.Sin)),
	"sqrt":  unary(squareRoot),
	"tan":   unary(tangent),
}

func unary(f func(number) number) function {
	return function{1, 1, func(args []number) number { return f(args[0]) }}
}

// call computes the function of that name, if it takes so many arguments.
func (f function) call(name string, args []number) number {
	n := len(args)
	if n >= f.least && n <= f.most {
		return f.compute(args)
	}
	takes := strconv.Itoa(f.least) + " argument"
	switch {
	case f.most == math.MaxInt:
		takes = "at least " + takes
	case f.least < f.most:
		takes = fmt.Sprintf("%d or %d arguments", f.least, f.most)
	}
	return failedNumber("%s takes %s, not %d", name, takes, n)
}

// exponential computes results beyond the range of float64 as a power of
// e^(x/4).
func exponential(n number) number {
	x, err := n.toFloat()
	root := new(big.Rat).SetFloat64(math.Exp(x / 4))
	switch {
	case errors.Is(err, errTooSmall):
		return number{rat: big.NewRat(1, 1)}
	case err != nil, root == nil:
		return number{err: errTooLarge}
	case root.Sign() == 0:
		return number{err: errTooSmall}
	case math.Abs(x) < 700:
		return number{float: math.Exp(x)}
	}
	return fractionNumber(exactPower(root, big.NewInt(4)))
}

// trigonometric returns f without the errors of rounding where it is 0.
func trigonometric(f func(angle float64) float64) func(number) number {
	return func(n number) number {
		const largest = 1 << 53 // beyond, float64 has no fractions
		x, err := n.toFloat()
		switch value := f(x); {
		case err != nil:
			return number{err: err}
		case math.Abs(x) > largest:
			return failedNumber("the angle is too large")
		case math.Abs(value) >= 4*epsilon || math.Abs(x) <= 1:
			return number{float: value}
		}
		return number{}
	}
}

func tangent(n number) number {
	if trigonometric(math.Cos)(n) == (number{}) {
		return failedNumber("this angle has no tangent")
	}
	return trigonometric(math.Tan)(n)
}

func floor(n number) number { return number{rat: floorOf(n.settled())} }

// extreme returns the largest number, or the smallest if sign is negative.
func extreme(sign int, numbers ...number) number {
	best := numbers[0]
	for _, n := range numbers[1:] {
		if n.settled().Cmp(best.settled()) == sign {
			best = n
		}
	}
	return best
}

// round takes the number of digits after the point, or before it if negative.
func round(args []number) number {
	const most = 1000
	unit := big.NewRat(1, 1)
	if len(args) > 1 {
		digits := args[1].settled()
		if !digits.IsInt() || digits.Num().CmpAbs(big.NewInt(most)) > 0 {
			return failedNumber("the number of digits must be whole, and at most %d", most)
		}
		unit = exactPower(big.NewRat(10, 1), new(big.Int).Neg(digits.Num()))
	}
	r := args[0].settled()
	inUnits := new(big.Rat).Quo(r, unit)
	rounded := floorOf(inUnits.Add(inUnits.Abs(inUnits), big.NewRat(1, 2)))
	if r.Sign() < 0 {
		rounded.Neg(rounded)
	}
	return fractionNumber(rounded.Mul(rounded, unit))
}

// squareRoot is exact for the square of a fraction.
func squareRoot(n number) number {
	if n.sign() < 0 {
		return failedNumber("a negative number has no real square root")
	}
	if n.rat != nil {
		root := new(big.Rat).SetFrac(new(big.Int).Sqrt(n.rat.Num()), new(big.Int).Sqrt(n.rat.Denom()))
		if new(big.Rat).Mul(root, root).Cmp(n.rat) == 0 {
			return number{rat: root}
		}
	}
	x, err := n.toFloat()
	return number{float: math.Sqrt(x), err: err}
}

func logarithm(f func(float64) float64) func(number) number {
	return func(n number) number {
		if n.sign() <= 0 {
			return failedNumber("only a number above zero has a logarithm")
		}
		x, err := n.toFloat()
		return number{float: f(x), err: err}
	}
}

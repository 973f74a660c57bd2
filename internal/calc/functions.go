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
	"abs":   unaryFunction(func(n number) number { return extremeFunction(1, n, n.negative()) }),
	"ceil":  unaryFunction(func(n number) number { return floorFunction(n.negative()).negative() }),
	"cos":   unaryFunction(trigonometricFunction(math.Cos)),
	"exp":   unaryFunction(exponentialFunction),
	"floor": unaryFunction(floorFunction),
	"ln":    unaryFunction(logarithmFunction(math.Log)),
	"log10": unaryFunction(logarithmFunction(math.Log10)),
	"max":   {1, math.MaxInt, func(args []number) number { return extremeFunction(1, args...) }},
	"min":   {1, math.MaxInt, func(args []number) number { return extremeFunction(-1, args...) }},
	"round": {1, 2, roundFunction},
	"sin":   unaryFunction(trigonometricFunction(math.Sin)),
	"sqrt":  unaryFunction(squareRootFunction),
	"tan":   unaryFunction(tangentFunction),
}

func unaryFunction(f func(number) number) function {
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

// exponentialFunction computes results beyond the range of float64 as a power of
// e^(x/4).
func exponentialFunction(n number) number {
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
	return fractionNumber(exactNumberPower(root, big.NewInt(4)))
}

// trigonometricFunction returns f without the errors of rounding where it is 0.
func trigonometricFunction(f func(angle float64) float64) func(number) number {
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

func tangentFunction(n number) number {
	if trigonometricFunction(math.Cos)(n) == (number{}) {
		return failedNumber("this angle has no tangent")
	}
	return trigonometricFunction(math.Tan)(n)
}

func floorFunction(n number) number { return number{rat: numberFloor(n.settled())} }

// extremeFunction returns the largest number, or the smallest if sign is negative.
func extremeFunction(sign int, numbers ...number) number {
	best := numbers[0]
	for _, n := range numbers[1:] {
		if n.settled().Cmp(best.settled()) == sign {
			best = n
		}
	}
	return best
}

// roundFunction takes the number of digits after the point, or before it if negative.
func roundFunction(args []number) number {
	const most = 1000
	unit := big.NewRat(1, 1)
	if len(args) > 1 {
		digits := args[1].settled()
		if !digits.IsInt() || digits.Num().CmpAbs(big.NewInt(most)) > 0 {
			return failedNumber("the number of digits must be whole, and at most %d", most)
		}
		unit = exactNumberPower(big.NewRat(10, 1), new(big.Int).Neg(digits.Num()))
	}
	r := args[0].settled()
	inUnits := new(big.Rat).Quo(r, unit)
	rounded := numberFloor(inUnits.Add(inUnits.Abs(inUnits), big.NewRat(1, 2)))
	if r.Sign() < 0 {
		rounded.Neg(rounded)
	}
	return fractionNumber(rounded.Mul(rounded, unit))
}

// squareRootFunction is exact for the square of a fraction.
func squareRootFunction(n number) number {
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

func logarithmFunction(f func(float64) float64) func(number) number {
	return func(n number) number {
		if n.sign() <= 0 {
			return failedNumber("only a number above zero has a logarithm")
		}
		x, err := n.toFloat()
		return number{float: f(x), err: err}
	}
}

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
	compute     func(args []number) (number, error)
}

var functions = map[string]function{
	"abs":   {1, 1, func(args []number) (number, error) { return extreme(1, args[0], args[0].negative()), nil }},
	"ceil":  {1, 1, func(args []number) (number, error) { return floor(args[0].negative()).negative(), nil }},
	"cos":   {1, 1, func(args []number) (number, error) { return trigonometric(cosine, args[0]) }},
	"exp":   {1, 1, func(args []number) (number, error) { return exponential(args[0]) }},
	"floor": {1, 1, func(args []number) (number, error) { return floor(args[0]), nil }},
	"ln":    {1, 1, func(args []number) (number, error) { return logarithm(math.Log, args[0]) }},
	"log10": {1, 1, func(args []number) (number, error) { return logarithm(math.Log10, args[0]) }},
	"max":   {1, math.MaxInt, func(args []number) (number, error) { return extreme(1, args...), nil }},
	"min":   {1, math.MaxInt, func(args []number) (number, error) { return extreme(-1, args...), nil }},
	"round": {1, 2, round},
	"sin":   {1, 1, func(args []number) (number, error) { return trigonometric(sine, args[0]) }},
	"sqrt":  {1, 1, func(args []number) (number, error) { return squareRoot(args[0]) }},
	"tan":   {1, 1, func(args []number) (number, error) { return trigonometric(tangent, args[0]) }},
}

// call computes a function with that name, if it takes so many arguments.
func (f function) call(name string, args []number) (number, error) {
	if n := len(args); n < f.least || n > f.most {
		takes := strconv.Itoa(f.least) + " argument"
		switch {
		case f.most == math.MaxInt:
			takes = "at least " + takes
		case f.least < f.most:
			takes = fmt.Sprintf("%d or %d arguments", f.least, f.most)
		}
		return number{}, fmt.Errorf("%s takes %s, not %d", name, takes, n)
	}
	return f.compute(args)
}

// exponential is a power of e^(x/4), which float64 can hold for any x whose
// result is not too large.
func exponential(n number) (number, error) {
	x, err := n.toFloat()
	root := new(big.Rat).SetFloat64(math.Exp(x / 4))
	switch {
	case errors.Is(err, errTooSmall):
		return whole(1), nil
	case err != nil:
		return number{}, err
	case root == nil:
		return number{}, errTooLarge
	case root.Sign() == 0:
		return number{}, errTooSmall
	case math.Abs(x) < 700:
		return number{float: math.Exp(x)}, nil
	}
	return fraction(exactPower(root, big.NewInt(4)))
}

func trigonometric(f func(angle float64) float64, n number) (number, error) {
	const largest = 1 << 53 // beyond, float64 has no fractions
	x, err := n.toFloat()
	switch {
	case err != nil:
		return number{}, err
	case math.Abs(x) > largest:
		return number{}, errors.New("the angle is too large")
	case math.IsNaN(f(x)):
		return number{}, errors.New("this angle has no tangent")
	}
	return number{float: f(x)}, nil
}

func sine(x float64) float64 { return withoutNoise(math.Sin(x), x) }

func cosine(x float64) float64 { return withoutNoise(math.Cos(x), x) }

func tangent(x float64) float64 {
	if cosine(x) == 0 {
		return math.NaN()
	}
	return withoutNoise(math.Tan(x), x)
}

// withoutNoise returns 0 for a value at x that is 0 but for errors of rounding.
func withoutNoise(value, x float64) float64 {
	if math.Abs(value) < 4*epsilon && math.Abs(x) > 1 {
		return 0
	}
	return value
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

// round takes digits behind the point, or before it if they are negative.
func round(args []number) (number, error) {
	const most = 1000
	unit := big.NewRat(1, 1)
	if len(args) > 1 {
		digits := args[1].settled()
		if !digits.IsInt() || digits.Num().CmpAbs(big.NewInt(most)) > 0 {
			return number{}, fmt.Errorf("the number of digits must be whole, and at most %d", most)
		}
		unit = exactPower(big.NewRat(10, 1), new(big.Int).Neg(digits.Num()))
	}
	r := args[0].settled()
	inUnits := new(big.Rat).Quo(r, unit)
	rounded := floorOf(inUnits.Add(inUnits.Abs(inUnits), big.NewRat(1, 2)))
	if r.Sign() < 0 {
		rounded.Neg(rounded)
	}
	return fraction(rounded.Mul(rounded, unit))
}

// squareRoot is exact for the square of a fraction.
func squareRoot(n number) (number, error) {
	if n.sign() < 0 {
		return number{}, errors.New("a negative number has no real square root")
	}
	if n.rat != nil {
		root := new(big.Rat).SetFrac(new(big.Int).Sqrt(n.rat.Num()), new(big.Int).Sqrt(n.rat.Denom()))
		if new(big.Rat).Mul(root, root).Cmp(n.rat) == 0 {
			return number{rat: root}, nil
		}
	}
	x, err := n.toFloat()
	return number{float: math.Sqrt(x)}, err
}

func logarithm(f func(float64) float64, n number) (number, error) {
	if n.sign() <= 0 {
		return number{}, errors.New("only a number above zero has a logarithm")
	}
	x, err := n.toFloat()
	return number{float: f(x)}, err
}

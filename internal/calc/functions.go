package calc

import (
	"math"
	"math/big"
	"strconv"
)

// A function takes a number of arguments.
type function struct {
	least, most int
	compute     func(args []number) (number, error)
}

// takes says how many arguments there may be.
func (f function) takes() string {
	switch {
	case f.most == math.MaxInt:
		return "at least " + strconv.Itoa(f.least) + " argument"
	case f.least < f.most:
		return strconv.Itoa(f.least) + " or " + strconv.Itoa(f.most) + " arguments"
	}
	return strconv.Itoa(f.least) + " argument"
}

var functions = map[string]function{
	"abs":   ofOne(func(n number) (number, error) { return number{new(big.Rat).Abs(n.Rat), n.exact}, nil }),
	"ceil":  ofOne(func(n number) (number, error) { return whole(n.negative().floor()).negative(), nil }),
	"cos":   ofOne(func(n number) (number, error) { return sine(n, 1) }),
	"exp":   ofOne(exponentialOf),
	"floor": ofOne(func(n number) (number, error) { return whole(n.floor()), nil }),
	"ln":    ofOne(naturalLog),
	"log10": ofOne(decimalLog),
	"max":   {1, math.MaxInt, func(args []number) (number, error) { return extreme(args, 1), nil }},
	"min":   {1, math.MaxInt, func(args []number) (number, error) { return extreme(args, -1), nil }},
	"round": {1, 2, round},
	"sin":   ofOne(func(n number) (number, error) { return sine(n, 0) }),
	"sqrt":  ofOne(squareRoot),
	"tan":   ofOne(tangent),
}

func ofOne(f func(number) (number, error)) function {
	return function{1, 1, func(args []number) (number, error) { return f(args[0]) }}
}

func exponentialOf(n number) (number, error) {
	if n.Sign() == 0 {
		return whole(big.NewInt(1)), nil
	}
	return exponential(float(n.Rat))
}

// extreme returns the largest number, or the smallest if sign is negative.
func extreme(args []number, sign int) number {
	best := args[0]
	for _, n := range args[1:] {
		if n.Cmp(best.Rat) == sign {
			best = n
		}
	}
	return best
}

func round(args []number) (number, error) {
	if len(args) == 1 {
		return args[0].rounded(0)
	}
	digits, err := args[1].asDigits()
	if err != nil {
		return number{}, err
	}
	return args[0].rounded(digits)
}

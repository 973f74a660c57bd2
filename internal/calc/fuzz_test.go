package calc

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// heavy are expressions that take as long as any, within the limits.
var heavy = []string{
	strings.Repeat("sin(9^40)+", 100) + "1",
	strings.Repeat("exp(-1e3)*", 100) + "1",
	strings.Repeat("ln(3e-999)+", 92) + "1",
	strings.Repeat("tan(1e38)+", 100) + "1",
	strings.Repeat("sqrt(", 90) + "2" + strings.Repeat(")", 90),
	strings.Repeat("1/7^1400+", 113) + "1",
	"1/3" + strings.Repeat("^1.1", 99),
	strings.Repeat("(1/3+1/7)^600-", 70) + "1",
	"1" + strings.Repeat("/7^1400*3^2500", 70),
	strings.Repeat("round(1e999,-1e3)+", 56) + "1",
	strings.Repeat("1e-999%7e-888+", 70) + "1",
	strings.Repeat("1.5^1e9^0.1*", 80) + "1",
	"1/" + strings.Repeat("9", 1000),
	"0." + strings.Repeat("1", 1000),
	strings.Repeat("2^2e3*.5^2e3+", 78) + "1",
}

// FuzzEval evaluates a text, which gives a JSON number or an error, and small
// expressions, which give what package math/big and package math say.
func FuzzEval(f *testing.F) {
	for _, text := range append(heavy, "1+2*3", "-2^-2", "sqrt(2)/exp(1)", "max(1,2,e)", "7 % (-3)", "1,0", "((", "10%") {
		f.Add(text, int64(7), int64(-3))
	}
	f.Fuzz(func(t *testing.T, text string, a, b int64) {
		result, err := Eval(text)
		if (err == nil) != isNumber(result) || err != nil && strings.ContainsAny(err.Error(), "\n\x00") {
			t.Errorf("%q is %q, %v", text, result, err)
		}
		checkOperators(t, a, b)
		checkFunctions(t, float64(a)/float64(1<<32), float64(b%1000)/8)
	})
}

// isNumber reports whether a text is a number that JSON Schema validators take.
func isNumber(text string) bool {
	var n json.Number
	return len(text) <= 1000 && json.Unmarshal([]byte(text), &n) == nil && n.String() == text
}

func checkOperators(t *testing.T, a, b int64) {
	x, y := big.NewRat(a, 1), big.NewRat(b, 1)
	wants := map[string]*big.Rat{
		"+": new(big.Rat).Add(x, y),
		"-": new(big.Rat).Sub(x, y),
		"*": new(big.Rat).Mul(x, y),
	}
	if b != 0 {
		quotient := new(big.Rat).Quo(x, y)
		floor := new(big.Rat).SetInt(new(big.Int).Div(quotient.Num(), quotient.Denom()))
		wants["%"] = floor.Sub(x, floor.Mul(floor, y))
		if _, finite := quotient.FloatPrec(); finite {
			wants["/"] = quotient
		}
	}
	for operator, want := range wants {
		expression := fmt.Sprintf("(%d) %s (%d)", a, operator, b)
		result, err := Eval(expression)
		got, ok := new(big.Rat).SetString(result)
		if err != nil || !ok {
			t.Errorf("%s is %q, %v", expression, result, err)
		} else if got.Cmp(want) != 0 && (operator != "/" || !near(got, want)) {
			t.Errorf("%s is %s, want %v", expression, result, want)
		}
	}
}

// near reports whether numbers are equal in 17 digits.
func near(a, b *big.Rat) bool {
	off := new(big.Rat).Sub(a, b)
	off.Abs(off.Quo(off, b))
	return off.Cmp(new(big.Rat).SetFrac(big.NewInt(1), big.NewInt(1e16))) <= 0
}

func checkFunctions(t *testing.T, x, y float64) {
	for _, tt := range []struct {
		call      string
		x, result float64
	}{
		{"sin(%s)", x, math.Sin(x)},
		{"cos(%s)", x, math.Cos(x)},
		{"sqrt(%s)", x, math.Sqrt(x)},
		{"ln(%s)", x, math.Log(x)},
		{"floor(%s)", x, math.Floor(x)},
		{"ceil(%s)", x, math.Ceil(x)},
		{"abs(%s)", x, math.Abs(x)},
		{"exp(%s)", y, math.Exp(y)},
		{"log10(%s)", y, math.Log10(y)},
		{"round(%s)", y, math.Round(y)},
		{"1.5^(%s)", y, math.Pow(1.5, y)},
	} {
		expression := fmt.Sprintf(tt.call, strconv.FormatFloat(tt.x, 'f', -1, 64))
		result, err := Eval(expression)
		got, _ := strconv.ParseFloat(result, 64)
		defined := !math.IsNaN(tt.result) && !math.IsInf(tt.result, 0)
		if (err == nil) != defined || defined && math.Abs(got-tt.result) > 1e-9*max(1, math.Abs(tt.result)) {
			t.Errorf("%s is %q, %v; want %v", expression, result, err, tt.result)
		}
	}
}

func BenchmarkHeavy(b *testing.B) {
	for i, text := range heavy {
		b.Run(strconv.Itoa(i), func(b *testing.B) {
			for b.Loop() {
				_, _ = Eval(text)
			}
		})
	}
}

func BenchmarkEval(b *testing.B) {
	for b.Loop() {
		if _, err := Eval("sqrt(3^2 + 4^2) * 1.19 - 7 % 3"); err != nil {
			b.Fatal(err)
		}
	}
}

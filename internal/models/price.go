package models

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// Money is an amount in picodollars: a million millions are one US dollar.
type Money int64

// PerMillion is a price of one US dollar for a million tokens: 2.5 * PerMillion is the
// price of one token at $2.50 per million.
const PerMillion = 1_000_000

// Dollar is one US dollar.
const Dollar Money = 1_000_000 * 1_000_000

// String returns the amount in dollars, such as "$0.0125": at least two decimals, and at
// most six.
func (m Money) String() string {
	sign := ""
	if m < 0 {
		sign, m = "-", -m
	}
	text := fmt.Sprintf("%d.%012d", m/Dollar, m%Dollar)
	whole, decimals, _ := strings.Cut(text, ".")
	decimals = strings.TrimRight(decimals[:6], "0")
	return sign + "$" + whole + "." + decimals + strings.Repeat("0", max(0, 2-len(decimals)))
}

// ParseMoney reads an amount of dollars, such as 0.50 or $0.50. It must not be negative,
// nor smaller than a picodollar.
func ParseMoney(text string) (Money, error) {
	number := strings.TrimPrefix(text, "$")
	if len(number) > maxAmount || strings.Trim(number, "0123456789.") != "" {
		return 0, fmt.Errorf("%q is no amount of US dollars, such as 0.50", text)
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, fmt.Errorf("%q is no amount of US dollars, such as 0.50", text)
	}
	r.Mul(r, new(big.Rat).SetInt64(int64(Dollar)))
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, fmt.Errorf("%q is too large or has too many decimals for an amount of US dollars", text)
	}
	return Money(r.Num().Int64()), nil
}

const maxAmount = 30 // characters

// OfMillion returns the price of a million tokens, such as "$2.50", for a price of one.
func (m Money) OfMillion() string {
	if m > math.MaxInt64/PerMillion {
		return "too much"
	}
	return (m * PerMillion).String()
}

// Prices are the prices of one token each.
type Prices struct {
	Input, Output Money
	CacheRead     Money // of input that was cached; 0 means as Input
	CacheWrite    Money // of input that is cached; 0 means as Input

	// Above is the number of input tokens beyond which Long holds for the whole request;
	// 0 means never.
	Above int
	Long  *Prices
}

// Tokens counts what a request costs. Input includes the cached ones.
type Tokens struct{ Input, CacheRead, CacheWrite, Output int }

// Cost returns the price of a request. It is the largest amount there is where it would
// be more than that.
func (p *Prices) Cost(t Tokens) Money {
	if p.Long != nil && p.Above > 0 && t.Input > p.Above {
		return p.Long.Cost(t)
	}
	read, write := min(max(t.CacheRead, 0), t.Input), max(t.CacheWrite, 0)
	write = min(write, t.Input-read)
	sum := Money(0)
	for _, part := range []struct {
		tokens int
		price  Money
	}{
		{t.Input - read - write, p.Input}, {read, or(p.CacheRead, p.Input)}, {write, or(p.CacheWrite, p.Input)}, {t.Output, p.Output},
	} {
		if part.tokens <= 0 || part.price <= 0 {
			continue
		}
		if part.price > (math.MaxInt64-sum)/Money(part.tokens) {
			return math.MaxInt64
		}
		sum += part.price * Money(part.tokens)
	}
	return sum
}

func or(price, otherwise Money) Money {
	if price == 0 {
		return otherwise
	}
	return price
}

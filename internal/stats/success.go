package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Success compares how often the cases succeed: the values are 1 and 0 (or a share
// between them, of several judges). One run a case and arm is compared by McNemar's
// exact test, repeated runs and groups as Means are.
func Success(pairs []Pair, alpha float64) *Difference {
	gained, lost, ok := discordant(pairs)
	if !ok {
		d := Means(pairs, alpha)
		unbounded := d.at
		d.at = func(alpha float64) (low, high float64) {
			if low, high = unbounded(alpha); math.IsInf(low, 0) {
				return low, high
			}
			return max(-1, low), min(1, high)
		}
		d.setLevel(alpha)
		return d
	}
	n := len(pairs)
	d := &Difference{Estimate: float64(gained-lost) / float64(max(n, 1)), P: McNemar(gained, lost), Method: "McNemar's exact test", Units: n}
	d.at = func(alpha float64) (low, high float64) {
		low, high = tango(gained, lost, n, alpha)
		if d.P > alpha { // the test decides about zero
			low, high = min(low, 0), max(high, 0)
		}
		return low, high
	}
	d.setLevel(alpha)
	return d
}

// discordant counts the cases that only B solves and those that only A solves. It
// reports false where the cases are not independent, single runs of 0 and 1.
func discordant(pairs []Pair) (gained, lost int, ok bool) {
	for _, p := range pairs {
		if p.Group != "" || len(p.A) != 1 || len(p.B) != 1 || !binary(p.A[0]) || !binary(p.B[0]) {
			return 0, 0, false
		}
		switch {
		case p.B[0] > p.A[0]:
			gained++
		case p.B[0] < p.A[0]:
			lost++
		}
	}
	return gained, lost, true
}

func binary(v float64) bool { return v == 0 || v == 1 }

// McNemar returns the exact two-sided p-value of the hypothesis that a case which
// one arm alone solves is as likely to be A's as B's.
func McNemar(gained, lost int) float64 {
	n := gained + lost
	if n == 0 {
		return 1
	}
	return min(1, 2*distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(min(gained, lost))))
}

// tango returns the score interval of the difference of two paired shares (Tango 1998).
func tango(gained, lost, n int, alpha float64) (low, high float64) {
	if n == 0 {
		return -1, 1
	}
	z := distuv.UnitNormal.Quantile(1 - alpha/2)
	cases, b, c := float64(n), float64(gained), float64(lost)
	rejected := func(delta float64) bool {
		u, v, w := 2*cases, -b-c+(2*cases-b+c)*delta, -c*delta*(1-delta)
		share := (math.Sqrt(max(0, v*v-4*u*w)) - v) / (2 * u)
		variance := cases * (2*share + delta*(1-delta))
		score := b - c - cases*delta
		return score*score > z*z*max(variance, 1e-12)
	}
	estimate := (b - c) / cases
	return border(estimate, -1, rejected), border(estimate, 1, rejected)
}

// border returns where the values that are not rejected end, from one that is not
// rejected towards the end of the range.
func border(kept, end float64, rejected func(float64) bool) float64 {
	if !rejected(end) {
		return end
	}
	for range 26 { // to 1e-8 of the range
		middle := (kept + end) / 2
		if rejected(middle) {
			end = middle
		} else {
			kept = middle
		}
	}
	return kept
}

// Wilson returns the interval of a share of successes in independent trials, whose number
// may be a fraction: see [Trials].
func Wilson(share, trials, alpha float64) (low, high float64) {
	if trials == 0 {
		return 0, 1
	}
	z := distuv.UnitNormal.Quantile(1 - alpha/2)
	center := (share + z*z/(2*trials)) / (1 + z*z/trials)
	half := z / (1 + z*z/trials) * math.Sqrt(share*(1-share)/trials+z*z/(4*trials*trials))
	return max(0, center-half), min(1, center+half)
}

// Trials returns for how many independent trials the cases count in an interval of the
// average of an arm. A case counts as one trial, however often it ran: its own share, between 0
// and 1, varies at most as much as a single run does. Groups count by their sizes as Kish
// has it for weights. So the interval is exact for single runs, and else rather too wide.
func Trials(pairs []Pair) float64 {
	sizes := map[string]float64{}
	var squares float64
	for _, p := range pairs {
		if p.Group == "" {
			squares++
		} else {
			sizes[p.Group]++
		}
	}
	for _, size := range sizes {
		squares += size * size
	}
	if squares == 0 {
		return 0
	}
	n := float64(len(pairs))
	return n * n / squares
}

// Power returns how likely McNemar's exact test is to show the difference delta
// (0 to 1) with n cases, if besides it the share chance of the cases flips in each
// of both directions.
func Power(n int, delta, chance, alpha float64) float64 {
	flips := min(1, 2*chance+delta)
	if flips <= 0 {
		return 0
	}
	gain := min(1, (chance+delta)/flips)
	var power float64
	for k := range n + 1 {
		weight := binomial(n, flips, k)
		if weight < 1e-12 {
			continue
		}
		for lost := 0; 2*lost <= k && McNemar(k-lost, lost) <= alpha; lost++ {
			power += weight * binomial(k, gain, k-lost)
			if 2*lost != k {
				power += weight * binomial(k, gain, lost)
			}
		}
	}
	return power
}

// binomial returns how likely k of n trials succeed that do so with the probability p.
func binomial(n int, p float64, k int) float64 {
	if p <= 0 || p >= 1 { // the logarithms of distuv give NaN
		if p <= 0 && k == 0 || p >= 1 && k == n {
			return 1
		}
		return 0
	}
	return distuv.Binomial{N: float64(n), P: p}.Prob(float64(k))
}

// CasesFor returns how many cases it takes to show the difference delta with the
// given power, at most limit; false if that is not enough.
func CasesFor(delta, chance, power, alpha float64, limit int) (int, bool) {
	low, high := 0, 8
	for high < limit && Power(high, delta, chance, alpha) < power {
		low, high = high, min(2*high, limit)
	}
	if Power(high, delta, chance, alpha) < power {
		return limit, false
	}
	for low+1 < high {
		if middle := (low + high) / 2; Power(middle, delta, chance, alpha) < power {
			low = middle
		} else {
			high = middle
		}
	}
	return high, true
}

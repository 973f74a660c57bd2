package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Medians compares times, costs and other amounts with a few very large ones: the
// estimate is the median of the units' differences, each the median of its cases'
// and theirs of their runs. The sign test and its interval are exact.
func Medians(pairs []Pair, alpha float64) *Difference {
	all := units(pairs, median)
	values := make([]float64, len(all))
	for i, u := range all {
		values[i] = median(u.values)
	}
	slices.Sort(values)
	d := &Difference{Units: len(all), Method: "sign test", P: signTest(values)}
	if len(values) > 0 {
		d.Estimate = median(values)
	}
	d.at = func(alpha float64) (low, high float64) { return orderInterval(values, alpha) }
	d.setLevel(alpha)
	return d
}

func median(values []float64) float64 { return Quantile(values, 0.5) }

// signTest returns the exact p-value of the hypothesis that the median is zero.
// Values that are zero speak for it: they count half for each side.
func signTest(sorted []float64) float64 {
	var below, above int
	for _, v := range sorted {
		switch {
		case v < 0:
			below++
		case v > 0:
			above++
		}
	}
	fewer := len(sorted) - max(below, above)
	if len(sorted) == 0 {
		return 1
	}
	return min(1, 2*distuv.Binomial{N: float64(len(sorted)), P: 0.5}.CDF(float64(fewer)))
}

// orderInterval returns the narrowest interval between two of the values that
// holds the median with an error rate of at most alpha.
func orderInterval(sorted []float64, alpha float64) (low, high float64) {
	n := len(sorted)
	sign := distuv.Binomial{N: float64(n), P: 0.5}
	skip := 0 // values that may lie outside on each side
	for skip < n/2 && 2*sign.CDF(float64(skip)) <= alpha {
		skip++
	}
	if skip == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	return sorted[skip-1], sorted[n-skip]
}

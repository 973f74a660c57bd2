// Package stats says what measurements in pairs show: the same cases, run with
// two versions of something, called the arms A and B.
//
// The case is the unit. What repeated runs of a case gave is averaged before
// anything else, and cases of one group (variants of one text, say) count as one
// unit that is drawn, or exchanged, as a whole. A difference is always B minus A.
// Its verdict and its interval come from one method, so they never contradict
// each other; what is random has a fixed seed.
package stats

import (
	"math"
	"slices"
)

// A Pair is what one case gave in both arms.
type Pair struct {
	Group string    // the group of cases it belongs to; "" if it is alone
	A, B  []float64 // a value for each run, at least one
}

// A Difference is what B has more than A, in the unit of the values.
type Difference struct {
	Estimate  float64
	Low, High float64 // the interval at Level; infinite where there are too few cases
	Level     float64 // of the interval: 0.95, or more if several measures were adjusted by Holm
	P         float64 // the two-sided p-value, not adjusted
	Method    string
	Units     int // groups, and cases without a group
	at        func(alpha float64) (low, high float64)
}

// Shown reports whether the interval excludes zero.
func (d *Difference) Shown() bool { return d.Low > 0 || d.High < 0 }

// setLevel computes the interval that has the error rate alpha.
func (d *Difference) setLevel(alpha float64) {
	d.Level = 1 - alpha
	d.Low, d.High = d.at(alpha)
}

// Holm adjusts the intervals of several measures, so that the chance that any of
// them shows a difference where there is none is at most alpha: a measure is
// Shown afterwards exactly if Holm's procedure rejects it.
func Holm(differences []*Difference, alpha float64) {
	ordered := slices.Clone(differences)
	slices.SortStableFunc(ordered, func(a, b *Difference) int {
		switch {
		case a.P < b.P:
			return -1
		case a.P > b.P:
			return 1
		}
		return 0
	})
	step, rejecting := alpha, true
	for i, d := range ordered {
		if rejecting {
			step = alpha / float64(len(ordered)-i)
		}
		d.setLevel(step)
		rejecting = rejecting && d.Shown()
	}
}

// Mean returns the average of values, 0 if there are none.
func Mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Quantile returns the value below which the share q of the values lies, linear
// between two of them; NaN if there are none.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	below := int(at)
	if below+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[below] + (at-float64(below))*(sorted[below+1]-sorted[below])
}

// A unit is what is independent of the rest: a group, or a case without one.
type unit struct {
	values []float64 // the differences of its cases
}

func (u unit) sum() float64 { return Mean(u.values) * float64(len(u.values)) }

// units returns the differences of the cases, by unit, in the order of the cases.
func units(pairs []Pair, summary func([]float64) float64) []unit {
	var all []unit
	groups := map[string]int{}
	for _, p := range pairs {
		i, known := groups[p.Group]
		if p.Group == "" || !known {
			i = len(all)
			all = append(all, unit{})
			groups[p.Group] = i
		}
		all[i].values = append(all[i].values, summary(p.B)-summary(p.A))
	}
	return all
}

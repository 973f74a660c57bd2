package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

const (
	draws        = 10_000 // of the bootstrap, and of exchanges that are too many to try all
	fewUnits     = 50     // below this, the bootstrap is not trusted
	exactUnits   = 13     // up to this, all 2^n exchanges are tried
	seedOfDraws  = 20261122
	seedOfStream = 1
)

func newRandom() *rand.Rand { return rand.New(rand.NewPCG(seedOfDraws, seedOfStream)) }

// Means compares the averages of the cases: with fewer than 50 units by exchanging
// the arms of each unit at random (a sign-flip test), with more by a bootstrap of
// pairs, widened as Hesterberg (2015) proposes.
func Means(pairs []Pair, alpha float64) *Difference {
	all := units(pairs, Mean)
	d := &Difference{Units: len(all)}
	for _, u := range all {
		d.Estimate += u.sum() / float64(len(pairs))
	}
	if len(all) < fewUnits {
		flips := newFlips(all)
		d.Method, d.P, d.at = "sign-flip test", flips.p(0), flips.interval
	} else {
		means := bootstrap(all)
		d.Method, d.P, d.at = "paired bootstrap, percentile interval", means.p(), means.interval
	}
	d.setLevel(alpha)
	return d
}

// flips holds what exchanging the arms of units gives: the sum of the differences,
// and how many cases keep their sign less those that change it. The first exchange
// is the one that was observed.
type flips struct {
	sums, cases []float64
}

func newFlips(all []unit) *flips {
	f := &flips{}
	n := len(all)
	add := func(flipped func(i int) bool) {
		var sum, cases float64
		for i, u := range all {
			if flipped(i) {
				sum, cases = sum-u.sum(), cases-float64(len(u.values))
			} else {
				sum, cases = sum+u.sum(), cases+float64(len(u.values))
			}
		}
		f.sums, f.cases = append(f.sums, sum), append(f.cases, cases)
	}
	if n <= exactUnits {
		for set := range 1 << n {
			add(func(i int) bool { return set>>i&1 == 1 })
		}
		return f
	}
	random := newRandom()
	add(func(int) bool { return false })
	for range draws {
		set := random.Uint64() // n is below 64
		add(func(i int) bool { return bits.RotateLeft64(set, -i)&1 == 1 })
	}
	return f
}

// p returns how likely exchanges are to differ from shift at least as much as what
// was observed, if shift is the true difference.
func (f *flips) p(shift float64) float64 {
	observed := math.Abs(f.sums[0] - shift*f.cases[0])
	observed -= 1e-9 * observed // rounding
	var as int
	for i, sum := range f.sums {
		if math.Abs(sum-shift*f.cases[i]) >= observed {
			as++
		}
	}
	return float64(as) / float64(len(f.sums))
}

// interval returns the shifts that the test does not reject at alpha.
func (f *flips) interval(alpha float64) (low, high float64) {
	if len(f.sums) == 0 || f.cases[0] == 0 || 2/float64(len(f.sums)) > alpha {
		return math.Inf(-1), math.Inf(1)
	}
	estimate := f.sums[0] / f.cases[0]
	width := math.Abs(estimate)
	for i, sum := range f.sums { // beyond the widest exchange nothing is kept
		if f.cases[i] != f.cases[0] {
			width = max(width, math.Abs(sum-f.sums[0])/math.Abs(f.cases[0]-f.cases[i]))
		}
	}
	rejected := func(shift float64) bool { return f.p(shift) <= alpha }
	low, high = border(estimate, estimate-4*width-1e-9, rejected), border(estimate, estimate+4*width+1e-9, rejected)
	if !rejected(0) { // a border at zero is found only nearly
		low, high = min(low, 0), max(high, 0)
	}
	return low, high
}

// resampled holds the sorted means of samples of units, and how many units there are.
type resampled struct {
	means []float64
	units int
}

func bootstrap(all []unit) *resampled {
	random := newRandom()
	b := &resampled{make([]float64, draws), len(all)}
	sums, cases := make([]float64, len(all)), make([]float64, len(all))
	for i, u := range all {
		sums[i], cases[i] = u.sum(), float64(len(u.values))
	}
	for i := range b.means {
		var sum, n float64
		for range all {
			j := random.IntN(len(all))
			sum, n = sum+sums[j], n+cases[j]
		}
		b.means[i] = sum / n
	}
	slices.Sort(b.means)
	return b
}

// widening is what makes a percentile interval as wide as one with Student's t.
func (b *resampled) widening() float64 {
	n := float64(b.units)
	return math.Sqrt(n / (n - 1))
}

func (b *resampled) student() distuv.StudentsT {
	return distuv.StudentsT{Sigma: 1, Nu: float64(b.units - 1)}
}

func (b *resampled) interval(alpha float64) (low, high float64) {
	tail := distuv.UnitNormal.CDF(b.widening() * b.student().Quantile(alpha/2))
	k := int(tail * draws)
	return b.means[k], b.means[draws-1-k]
}

// p returns the alpha at which the interval begins to exclude zero.
func (b *resampled) p() float64 {
	below, _ := slices.BinarySearch(b.means, 0)
	above := draws - below
	for i := below; i < draws && b.means[i] == 0; i++ {
		below++
	}
	tail := (float64(min(below, above)) + 1) / (draws + 1)
	return min(1, 2*b.student().CDF(distuv.UnitNormal.Quantile(tail)/b.widening()))
}

package stats

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// binaryPairs returns pairs of which both, B alone, A alone and none solve so many.
func binaryPairs(both, gained, lost, none int) []Pair {
	var pairs []Pair
	for i, n := range []int{both, gained, lost, none} {
		for range n {
			pairs = append(pairs, Pair{A: []float64{[]float64{1, 0, 1, 0}[i]}, B: []float64{[]float64{1, 1, 0, 0}[i]}})
		}
	}
	return pairs
}

func near(t *testing.T, what string, got, want, most float64) {
	t.Helper()
	if !(math.Abs(got-want) <= most) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestPublishedExamples checks against figures that were published or that follow
// from the definition.
func TestPublishedExamples(t *testing.T) {
	low, high := tango(1, 7, 21, 0.05) // airway reactivity, in Fagerland, Lydersen and Laake 2014
	near(t, "Tango's low", low, -0.517, 5e-4)
	near(t, "Tango's high", high, -0.026, 5e-4)
	near(t, "exact McNemar 1, 7", McNemar(1, 7), 0.0703, 5e-5)
	near(t, "exact McNemar 12, 2", McNemar(12, 2), 212.0/16384, 1e-12)
	low, high = Wilson(81.0/263, 263, 0.05) // Newcombe 1998
	near(t, "Wilson 81 of 263, low", low, 0.2553, 5e-5)
	near(t, "Wilson 81 of 263, high", high, 0.3662, 5e-5)
	low, high = Wilson(0, 20, 0.05)
	near(t, "Wilson 0 of 20, low", low, 0, 0)
	near(t, "Wilson 0 of 20, high", high, 0.1611, 5e-5)
	// Fisher's pots of maize: 15 pairs; 863 of 32,768 exchanges give a sum as large
	// as 314 on one side, 1,726 on both.
	var pots []Pair
	for _, d := range []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48} {
		pots = append(pots, Pair{A: []float64{0}, B: []float64{d}})
	}
	near(t, "Fisher's maize", Means(pots, 0.05).P, 1726.0/32768, 0.006)
	near(t, "Fisher's maize, median", Medians(pots, 0.05).Estimate, 24, 0)
	near(t, "sign test, 2 of 15", Medians(pots, 0.05).P, 2*121.0/32768, 1e-12)
	for _, power := range []struct {
		n           int
		delta, want float64
	}{{20, 0.2, 0.19}, {50, 0.1, 0.24}, {50, 0.2, 0.69}, {50, 0.3, 0.94}, {200, 0.1, 0.88}, {100, 0, 0.02}} {
		near(t, fmt.Sprint("power of ", power.n, " cases, difference ", power.delta), Power(power.n, power.delta, 0.05, 0.05), power.want, 0.02)
	}
	for _, chance := range []float64{0, 0.4, 0.5, 1} {
		if p := Power(8, 0.2, chance, 0.05); !(p >= 0 && p <= 1+1e-9) {
			t.Errorf("power with a chance of %v: %v", chance, p)
		}
	}
	n, ok := CasesFor(0.2, 0.05, 0.8, 0.05, 10_000)
	if !ok || Power(n, 0.2, 0.05, 0.05) < 0.8 || Power(n-1, 0.2, 0.05, 0.05) >= 0.8 {
		t.Errorf("%d cases, %v", n, ok)
	}
	if n, ok := CasesFor(0.001, 0.05, 0.8, 0.05, 500); ok || n != 500 {
		t.Errorf("%d cases suffice, %v", n, ok)
	}
}

// TestVerdictAndIntervalAgree tries all small tables.
func TestVerdictAndIntervalAgree(t *testing.T) {
	for gained := range 25 {
		for lost := range 25 {
			d := Success(binaryPairs(3, gained, lost, 4), 0.05)
			if d.Shown() != (d.P <= 0.05) {
				t.Errorf("%d gained, %d lost: p %v, interval %v to %v", gained, lost, d.P, d.Low, d.High)
			}
			if d.Low > d.Estimate || d.High < d.Estimate || d.Low < -1 || d.High > 1 {
				t.Errorf("%d gained, %d lost: %v in %v to %v", gained, lost, d.Estimate, d.Low, d.High)
			}
		}
	}
	for gained := range 10 { // of ten cases that ran twice: borders at zero
		pairs := binaryPairs(10-gained, gained, 0, 0)
		for i := range pairs {
			pairs[i].A, pairs[i].B = append(pairs[i].A, pairs[i].A[0]), append(pairs[i].B, pairs[i].B[0])
		}
		if d := Success(pairs, 0.05); d.Shown() != (d.P <= 0.05) {
			t.Errorf("%d of ten gained: p %v, interval %v to %v", gained, d.P, d.Low, d.High)
		}
	}
	for n := range 120 {
		random := rand.New(rand.NewPCG(uint64(n), 3))
		var pairs []Pair
		for range n {
			pairs = append(pairs, Pair{A: []float64{random.NormFloat64()}, B: []float64{random.NormFloat64() + 0.3}})
		}
		for _, d := range []*Difference{Means(pairs, 0.05), Medians(pairs, 0.05)} {
			if d.Shown() != (d.P <= 0.05) || d.Low > d.Estimate || d.High < d.Estimate {
				t.Errorf("%d cases, %s: p %v, %v in %v to %v", n, d.Method, d.P, d.Estimate, d.Low, d.High)
			}
		}
	}
}

// A world draws a case of which B is better by the difference.
type world struct {
	name       string
	difference float64
	compare    func([]Pair, float64) *Difference
	pairs      func(random *rand.Rand, n int, difference float64) []Pair
}

var worlds = []world{
	{"single runs, no difference", 0, Success, singleRuns},
	{"single runs", 0.2, Success, singleRuns},
	{"three runs, no difference", 0, Success, repeatedRuns},
	{"three runs", 0.15, Success, repeatedRuns},
	{"groups, no difference", 0, Success, groupedRuns},
	{"groups", 0.1, Success, groupedRuns},
	{"times, no difference", 0, Medians, times},
	{"times", 0.3, Medians, times},
}

// singleRuns draws cases of which a tenth flips in each direction for nothing.
func singleRuns(random *rand.Rand, n int, difference float64) []Pair {
	pairs := make([]Pair, n)
	for i := range pairs {
		a, b := 1.0, 1.0
		switch u := random.Float64(); {
		case u < 0.1:
			b = 0
		case u < 0.2+difference:
			a = 0
		case u < 0.5+difference/2:
			a, b = 0, 0
		}
		pairs[i] = Pair{A: []float64{a}, B: []float64{b}}
	}
	return pairs
}

// runsOf draws three runs an arm of a case that A solves with the probability p.
func runsOf(random *rand.Rand, p, difference float64) Pair {
	var pair Pair
	for range 3 {
		pair.A = append(pair.A, b2f(random.Float64() < p))
		pair.B = append(pair.B, b2f(random.Float64() < p+difference))
	}
	return pair
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func repeatedRuns(random *rand.Rand, n int, difference float64) []Pair {
	pairs := make([]Pair, n)
	for i := range pairs {
		pairs[i] = runsOf(random, random.Float64()*(1-difference), difference)
	}
	return pairs
}

// groupedRuns draws groups of one to three cases, in which B is better or worse by
// chance; n is the number of groups.
func groupedRuns(random *rand.Rand, n int, difference float64) []Pair {
	var pairs []Pair
	for g := range n {
		luck := 0.2 * (2*random.Float64() - 1)
		for range 1 + random.IntN(3) {
			pair := runsOf(random, 0.3+0.2*random.Float64(), difference+luck)
			pair.Group = fmt.Sprint("g", g)
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// times draws seconds with a few very long ones: the median differs by the difference.
func times(random *rand.Rand, n int, difference float64) []Pair {
	pairs := make([]Pair, n)
	for i := range pairs {
		base := math.Exp(random.NormFloat64())
		noise := random.NormFloat64()
		pairs[i] = Pair{A: []float64{base}, B: []float64{base + difference + 0.5*noise*math.Abs(noise)}}
	}
	return pairs
}

// simulated is how many comparisons of each sort are simulated: few, since all of them
// run with every other test.
var simulated = flag.Int("comparisons", 80, "how many comparisons of each sort are simulated")

// TestFalseAlarmsAndCoverage simulates. Where there is no difference, at most 5 %
// of the comparisons may show one; with 50 cases and more, the interval must hold
// the true difference in 93 to 97 % of them. What is tested is that the counts do
// not contradict this; with -comparisons 4000 they were 0.1 to 5.2 % and 94.7 to 97.0 %,
// which -v shows.
func TestFalseAlarmsAndCoverage(t *testing.T) {
	comparisons := *simulated
	most := func(share float64) int { // the count that only one in 1,000 such simulations exceeds
		n := 0
		for distribution := (distuv.Binomial{N: float64(comparisons), P: share}); distribution.CDF(float64(n)) < 0.999; n++ {
		}
		return n
	}
	for _, w := range worlds {
		for _, n := range []int{20, 60} {
			t.Run(fmt.Sprintf("%s/%d", w.name, n), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(uint64(n), uint64(len(w.name))))
				var missed, shown int
				for range comparisons {
					d := w.compare(w.pairs(random, n, w.difference), 0.05)
					if d.Low > w.difference+1e-9 || w.difference-1e-9 > d.High {
						missed++
					}
					if d.Shown() {
						shown++
					}
				}
				t.Logf("shown %.1f %%, held %.1f %%", 100*float64(shown)/float64(comparisons), 100-100*float64(missed)/float64(comparisons))
				if w.difference == 0 && shown > most(0.05) {
					t.Errorf("%d of %d false alarms", shown, comparisons)
				}
				if w.difference != 0 && n >= 50 && (missed > most(0.07) || comparisons-missed > most(0.97)) {
					t.Errorf("the interval misses the difference in %d of %d", missed, comparisons)
				}
			})
		}
	}
}

// TestIntervalsOfAnArm simulates an arm that solves 30 % of the cases, each always or never,
// which is the worst for repeated runs and for groups: the interval of 60 must hold the
// share in 93 % at least.
func TestIntervalsOfAnArm(t *testing.T) {
	const share, sets = 0.3, 500
	for name, most := range map[string]int{"alone": 1, "groups of one to four": 4} {
		random := rand.New(rand.NewPCG(1, uint64(most)))
		missed := 0
		for range sets {
			var pairs []Pair
			var sum float64
			for g := range 60 {
				solved := b2f(random.Float64() < share)
				for range 1 + random.IntN(most) {
					pair := Pair{A: []float64{solved, solved, solved}}
					if most > 1 {
						pair.Group = fmt.Sprint(g)
					}
					pairs = append(pairs, pair)
					sum += solved
				}
			}
			if low, high := Wilson(sum/float64(len(pairs)), Trials(pairs), 0.05); low > share || high < share {
				missed++
			}
		}
		if missed > sets*7/100 {
			t.Errorf("%s: %d of %d miss the share", name, missed, sets)
		}
	}
	if n := Trials([]Pair{{}, {}, {Group: "x"}, {Group: "x"}}); n != 16.0/6 {
		t.Errorf("two cases alone and two of a group count as %v", n)
	}
}

func TestHolm(t *testing.T) {
	strong, weak, none := Success(binaryPairs(10, 20, 2, 10), 0.05), Success(binaryPairs(10, 12, 3, 10), 0.05), Success(binaryPairs(10, 6, 5, 10), 0.05)
	if !strong.Shown() || !weak.Shown() || none.Shown() {
		t.Fatal("alone: ", strong.P, weak.P, none.P)
	}
	Holm([]*Difference{weak, none, strong}, 0.05)
	if !strong.Shown() || weak.Shown() || none.Shown() {
		t.Errorf("adjusted: %+v, %+v, %+v", strong, weak, none) // 0.035 is more than 0.05/2
	}
	near(t, "level of the first", strong.Level, 1-0.05/3, 1e-12)
	near(t, "level of the second", weak.Level, 1-0.05/2, 1e-12)
	near(t, "level after the first that is kept", none.Level, 1-0.05/2, 1e-12)
}

func TestSequenceMayBeStoppedAtAnyTime(t *testing.T) {
	var wrong, found int
	const runs = 300
	for run := range runs {
		random := rand.New(rand.NewPCG(uint64(run), 9))
		same, better := NewSequence(0.05), NewSequence(0.05)
		for range 400 {
			same.Add(singleRuns(random, 1, 0)[0].difference())
			better.Add(singleRuns(random, 1, 0.3)[0].difference())
		}
		if low, high := same.Interval(); low > 0 || high < 0 {
			wrong++
		}
		if low, _ := better.Interval(); low > 0 {
			found++
		}
	}
	if wrong > runs/20 || found < runs*9/10 {
		t.Errorf("%d of %d false alarms, %d found", wrong, runs, found)
	}
}

func (p Pair) difference() float64 { return Mean(p.B) - Mean(p.A) }

func TestFewOrStrangeValues(t *testing.T) {
	none := []Pair{}
	one := []Pair{{A: []float64{1}, B: []float64{2}}}
	same := make([]Pair, 80)
	for i := range same {
		same[i] = Pair{A: []float64{3}, B: []float64{3}}
	}
	for _, pairs := range [][]Pair{none, one, same} {
		for _, compare := range []func([]Pair, float64) *Difference{Success, Means, Medians} {
			if d := compare(pairs, 0.05); d.Shown() || math.IsNaN(d.Estimate) || math.IsNaN(d.Low) || math.IsNaN(d.High) || math.IsNaN(d.P) {
				t.Errorf("%d cases: %+v", len(pairs), d)
			}
		}
	}
	if Quantile([]float64{4, 1, 3, 2}, 0.5) != 2.5 || !math.IsNaN(Quantile(nil, 0.5)) || Quantile([]float64{1}, 1) != 1 {
		t.Error("quantiles")
	}
}

package stats

import "math"

// A Sequence is a confidence sequence of the mean of values between -1 and 1, one
// after another: with the chance of its level, the mean lies in all intervals at
// once, so that one may stop at any time because of what they show. (The predictable
// plug-in of Waudby-Smith and Ramdas, 2024, with empirical Bernstein bounds.)
type Sequence struct {
	alpha     float64
	n         float64
	sum       float64 // of the values, moved to 0 to 1
	squares   float64 // of their distances from the mean before
	bets      float64
	weighted  float64
	penalty   float64
	low, high float64
}

// NewSequence returns a sequence with the error rate alpha.
func NewSequence(alpha float64) *Sequence {
	return &Sequence{alpha: alpha, low: -1, high: 1}
}

// Add adds a value, which must not depend on the values to come.
func (s *Sequence) Add(value float64) {
	x := (max(-1, min(1, value)) + 1) / 2
	mean := (0.5 + s.sum) / (s.n + 1)
	variance := (0.25 + s.squares) / (s.n + 1)
	s.n++
	bet := min(0.5, math.Sqrt(2*math.Log(2/s.alpha)/(variance*s.n*math.Log(1+s.n))))
	s.bets += bet
	s.weighted += bet * x
	s.penalty += 4 * (x - mean) * (x - mean) * (-math.Log(1-bet) - bet) / 4
	s.sum += x
	after := (0.5 + s.sum) / (s.n + 1)
	s.squares += (x - after) * (x - after)
	center, half := s.weighted/s.bets, (math.Log(2/s.alpha)+s.penalty)/s.bets
	s.low, s.high = max(s.low, 2*(center-half)-1), min(s.high, 2*(center+half)-1)
}

// Interval returns the interval so far.
func (s *Sequence) Interval() (low, high float64) { return s.low, s.high }

package comparison

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gram-lang/gramc/internal/stats"
	"github.com/gram-lang/gramc/internal/visible"
)

// A Report is what results show.
type Report struct {
	Plan      Plan       `json:"plan"`
	Verdict   string     `json:"verdict"`
	Cases     int        `json:"cases"` // that ran with both arms
	Runs      int        `json:"runs"`
	Left      int        `json:"left,omitempty"` // cases that ran with one arm only
	Level     float64    `json:"level"`
	Success   Measure    `json:"success"`
	Measures  []Measure  `json:"measures"`
	Flipped   []Flip     `json:"flipped"`
	Broken    []string   `json:"broken,omitempty"` // cases that must hold, and do with A alone
	Dots      []Dot      `json:"cases_by_name"`
	Threshold *Threshold `json:"seen,omitempty"`
}

// A Measure is what the arms have of something, and the difference between them.
type Measure struct {
	Name    string      `json:"name"`
	Unit    string      `json:"unit,omitempty"`
	A       Summary     `json:"a"`
	B       Summary     `json:"b"`
	Between *Difference `json:"difference"`
	values  [2][]float64
}

// A Summary is what one arm has: the share of successes with its interval, or the
// median with the 90th percentile.
type Summary struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"` // of the share, by Wilson's method
	High  *float64 `json:"high,omitempty"`
	P90   *float64 `json:"p90,omitempty"`
}

// A Difference is B minus A.
type Difference struct {
	Estimate float64  `json:"estimate"`
	Low      *float64 `json:"low"` // nil where there are too few cases for an interval
	High     *float64 `json:"high"`
	Level    float64  `json:"level"`
	P        *float64 `json:"p,omitempty"` // not adjusted; a confidence sequence has none
	Shown    bool     `json:"shown"`
	Method   string   `json:"method"`
	Units    int      `json:"units"`
}

// A Flip is a case that one arm solves more often than the other.
type Flip struct {
	Case    string  `json:"case"`
	A       float64 `json:"a"` // the share of its runs that succeed
	B       float64 `json:"b"`
	Failure string  `json:"failure"`           // the first of the arm that is worse
	TraceA  string  `json:"trace_a,omitempty"` // the files of the runs that differ
	TraceB  string  `json:"trace_b,omitempty"`
	PageA   string  `json:"page_a,omitempty"` // the same as pages
	PageB   string  `json:"page_b,omitempty"`
}

// A Dot is a case: the share of its runs that succeed, and the median of the seconds.
type Dot struct {
	Case     string  `json:"case"`
	A        float64 `json:"a"`
	B        float64 `json:"b"`
	SecondsA float64 `json:"seconds_a"`
	SecondsB float64 `json:"seconds_b"`
}

// A Threshold is the difference that so many cases would have shown with that chance.
type Threshold struct {
	Difference float64 `json:"difference"`
	Power      float64 `json:"power"`
}

// Alpha is the chance that a difference is shown where there is none.
const Alpha = 0.05

// usualDifference and usualChance are what a report without a difference, and a plan,
// speak of: 20 points, and a twentieth of the cases that flips in each direction by
// chance.
const (
	usualDifference = 0.2
	usualChance     = 0.05
)

// A measured thing besides success.
type measured struct {
	name, unit string
	of         func(*Outcome) (float64, bool)
}

var measures = []measured{
	{"time", "s", func(o *Outcome) (float64, bool) { return o.Seconds, true }},
	{"cost", "$", func(o *Outcome) (float64, bool) {
		if o.Cost == nil {
			return 0, false
		}
		return *o.Cost, true
	}},
	{"tokens", "", func(o *Outcome) (float64, bool) { return float64(o.Tokens), true }},
	{"requests", "", func(o *Outcome) (float64, bool) { return float64(o.Requests), true }},
	{"calls", "", func(o *Outcome) (float64, bool) { return float64(o.Calls), true }},
}

// A caseOf has the outcomes of a case by arm, in the order of the runs.
type caseOf struct {
	name, group string
	mustHold    bool
	a, b        []*Outcome
}

// cases returns the cases that ran with both arms, in their order, and how many did
// not.
func (r *Results) cases() (both []*caseOf, left int) {
	byName := map[string]*caseOf{}
	var all []*caseOf
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		c := byName[o.Case]
		if c == nil {
			c = &caseOf{name: o.Case, group: o.Group, mustHold: o.MustHold}
			byName[o.Case] = c
			all = append(all, c)
		}
		if o.Arm == A {
			c.a = append(c.a, o)
		} else {
			c.b = append(c.b, o)
		}
	}
	for _, c := range all {
		if len(c.a) == 0 || len(c.b) == 0 {
			left++
			continue
		}
		both = append(both, c)
	}
	slices.SortFunc(both, func(x, y *caseOf) int { return cmp.Compare(x.name, y.name) })
	return both, left
}

// scores returns the score of each outcome.
func scores(list []*Outcome) []float64 {
	values, _ := valuesOf(list, func(o *Outcome) (float64, bool) { return o.Score, true })
	return values
}

// valuesOf returns a value of each outcome; false if one has none.
func valuesOf(list []*Outcome, of func(*Outcome) (float64, bool)) (values []float64, ok bool) {
	for _, o := range list {
		v, ok := of(o)
		if !ok {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}

// Report says what the results show. The verdict is about success alone; the other
// measures are adjusted by Holm among themselves.
func (r *Results) Report() *Report {
	cases, left := r.cases()
	report := &Report{Plan: r.Plan, Cases: len(cases), Runs: len(r.Outcomes), Left: left, Level: 1 - Alpha, Measures: []Measure{}, Flipped: []Flip{}, Dots: []Dot{}}
	report.Success = successOf(cases)
	var differences []*stats.Difference
	for _, m := range measures {
		if measure, d := measureOf(cases, m); d != nil {
			report.Measures = append(report.Measures, measure)
			differences = append(differences, d)
		}
	}
	stats.Holm(differences, Alpha)
	for i, d := range differences {
		report.Measures[i].Between = newDifference(d)
	}
	for _, c := range cases {
		report.addCase(c)
	}
	report.Threshold = threshold(cases, report.Success.Between.Units)
	report.Verdict = report.verdict()
	return report
}

func successOf(cases []*caseOf) Measure {
	var pairs []stats.Pair
	var a, b []float64
	for _, c := range cases {
		pair := stats.Pair{Group: c.group, A: scores(c.a), B: scores(c.b)}
		pairs = append(pairs, pair)
		a, b = append(a, stats.Mean(pair.A)), append(b, stats.Mean(pair.B))
	}
	return Measure{Name: "success", A: share(a, pairs), B: share(b, pairs), Between: newDifference(stats.Success(pairs, Alpha)), values: [2][]float64{a, b}}
}

// share returns the average of the cases with its interval.
func share(values []float64, pairs []stats.Pair) Summary {
	s := Summary{Value: stats.Mean(values)}
	low, high := stats.Wilson(s.Value, stats.Trials(pairs), Alpha)
	s.Low, s.High = &low, &high
	return s
}

// measureOf compares something that is known of all runs and not the same in all.
func measureOf(cases []*caseOf, m measured) (Measure, *stats.Difference) {
	var pairs []stats.Pair
	var a, b []float64
	same := true
	for _, c := range cases {
		pair := stats.Pair{Group: c.group}
		var knownA, knownB bool
		pair.A, knownA = valuesOf(c.a, m.of)
		pair.B, knownB = valuesOf(c.b, m.of)
		if !knownA || !knownB {
			return Measure{}, nil
		}
		pairs = append(pairs, pair)
		a, b = append(a, stats.Quantile(pair.A, 0.5)), append(b, stats.Quantile(pair.B, 0.5))
		same = same && a[len(a)-1] == a[0] && b[len(b)-1] == a[0]
	}
	if same {
		return Measure{}, nil
	}
	return Measure{Name: m.name, Unit: m.unit, A: middle(a), B: middle(b), values: [2][]float64{a, b}}, stats.Medians(pairs, Alpha)
}

func middle(values []float64) Summary {
	p90 := stats.Quantile(values, 0.9)
	return Summary{Value: stats.Quantile(values, 0.5), P90: &p90}
}

func newDifference(d *stats.Difference) *Difference {
	return &Difference{d.Estimate, finite(d.Low), finite(d.High), d.Level, &d.P, d.Shown(), d.Method, d.Units}
}

func finite(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// addCase adds a case to the lists.
func (r *Report) addCase(c *caseOf) {
	d := Dot{Case: c.name, A: stats.Mean(scores(c.a)), B: stats.Mean(scores(c.b)), SecondsA: seconds(c.a), SecondsB: seconds(c.b)}
	r.Dots = append(r.Dots, d)
	if d.A != d.B {
		a, b := c.telling(d.B > d.A)
		worse, all := a, c.a
		if d.B < d.A {
			worse, all = b, c.b
		}
		f := Flip{Case: c.name, A: d.A, B: d.B, Failure: worse.Failure, TraceA: a.Trace, TraceB: b.Trace}
		for _, o := range all {
			f.Failure = cmp.Or(f.Failure, o.Failure)
		}
		r.Flipped = append(r.Flipped, f)
	}
	if c.mustHold && r.Plan.Judge == "" && d.B < 0.5 && d.A >= 0.5 {
		r.Broken = append(r.Broken, c.name)
	}
}

// telling returns a run with each arm, of the same number if there are such, in which the
// better arm did better.
func (c *caseOf) telling(bIsBetter bool) (a, b *Outcome) {
	for _, a := range c.a {
		for _, b := range c.b {
			if a.Run == b.Run && a.Score != b.Score && (b.Score > a.Score) == bIsBetter {
				return a, b
			}
		}
	}
	return c.a[0], c.b[0]
}

func seconds(list []*Outcome) float64 {
	values, _ := valuesOf(list, measures[0].of)
	return stats.Quantile(values, 0.5)
}

// threshold returns how likely a difference of 20 points would have been shown by so many
// independent cases that ran once, if as large a share of the cases flips by chance as the
// fewer of those that flipped did.
func threshold(cases []*caseOf, units int) *Threshold {
	gained, lost := 0, 0
	for _, c := range cases {
		switch d := stats.Mean(scores(c.b)) - stats.Mean(scores(c.a)); {
		case d > 0:
			gained++
		case d < 0:
			lost++
		}
	}
	if len(cases) == 0 {
		return nil
	}
	chance := min(max(usualChance, float64(min(gained, lost))/float64(len(cases))), (1-usualDifference)/2)
	return &Threshold{usualDifference, stats.Power(units, usualDifference, chance, Alpha)}
}

// Sure puts the interval of a confidence sequence in the place of the other one: for
// runs that end as soon as it excludes zero, any other method would say too often that
// there is a difference. Of is the number of cases that could have run.
func (r *Report) Sure(low, high float64, of int) {
	d := r.Success.Between
	d.Low, d.High, d.P, d.Shown, d.Method = &low, &high, nil, low > 0 || high < 0, "confidence sequence"
	text := fmt.Sprintf("no difference shown (%s points, by a confidence sequence)", d.interval(1))
	switch {
	case low > 0:
		text = fmt.Sprintf("B solves more (%s points, by a confidence sequence)", d.interval(1))
	case high < 0:
		text = fmt.Sprintf("A solves more (%s points, by a confidence sequence)", d.interval(-1))
	}
	r.Verdict = fmt.Sprintf("%s after %d of %s", text, r.Cases, visible.Counted(of, "case"))
}

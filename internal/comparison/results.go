// Package comparison keeps what runs of the same cases with two versions of an agent
// came to, and says what they show: in a sentence, as a table, as JSON and as a page.
// It knows nothing about how cases run.
package comparison

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gram-lang/gramc/internal/stats"
)

// An Arm is one of the two versions: "a" or "b".
type Arm string

// The arms. A difference is B minus A.
const (
	A Arm = "a"
	B Arm = "b"
)

// An Outcome is what one run of a case with one arm came to: a line of a file of
// results.
type Outcome struct {
	Case     string   `json:"case"`
	Group    string   `json:"group,omitempty"` // of cases that are not independent of each other
	MustHold bool     `json:"mustHold,omitempty"`
	Arm      Arm      `json:"arm"`
	Run      int      `json:"run"`               // from 1
	Score    float64  `json:"score"`             // 1 for a success, 0 for a failure
	Failure  string   `json:"failure,omitempty"` // the first thing that does not hold
	Seconds  float64  `json:"seconds"`
	Tokens   int64    `json:"tokens"`
	Cost     *float64 `json:"cost,omitempty"` // in US dollars; nil if a price is unknown
	Requests int      `json:"requests"`
	Calls    int      `json:"calls"`
	Answer   string   `json:"-"`               // what a judge of answers sees
	Trace    string   `json:"trace,omitempty"` // the file of its trace
}

// Plan says what is compared: the first line of a file of results.
type Plan struct {
	Version int    `json:"gramcCompare"` // 1
	A       string `json:"a"`            // what people call the arm
	B       string `json:"b"`
	Inputs  string `json:"inputs"` // a hash of the cases and of both arms
	Seed    uint64 `json:"seed"`   // of the order of the runs
	Judge   string `json:"judge,omitempty"`
}

// Results are what has run so far.
type Results struct {
	Plan     Plan
	Outcomes []Outcome
	known    map[key]bool
}

type key struct {
	name string
	arm  Arm
	run  int
}

// NewResults returns results without a run.
func NewResults(p Plan) *Results {
	p.Version = 1
	return &Results{Plan: p, known: map[key]bool{}}
}

// Add adds the outcome of a run.
func (r *Results) Add(o *Outcome) {
	r.Outcomes = append(r.Outcomes, *o)
	r.known[key{o.Case, o.Arm, o.Run}] = true
}

// Has reports whether a run has an outcome.
func (r *Results) Has(name string, arm Arm, run int) bool { return r.known[key{name, arm, run}] }

// DifferenceOf returns what B solves more of a case than A: -1 to 1.
func (r *Results) DifferenceOf(name string) float64 {
	var a, b []float64
	for i := range r.Outcomes {
		switch o := &r.Outcomes[i]; {
		case o.Case != name:
		case o.Arm == A:
			a = append(a, o.Score)
		default:
			b = append(b, o.Score)
		}
	}
	return stats.Mean(b) - stats.Mean(a)
}

// CostPerPair returns what a run with A and one with B cost together, on average, in US
// dollars; false if that is not known.
func (r *Results) CostPerPair() (cost float64, known bool) {
	var sums [2]float64
	var runs [2]float64
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if o.Cost == nil {
			return 0, false
		}
		arm := 0
		if o.Arm == B {
			arm = 1
		}
		sums[arm] += *o.Cost
		runs[arm]++
	}
	if runs[0] == 0 || runs[1] == 0 {
		return 0, false
	}
	return sums[0]/runs[0] + sums[1]/runs[1], true
}

// maxLine is the longest line of a file of results, in bytes.
const maxLine = 1 << 20

// ReadResults reads a file of results, in which the two runs of a pair follow each
// other. A last pair that was cut off is left out: it is repeated. It returns the size
// of the whole pairs, in bytes. Errors say the line.
func ReadResults(from io.Reader) (r *Results, size int64, err error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	lines.Split(scanWholeLines)
	read := int64(0)
	for n := 1; lines.Scan(); n++ {
		read += int64(len(lines.Bytes())) + 1
		if n%2 == 1 {
			size = read
		}
		if r == nil {
			var p Plan
			if json.Unmarshal(lines.Bytes(), &p) != nil || p.Version == 0 {
				return nil, 0, errors.New("it is no file of results of gramc compare")
			}
			if p.Version != 1 {
				return nil, 0, fmt.Errorf("it was written by a newer gramc (version %d of the format)", p.Version)
			}
			r = NewResults(p)
			continue
		}
		var o Outcome
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", n, err)
		}
		if o.Case == "" || o.Arm != A && o.Arm != B || o.Run < 1 || o.Score < 0 || o.Score > 1 || r.Has(o.Case, o.Arm, o.Run) {
			return nil, 0, fmt.Errorf("line %d is no result of a run, or a second one of the same run", n)
		}
		r.Add(&o)
	}
	if err := lines.Err(); err != nil {
		return nil, 0, err
	}
	if r == nil {
		return nil, 0, errors.New("it is no file of results of gramc compare")
	}
	if n := len(r.Outcomes); n%2 == 1 {
		o := r.Outcomes[n-1]
		r.Outcomes = r.Outcomes[:n-1]
		delete(r.known, key{o.Case, o.Arm, o.Run})
	}
	return r, size, nil
}

// scanWholeLines splits as bufio.ScanLines does, but leaves out a last line without
// an end.
func scanWholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	advance, token, err = bufio.ScanLines(data, false)
	if atEOF && advance == 0 {
		return len(data), nil, err
	}
	return advance, token, err
}

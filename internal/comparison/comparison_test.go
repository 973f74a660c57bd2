package comparison

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// sample returns the results of n cases: A solves every third, B two of three, and B
// is half as fast.
func sample(n int) *Results {
	r := NewResults(Plan{A: "titles.gram", B: "texts.gram", Inputs: "x", Seed: 1})
	for i := range n {
		cost := 0.01
		name := fmt.Sprintf("case%03d", i)
		a := Outcome{Case: name, Arm: A, Run: 1, Seconds: 1 + float64(i%7)/10, Tokens: 100, Cost: &cost, Requests: 2, Calls: 1}
		b := Outcome{Case: name, Arm: B, Run: 1, Seconds: 2 + float64(i%5)/10, Tokens: 100, Cost: &cost, Requests: 2, Calls: 1}
		if i%3 == 0 {
			a.Score = 1
		} else {
			a.Failure = "the answer has not “14 days”"
		}
		if i%3 != 2 {
			b.Score = 1
		} else {
			b.Failure = "the answer has not “14 days”"
		}
		r.Add(&a)
		r.Add(&b)
	}
	return r
}

// shuffled exchanges the arms of each case by chance.
func shuffled(r *Results) *Results {
	random := rand.New(rand.NewPCG(4, 2))
	s := NewResults(r.Plan)
	for i := 0; i+1 < len(r.Outcomes); i += 2 {
		a, b := r.Outcomes[i], r.Outcomes[i+1]
		if random.IntN(2) == 0 {
			a.Arm, b.Arm = B, A
		}
		s.Add(&a)
		s.Add(&b)
	}
	return s
}

func TestVerdicts(t *testing.T) {
	swapped := NewResults(Plan{})
	for _, o := range sample(40).Outcomes {
		o.Arm = map[Arm]Arm{A: B, B: A}[o.Arm]
		swapped.Add(&o)
	}
	for name, c := range map[string]struct {
		results *Results
		want    string
	}{
		"better":   {sample(40), "B solves 32.5 points more (95 %: 20.1 to 48)"},
		"worse":    {swapped, "A solves 32.5 points more (95 %: 20.1 to 48)"},
		"shuffled": {shuffled(sample(40)), "no difference shown; with 40 cases one of 20 points would have been seen "},
		"few":      {sample(3), "no difference shown; with 3 cases one of 20 points would have been seen 0 % of the time"},
		"none":     {sample(0), "nothing can be said: no case ran with both arms"},
	} {
		if got := c.results.Report().Verdict; !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

// Cases of one group count as one: forty in eight groups have not seen what forty have.
func TestGroupsAreWhatHasBeenSeen(t *testing.T) {
	grouped := NewResults(Plan{})
	for i, o := range shuffled(sample(40)).Outcomes {
		o.Group = fmt.Sprint(i / 10)
		grouped.Add(&o)
	}
	alone, r := shuffled(sample(40)).Report(), grouped.Report()
	if r.Success.Between.Units != 8 || !strings.Contains(r.Verdict, "; with 8 groups of cases one of 20 points ") || r.Threshold.Power >= alone.Threshold.Power {
		t.Errorf("%s, and alone %s", r.Verdict, alone.Verdict)
	}
}

func TestReport(t *testing.T) {
	r := sample(40)
	r.Add(&Outcome{Case: "alone", Arm: A, Run: 1})
	report := r.Report()
	if report.Cases != 40 || report.Left != 1 || len(report.Flipped) != 13 {
		t.Errorf("%d cases, %d left out, %d flipped", report.Cases, report.Left, len(report.Flipped))
	}
	if len(report.Measures) != 1 || report.Measures[0].Name != "time" || !report.Measures[0].Between.Shown {
		t.Errorf("measures that differ: %+v", report.Measures)
	}
	for _, want := range []string{
		"B solves 32.5 points more", "A  titles.gram\nB  texts.gram\n40 cases, 81 runs\n1 case ran with one arm only and is left out\n",
		"success   35 %  67.5 %  +32.5 points  95 %: 20.1 to 48", "time     1.3 s   2.2 s       +950 ms", "Only B solves, or more often\n  case001  A 0 %, B 100 %: the answer has not “14 days”\n",
		"each version alone (95 %, Wilson): A 22.1 to 50.5 %, B 52 to 79.9 %\n",
	} {
		if !strings.Contains(report.Text(), want) {
			t.Errorf("%q is not in\n%s", want, report.Text())
		}
	}
	text, err := json.Marshal(report)
	if err != nil || !bytes.Contains(text, []byte(`"verdict":"B solves 32.5 points more`)) {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestAFlipNamesTheRunsThatDiffer: of three runs of a case, the third is the first in which B
// does better.
func TestAFlipNamesTheRunsThatDiffer(t *testing.T) {
	r := NewResults(Plan{})
	for i, scores := range [][2]float64{{1, 0}, {1, 1}, {0, 1}, {0, 1}} {
		for k, arm := range []Arm{A, B} {
			o := Outcome{Case: "x", Arm: arm, Run: i + 1, Score: scores[k], Trace: fmt.Sprint(arm, i+1)}
			if o.Score == 0 {
				o.Failure = fmt.Sprint("run ", i+1)
			}
			r.Add(&o)
		}
	}
	flips := r.Report().Flipped
	if len(flips) != 1 || flips[0].TraceA != "a3" || flips[0].TraceB != "b3" || flips[0].Failure != "run 3" {
		t.Errorf("%+v", flips)
	}
	if text := r.Report().Text(); !strings.Contains(text, "\n    traces: a3 b3\n") {
		t.Error(text)
	}
}

func TestCasesThatMustHold(t *testing.T) {
	r := NewResults(Plan{})
	for i, score := range []float64{1, 0, 1, 1, 0, 0} {
		r.Add(&Outcome{Case: fmt.Sprint(i / 2), MustHold: true, Arm: []Arm{A, B}[i%2], Run: 1, Score: score})
	}
	if got := r.Report().Broken; fmt.Sprint(got) != "[0]" {
		t.Errorf("broken: %v", got)
	}
}

// TestResultsAreReadAgain writes results as a file, with a last line that was cut off.
func TestResultsAreReadAgain(t *testing.T) {
	var text bytes.Buffer
	r := sample(3)
	lines := []any{r.Plan}
	for _, o := range r.Outcomes {
		lines = append(lines, o)
	}
	for _, line := range lines {
		if err := json.NewEncoder(&text).Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	whole := int64(text.Len())
	text.WriteString(`{"case":"cut of`)
	again, size, err := ReadResults(&text)
	if err != nil || size != whole || again.Plan != r.Plan || fmt.Sprint(len(again.Outcomes)) != "6" || !again.Has("case001", B, 1) || again.Has("case001", B, 2) {
		t.Errorf("%v, %d of %d bytes, %+v", err, size, whole, again)
	}
	for name, bad := range map[string]string{
		"empty": "", "another file": "{\"a\":1}\n", "no JSON": "hello\n", "newer": "{\"gramcCompare\":2}\n", "no case": "{\"gramcCompare\":1}\n{}\n",
		"twice": "{\"gramcCompare\":1}\n" + strings.Repeat(`{"case":"x","arm":"a","run":1}`+"\n", 2), "a third arm": "{\"gramcCompare\":1}\n{\"case\":\"x\",\"arm\":\"c\",\"run\":1}\n",
		"too long": "{\"gramcCompare\":1}\n\"" + strings.Repeat("x", maxLine) + "\"\n",
	} {
		if _, _, err := ReadResults(strings.NewReader(bad)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPageShowsHostileTextAsText(t *testing.T) {
	const bad = `<script>alert(1)</script>"><img src=x onerror=alert(1)>`
	r := NewResults(Plan{A: bad, B: bad})
	for i := range 12 {
		name := fmt.Sprint(bad, i)
		r.Add(&Outcome{Case: name, MustHold: true, Arm: A, Run: 1, Score: 1, Seconds: 1, Trace: "javascript:alert(1)"})
		r.Add(&Outcome{Case: name, Arm: B, Run: 1, Failure: bad, Seconds: float64(i), Trace: "traces/a b.jsonl"})
	}
	got := r.Report().HTML("pages")
	if strings.Contains(got, "<script") || strings.Contains(got, "<img") || strings.Contains(got, `href="java`) {
		t.Errorf("markup of others:\n%s", got)
	}
	for _, want := range []string{"A solves 100 points more", "<svg", "must hold", "Cases that flipped", `<a href="../traces/a%20b.jsonl"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the page", want)
		}
	}
}

func TestPlans(t *testing.T) {
	if got := Cases(); !strings.Contains(got, "20 points") || !strings.Contains(got, "5 points") {
		t.Error(got)
	}
}

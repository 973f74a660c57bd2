package main

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/internal/scenario"
	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/source"
)

// A testReport shows the results of tests, for people at once.
type testReport struct {
	*tester
	results                 []*testResult
	passed, failed, skipped int
}

func (k *tester) newReport() *testReport { return &testReport{tester: k} }

// add adds a result.
func (r *testReport) add(t *testResult) error {
	r.results = append(r.results, t)
	switch {
	case t.skipped != "":
		r.skipped++
	case t.ok():
		r.passed++
	default:
		r.failed++
	}
	if r.format.value == "human" {
		r.show(t)
	}
	return r.out.Flush()
}

// write writes a report for programs, and nothing for people.
func (r *testReport) write() error {
	switch r.format.value {
	case "json":
		return encodeOutput(r.out, r.asJSON(), "  ")
	case "junit":
		return r.writeJUnit()
	case "github":
		return r.writeGitHub()
	}
	return nil
}

// finish ends the report.
func (r *testReport) finish() error {
	if r.format.value != "human" {
		return r.write()
	}
	parts := []string{fmt.Sprintf("%d passed", r.passed)}
	if r.failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", r.failed))
	}
	if r.skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d skipped", r.skipped))
	}
	hint := ""
	if r.skipped > 0 {
		hint = "; --live runs those that ask a model"
	}
	fmt.Fprintf(r.out, "%s of %s%s\n", strings.Join(parts, ", "), counted(len(r.results), "test"), hint)
	if r.coverage {
		for _, a := range coverageOf(r.results) {
			a.show(r.out)
		}
	}
	return r.out.Flush()
}

// show shows a result: of a test that failed, the conversation and what does not hold.
func (r *testReport) show(t *testResult) {
	switch {
	case t.skipped != "":
		if r.verbose {
			fmt.Fprintf(r.out, "- %s: %s\n", cleanLine(t.Name), t.skipped)
		}
		return
	case t.err != nil:
		fmt.Fprintf(r.out, "✗ %s  %s\n  the test cannot run: %s\n", cleanLine(t.Name), t.place(), clean(t.err.Error()))
		return
	case !t.ok():
		fmt.Fprintf(r.out, "✗ %s  %s%s\n", cleanLine(t.Name), t.place(), t.ofRuns())
		r.showConversation(t.failing())
	case r.verbose:
		fmt.Fprintf(r.out, "✓ %s%s\n", cleanLine(t.Name), t.ofRuns())
	}
	for _, run := range t.runs {
		for _, trend := range run.Trends {
			fmt.Fprintf(r.out, "  note: %s: %s: %s\n", cleanLine(t.Name), at(trend), cleanLine(trend.Message))
		}
	}
}

// place returns where a test begins.
func (t *testCase) place() string { return t.Pattern.Span().String() }

// ofRuns returns how many of several runs passed.
func (r *testResult) ofRuns() string {
	if r.Runs == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d of %d runs passed, %d wanted)", r.passed, len(r.runs), r.Passes)
}

// failing returns the first run that failed.
func (r *testResult) failing() *scenario.Outcome {
	for _, run := range r.runs {
		if !run.Passed() {
			return run
		}
	}
	return nil
}

func at(f scenario.Failure) string {
	line := source.Position{}
	if f.Step != nil {
		line = f.Step.Span().Pos()
	}
	return line.String()
}

// showConversation shows what was said and done, and behind each turn what does not
// hold.
func (r *testReport) showConversation(o *scenario.Outcome) {
	for i, turn := range o.Turns {
		unexpected := o.Err != nil && i == len(o.Turns)-1 // what fails says it
		r.showTurn(turn, unexpected)
		r.showFailures(o, func(f scenario.Failure) bool { return f.Turn == i })
	}
	r.showFailures(o, func(f scenario.Failure) bool { return f.Turn >= len(o.Turns) })
	if len(o.NotAllowed) > 0 {
		fmt.Fprintf(r.out, "  note: approve: [%s] in the record of the test allows these calls\n", cleanLine(strings.Join(o.NotAllowed, ", ")))
	}
}

// showTurn shows what was said and done, and why there is no answer unless another line
// says so.
func (r *testReport) showTurn(t *session.Turn, unexpected bool) {
	r.showSaid("💬", t.Message)
	for i := range t.Steps {
		if call := t.Steps[i].Invocation; call != nil {
			fmt.Fprintf(r.out, "  %s\n", callLine(call))
		}
	}
	switch {
	case unexpected:
	case t.Err != nil:
		fmt.Fprintf(r.out, "  ✗ no answer: %s\n", shortMessage(t.Err.Error()))
	default:
		r.showSaid("🤖", t.Answer)
	}
}

func (r *testReport) showSaid(sign, text string) {
	for i, line := range strings.Split(clean(strings.TrimRight(text, "\n")), "\n") {
		if i > 0 {
			sign = "  "
		}
		fmt.Fprintf(r.out, "  %s %s\n", sign, line)
	}
}

func (r *testReport) showFailures(o *scenario.Outcome, which func(scenario.Failure) bool) {
	for i, f := range o.Failures {
		if !which(f) {
			continue
		}
		text := "✗ " + cleanLine(f.Message)
		if r.colored() {
			text = "\x1b[1;31m" + text + "\x1b[0m"
		}
		fmt.Fprintf(r.out, "  %s\n", text)
		again := i+1 < len(o.Failures) && o.Failures[i+1].Step == f.Step
		if f.Step != nil && f.Step != o.Scenario.Pattern && !again {
			fmt.Fprintf(r.out, "      %s: %s\n", at(f), cleanLine(stepText(f)))
		}
	}
}

// stepText returns a step as it is written, on one line.
func stepText(f scenario.Failure) string {
	return shortMessage(strings.Join(strings.Fields(f.Step.Span().Text()), " "))
}

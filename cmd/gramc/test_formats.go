package main

import (
	"encoding/xml"
	"fmt"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/scenario"
	"github.com/gram-lang/gramc/runtime"
)

// A jsonTests is the report as JSON.
type jsonTests struct {
	Tests   []jsonTest `json:"tests"`
	Passed  int        `json:"passed"`
	Failed  int        `json:"failed"`
	Skipped int        `json:"skipped"`

	Files    []fileReport     `json:"files,omitempty"`    // what gramc check says of them; with errors no test runs
	Coverage []*agentCoverage `json:"coverage,omitempty"` // with --coverage
}

type jsonTest struct {
	Name    string    `json:"name"`
	File    string    `json:"file"`
	Line    int       `json:"line"`
	Result  string    `json:"result"`            // passed, failed or skipped
	Message string    `json:"message,omitempty"` // why it was skipped, or could not run
	Runs    []jsonRun `json:"runs,omitempty"`
}

type jsonRun struct {
	Passed       bool                 `json:"passed"`
	Failures     []jsonTestFailure    `json:"failures,omitempty"`
	Notes        []jsonTestFailure    `json:"notes,omitempty"` // what a judge says no to
	Seconds      float64              `json:"seconds"`
	Requests     int                  `json:"requests"`
	Tokens       int64                `json:"tokens"`
	Cost         string               `json:"cost,omitempty"`         // in US dollars; none if it is not known
	Conversation runtime.Conversation `json:"conversation,omitempty"` // of a run that failed
}

type jsonTestFailure struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func (r *testReport) asJSON() jsonTests {
	all := jsonTests{Tests: []jsonTest{}, Passed: r.passed, Failed: r.failed, Skipped: r.skipped}
	for _, t := range r.results {
		j := jsonTest{Name: t.Name, File: t.file.Name(), Line: t.Pattern.Span().Pos().Line, Result: t.result(), Message: t.message()}
		for _, run := range t.runs {
			j.Runs = append(j.Runs, jsonRunOf(run))
		}
		all.Tests = append(all.Tests, j)
	}
	if len(r.suite.files) > 0 {
		all.Files = jsonReport(r.suite.files).Files
	}
	if r.coverage {
		all.Coverage = coverageOf(r.results)
	}
	return all
}

func jsonRunOf(o *scenario.Outcome) jsonRun {
	j := jsonRun{
		Passed: o.Passed(), Failures: jsonFailures(o.Failures), Notes: jsonFailures(o.Trends),
		Seconds: o.Time.Seconds(), Requests: o.Cost.Requests, Tokens: o.Cost.Usage.Total,
	}
	if o.Cost.Unpriced == 0 && o.Cost.Requests > 0 {
		j.Cost = o.Cost.Price.String()
	}
	if !o.Passed() {
		j.Conversation = o.Conversation
	}
	return j
}

func jsonFailures(list []scenario.Failure) (all []jsonTestFailure) {
	for _, f := range list {
		at := f.Step.Span().Pos()
		all = append(all, jsonTestFailure{at.Line, at.Column, f.Message})
	}
	return all
}

// result returns what came of a test, in one word.
func (r *testResult) result() string {
	switch {
	case r.skipped != "":
		return "skipped"
	case r.ok():
		return "passed"
	}
	return "failed"
}

// message returns why a test did not run.
func (r *testResult) message() string {
	if r.err != nil {
		return "the test cannot run: " + r.err.Error()
	}
	return r.skipped
}

// problems returns what does not hold in the first run that failed.
func (r *testResult) problems() (list []scenario.Failure) {
	if r.err != nil {
		return []scenario.Failure{{Step: r.Pattern, Message: r.message()}}
	}
	if run := r.failing(); run != nil && !r.ok() {
		return run.Failures
	}
	return nil
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     float64     `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Time    float64       `xml:"time,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junitCheck returns the errors of a file as a suite with one case, which has run into
// them.
func junitCheck(f fileProblems) junitSuite {
	errors := onlyErrors(f.problems)
	c := junitCase{Name: "gramc check", Class: "gramc", File: f.name, Line: errors[0].Span.Pos().Line, Error: &junitMessage{Message: errors[0].Message}}
	for _, d := range errors {
		c.Error.Text += d.String() + "\n"
	}
	return junitSuite{Name: f.name, Tests: 1, Errors: 1, Cases: []junitCase{c}}
}

// writeJUnit writes the report in the XML of JUnit, a suite for each file.
func (r *testReport) writeJUnit() error {
	all := junitSuites{Tests: len(r.results), Failures: r.failed, Skipped: r.skipped}
	for _, f := range r.suite.files {
		if f.problems.HasErrors() {
			all.Suites = append(all.Suites, junitCheck(f))
			all.Tests, all.Errors = all.Tests+1, all.Errors+1
		}
	}
	for _, t := range r.results {
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != t.file.Name() {
			all.Suites = append(all.Suites, junitSuite{Name: t.file.Name()})
		}
		suite := &all.Suites[len(all.Suites)-1]
		c := junitCase{Name: t.Name, Class: t.agent.Name, File: t.file.Name(), Line: t.Pattern.Span().Pos().Line}
		for _, run := range t.runs {
			c.Time += run.Time.Seconds()
		}
		if t.skipped != "" {
			c.Skipped = &junitMessage{Message: t.skipped}
			suite.Skipped++
		}
		for i, f := range t.problems() {
			if i == 0 {
				c.Failure = &junitMessage{Message: f.Message}
				suite.Failures++
			}
			c.Failure.Text += fmt.Sprintf("%s: %s\n", f.Step.Span(), f.Message)
		}
		suite.Tests++
		suite.Time += c.Time
		suite.Cases = append(suite.Cases, c)
	}
	if _, err := r.out.WriteString(xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(r.out)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	return r.out.WriteByte('\n')
}

// writeGitHub writes the workflow commands of GitHub Actions that annotate the steps
// which do not hold.
func (r *testReport) writeGitHub() error {
	if err := githubReport(r.out, r.suite.files); err != nil {
		return err
	}
	for _, t := range r.results {
		for _, f := range t.problems() {
			d := &diag.Diagnostic{Span: f.Step.Span(), Severity: diag.Error, Code: diag.Code("test " + t.Name), Message: f.Message}
			if _, err := fmt.Fprintln(r.out, githubAnnotation(t.file.Name(), d)); err != nil {
				return err
			}
		}
	}
	return nil
}

package scenario

import (
	"encoding/json"
	"regexp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// details are the properties of an expectation that say more of another one.
var details = map[string][]string{
	"times": {"called"}, "with": {"called", "never"}, "matching": {"called", "never"}, "before": {"called"},
	"argument": {"called"}, "from": {"argument"}, "gate": {"rubric"}, "is": {"path", "result"},
	"path": {"is", "text", "pattern", "from"}, "result": {"is", "text", "pattern"},
}

// usualWords are words of other test tools for the properties of expectations.
var usualWords = map[string]string{
	"notCalled": "never", "neverCalled": "never", "contains": "text", "includes": "text", "notContains": "without", "excludes": "without",
	"matches": "pattern", "regex": "pattern", "arguments": "with", "args": "with", "tool": "called", "count": "times", "latency": "seconds",
}

// expect reads an expectation.
func (r *reader) expect() *Expect {
	r.known("an expectation", vocabulary.OwnerExpect)
	e := &Expect{
		Texts: r.texts("text"), Without: r.texts("without"), Equals: r.text("equals"), Pattern: r.regexp("pattern"), Path: r.text("path"),
		Times: r.times(), Order: r.tools("order"),
		Finish: r.word("finish"), Refused: r.optionalFlag("refused"), Fails: r.errorKind(),
		Requests: r.count("requests"), Tokens: int64(r.count("tokens")), Cost: r.number("cost", false), Seconds: r.number("seconds", false),
		Rubric: r.text("rubric"), Gate: r.flag("gate"), Step: r.pattern,
	}
	e.Handled, _ = r.tool("handled")
	e.Asked, _ = r.tool("asked")
	e.Before, _ = r.tool("before")
	var called, of *Tool
	e.Never, called = r.tool("never")
	if r.property("called") != nil {
		e.Called, called = r.tool("called")
	}
	e.With = append(r.partial("with", called), r.matching("matching", called)...)
	e.Result, of = r.tool("result")
	if r.property("from") != nil {
		e.From, of = r.tool("from")
	}
	if p := r.property("argument"); p != nil {
		e.Argument, _ = r.wordOf(p)
		if called != nil && called.Signature != nil {
			r.paramNamed(p.Value, e.Argument, called)
		}
		if r.pattern.Property("from") == nil {
			r.missing("from")
		}
	}
	e.Is = r.part(e, of)
	r.loneDetails()
	return e
}

// times reads how many calls there are.
func (r *reader) times() int {
	before := len(r.Diags)
	n := r.count("times")
	if p := r.property("times"); len(r.Diags) > before {
		if digits, ok := types.PlainNumber(p.Value); ok && digits == "0" {
			r.Diags[before].Message += "; never names a tool that is not called"
		}
	}
	return n
}

// loneDetails reports properties without the one that they belong to, and steps that
// expect nothing.
func (r *reader) loneDetails() {
	record := r.pattern.Subject.Record
	if record == nil || len(record.Properties) == 0 {
		if !types.IncompleteProperties(r.pattern) {
			r.Diags.Errorf(report.NameSpan(r.pattern), diag.CodeInvalidTest, "the step expects nothing")
		}
		return
	}
	for _, p := range record.Properties {
		owners := details[p.Key.Text]
		if len(owners) > 0 && !r.hasAny(owners...) {
			r.Diags.Errorf(p.Key.Span(), diag.CodeInvalidTest, "%s says nothing alone: it goes with %s", p.Key.Text, orList(owners))
		}
	}
	if r.hasAny("called") && r.hasAny("never") {
		r.Diags.Errorf(r.pattern.Property("never").Key.Span(), diag.CodeInvalidTest, "called and never stand in steps of their own")
	}
}

func orList(words []string) string {
	text := words[0]
	for _, word := range words[1:] {
		text += " or " + word
	}
	return text
}

// errorKind reads the kind of error that ends a run.
func (r *reader) errorKind() string {
	return r.oneOf("fails", vocabulary.Values(vocabulary.OwnerExpect, "fails"))
}

// part reads is, which is of the type that path names in an answer or in a result.
func (r *reader) part(e *Expect, of *Tool) json.RawMessage {
	whole, what := r.partOf(e, of)
	part := whole
	if p := r.property("path"); p != nil {
		if e.Path != "" && e.Path[0] != '/' {
			d := r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidTest, "the path %s must start with /", report.Quote(e.Path))
			report.Fix(d, "write /"+report.Clip(e.Path), p.Value.Span(), ast.Print(&ast.String{Text: "/" + e.Path}))
			return nil
		}
		var problem string
		if part, problem = typeAt(whole, e.Path); problem != "" {
			r.Diags.Errorf(p.Value.Span(), diag.CodeTestMismatch, "%s has no part %s: %s", what, report.Quote(e.Path), problem)
			return nil
		}
	}
	if p := r.property("is"); p != nil {
		return r.value(p.Value, part, "the part of "+what, "value")
	}
	return nil
}

// partOf returns the type of what path and is are about.
func (r *reader) partOf(e *Expect, of *Tool) (whole *types.Type, what string) {
	if e.Result != "" || e.From != "" {
		name := e.From
		if name == "" {
			name = e.Result
		}
		return resultType(of), "the result of " + report.Quote(name)
	}
	what = "the answer"
	if r.agent == nil {
		return nil, what
	}
	if p := r.property("path"); p != nil && r.agent.Returns == nil {
		r.Diags.Errorf(p.Key.Span(), diag.CodeTestMismatch, "the agent %s answers with text, which has no parts", report.Quote(r.agent.Name))
	}
	return r.agent.Returns, what
}

// enumOf returns the texts that are the values of a type, nil when they are not few.
func enumOf(t *types.Type) []string {
	if t = t.Resolved(); t == nil {
		return nil
	}
	var values []string
	if json.Unmarshal(t.Keyword("enum"), &values) != nil {
		return nil
	}
	return values
}

func matches(pattern, text string) bool {
	re, err := regexp.Compile(pattern)
	return err != nil || re.MatchString(text)
}

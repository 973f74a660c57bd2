package scenario

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// A Lowerer lowers tests.
type Lowerer struct {
	*types.Checker
	Agents []*Agent // that tests may name
	Open   bool     // some agents or tools may not be known, which is reported elsewhere
}

// Scenarios lowers the tests of a file. What it returns is whole only if no error was
// reported.
func (c *Lowerer) Scenarios(f *ast.File) []*Scenario {
	var list []*Scenario
	first := map[string]*ast.Pattern{}
	recordings := map[string]*ast.Pattern{}
	for _, p := range f.Patterns {
		if !IsTest(p) {
			continue
		}
		s := c.scenario(p)
		list = append(list, s)
		if s.Recording != "" {
			file := path.Clean(s.Recording)
			if earlier := recordings[file]; earlier != nil {
				d := c.Diags.Errorf(p.Property("recording").Span(), diag.CodeInvalidTest, "two tests have the recording %s: gramc test --update could keep only one of them", report.Quote(s.Recording))
				report.Relate(d, report.NameSpan(earlier), "the other test")
			} else {
				recordings[file] = p
			}
		}
		name := p.Identity()
		if earlier := first[name]; earlier != nil && name != "" {
			d := c.Diags.Errorf(report.NameSpan(p), diag.CodeInvalidTest, "there are two tests %s", report.Quote(name))
			report.Relate(d, report.NameSpan(earlier), "first here")
			continue
		}
		first[name] = p
	}
	return list
}

func (c *Lowerer) scenario(p *ast.Pattern) *Scenario {
	r := &reader{Lowerer: c, pattern: p, what: report.Named("the test", p.Identity())}
	s, before := &Scenario{Name: p.Identity(), Pattern: p}, len(c.Diags)
	if s.Name == "" {
		r.what = "the test"
		d := c.Diags.Errorf(report.NameSpan(p), diag.CodeInvalidTest, "the test has no name; write [name:Test …]")
		report.Fix(d, "name it", p.Subject.Span().Head(), "first")
	}
	r.known("a test", vocabulary.OwnerTest)
	s.Agent = c.agentOf(r)
	r.agent = s.Agent
	s.Libraries = r.paths("library")
	s.Recording = cmp.Or(r.paths("recording")...)
	s.Approve = r.tools("approve")
	s.MustHold = r.flag("mustHold")
	s.Group = r.text("group")
	s.Passes, s.Runs = r.passes()
	c.steps(r, s)
	s.Model = c.responder(r, s)
	if len(c.Diags) == before && !slices.ContainsFunc(s.Turns, func(t *Turn) bool { return len(t.Expect) > 0 }) {
		c.Diags.Hintf(report.NameSpan(p), diag.CodeEmptyTest, "%s expects nothing: add [:Expect {…}]", r.what)
	}
	return s
}

// agentOf returns the agent of a test, nil when it reported that there is none.
func (c *Lowerer) agentOf(r *reader) *Agent {
	var names []string
	for _, a := range c.Agents {
		names = append(names, a.Name)
	}
	p := r.property("agent")
	switch {
	case c.Open && (p == nil || len(names) == 0):
		return nil
	case len(names) == 0:
		c.Diags.Errorf(report.NameSpan(r.pattern), diag.CodeInvalidTest, `%s has no agent: import the file of one, {import: ["./agent.gram"]}`, r.what)
		return nil
	case p == nil && len(names) == 1:
		return c.Agents[0]
	case p == nil:
		d := c.Diags.Errorf(report.EndOf(r.pattern.Subject), diag.CodeInvalidTest, "%s does not say which agent it is about; there are %s", r.what, strings.Join(names, ", "))
		report.AddProperty(d, r.pattern.Subject, fmt.Sprintf("agent: %q", names[0]))
		return nil
	}
	name, ok := r.wordOf(p)
	if i := slices.Index(names, name); i >= 0 || !ok {
		if !ok {
			return nil
		}
		return c.Agents[i]
	}
	if !c.Open {
		c.unknown(p.Value, name, names, diag.CodeTestMismatch, "there is no agent %s", report.Quote(name))
	}
	return nil
}

// unknown reports a word that is not one of some, of which one may be meant.
func (c *Lowerer) unknown(v ast.Value, word string, known []string, code diag.Code, format string, args ...any) {
	d := c.Diags.Errorf(v.Span(), code, format, args...)
	if near := c.Guess(word, known); near != "" {
		d.Message += fmt.Sprintf("; did you mean %s?", near)
		text := near
		if _, bare := v.(*ast.Symbol); !bare {
			text = fmt.Sprintf("%q", near)
		}
		report.Fix(d, "write "+near, v.Span(), text)
	} else if len(known) > 0 && len(known) <= 20 {
		d.Message += "; there are " + strings.Join(known, ", ")
	}
}

// responder returns who responds.
func (c *Lowerer) responder(r *reader, s *Scenario) Responder {
	scripted := slices.IndexFunc(s.Turns, func(t *Turn) bool { return len(t.Model) > 0 })
	mayFail := slices.ContainsFunc(s.Turns, func(t *Turn) bool {
		return slices.ContainsFunc(t.Faults, func(f *Fault) bool { return f.Request > 0 })
	})
	word := r.oneOf("model", vocabulary.Values(vocabulary.OwnerTest, "model"))
	model := Responder(word)
	switch {
	case word == "" && r.pattern.Property("model") != nil:
		return ""
	case word == "" && s.Recording != "":
		model = Recorded
	case word == "":
		model = Scripted
	}
	switch {
	case model == Scripted && scripted < 0 && !mayFail && len(s.Turns) > 0 && !types.IncompleteProperties(r.pattern):
		c.Diags.Errorf(report.NameSpan(r.pattern), diag.CodeInvalidTest,
			"nobody responds in %s: add [:Model {text: …}] steps, or write model: offline, model: live or a recording", r.what)
	case model != Scripted && scripted >= 0:
		c.Diags.Errorf(report.NameSpan(s.Turns[scripted].Model[0].Pattern), diag.CodeInvalidTest, "a Model step has no meaning in %s, in which the model is %s", r.what, model)
	case model == Recorded && s.Recording == "" && r.pattern.Property("recording") == nil:
		d := c.Diags.Errorf(report.EndOf(r.pattern.Subject), diag.CodeInvalidTest, "%s has no recording", r.what)
		report.AddProperty(d, r.pattern.Subject, fmt.Sprintf("recording: %q", "./"+s.Name+".recording.jsonl"))
	case model != Recorded && s.Recording != "":
		c.Diags.Errorf(r.pattern.Property("recording").Span(), diag.CodeInvalidTest, "a recording has no meaning in %s, in which the model is %s", r.what, model)
	}
	return model
}

// steps lowers the elements of a test.
func (c *Lowerer) steps(r *reader, s *Scenario) {
	var turn *Turn
	var early Turn // what stands before the first message
	misread := false
	for _, p := range r.pattern.Elements {
		owner := stepOwner(p)
		step := &reader{Lowerer: c, pattern: p, agent: s.Agent, what: "the step"}
		switch {
		case p.Form == ast.FormBad:
			continue
		case owner == "":
			c.notStep(p, r.what)
			misread = true
			continue
		case owner == vocabulary.OwnerUser:
			turn = &Turn{Pattern: p}
			if len(s.Turns) == 0 {
				turn.Results, turn.Faults = early.Results, early.Faults
			}
			s.Turns = append(s.Turns, turn)
			step.known("a message", owner)
			turn.Message = step.required("text")
			continue
		}
		at := turn
		if at == nil {
			at = &early
		}
		switch owner {
		case vocabulary.OwnerModel:
			at.Model = append(at.Model, step.response())
		case vocabulary.OwnerResultOf:
			at.Results = append(at.Results, step.result())
		case vocabulary.OwnerFault:
			at.Faults = append(at.Faults, step.fault())
		case vocabulary.OwnerExpect:
			at.Expect = append(at.Expect, step.expect())
		}
		if turn == nil && !misread && owner != vocabulary.OwnerResultOf && owner != vocabulary.OwnerFault {
			c.Diags.Errorf(report.NameSpan(p), diag.CodeInvalidTest, "the step stands before the first message of the user: write [:User {text: …}] before it")
		}
	}
	if len(s.Turns) == 0 && !misread && !types.IncompleteProperties(r.pattern) {
		c.Diags.Errorf(report.NameSpan(r.pattern), diag.CodeInvalidTest, "%s has no message of the user: write [:User {text: …}]", r.what)
	}
}

// usualSteps are words of other test tools for steps.
var usualSteps = map[string]string{"Assistant": "Model", "Response": "Model", "Message": "User", "Mock": "Result", "Assert": "Expect", "Then": "Expect"}

// notStep reports an element of a test that is no step.
func (c *Lowerer) notStep(p *ast.Pattern, what string) {
	var words []string
	for _, w := range vocabulary.StepLabels() {
		words = append(words, w.Name)
	}
	d := c.Diags.Errorf(report.NameSpan(p), diag.CodeInvalidTest, "an element of %s is no step; a step is [:%s {…}]", what, strings.Join(words, " {…}], [:"))
	if name := p.Subject.Identity; name != nil && len(p.Subject.Labels) == 0 && slices.Contains(words, name.Text) {
		d.Message = fmt.Sprintf("%s is the name of an element of %s, and not its label; write [:%[1]s {…}]", name.Text, what)
		report.Fix(d, "make it the label", name.Span().Head(), ":")
		return
	}
	for _, l := range p.Subject.Labels {
		if near := cmp.Or(usualSteps[l.Name.Text], c.Guess(l.Name.Text, words)); near != "" {
			d.Message = fmt.Sprintf("%s is no step of a test; did you mean %s?", report.Quote(l.Name.Text), near)
			report.Fix(d, "write "+near, l.Name.Span(), near)
			return
		}
	}
}

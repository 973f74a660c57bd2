package scenario

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/offline"
)

// Options say with what a test runs.
type Options struct {
	Agent   *interp.Agent
	Library runtime.Library // what the libraries of the test have
	Models  *models.Table   // for costs; nil is the built-in table
	Bind    runtime.BindMode

	// Model responds in a test whose model is recorded or live. It and the Fallbacks of
	// the agent are used by one test at a time.
	Model     runtime.Model
	Fallbacks []runtime.Model

	// Account is what the test may spend with others; nil limits nothing.
	Account *interp.Account

	// Judge answers whether an answer fulfils a rubric; nil leaves rubrics unjudged.
	Judge runtime.Model
	// JudgeModel is the id of the model that Judge asks.
	JudgeModel string

	// Observe is called with each event of each turn, and with the message that begins
	// it; nil ignores them.
	Observe func(message *runtime.Message, e *interp.Event, err error)
	// CallContext is that of [interp.Options].
	CallContext func(context.Context, *runtime.Call) context.Context
}

// An Outcome is what one run of a test came to.
type Outcome struct {
	Scenario *scenario.Scenario
	Failures []Failure // none if all holds
	Trends   []Failure // what a judge says no to, without being a gate
	Turns    []*session.Turn
	Cost     session.Cost

	// Err is why a turn, or the whole test, ended without the answer or the error that
	// it expects. The turns after it did not run.
	Err error

	// NotAllowed are the tools for which approval was asked, and which the test does not approve.
	NotAllowed []string

	// Conversation is what was said until the last answer, or until a turn failed.
	Conversation runtime.Conversation
	Time         time.Duration
}

// A Failure is something that does not hold.
type Failure struct {
	Turn    int          // of the conversation, from 0
	Step    *ast.Pattern // what expects it; the message for a run that fails
	Message string
}

// Passed reports whether everything holds.
func (o *Outcome) Passed() bool { return len(o.Failures) == 0 }

// NoResponse returns the error of a provider that did not respond, which says nothing of
// the agent; nil for none. An error that the test makes, or expects by its kind, is none.
func (o *Outcome) NoResponse() error {
	for i, turn := range o.Turns {
		made := slices.ContainsFunc(o.Scenario.Turns[i].Faults, func(f *scenario.Fault) bool { return f.Request > 0 })
		for _, kind := range []runtime.ErrorKind{runtime.KindLLMAPI, runtime.KindRateLimit, runtime.KindOverloaded} {
			expected := slices.ContainsFunc(o.Scenario.Turns[i].Expect, func(e *scenario.Expect) bool { return e.Fails == string(kind) })
			if errors.Is(turn.Err, &runtime.Error{Kind: kind}) && !made && !expected {
				return turn.Err
			}
		}
	}
	return nil
}

// A run is one run of a test.
type run struct {
	*Options
	test    *scenario.Scenario
	outcome *Outcome
	world   *world
	asked   []string // tools for which approval was asked
	answer  *interp.AgentResponse
	err     error // of the last turn
}

// Run runs a test once. An error of ctx is a failure of the test.
func Run(ctx context.Context, test *scenario.Scenario, o *Options) *Outcome {
	start := time.Now()
	r := &run{Options: o, test: test, outcome: &Outcome{Scenario: test}, world: &world{}}
	s, err := r.session()
	if err != nil {
		r.outcome.Err = err
		r.fail(0, test.Pattern, "the test cannot run: "+err.Error())
	} else {
		for i, turn := range test.Turns {
			r.turn(ctx, s, i, turn)
			if r.outcome.Err != nil {
				break // the next message would be another conversation
			}
		}
		r.leftovers()
		r.outcome.Turns, r.outcome.Cost = s.Turns(), s.Spent()
		if r.answer != nil {
			r.outcome.Conversation = r.answer.Conversation
		}
	}
	r.outcome.Time = time.Since(start)
	return r.outcome
}

func (r *run) fail(turn int, step *ast.Pattern, message string) {
	r.outcome.Failures = append(r.outcome.Failures, Failure{turn, step, message})
}

// session binds the agent to the model and the tools of the test.
func (r *run) session() (*session.Session, error) {
	model := r.Model
	switch r.test.Model {
	case scenario.Scripted:
		model = &script{world: r.world}
	case scenario.Offline:
		model = offline.New()
	}
	if model == nil {
		return nil, errors.New("there is no model")
	}
	library, err := r.world.library(r.Library, r.Agent.Tools)
	if err != nil {
		return nil, err
	}
	options := &interp.Options{Bind: r.Bind, Approve: r.approve, Account: r.Account, CallContext: r.CallContext}
	if r.test.Model == scenario.Live || r.test.Model == scenario.Recorded {
		for _, m := range r.Fallbacks {
			options.Fallbacks = append(options.Fallbacks, &faulty{m, r.world})
		}
	}
	return session.New(r.Agent, r.Models, func(a *interp.Agent) (*interp.Bound, error) {
		return interp.Bind(a, library, &faulty{model, r.world}, options)
	})
}

func (r *run) approve(_ context.Context, q *interp.ApprovalRequest) (bool, error) {
	r.asked = append(r.asked, q.Tool)
	for _, name := range r.test.Approve {
		if name == q.Tool {
			return true, nil
		}
	}
	if !slices.Contains(r.outcome.NotAllowed, q.Tool) {
		r.outcome.NotAllowed = append(r.outcome.NotAllowed, q.Tool)
	}
	return false, nil
}

// turn sends a message and compares what happens with what is expected.
func (r *run) turn(ctx context.Context, s *session.Session, i int, turn *scenario.Turn) {
	r.world.begin(turn)
	r.answer, r.err = nil, nil
	message := runtime.UserMessage(turn.Message)
	if r.Observe != nil {
		r.Observe(&message, nil, nil)
	}
	for event, err := range s.Send(ctx, turn.Message, message) {
		if r.Observe != nil {
			r.Observe(nil, &event, err)
		}
		if event.Answer != nil {
			r.answer, r.err = event.Answer, err
		}
	}
	c := &checker{run: r, turns: s.Turns(), at: i}
	expected := false
	for _, e := range turn.Expect {
		refused := e.Refused != nil && *e.Refused
		c.expectsError = c.expectsError || e.Fails != "" || refused
		expected = expected || e.Fails != "" && failsAs(r.err, e.Fails) || refused && failsAs(r.err, string(runtime.KindContentFilter))
	}
	if r.err != nil && (!c.expectsError || ctx.Err() != nil) {
		r.fail(i, turn.Pattern, "the run fails: "+errorText(r.err))
	}
	for _, e := range turn.Expect {
		c.check(ctx, e)
	}
	for _, problem := range r.world.problems {
		r.fail(i, turn.Pattern, problem)
	}
	if r.err != nil && (!expected || ctx.Err() != nil) {
		r.outcome.Err = r.err
		return // what is left over follows from it
	}
	if left := r.world.left(); left != nil {
		r.fail(i, left.Pattern, "the agent did not ask for this response")
	}
	for _, f := range r.world.unused(func(f *scenario.Fault) bool { return f.Request > 0 }) {
		r.fail(i, f.Pattern, fmt.Sprintf("the fault never happens: the message takes %s", requests(r.world.requests)))
	}
}

func requests(n int) string {
	if n == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", n)
}

// leftovers reports what the whole test has and nothing asked for.
func (r *run) leftovers() {
	if r.outcome.Err != nil {
		return
	}
	last := len(r.test.Turns) - 1
	for _, f := range r.world.unused(func(f *scenario.Fault) bool { return f.Tool != "" }) {
		r.fail(last, f.Pattern, fmt.Sprintf("the fault never happens: %s is not called after it", f.Tool))
	}
	if replayer, ok := r.Model.(*runtime.Replayer); ok && r.test.Model == scenario.Recorded && replayer.Left() > 0 {
		r.fail(last, r.test.Pattern, fmt.Sprintf("responses in the recording that the agent did not ask for: %d", replayer.Left()))
	}
}

// failsAs reports whether an error is of a kind. That a script or a recording is too
// short is not of the kind any: it says nothing of the agent.
func failsAs(err error, kind string) bool {
	replay := errors.Is(err, &runtime.Error{Kind: runtime.KindReplay})
	if kind == "any" {
		return err != nil && !replay
	}
	return errors.Is(err, &runtime.Error{Kind: runtime.ErrorKind(kind)})
}

// errorText returns an error with its kind.
func errorText(err error) string {
	var known *runtime.Error
	if errors.As(err, &known) {
		return fmt.Sprintf("%s: %s", known.Kind, known.Message)
	}
	return err.Error()
}

package interp

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// Options change how an agent runs. The zero value, like nil, is the default.
type Options struct {
	MaxTurns        int              // requests to the model per run; 0 means MaxIterations of the agent, or 10 without one
	ToolTimeout     time.Duration    // for tools without a limit of their own; 0 means 10 s
	MaxAttempts     int              // failures of one tool per run before its calls are refused; 0 means 3
	Bind            runtime.BindMode // what a tool must have in common with its contract
	FailOnToolError bool             // a tool that fails ends the run
	OnLimit         LimitAction      // what to do after MaxTurns
	Parallel        int              // calls of one response that run in parallel, of tools that are Concurrent; 0 means 8
	Stream          bool             // yield the pieces of each response as they arrive
	Logger          *slog.Logger     // gets each event but the pieces at level debug; nil logs nothing

	// Fallbacks serve the models of the agent's Fallbacks, in their order; there may
	// be fewer.
	Fallbacks []runtime.Model

	// Account limits and counts what runs spend that share it. Nil counts nothing; the
	// agent's own Budget holds for each run in any case.
	Account *Account

	// Models is the table with the limits and the prices of models. Nil is the built-in one.
	Models *models.Table

	// CallContext returns the context in which the tool of a call runs, such as one with a
	// [runtime.TraceContext]; nil leaves it that of the run.
	CallContext func(context.Context, *runtime.Call) context.Context

	// Approve reports whether the user allows a call that needs approval. It
	// may block; its error ends the run. Nil refuses all such calls.
	Approve func(context.Context, *ApprovalRequest) (bool, error)

	// Steps makes the steps of the run, or returns what they led to in an earlier one. Nil
	// makes all of them.
	Steps Steps

	// Recorded reports whether the step of that key has an outcome of an earlier run, for
	// [Event.Replayed]. Nil means that none has.
	Recorded func(key string) bool

	// Attempted returns what earlier runs, which this one continues, have done for a request
	// that has no outcome. It counts to the budgets. Nil means nothing.
	Attempted func(key string) Attempts

	// Elapsed returns how much of the agent's timeout earlier runs, which this one continues,
	// have used. Nil means nothing.
	Elapsed func() time.Duration
}

// An ApprovalRequest is a call that needs the approval of the user.
type ApprovalRequest struct {
	Agent, Tool string

	// Args are the arguments, with defaults filled in. Approve may set others,
	// with which the call is then made, unless they are denied; the model is
	// informed of them.
	Args json.RawMessage

	// Check returns why a call with other arguments would not be made; nil if it would.
	Check func(args json.RawMessage) error
}

// A LimitAction is what happens when the model still calls tools after MaxTurns
// requests.
type LimitAction uint8

// The actions.
const (
	FailOnLimit LimitAction = iota // the run ends with a ToolError
	FinalAnswer                    // one more request, without tools, to get an answer
)

func (o *Options) withDefaults(a *Agent) Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.MaxTurns <= 0 {
		c.MaxTurns = a.MaxIterations
	}
	if c.MaxTurns <= 0 {
		c.MaxTurns = 10
	}
	if c.ToolTimeout <= 0 {
		c.ToolTimeout = runtime.DefaultToolTimeout
	}
	if c.MaxAttempts <= 0 {
		c.MaxAttempts = 3
	}
	if c.Parallel <= 0 {
		c.Parallel = 8
	}
	return c
}

// An AgentResponse is the outcome of a run. Its JSON form has the answer and
// the tools used.
type AgentResponse struct {
	Content   string               `json:"content"`    // text, or JSON for an agent with Returns
	ToolsUsed []runtime.Invocation `json:"tools_used"` // in order, failed ones too; never nil

	// Conversation is the conversation that the run was given, followed by
	// the messages of the user, the model and the tools in this run. After an
	// [EventCompacted] a summary stands in it for its oldest messages.
	Conversation runtime.Conversation `json:"-"`
	Usage        runtime.Usage        `json:"-"` // of all requests of the run
	Finish       string               `json:"-"` // why the model stopped; "length" means that Content is incomplete
	OutOfBudget  bool                 `json:"-"` // Content is incomplete, since a budget allowed no more
}

// A Bound is an agent whose tools and model are bound. Any number of runs may share it
// if the model and the handlers of the tools may be shared.
type Bound struct {
	agent   *Agent
	model   runtime.Model
	options Options
	tools   []runtime.Binding // in the order of agent.Tools
	returns *runtime.Schema   // of the answer; nil for text
	facts   []facts           // of the agent's models
	pauses  *pauses           // that the models want

	mu       sync.Mutex
	measured measured // the last request of a run with a budget
}

// ErrNoModel is the error of [Bind] without a model, when all else is right.
var ErrNoModel = errors.New("no model to send requests to")

// Bind checks an agent and binds its tools to those of a library. Nothing is
// sent to the model. The error is a *[runtime.Error] and names everything that
// does not fit.
func Bind(a *Agent, lib runtime.Library, m runtime.Model, o *Options) (*Bound, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	b := &Bound{agent: a, model: m, options: o.withDefaults(a), pauses: &pauses{}}
	b.facts = make([]facts, 0, 1+len(a.Fallbacks))
	for i := range 1 + len(a.Fallbacks) {
		b.facts = append(b.facts, factsOf(a.modelAt(i), b.options.Models))
	}
	var err error
	if len(a.Returns) > 0 {
		if b.returns, err = runtime.CompileSchema(a.Returns); err != nil {
			return nil, runtime.Errorf(runtime.KindValidation, "what agent %q returns: %w", a.Name, err)
		}
	}
	if b.tools, err = lib.Bind(a.Tools, &runtime.BindOptions{Mode: b.options.Bind}); err != nil {
		return nil, runtime.Errorf(runtime.KindTool, "%w", err)
	}
	if m == nil || slices.Contains(b.options.Fallbacks, nil) {
		return nil, runtime.Errorf(runtime.KindConfiguration, "agent %q has %w", a.Name, ErrNoModel)
	}
	if have, can := len(b.options.Fallbacks), len(a.Fallbacks); have > can {
		return nil, runtime.Errorf(runtime.KindConfiguration, "agent %q names %d fallbacks, and there are %d models for them", a.Name, can, have)
	}
	if err := b.checkPrices(); err != nil {
		return nil, err
	}
	return b, nil
}

// With returns the same agent with other options for its runs, for much less than [Bind] takes. What
// it is bound to stays: the Bind, Models, Fallbacks and Account of its options.
func (b *Bound) With(o *Options) *Bound {
	c := &Bound{agent: b.agent, model: b.model, options: o.withDefaults(b.agent), tools: b.tools, returns: b.returns, facts: b.facts, pauses: b.pauses}
	c.options.Bind, c.options.Models, c.options.Fallbacks, c.options.Account = b.options.Bind, b.options.Models, b.options.Fallbacks, b.options.Account
	return c
}

// Bindings returns the tools of the agent, in its order, and how each fits.
func (b *Bound) Bindings() []runtime.Binding { return slices.Clone(b.tools) }

// Timeout returns how long a run may take; 0 for no limit.
func (b *Bound) Timeout() time.Duration { return b.agent.Timeout }

// Run answers the input of a user. It does not change the conversation, which
// may be nil.
//
// The response is never nil. When the run ends with an error, it holds the tools
// used until then, and a conversation in which every call has its result. The error is a *[runtime.Error], or wraps the error of ctx.
func (b *Bound) Run(ctx context.Context, input string, conversation runtime.Conversation) (*AgentResponse, error) {
	return b.run(ctx, runtime.UserMessage(input), conversation, func(Event, error) bool { return true })
}

// Events runs the agent step by step, as [Bound.Run] does, and yields each
// step. The last event is either an [EventAnswer] or an [EventStopped]; only
// the latter comes with an error. A caller that stops ranging ends the run;
// each range over the result is a new run.
func (b *Bound) Events(ctx context.Context, input string, conversation runtime.Conversation) iter.Seq2[Event, error] {
	return b.EventsOf(ctx, runtime.UserMessage(input), conversation)
}

// EventsOf is [Bound.Events] for a message of the user that may have attachments.
func (b *Bound) EventsOf(ctx context.Context, message runtime.Message, conversation runtime.Conversation) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) { _, _ = b.run(ctx, message, conversation, yield) }
}

func (b *Bound) run(ctx context.Context, message runtime.Message, conversation runtime.Conversation, yield func(Event, error) bool) (*AgentResponse, error) {
	r := newLoop(b, conversation, yield)
	if b.agent.Timeout > 0 {
		var stop context.CancelFunc
		left := b.agent.Timeout
		if b.options.Elapsed != nil {
			left -= b.options.Elapsed()
		}
		ctx, stop = context.WithTimeoutCause(ctx, left,
			runtime.Errorf(runtime.KindTimeout, "agent %q has no answer after %s, its timeout", b.agent.Name, b.agent.Timeout))
		defer stop()
	}
	answer, err := r.do(ctx, message)
	switch {
	case err == nil:
		r.last(ctx, Event{Kind: EventAnswer, Answer: answer}, nil)
	case !r.broken: // an error of a context that ended besides may hide errBreak
		answer = r.response()
		r.last(ctx, Event{Kind: EventStopped, Answer: answer}, err)
	}
	return answer, err
}

package interp

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// StepsVersion is the version of the loop's steps. Outcomes that were recorded with
// another one cannot be replayed: the loop would ask for other steps.
const StepsVersion = 1

// A StepKind is what a [Step] does.
type StepKind string

// The kinds of steps.
const (
	StepRequest  StepKind = "request"  // a request to a model, with its fallbacks
	StepCall     StepKind = "call"     // a call of a tool
	StepApproval StepKind = "approval" // the question whether a call may be made
)

// A Step is one effect of a run.
type Step struct {
	// Key is unique in the run, and the same whenever the run is replayed: "3" is the third
	// request, "3/1" the first call of its response, "3/1/approval" the question about it.
	Key    string
	Kind   StepKind
	Tool   string          // of a call or an approval
	Args   json.RawMessage // of the call; of an approval with defaults filled in
	Repeat runtime.Repeat  // whether the call may be made again
}

// An Outcome is what a step led to: all that the loop decides by. It is plain data; its
// JSON form loses nothing but the causes of errors.
type Outcome struct {
	// Of a request.
	Response *runtime.Response
	Failure  *runtime.Error   // instead: the conversation is too long, and the loop goes on with a shorter one
	Model    int              // which of the agent's models responded; 0 is the first
	Failed   []*runtime.Error // why those before it did not, if that was found in this step
	Skipped  int              // how many of Failed had to wait, and were not asked
	Unsent   bool             // nothing was sent, since the conversation is certainly too long
	Summary  int              // how many messages the response is the summary of; 0 for another response

	MaxTokens int    // limit of the answer in the request
	Cut       bool   // a budget made that limit
	Spent     Spent  // by all that was sent
	Charged   Budget // what Spent counts as to a budget

	// Of a call.
	Result  json.RawMessage
	Error   *runtime.ToolError // instead
	Time    time.Duration
	Unknown bool // whether the call was made is not known; Error says so. It does not count as a failure of the tool

	// Of an approval.
	Approved bool
	Reason   string          // why not, for the model; may be empty
	Unasked  bool            // nobody could be asked
	Args     json.RawMessage // that the user chose; nil for those of the step
}

// Steps makes the steps of a run, or returns what they led to when they were made
// before. The steps are independent, and may be made at the same time. do makes step i, in any
// goroutine; all calls of do have ended when Steps returns. What is returned, in the order
// of the steps, is what the run goes on with.
//
// An error of do means that a step has no outcome, and ends the run; Steps returns it, wrapped
// or not. When the run is started again, the step is made again. What the attempt has spent
// is in Spent and Charged of the outcome beside the error, for [Options.Attempted].
type Steps func(ctx context.Context, steps []Step, do func(ctx context.Context, i int) (Outcome, error)) ([]Outcome, error)

// Attempts are what was done for a request without an outcome.
type Attempts struct {
	Spent   Spent
	Charged Budget // what Spent counts as to a budget

	// Unknown is how often it may have been sent besides, by processes that were killed. To a
	// budget each counts as much as it could have taken.
	Unknown int
}

// errUnknownAttempt is how a request ended of which nothing is known.
var errUnknownAttempt = errors.New("the process ended during the request")

// countAttempts counts what earlier runs have done for a request.
func (r *loop) countAttempts(q *query) {
	if r.options.Attempted == nil {
		return
	}
	made := r.options.Attempted(r.requestKey(0))
	charged := amount{made.Charged.Requests, made.Charged.Tokens, made.Charged.Cost}
	r.outcome.spend(made.Spent, charged)
	for _, a := range r.accounts {
		a.add(made.Spent, charged)
	}
	for range made.Unknown {
		held, err := r.holdFor(r.newRequest(q))
		if err != nil {
			return // no process has sent it either
		}
		r.count(held, nil, errUnknownAttempt)
	}
}

// ErrWaiting is returned by [Options.Approve] if the answer will come later. It ends the run,
// which can be started again with [Options.Steps].
var ErrWaiting = errors.New("the run waits for an approval")

// recorded reports whether a step was made before.
func (r *loop) recorded(key string) bool {
	return r.options.Recorded != nil && r.options.Recorded(key)
}

// requestKey is the key of the last request, or of the one that is n requests later.
func (r *loop) requestKey(n int) string { return strconv.Itoa(r.steps + n) }

func (r *loop) callKey(i int) string { return r.requestKey(0) + "/" + strconv.Itoa(i+1) }

// replaysCall reports whether a call was made, or refused, before.
func (r *loop) replaysCall(i int) bool {
	return r.options.Recorded != nil && (r.recorded(r.callKey(i)) || r.recorded(r.requestKey(1)))
}

// makeSteps returns one outcome for each step.
func (r *loop) makeSteps(ctx context.Context, steps []Step, do func(context.Context, int) (Outcome, error)) ([]Outcome, error) {
	outcomes, err := r.options.Steps(ctx, steps, do)
	if err == nil && len(outcomes) != len(steps) {
		err = runtime.Errorf(runtime.KindReplay, "%d steps have %d outcomes", len(steps), len(outcomes))
	}
	return outcomes, err
}

// askStep is [loop.send] as a step.
func (r *loop) askStep(ctx context.Context, q query) (*runtime.Response, error) {
	r.steps++
	r.replayed = r.recorded(r.requestKey(0))
	turn, fallen, usage, made := r.turn, r.fallen, r.usage, false
	outcomes, err := r.makeSteps(ctx, []Step{{Key: r.requestKey(0), Kind: StepRequest}}, func(ctx context.Context, _ int) (Outcome, error) {
		r.turn, r.fallen, r.usage, made = turn, fallen, usage, true
		o := &Outcome{Unsent: true, Summary: len(q.old)}
		err := r.sendStep(ctx, &q, o)
		return *o, err
	})
	if err != nil {
		return nil, err
	}
	o := &outcomes[0]
	if !made {
		if err := r.replayRequest(ctx, &q, o); err != nil {
			return nil, err
		}
	}
	if o.Failure != nil {
		return nil, o.Failure
	}
	return o.Response, nil
}

// sendStep sends a request and notes all that it led to.
func (r *loop) sendStep(ctx context.Context, q *query, o *Outcome) error {
	r.outcome = o
	defer func() { r.outcome = nil }()
	r.countAttempts(q)
	response, err := r.send(ctx, q)
	o.Model = r.fallen
	switch {
	case err == nil:
		o.Response, o.Cut = response, r.cut
	case isOverflow(err) && r.remedyFor(q) != none:
		o.Failure = recordedError(err)
	default:
		*o = Outcome{Spent: o.Spent, Charged: o.Charged}
		return err
	}
	return nil
}

// sent notes the request that is sent.
func (o *Outcome) sent(request *runtime.Request) {
	o.Unsent, o.MaxTokens, o.Skipped = false, request.MaxTokens, len(o.Failed)
}

// failed notes why a model does not respond.
func (o *Outcome) failed(why error) { o.Failed = append(o.Failed, recordedError(why)) }

// spend notes what was spent, and what it counts as.
func (o *Outcome) spend(s Spent, used amount) {
	o.Spent = o.Spent.plus(s)
	sum := amount{o.Charged.Requests, o.Charged.Tokens, o.Charged.Cost}.plus(used)
	o.Charged = Budget{sum.requests, sum.tokens, sum.cost}
}

// recordedError returns an error as plain data.
func recordedError(err error) *runtime.Error {
	recorded := &runtime.Error{Kind: runtime.KindLLMAPI}
	var known *runtime.Error
	if errors.As(err, &known) {
		*recorded = *known
	}
	recorded.Message, recorded.Err = err.Error(), nil
	return recorded
}

// replayRequest does to the loop what sending the request has done.
func (r *loop) replayRequest(ctx context.Context, q *query, o *Outcome) error {
	switch {
	case o.Response == nil && o.Failure == nil:
		return runtime.Errorf(runtime.KindReplay, "the outcome of request %s is missing", r.requestKey(0))
	case o.Model < 0 || o.Model > len(r.options.Fallbacks) || r.fallen+len(o.Failed) != o.Model || o.Skipped > len(o.Failed):
		return runtime.Errorf(runtime.KindReplay, "request %s was answered by a model that the agent does not have", r.requestKey(0))
	}
	for _, a := range r.accounts {
		a.add(o.Spent, amount{o.Charged.Requests, o.Charged.Tokens, o.Charged.Cost})
	}
	if err := r.replayFallbacks(ctx, o.Failed[:o.Skipped]); err != nil {
		return err
	}
	request := r.newRequest(q)
	request.MaxTokens = o.MaxTokens
	if !o.Unsent && !q.isSummary() {
		r.turn++
		if err := r.emit(ctx, Event{Kind: EventRequest, Request: request}); err != nil {
			return err
		}
	}
	if err := r.replayFallbacks(ctx, o.Failed[o.Skipped:]); err != nil {
		return err
	}
	if o.Response != nil {
		r.usage, r.cut = r.usage.Add(o.Response.Usage), o.Cut
		if len(r.accounts) > 0 {
			r.measureHold(r.servingOrFallback(), request, o.Response)
		}
	}
	return nil
}

func (r *loop) replayFallbacks(ctx context.Context, failed []*runtime.Error) error {
	for _, err := range failed {
		if err := r.changeModel(ctx, err); err != nil {
			return err
		}
	}
	return nil
}

// approveStep is [loop.approve] as a step.
func (r *loop) approveStep(ctx context.Context, q *ApprovalRequest, i int) (Outcome, error) {
	step := Step{Key: r.callKey(i) + "/approval", Kind: StepApproval, Tool: q.Tool, Args: q.Args}
	outcomes, err := r.makeSteps(ctx, []Step{step}, func(ctx context.Context, _ int) (Outcome, error) {
		asked := *q
		return r.approve(ctx, &asked)
	})
	if err != nil {
		return Outcome{}, err
	}
	return outcomes[0], nil
}

// callStep returns the step that makes call i of the response.
func (r *loop) callStep(c *callRun, i int) Step {
	return Step{Key: r.callKey(i), Kind: StepCall, Tool: c.Tool, Args: c.args, Repeat: c.tool.Repeat()}
}

// callSteps makes the calls of a batch as steps; first is the index of its first call in
// the response.
func (r *loop) callSteps(ctx context.Context, batch []callRun, first int) error {
	var steps []Step
	var calls []*callRun
	for k := range batch {
		if c := &batch[k]; c.tool != nil {
			steps, calls = append(steps, r.callStep(c, first+k)), append(calls, c)
		}
	}
	if len(steps) == 0 {
		return nil
	}
	var one sync.Mutex
	outcomes, err := r.makeSteps(ctx, steps, func(ctx context.Context, i int) (Outcome, error) {
		c := calls[i]
		one.Lock()
		called := r.callContext(ctx, c)
		one.Unlock()
		c.invoke(called, r.options.ToolTimeout)
		if err := stoppedRun(ctx); err != nil && c.Err != nil {
			return Outcome{}, err // the failure may be that of the run, and not of the tool
		}
		return Outcome{Result: c.Result, Error: c.Err, Time: c.time}, nil
	})
	for i, c := range calls {
		if err == nil {
			o := &outcomes[i]
			c.Result, c.Err, c.time, c.unknown = o.Result, o.Error, o.Time, o.Unknown
		}
		if c.Err != nil || len(c.Result) > 0 {
			continue
		}
		c.tool, c.Err = nil, notRunInBatch(runtime.ToolExecution, "the run stopped")
		if err == nil {
			err = runtime.Errorf(runtime.KindReplay, "the outcome of call %s is missing", steps[i].Key)
		}
	}
	return err
}

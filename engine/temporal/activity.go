package temporal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"
	sdk "go.temporal.io/sdk/temporal"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// An Agent is one that makes the steps of a run.
type Agent struct {
	Bind    func(*interp.Options) (*interp.Bound, error)
	Redact  func(string) string                                          // removes secrets; nil: there are none
	Approve func(context.Context, *interp.ApprovalRequest) (bool, error) // nil: the run waits for a decision
	Close   func()                                                       // is called when the step is made; nil: nothing

	// Pieces gets the pieces of the response that a step makes, with the key of the step. They are
	// kept nowhere. Nil: the response comes whole.
	Pieces func(step string, piece *runtime.Delta)
}

// Open returns the agent of a program, for a step of a run. It is called for each step, so
// that agents should stay open between them.
type Open func(ctx context.Context, about *journal.Run, program []byte) (*Agent, error)

// A worker makes the steps of runs.
type stepWorker struct {
	*Engine
	open Open
}

// model makes the next request of a run, and plans what follows.
func (w *stepWorker) model(ctx context.Context, t task) (*result, error) {
	return w.make(ctx, &t, false)
}

// tool makes a call.
func (w *stepWorker) tool(ctx context.Context, t task) (*result, error) {
	return w.make(ctx, &t, false)
}

// stop writes the end of a run that was cancelled.
func (w *stepWorker) stop(ctx context.Context, t task) (*result, error) {
	return w.make(ctx, &t, true)
}

// make rebuilds the loop of a run from its history, and makes a step.
func (w *stepWorker) make(ctx context.Context, t *task, stops bool) (_ *result, err error) {
	defer beat(ctx)()
	info := activity.GetInfo(ctx).WorkflowExecution
	asked := time.Now()
	history, err := w.current(ctx, info.ID, info.RunID)
	if err != nil {
		return nil, err
	}
	about := history.in.about(info.ID)
	program, err := w.program(ctx, about.Program)
	if err != nil {
		return nil, err
	}
	agent, err := w.open(ctx, &about, program)
	if err != nil {
		return nil, err
	}
	if agent.Close != nil {
		defer agent.Close()
	}
	defer func() { err = redacted(err, agent.Redact) }()
	given, err := w.given(ctx, history.in.Given)
	if err != nil {
		return nil, err
	}
	m := &maker{task: t, stops: stops, pieces: agent.Pieces, asked: asked, isLost: func() error {
		// Not the usual heartbeat, whose answer comes later.
		return w.client.RecordActivityHeartbeat(ctx, activity.GetInfo(ctx).TaskToken)
	}}
	if m.run, err = durable.Continue(&about, history.entries, m, &durable.Options{Redact: agent.Redact, Conversation: given}); err != nil {
		return nil, err
	}
	if err := m.loop(ctx, agent); err != nil {
		return nil, err
	}
	if m.status != "" { // ended or waits, which may be long
		defer w.forget(info.RunID)
	}
	return w.resultOf(ctx, m)
}

// redacted returns an error of an activity without secrets: the history gets its text.
func redacted(err error, redact func(string) string) error {
	if err == nil || redact == nil || redact(err.Error()) == err.Error() {
		return err
	}
	kind := ""
	if own, ok := errors.AsType[*sdk.ApplicationError](err); ok {
		kind = own.Type()
	}
	return sdk.NewApplicationError(redact(err.Error()), kind)
}

// beat sends heartbeats until the function is called.
func beat(ctx context.Context) func() {
	beating, stop := context.WithCancel(ctx)
	go func() {
		for {
			select {
			case <-beating.Done():
				return
			case <-time.After(heartbeatEach):
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return stop
}

// errorMaybeMade is the type of the error of an activity that may have made its call.
const errorMaybeMade = "MaybeMade"

// A maker makes one step of a run with the loop. It is the log of the run.
type maker struct {
	task   *task
	run    *durable.Run
	stops  bool                                    // nothing is made any more
	made   bool                                    // the step has been made, or has begun to be
	making string                                  // its key
	pieces func(step string, piece *runtime.Delta) // may be nil
	limit  time.Duration
	asked  time.Time    // when the history was asked for
	isLost func() error // returns why another process has the step
	lost   error

	entries []journal.Entry
	calls   []interp.Step
	planned bool
	status  journal.Status
	failure string
}

// loop runs the loop until the step is made, and what follows is known.
func (m *maker) loop(ctx context.Context, agent *Agent) error {
	account := interp.NewAccount(interp.Budget{}) // so that requests are counted
	o := m.run.Options(&interp.Options{Approve: agent.Approve, Account: account, Stream: agent.Pieces != nil})
	inner, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	o.Steps = func(ctx context.Context, steps []interp.Step, do func(context.Context, int) (interp.Outcome, error)) ([]interp.Outcome, error) {
		return m.steps(ctx, leave, steps, do)
	}
	bound, err := agent.Bind(o)
	if err != nil {
		return err
	}
	m.limit = bound.Timeout()
	var failure error
	for event, err := range m.run.Events(inner, bound) {
		if failure = err; event.Kind == interp.EventDelta {
			m.pieces(m.making, event.Delta)
		}
	}
	switch {
	case m.lost != nil:
		return m.lost
	case m.planned, m.status != "":
		if ctx.Err() == nil || m.status == journal.Finished || m.made && m.planned {
			return nil
		}
		failure = ctx.Err() // the run shall not end because this worker does
	case failure == nil:
		failure = errors.New("the run has neither ended nor gone on")
	}
	if m.made && m.task.Step != "" {
		return sdk.NewApplicationErrorWithCause(failure.Error(), errorMaybeMade, failure)
	}
	return failure
}

// steps makes the step of this activity, and returns what others have led to before.
func (m *maker) steps(ctx context.Context, leave context.CancelCauseFunc, steps []interp.Step, do func(context.Context, int) (interp.Outcome, error)) ([]interp.Outcome, error) {
	missing := -1
	for i := range steps {
		if !m.run.Recorded(steps[i].Key) && (missing < 0 || steps[i].Key == m.task.Step) {
			missing = i
		}
	}
	switch {
	case missing < 0:
		return m.run.Steps(ctx, steps, do)
	case m.stops:
		leave(durable.ErrCancelled)
		return nil, durable.ErrCancelled
	case m.task.Step == "" && steps[0].Kind == interp.StepApproval: // is answered, or waits
		return m.run.Steps(ctx, steps, do)
	case !m.made && m.isFor(&steps[missing]) && m.checkLost() != nil:
		leave(durable.ErrInterrupted)
		return nil, m.lost
	case !m.made && m.isFor(&steps[missing]):
		m.made, m.making = true, steps[missing].Key
		if m.pieces != nil && activity.GetInfo(ctx).Attempt > 1 { // who has got pieces gets them anew
			m.pieces(m.making, &runtime.Delta{Kind: runtime.DeltaRestart})
		}
		ctx, cancel, err := m.within(ctx)
		if err != nil {
			return nil, err
		}
		defer cancel()
		outcomes, err := m.run.Steps(ctx, steps[missing:missing+1], func(ctx context.Context, _ int) (interp.Outcome, error) { return do(ctx, missing) })
		if err != nil || len(steps) == 1 {
			return outcomes, err
		}
	case steps[0].Kind == interp.StepCall && m.task.Step == "":
		m.plan(steps)
	}
	m.planned = true
	leave(durable.ErrInterrupted)
	return nil, durable.ErrInterrupted
}

// checkLost returns why another process has the step, if this one was asleep for a while since it
// has asked for the history: what was made elsewhere since then is not made again.
func (m *maker) checkLost() error {
	if time.Since(m.asked) > time.Second {
		m.lost = m.isLost()
	}
	return m.lost
}

// isFor reports whether a step is that of this activity.
func (m *maker) isFor(s *interp.Step) bool {
	if m.task.Step == "" {
		return s.Kind == interp.StepRequest
	}
	return s.Key == m.task.Step
}

// plan notes which calls come next.
func (m *maker) plan(steps []interp.Step) {
	for i := range steps {
		if !m.run.Recorded(steps[i].Key) {
			m.calls = append(m.calls, steps[i])
		}
	}
}

// within returns a context with the time that the agent has left.
func (m *maker) within(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if m.limit == 0 {
		return ctx, func() {}, nil
	}
	over := runtime.Errorf(runtime.KindTimeout, "the agent has no answer after %s, its timeout", m.limit)
	if m.task.Worked >= m.limit {
		return nil, nil, over
	}
	ctx, cancel := context.WithTimeoutCause(ctx, m.limit-m.task.Worked, over)
	return ctx, cancel, nil
}

// Append takes entries. They are written when the server takes the result of the activity.
func (m *maker) Append(_ context.Context, entries ...journal.Entry) error {
	m.entries = append(m.entries, entries...)
	return nil
}

// End takes the end of the run. A loop that is left, since another activity goes on, ends otherwise
// than the run: as cancelled, if the context of this activity had ended before.
func (m *maker) End(_ context.Context, status journal.Status, failure string, entries ...journal.Entry) error {
	if m.planned || m.lost != nil {
		return nil
	}
	m.status, m.failure = status, failure
	m.entries = append(m.entries, entries...)
	return nil
}

// Release does nothing: the server knows which activity has the run.
func (m *maker) Release(context.Context) error { return nil }

// OnCancelled does nothing: the context of the activity ends.
func (m *maker) OnCancelled(func()) {}

// resultOf returns what a maker has done.
func (w *stepWorker) resultOf(ctx context.Context, m *maker) (*result, error) {
	r := &result{Status: m.status, Error: m.failure}
	if m.status == journal.Waiting {
		r.Status = ""
	}
	for i := range m.entries {
		if err := w.addEntry(ctx, r, &m.entries[i], m.status); err != nil {
			if m.made && m.task.Step != "" {
				return nil, sdk.NewApplicationErrorWithCause(err.Error(), errorMaybeMade, err)
			}
			return nil, err
		}
	}
	for i := range m.calls {
		s := &m.calls[i]
		c := call{Step: s.Key, Tool: s.Tool}
		if s.Repeat != runtime.RepeatSafe && s.Repeat != runtime.RepeatKeyed {
			intent, err := durable.IntentEntry(s)
			if err != nil {
				return nil, err
			}
			c.Intent = &entry{Key: intent.Key, Kind: intent.Kind, Data: intent.Data}
		}
		r.Calls = append(r.Calls, c)
	}
	return r, nil
}

func (w *stepWorker) addEntry(ctx context.Context, r *result, j *journal.Entry, status journal.Status) error {
	o, err := durable.OutcomeOf(j)
	if err != nil {
		return err
	}
	if o != nil {
		r.Cost += float64(o.Spent.Cost) / float64(interp.Dollar)
	}
	packed, err := w.pack(ctx, j)
	for wait := 100 * time.Millisecond; err != nil && wait < time.Minute && ctx.Err() == nil; wait *= 2 {
		time.Sleep(wait) // what was made is not made again because of the store
		packed, err = w.pack(ctx, j)
	}
	if err != nil {
		return err
	}
	r.Entries = append(r.Entries, packed)
	if waiting, err := durable.WaitingOf(j); err != nil || waiting == nil {
		return err
	} else if status == journal.Waiting {
		r.Waits = &question{waiting.Key, waiting.Tool, waiting.Hash}
	}
	return nil
}

// program returns the program of a hash.
func (w *stepWorker) program(ctx context.Context, hash string) ([]byte, error) {
	data, err := w.o.Store.Get(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("the program of the run: %w", err)
	}
	return data, nil
}

// An archive is what was put in the store.
type archive struct {
	Hash string `json:"sha256"`
}

// archive puts the entries of a run in the store.
func (w *stepWorker) archive(ctx context.Context) (*archive, error) {
	defer beat(ctx)()
	info := activity.GetInfo(ctx).WorkflowExecution
	history, err := w.current(ctx, info.ID, info.RunID)
	if err != nil {
		return nil, err
	}
	packed := make([]entry, len(history.entries))
	for i := range history.entries {
		e := &history.entries[i]
		if packed[i], err = w.pack(ctx, e); err != nil {
			return nil, err
		}
		packed[i].Time = e.Time
	}
	data, err := json.Marshal(packed)
	if err != nil {
		return nil, err
	}
	hash, err := w.o.Store.Put(ctx, data)
	return &archive{hash}, err
}

package temporal

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	sdk "go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
)

// A flow is a run in its workflow.
type flow struct {
	in      input
	began   time.Time
	pending []entry // that the next activity gets
	waits   *question
	worked  time.Duration // before began
}

// runFlow is the workflow of a run. Nothing of a loop, a model or a tool happens in it. Runs of earlier versions go
// on in it: testdata/histories has some.
func runFlow(ctx workflow.Context, in input) error {
	f := &flow{in: in, began: workflow.Now(ctx), pending: in.Entries, worked: in.Worked}
	if in.Created.IsZero() {
		f.in.Created = f.began
	}
	handler := workflow.UpdateHandlerOptions{Validator: f.checkDecision, Description: "answers what the run waits for"}
	if err := workflow.SetUpdateHandlerWithOptions(ctx, decideName, f.decide, handler); err != nil {
		return err
	}
	last, err := f.steps(ctx)
	switch {
	case err != nil && ctx.Err() != nil: // cancelled before its end
		ctx, cancel := workflow.NewDisconnectedContext(ctx)
		defer cancel()
		if last, err = f.activity(ctx, stopName, &task{}, nil).get(ctx); err != nil {
			return err
		}
		if err := f.show(ctx, last.Status); err != nil {
			return err
		}
		if last.Status == journal.Cancelled {
			return sdk.NewCanceledError(last.Error)
		}
	case err != nil:
		return err
	default:
		err = f.show(ctx, last.Status)
	}
	if last.Status == journal.Failed {
		return sdk.NewNonRetryableApplicationError(last.Error, "Failed", nil)
	}
	return err
}

// steps makes steps until the run has ended.
func (f *flow) steps(ctx workflow.Context) (*result, error) {
	for {
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
			return nil, f.continueAsNew(ctx)
		}
		r, err := f.activity(ctx, modelName, &task{}, nil).get(ctx)
		switch {
		case err != nil || r.Status != "":
			return r, err
		case r.Waits != nil:
			err = f.wait(ctx, r.Waits)
		case len(r.Calls) > 0:
			r, err = f.calls(ctx, r.Calls)
		}
		if err != nil || r.Status != "" {
			return r, err
		}
	}
}

// A started activity is one whose result is not there yet.
type started struct {
	flow   *flow
	future workflow.Future
}

// activity starts an activity. It is made again as often as need be, but for a call that must
// not be made twice.
func (f *flow) activity(ctx workflow.Context, name string, t *task, c *call) *started {
	t.Entries, f.pending = append(t.Entries, f.pending...), nil
	t.Worked = f.worked + workflow.Now(ctx).Sub(f.began)
	options := workflow.ActivityOptions{
		StartToCloseTimeout: 24 * time.Hour, HeartbeatTimeout: heartbeat, WaitForCancellation: true, Summary: name,
		RetryPolicy: &sdk.RetryPolicy{InitialInterval: 200 * time.Millisecond, BackoffCoefficient: 2, MaximumInterval: 15 * time.Second},
	}
	switch {
	case c != nil:
		options.Summary = "Tool " + c.Tool
	case name == modelName:
		options.Summary = "Model " + f.in.Model
	}
	if c != nil && c.Intent != nil {
		options.RetryPolicy.NonRetryableErrorTypes = []string{"TemporalTimeout:Heartbeat", "TemporalTimeout:StartToClose", errorMaybeMade}
	}
	return &started{f, workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), name, t)}
}

// get waits for the result of an activity.
func (s *started) get(ctx workflow.Context) (*result, error) {
	var r result
	if err := s.future.Get(ctx, &r); err != nil {
		return nil, err
	}
	s.flow.in.Cost += r.Cost
	return &r, nil
}

// calls makes calls at the same time, and returns the last result: that of the only call may end the run.
// A call of which nobody knows whether it was made gets an intent, and is looked at again.
func (f *flow) calls(ctx workflow.Context, calls []call) (last *result, err error) {
	for len(calls) > 0 {
		all := make([]*started, len(calls))
		for i := range calls {
			all[i] = f.activity(ctx, toolName, &task{Step: calls[i].Step}, &calls[i])
		}
		var again []call
		for i := range calls {
			r, err := all[i].get(ctx)
			switch {
			case err == nil:
				last = r
			case ctx.Err() != nil || calls[i].Intent == nil || !isMaybeMade(err):
				return nil, err
			default:
				f.pending = append(f.pending, *calls[i].Intent)
				again = append(again, calls[i])
			}
		}
		calls = again
	}
	return last, nil
}

// isMaybeMade reports whether an activity failed after its call may have been made.
func isMaybeMade(err error) bool {
	var timeout *sdk.TimeoutError
	var own *sdk.ApplicationError
	return errors.As(err, &timeout) || errors.As(err, &own) && own.Type() == errorMaybeMade
}

// wait waits for a decision. That time does not count as work.
func (f *flow) wait(ctx workflow.Context, q *question) error {
	f.worked += workflow.Now(ctx).Sub(f.began)
	defer func() { f.began = workflow.Now(ctx) }()
	f.waits = q
	if err := f.show(ctx, journal.Waiting); err != nil {
		return err
	}
	if err := workflow.Await(ctx, func() bool { return f.waits == nil }); err != nil {
		return err
	}
	return f.show(ctx, journal.Running)
}

// The types of errors of a refused decision.
const (
	errorNotWaiting = "NotWaiting"
	errorDecided    = "Decided"
	errorOther      = "OtherArguments"
)

// checkDecision refuses a decision about something else than what the run waits for. The step is that of the
// question that was answered: a later one may be about a call with the same arguments.
func (f *flow) checkDecision(d journal.Decision, step string) error {
	switch {
	case f.waits == nil:
		return sdk.NewApplicationError(journal.ErrNotWaiting.Error(), errorNotWaiting)
	case step != "" && step != f.waits.Step:
		return sdk.NewApplicationError(journal.ErrDecided.Error(), errorDecided)
	case d.Hash != f.waits.Hash:
		return sdk.NewApplicationError(durable.ErrOtherArguments.Error(), errorOther)
	}
	return nil
}

// decide takes a decision.
func (f *flow) decide(ctx workflow.Context, d journal.Decision, _ string) error {
	data, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("the decision has no JSON form: %w", err)
	}
	f.pending = append(f.pending, entry{Key: f.waits.Step, Kind: journal.KindDecision, Data: data, Time: workflow.Now(ctx)})
	f.waits = nil
	return nil
}

// show has the search attributes say how the run is.
func (f *flow) show(ctx workflow.Context, s journal.Status) error {
	return workflow.UpsertTypedSearchAttributes(ctx, attributeStatus.ValueSet(string(s)), attributeCost.ValueSet(f.in.Cost))
}

// continueAsNew goes on in a new history, before this one becomes too long.
func (f *flow) continueAsNew(ctx workflow.Context) error {
	next := f.in
	var archived archive
	options := workflow.ActivityOptions{StartToCloseTimeout: time.Minute, HeartbeatTimeout: heartbeat, Summary: archiveName}
	if err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), archiveName).Get(ctx, &archived); err != nil {
		return err
	}
	next.Earlier, next.Entries = archived.Hash, f.pending
	next.Worked = f.worked + workflow.Now(ctx).Sub(f.began)
	if err := workflow.UpsertMemo(ctx, map[string]any{memoCreated: next.Created}); err != nil { // for lists
		return err
	}
	return workflow.NewContinueAsNewError(ctx, workflowName, next)
}

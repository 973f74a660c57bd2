package temporal

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enums "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"

	"github.com/gram-lang/gramc/internal/journal"
)

// A reader reads the entries of a run from its history.
type reader struct {
	engine  *Engine
	id      string
	in      *input
	entries []journal.Entry
	size    int              // bytes of the entries
	read    int64            // the last event that was read
	names   map[int64]string // of the activities that have been scheduled, by event
	waits   *question
	status  journal.Status
	failure string
	updated time.Time
	next    string // the history that follows; "" for none
}

func newReader(e *Engine, id string) *reader {
	return &reader{engine: e, id: id, names: map[int64]string{}, status: journal.Running}
}

// take reads the next event.
func (r *reader) take(ctx context.Context, e *historypb.HistoryEvent) error {
	if e.EventId <= r.read {
		return nil
	}
	r.updated = e.EventTime.AsTime()
	var err error
	switch e.EventType {
	case enums.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED, enums.EVENT_TYPE_WORKFLOW_TASK_STARTED:
		return nil // the server shows those that are not in the history yet: others may get their numbers
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
		err = r.begin(ctx, e.GetWorkflowExecutionStartedEventAttributes().Input)
	case enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
		a := e.GetActivityTaskScheduledEventAttributes()
		r.names[e.EventId] = a.ActivityType.Name
		var t task
		if a.ActivityType.Name == archiveName {
			break
		}
		if err = r.engine.decode(a.Input, &t); err == nil {
			r.waits, r.status = nil, journal.Running
			err = r.add(ctx, t.Entries)
		}
	case enums.EVENT_TYPE_ACTIVITY_TASK_COMPLETED:
		a := e.GetActivityTaskCompletedEventAttributes()
		if r.names[a.ScheduledEventId] == archiveName {
			break
		}
		var done result
		if err = r.engine.decode(a.Result, &done); err == nil {
			err = r.takeResult(ctx, &done)
		}
	default:
		r.end(e)
	}
	if err != nil {
		return fmt.Errorf("event %d of run %s cannot be read: %w", e.EventId, r.id, err)
	}
	r.read = e.EventId
	return nil
}

// begin reads how the workflow was started. A reader that has come from the history before has
// the earlier entries.
func (r *reader) begin(ctx context.Context, p *commonpb.Payloads) error {
	var in input
	if err := r.engine.decode(p, &in); err != nil {
		return err
	}
	if in.Created.IsZero() {
		in.Created = r.updated
	}
	known := r.in != nil
	r.in = &in
	switch {
	case known:
		return nil
	case in.Earlier == "":
		return r.add(ctx, []entry{in.Start})
	}
	data, err := r.engine.o.Store.Get(ctx, in.Earlier)
	if err != nil {
		return err
	}
	var earlier []entry
	if err := json.Unmarshal(data, &earlier); err != nil {
		return err
	}
	return r.add(ctx, earlier)
}

func (r *reader) takeResult(ctx context.Context, done *result) error {
	r.waits = done.Waits
	if done.Waits != nil {
		r.status = journal.Waiting
	}
	if done.Status != "" {
		r.status, r.failure = done.Status, done.Error
	}
	return r.add(ctx, done.Entries)
}

// end reads the end of a workflow. What no activity has said of it is that of the server.
func (r *reader) end(e *historypb.HistoryEvent) {
	ended := r.status != journal.Running && r.status != journal.Waiting
	switch e.EventType {
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW:
		r.next = e.GetWorkflowExecutionContinuedAsNewEventAttributes().NewExecutionRunId
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED:
		if !ended {
			r.status, r.failure = journal.Failed, e.GetWorkflowExecutionFailedEventAttributes().Failure.GetMessage()
		}
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED:
		if !ended {
			r.status, r.failure = journal.Cancelled, "the workflow was terminated: "+e.GetWorkflowExecutionTerminatedEventAttributes().Reason
		}
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT:
		if !ended {
			r.status, r.failure = journal.Failed, "the workflow has timed out"
		}
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED:
		if !ended {
			r.status = journal.Cancelled
		}
	}
}

// add adds entries: all or, with an error, none.
func (r *reader) add(ctx context.Context, packed []entry) error {
	entries, size := r.entries, r.size
	for i := range packed {
		e, err := r.engine.unpack(ctx, &packed[i], r.updated)
		if err != nil {
			return err
		}
		entries = append(entries, e)
		size += len(e.Data)
	}
	r.entries, r.size = entries, size
	return nil
}

// about returns what the history says of the run.
func (r *reader) about() *journal.Run {
	about := r.in.about(r.id)
	about.Status, about.Error, about.Updated, about.Entries = r.status, r.failure, r.updated, len(r.entries)
	about.Live = r.status == journal.Running
	return &about
}

// decode reads the only value of payloads.
func (e *Engine) decode(p *commonpb.Payloads, value any) error {
	return e.json.FromPayloads(p, value)
}

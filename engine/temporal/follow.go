package temporal

import (
	"context"
	"errors"
	"fmt"
	"iter"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// Follow yields what a run has done: at once, and again whenever it has done more or waits, until
// it has ended. A caller that stops ranging changes nothing.
func (e *Engine) Follow(ctx context.Context, id string) iter.Seq2[*durable.Record, error] {
	return func(yield func(*durable.Record, error) bool) {
		seen, status := 0, journal.Status("")
		for r, err := range e.watch(ctx, id) {
			if err != nil {
				yield(nil, err)
				return
			}
			if len(r.entries) == seen && r.status == status {
				continue
			}
			seen, status = len(r.entries), r.status
			record, err := durable.RecordOf(r.about(), r.entries)
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

// watch yields the reader of a run whenever it has read something, until the run has ended.
func (e *Engine) watch(ctx context.Context, id string) iter.Seq2[*reader, error] {
	return func(yield func(*reader, error) bool) {
		r := newReader(e, id)
		for history := ""; ; history, r.next, r.read = r.next, "", 0 {
			events := e.client.GetWorkflowHistory(ctx, id, history, true, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
			for events.HasNext() {
				event, err := events.Next()
				if err == nil {
					err = r.take(ctx, event)
				}
				var none *serviceerror.NotFound
				if errors.As(err, &none) {
					err = fmt.Errorf("run %s: %w", id, journal.ErrNotFound)
				}
				if !yield(r, err) || err != nil {
					return
				}
			}
			if r.next == "" {
				return
			}
		}
	}
}

// Events yields the events of a run as they happen, wherever it runs, and those that have
// happened before as [interp.Event.Replayed]: a loop goes through what the run has done, with an
// agent that makes nothing. It ends as [durable.Run.Events] does, also when the run waits;
// the bound agent must have the options that bind gets.
func (e *Engine) Events(ctx context.Context, id string, bind func(*interp.Options) (*interp.Bound, error)) iter.Seq2[interp.Event, error] {
	return func(yield func(interp.Event, error) bool) {
		next, stop := iter.Pull2(e.watch(ctx, id))
		defer stop()
		f := &follower{next: next, outcomes: map[string]*interp.Outcome{}, replayed: map[string]bool{}}
		known, err := e.read(ctx, id)
		if err == nil {
			err = f.begin(ctx, e, known, bind)
		}
		if err != nil {
			yield(interp.Event{Kind: interp.EventStopped, Answer: &interp.AgentResponse{}}, err)
			return
		}
		for event, err := range f.bound.EventsOf(ctx, f.run.Start().Message, f.run.Conversation()) {
			if !yield(event, err) {
				return
			}
		}
	}
}

// A follower is a loop whose steps another process makes.
type follower struct {
	next     func() (*reader, error, bool)
	run      *durable.Run
	bound    *interp.Bound
	outcomes map[string]*interp.Outcome
	replayed map[string]bool
	taken    int // entries
	known    int // entries that there were when it began: at these the run does not wait any more
}

func (f *follower) begin(ctx context.Context, e *Engine, known *reader, bind func(*interp.Options) (*interp.Bound, error)) error {
	given, err := e.given(ctx, known.in.Given)
	if err != nil {
		return err
	}
	if f.run, err = durable.Continue(known.about(), known.entries[:1], nil, &durable.Options{Conversation: given}); err != nil {
		return err
	}
	f.known = len(known.entries)
	for i := range known.entries {
		if o, err := durable.OutcomeOf(&known.entries[i]); o != nil && err == nil {
			f.replayed[known.entries[i].Key] = true
		}
	}
	o := f.run.Options(nil)
	o.Steps, o.Recorded = f.steps, func(key string) bool { return f.replayed[key] }
	f.bound, err = bind(o)
	return err
}

// steps returns what steps have led to, once that is known.
func (f *follower) steps(ctx context.Context, steps []interp.Step, _ func(context.Context, int) (interp.Outcome, error)) ([]interp.Outcome, error) {
	outcomes := make([]interp.Outcome, len(steps))
	for i := range steps {
		o, err := f.outcome(ctx, steps[i].Key)
		if err != nil {
			return nil, err
		}
		outcomes[i] = *o
	}
	return outcomes, nil
}

func (f *follower) outcome(ctx context.Context, key string) (*interp.Outcome, error) {
	for {
		if o := f.outcomes[key]; o != nil {
			return o, nil
		}
		r, err, ok := f.next()
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return nil, runtime.Errorf(runtime.KindReplay, "the run has ended without its step %s", key)
		}
		if err := f.take(r); err != nil {
			return nil, err
		}
		if f.outcomes[key] == nil && len(r.entries) >= f.known {
			if err := failureOf(r); err != nil {
				return nil, err
			}
		}
	}
}

// take takes the outcomes that are new.
func (f *follower) take(r *reader) error {
	for ; f.taken < len(r.entries); f.taken++ {
		e := &r.entries[f.taken]
		o, err := durable.OutcomeOf(e)
		if err != nil {
			return err
		}
		if o != nil {
			f.outcomes[e.Key] = o
		}
	}
	return nil
}

// failureOf returns why a run makes no more steps; nil if it may.
func failureOf(r *reader) error {
	switch r.status {
	case journal.Running:
		return nil
	case journal.Waiting:
		return interp.ErrWaiting
	}
	record, err := durable.RecordOf(r.about(), r.entries)
	switch {
	case err != nil:
		return err
	case record.End != nil && record.End.Error != nil:
		return record.End.Error
	}
	return errors.New(r.failure)
}

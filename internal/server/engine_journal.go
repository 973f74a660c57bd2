package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/telemetry"
	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A journalEngine makes the runs in this process, and keeps them in a journal.
type journalEngine struct{ *journal.Journal }

// OnJournal returns the engine that makes runs in this process, and keeps them in a journal, which
// it does not close. Several processes may share the journal.
func OnJournal(j *journal.Journal) Engine { return journalEngine{j} }

// startOf is what the start of a served run has for the server.
type startOf struct {
	Conversation runtime.Conversation `json:"conversation,omitempty"` // of the client, in a run without a session
	Caller       runtime.TraceContext `json:"caller,omitzero"`
}

func (e journalEngine) Begin(ctx context.Context, a *Agent, about *journal.Run, message runtime.Message, given runtime.Conversation) (Run, error) {
	start := &durable.Start{Message: message, Model: a.Model}
	caller := runtime.TraceContextOf(ctx)
	if len(given) > 0 || caller != (runtime.TraceContext{}) {
		var err error
		if start.Data, err = json.Marshal(startOf{given, caller}); err != nil {
			return nil, err
		}
	}
	o := &durable.Options{Redact: a.Redact, Conversation: given}
	o.Ahead = about.Session == "" // it is of one request, which has no answer if the process ends
	run, err := durable.Begin(ctx, e.Journal, about, a.Program, start, o)
	if err != nil {
		return nil, err
	}
	return &journalRun{run, a, caller}, nil
}

func (e journalEngine) Resume(ctx context.Context, a *Agent, about *journal.Run) (Run, error) {
	record, err := e.Read(ctx, about.ID)
	if err != nil {
		return nil, err
	}
	var own startOf
	if len(record.Start.Data) > 0 {
		if err := json.Unmarshal(record.Start.Data, &own); err != nil {
			return nil, fmt.Errorf("the start of run %s cannot be read: %w", about.ID, err)
		}
	}
	run, err := durable.Resume(ctx, e.Journal, about.ID, &durable.Options{Redact: a.Redact, Conversation: own.Conversation})
	if err != nil {
		return nil, err
	}
	return &journalRun{run, a, own.Caller}, nil
}

// Left returns the runs whose process has died, and those that were decided about.
func (e journalEngine) Left(ctx context.Context, _ []string) ([]*journal.Run, error) {
	return e.Journal.Left(ctx)
}

func (e journalEngine) Read(ctx context.Context, id string) (*durable.Record, error) {
	return durable.Read(ctx, e.Journal, id)
}

func (e journalEngine) Decide(ctx context.Context, id string, d journal.Decision) error {
	return durable.Decide(ctx, e.Journal, id, d)
}

// A journalRun is a run that this process makes.
type journalRun struct {
	*durable.Run
	agent  *Agent
	caller runtime.TraceContext
}

func (r *journalRun) Events(ctx context.Context) iter.Seq2[interp.Event, error] {
	var spans *telemetry.Run
	if r.agent.Trace != nil {
		about := r.About()
		spans = r.agent.Trace(r.caller, &r.Start().Message, cmp.Or(about.Session, about.ID))
	}
	o := &interp.Options{Stream: true, Approve: r.agent.Approve}
	if spans != nil {
		o.CallContext = spans.CallContext
	}
	events := r.failed
	bound, err := r.agent.Bind(r.Options(o))
	if err == nil {
		events = func(ctx context.Context, _ error) iter.Seq2[interp.Event, error] { return r.Run.Events(ctx, bound) }
	}
	if spans == nil {
		return events(ctx, err)
	}
	return traced(spans, events(ctx, err))
}

// failed ends a run whose agent cannot be bound.
func (r *journalRun) failed(ctx context.Context, err error) iter.Seq2[interp.Event, error] {
	return func(yield func(interp.Event, error) bool) {
		if ended := r.End(ctx, &interp.AgentResponse{}, err); ended != nil {
			err = fmt.Errorf("%w (and the end of the run could not be written: %w)", err, ended)
		}
		yield(interp.Event{Kind: interp.EventStopped}, err)
	}
}

// traced passes on the events of a run, of which those that happen now become spans.
func traced(spans *telemetry.Run, events iter.Seq2[interp.Event, error]) iter.Seq2[interp.Event, error] {
	return func(yield func(interp.Event, error) bool) {
		defer spans.Left() // unless the run ended
		for e, err := range events {
			switch {
			case e.Replayed:
			case e.Kind != interp.EventStopped:
				spans.Event(&e)
			case !errors.Is(err, interp.ErrWaiting):
				failed := trace.FailureOf(err)
				spans.Stopped(failed.Kind, failed.Message)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

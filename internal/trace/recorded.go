package trace

import (
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/interp"
)

// Recorded writes the trace of a run that a journal has.
func (w *Writer) Recorded(r *durable.Record) error {
	w.at = r.Run.Created
	if model, err := compile.ParseModel(r.Start.Model, w.table); err == nil {
		w.model = model
	}
	about := &line{Event: eventMessage, Agent: r.Run.Agent, Model: r.Start.Model, Content: r.Start.Message.Content}
	for i := range r.Start.Message.Attachments {
		about.Attached = append(about.Attached, r.Start.Message.Attachments[i].Name)
	}
	if err := w.write(about); err != nil {
		return err
	}
	for e := range r.Events() {
		before := w.at
		w.at = e.At
		if err := w.recorded(&e, e.At.Sub(before)); err != nil {
			return err
		}
	}
	return nil
}

// recorded writes an event that happened some time after the one before.
func (w *Writer) recorded(e *durable.Event, after time.Duration) error {
	switch {
	case e.Approval != nil:
		return w.write(&line{Event: eventApproval, Turn: e.Turn, Tool: e.Call.Name, Allowed: &e.Approval.Approved, Millis: millis(after)})
	case e.Kind == interp.EventStopped:
		return w.Stopped(FailureOf(e.Err))
	}
	return w.Event(&e.Event)
}

package trace

import (
	"strings"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/runtime"
)

// Recorded writes the trace of a run that a journal has. A request begins when the step
// before it ended.
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
	turn := 0
	var calls []runtime.Call
	for i := range r.Steps {
		s := &r.Steps[i]
		lines := []*line{}
		switch o := s.Outcome; {
		case strings.HasSuffix(s.Key, "/approval"):
			if o != nil {
				lines = append(lines, &line{Event: eventApproval, Turn: turn, Tool: s.Tool, Allowed: &o.Approved})
			}
		case s.Tool == "":
			turn++
			lines = w.request(s, turn)
			calls = nil
			if o != nil && o.Response != nil {
				calls = o.Response.Calls
			}
		default:
			lines = recordedCall(s, turn, calls)
		}
		for k, l := range lines {
			if k == len(lines)-1 {
				w.at = s.Time
			}
			if err := w.write(l); err != nil {
				return err
			}
		}
	}
	if r.End == nil {
		return nil
	}
	w.at = r.Run.Updated
	if r.End.Error != nil {
		return w.Stopped(FailureOf(r.End.Error))
	}
	return w.write(&line{Event: eventAnswer, Turn: turn, Content: r.End.Content})
}

// request returns the lines of a request that was journaled.
func (w *Writer) request(s *durable.RecordedStep, turn int) []*line {
	lines := []*line{{Event: eventRequest, Turn: turn}}
	if s.Outcome == nil || s.Outcome.Response == nil {
		return lines
	}
	response := s.Outcome.Response
	l := &line{Event: eventResponse, Turn: turn, Content: response.Content, Refusal: response.Refusal, Finish: response.Finish}
	w.spend(l, response)
	return append(lines, l)
}

// recordedCall returns the lines of a call that was journaled.
func recordedCall(s *durable.RecordedStep, turn int, calls []runtime.Call) []*line {
	var call runtime.Call
	if i := s.Index(); i < len(calls) {
		call = calls[i]
	}
	call.ID = s.Key
	lines := []*line{{Event: eventStarted, Turn: turn, ID: call.ID, Tool: s.Tool, Args: call.Args}}
	if o := s.Outcome; o != nil {
		done := &runtime.Invocation{Tool: s.Tool, Args: call.Args, Result: o.Result, Err: o.Error}
		lines = append(lines, &line{Event: eventFinished, Turn: turn, ID: call.ID, Millis: millis(o.Time), Invocation: invocationOf(done)})
	}
	return lines
}

package durable

import (
	"encoding/json"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// An Event is what has happened in a run, as a journal has it. Requests and models that did not
// respond are not in there: Request is nil, and there are no fallbacks and no pieces.
type Event struct {
	interp.Event
	At       time.Time
	Approval *interp.Outcome // what was decided about Call; Kind is "" then
	Err      error           // of [interp.EventStopped]
}

// Events yields what has happened in a run, as the loop yielded it. A request begins when the step
// before it ended. The ID of a call is the key of its step.
func (r *Record) Events() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		w := walk{yield: yield, at: r.Run.Created}
		for i := range r.Steps {
			w.step(&r.Steps[i])
		}
		w.end(r)
	}
}

// A walk goes through the steps of a run.
type walk struct {
	yield   func(Event) bool
	stopped bool // the caller stopped ranging

	turn  int
	at    time.Time
	calls []walkedCall // of the last response
}

type walkedCall struct {
	call     runtime.Call
	args     json.RawMessage // of the invocation
	began    bool
	finished bool
}

func (w *walk) emit(e Event) {
	e.Turn, e.At = w.turn, w.at
	w.stopped = w.stopped || !w.yield(e)
}

func (w *walk) step(s *RecordedStep) {
	if w.stopped {
		return
	}
	request, call, isCall := strings.Cut(s.Key, "/")
	call, isApproval := strings.CutSuffix(call, "/approval")
	n, err := strconv.Atoi(call)
	switch {
	case !isCall:
		w.request(request, s)
	case err != nil || n < 1 || n > len(w.calls):
	case isApproval:
		w.approval(n-1, s)
	default:
		w.call(n-1, s)
	}
}

// request takes a request, which follows when all calls of the response before have ended.
func (w *walk) request(key string, s *RecordedStep) {
	w.refuseOthers()
	w.calls = nil
	o := s.Outcome
	if o == nil || o.Summary == 0 && !o.Unsent {
		w.turn++
		w.emit(Event{Event: interp.Event{Kind: interp.EventRequest}})
	}
	w.at = s.Time
	switch {
	case o == nil || o.Response == nil || w.stopped:
		return
	case o.Summary > 0:
		w.emit(Event{Event: interp.Event{Kind: interp.EventCompacted, Compaction: &interp.Compaction{Messages: o.Summary, Response: o.Response}}})
		return
	}
	w.emit(Event{Event: interp.Event{Kind: interp.EventResponse, Response: o.Response}})
	for i, c := range o.Response.Calls {
		c.ID, c.Args = key+"/"+strconv.Itoa(i+1), validJSON(c.Args)
		w.calls = append(w.calls, walkedCall{call: c, args: c.Args})
	}
}

// begin yields the beginning of a call, and of those before it.
func (w *walk) begin(n int) {
	for i := range w.calls[:n+1] {
		if c := &w.calls[i]; !c.began && !w.stopped {
			c.began = true
			w.emit(Event{Event: interp.Event{Kind: interp.EventToolStarted, Call: &c.call}})
		}
	}
}

// finish yields the end of a call.
func (w *walk) finish(n int, o *interp.Outcome) {
	w.begin(n)
	if c := &w.calls[n]; !w.stopped {
		c.finished = true
		done := &runtime.Invocation{Tool: c.call.Name, Args: c.args, Result: o.Result, Err: o.Error}
		w.emit(Event{Event: interp.Event{Kind: interp.EventToolFinished, Call: &c.call, Invocation: done, Time: o.Time}})
	}
}

func (w *walk) approval(n int, s *RecordedStep) {
	w.begin(n)
	w.at = s.Time
	o, c := s.Outcome, &w.calls[n]
	if o == nil || w.stopped {
		return
	}
	w.emit(Event{Event: interp.Event{Call: &c.call}, Approval: o})
	switch {
	case w.stopped:
	case o.Approved:
		if o.Args != nil {
			c.args = validJSON(o.Args)
		}
	default:
		w.finish(n, &interp.Outcome{Error: refusal(o)})
	}
}

// refusal returns why a call was not made that nobody allowed.
func refusal(o *interp.Outcome) *runtime.ToolError {
	refused := &runtime.ToolError{Kind: runtime.ToolAuthorization, Message: "not run: the user did not allow this call"}
	switch {
	case o.Unasked:
		refused.Message = "not run: this call needs the approval of the user, and nobody can be asked here"
	case o.Reason != "":
		refused.Message += ": " + o.Reason
	}
	return refused
}

func (w *walk) call(n int, s *RecordedStep) {
	w.calls[n].call.Name = s.Tool
	if o := s.Outcome; o != nil {
		if began := s.Time.Add(-o.Time); began.After(w.at) {
			w.at = began
		}
		w.begin(n)
		w.at = s.Time
		w.finish(n, o)
		return
	}
	w.begin(n)
}

// refuseOthers ends the calls that no step has made: they were refused, for a reason that no step
// has either.
func (w *walk) refuseOthers() {
	for i := range w.calls {
		if !w.calls[i].finished && !w.stopped {
			w.finish(i, &interp.Outcome{Error: &runtime.ToolError{Kind: runtime.ToolExecution, Message: "not run"}})
		}
	}
}

// end yields the end of the run, if it is there.
func (w *walk) end(r *Record) {
	if r.End == nil || w.stopped {
		return
	}
	e := Event{Event: interp.Event{Kind: interp.EventAnswer}, Err: r.End.Error}
	e.Answer = &interp.AgentResponse{Content: r.End.Content, Finish: r.End.Finish, Usage: r.End.Usage, OutOfBudget: r.End.OutOfBudget}
	if e.Err != nil {
		e.Kind = interp.EventStopped
	}
	w.at = r.Run.Updated
	w.emit(e)
}

// validJSON returns JSON as it is, and any other text as a string.
func validJSON(text json.RawMessage) json.RawMessage {
	if json.Valid(text) {
		return text
	}
	quoted, err := json.Marshal(string(text))
	if err != nil {
		panic("durable: a string has no JSON form: " + err.Error())
	}
	return quoted
}

package server

import (
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// An event is what a client sees of a run. Those with an ID are kept, and have the same ID
// whenever the run is read again.
type event struct {
	ID   string `json:"id,omitempty"`
	Kind string `json:"kind"`

	Text   string  `json:"text,omitempty"`
	Tool   string  `json:"tool,omitempty"`
	Call   string  `json:"call,omitempty"` // which call a result is of
	Args   string  `json:"args,omitempty"`
	Result string  `json:"result,omitempty"`
	Failed bool    `json:"failed,omitempty"`
	Denied bool    `json:"denied,omitempty"` // it failed since nobody allowed it
	Millis float64 `json:"ms,omitempty"`

	Run *runState `json:"run,omitempty"` // of "state"
}

// The kinds of events.
const (
	kindDelta    = "delta"    // a piece of the response
	kindPartial  = "partial"  // all pieces of the response so far
	kindResponse = "response" // the whole response
	kindCall     = "call"     // a call begins
	kindResult   = "result"   // a call has ended
	kindNote     = "note"     // the conversation was shortened
	kindState    = "state"    // how the run is, when that has changed
)

// A counter numbers the events of a run in the order in which they happen, which is the same when
// it is replayed.
type counter struct{ responses, calls, results int }

func (c *counter) response() string {
	c.responses++
	c.calls, c.results = 0, 0
	return fmt.Sprint(c.responses)
}

func (c *counter) call() string {
	c.calls++
	return fmt.Sprintf("%d/%d", c.responses, c.calls)
}

func (c *counter) result() string {
	c.results++
	return fmt.Sprintf("%d/%d", c.responses, c.results)
}

// take adds what has happened to a run.
func (l *liveRun) take(e *interp.Event, agent *Agent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e.Kind {
	case interp.EventRequest, interp.EventFallback:
		l.partial.Reset()
	case interp.EventDelta:
		switch {
		case e.Delta.Kind == runtime.DeltaRestart:
			l.partial.Reset()
		case e.Delta.Kind == runtime.DeltaText && !agent.JSON:
			l.partial.WriteString(e.Delta.Text)
		default:
			return
		}
	case interp.EventResponse:
		l.partial.Reset()
		l.emit(responseEvent(l.counter.response(), e.Response, agent.JSON))
	case interp.EventCompacted:
		l.emit(event{ID: l.counter.response(), Kind: kindNote, Text: "The conversation was too long: " + e.Compaction.String() + "."})
	case interp.EventToolStarted:
		l.emit(callEvent(l.counter.call(), e.Call))
	case interp.EventToolFinished:
		l.emit(resultEvent(l.counter.result(), e.Invocation.Tool, e.Invocation.Result, e.Invocation.Err, float64(e.Time)/1e6))
	default:
		return
	}
	l.notify()
}

func responseEvent(id string, r *runtime.Response, asJSON bool) event {
	e := event{ID: id, Kind: kindResponse}
	if !asJSON {
		e.Text = r.Content
	}
	return e
}

func callEvent(id string, c *runtime.Call) event {
	return event{ID: id + "/call", Kind: kindCall, Call: id, Tool: c.Name, Args: string(c.Args)}
}

func resultEvent(id, tool string, result json.RawMessage, failed *runtime.ToolError, ms float64) event {
	e := event{ID: id + "/result", Kind: kindResult, Call: id, Tool: tool, Result: string(result), Millis: ms}
	if failed != nil {
		e.Failed, e.Result, e.Denied = true, failed.Message, failed.Kind == runtime.ToolAuthorization
	}
	return e
}

// emit keeps an event unless it is there since the run was made before.
func (l *liveRun) emit(e event) {
	if !l.has(e.ID) {
		l.events = append(l.events, e)
	}
}

func (l *liveRun) has(id string) bool {
	for i := range l.events {
		if l.events[i].ID == id {
			return true
		}
	}
	return false
}

// notify wakes those who watch. The lock is held.
func (l *liveRun) notify() {
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// change returns the channel that is closed at the next change. The lock is held.
func (l *liveRun) change() <-chan struct{} {
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return l.changed
}

// eventsOf returns the events of a run that the journal has.
func eventsOf(r *durable.Record, asJSON bool) []event {
	l := liveRun{changed: make(chan struct{})}
	for e := range r.Events() {
		l.take(&e.Event, &Agent{JSON: asJSON})
	}
	return l.events
}

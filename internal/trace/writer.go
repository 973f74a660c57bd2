package trace

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A Writer writes each event at once, so that a trace is complete when a run hangs or is
// killed. It is used by one goroutine at a time. A nil Writer writes nothing.
type Writer struct {
	out    io.Writer
	table  *models.Table
	model  compile.Model // that responds
	asked  time.Time     // when the last request began
	begins time.Time     // when its response began; zero if that is unknown
	at     time.Time     // of the next lines; zero is now
	about  string        // the schemas and files that were written last
}

// NewWriter returns a Writer that takes prices and limits from a table.
func NewWriter(out io.Writer, table *models.Table) *Writer {
	return &Writer{out: out, table: table}
}

func (w *Writer) write(l *line) error {
	if w == nil {
		return nil
	}
	if l.Time = w.at; l.Time.IsZero() {
		l.Time = time.Now()
	}
	l.Time = l.Time.UTC()
	e := json.NewEncoder(w.out)
	e.SetEscapeHTML(false)
	return e.Encode(l)
}

// Message begins the trace of one run, of an agent that was read from files.
func (w *Writer) Message(a *interp.Agent, files []File, m *runtime.Message) error {
	if w == nil {
		return nil
	}
	w.model = a.Model
	l := &line{Event: eventMessage, Agent: a.Name, Model: a.Model.String(), Instruction: a.Instruction, Content: m.Content}
	for i := range a.Tools {
		l.Tools = append(l.Tools, a.Tools[i].Name)
	}
	for i := range m.Attachments {
		l.Attached = append(l.Attached, m.Attachments[i].Name)
	}
	if err := w.describe(l, a, files); err != nil {
		return err
	}
	return w.write(l)
}

// Event writes an event of a run. The pieces of a response are not written: the response
// that follows has them.
func (w *Writer) Event(e *interp.Event) error {
	if w == nil {
		return nil
	}
	if e.Kind == interp.EventDelta {
		w.piece(e.Delta)
		return nil
	}
	l := &line{Event: string(e.Kind), Turn: e.Turn}
	switch e.Kind {
	case interp.EventRequest:
		w.asked, w.begins = time.Now(), time.Time{}
		if e.Request != nil { // nil in one that a journal has
			l.Context = w.contextOf(e.Request)
		}
	case interp.EventResponse:
		l.Content, l.Refusal, l.Finish = e.Response.Content, e.Response.Refusal, e.Response.Finish
		w.spend(l, e.Response)
		if !w.begins.IsZero() {
			l.FirstToken = max(millis(w.begins.Sub(w.asked)), 0.001) // 0 is unknown
		}
	case interp.EventFallback:
		w.model = e.Fallback.To
		l.Model, l.Error = w.model.String(), FailureOf(e.Fallback.Err)
	case interp.EventCompacted:
		l.Messages, l.Content = e.Compaction.Messages, e.Compaction.Response.Content
		w.spend(l, e.Compaction.Response)
	case interp.EventToolStarted:
		l.ID, l.Tool, l.Args = e.Call.ID, e.Call.Name, e.Call.Args
	case interp.EventToolFinished:
		l.ID, l.Millis, l.Invocation = e.Call.ID, millis(e.Time), invocationOf(e.Invocation)
	case interp.EventAnswer:
		l.Content = e.Answer.Content
	}
	return w.write(l)
}

// Approval writes that the user was asked about the call that was started last.
func (w *Writer) Approval(tool string, allowed bool, took time.Duration) error {
	return w.write(&line{Event: eventApproval, Tool: tool, Allowed: &allowed, Millis: millis(took)})
}

// Stopped ends the trace of a run that failed.
func (w *Writer) Stopped(f *Failure) error {
	return w.write(&line{Event: eventStopped, Error: f})
}

// FailureOf returns an error as it stands in a trace.
func FailureOf(err error) *Failure {
	f := &Failure{Message: err.Error()}
	var known *runtime.Error
	if errors.As(err, &known) {
		f.Kind = string(known.Kind)
	}
	return f
}

// piece notes when a response begins.
func (w *Writer) piece(d *runtime.Delta) {
	switch {
	case d.Kind == runtime.DeltaWait:
	case d.Kind == runtime.DeltaRestart:
		w.begins = time.Time{}
	case w.begins.IsZero():
		w.begins = time.Now()
	}
}

// spend writes what a response has taken.
func (w *Writer) spend(l *line, r *runtime.Response) {
	l.Usage, l.Lost = r.Usage, r.Attempts.Lost
	if r.Attempts.Sent > 1 {
		l.Attempts = r.Attempts.Sent
	}
	prices := w.table.Prices(w.model.Provider, w.model.ID)
	if prices == nil || r.Usage.Input == 0 && r.Usage.Output == 0 {
		return
	}
	u := r.Usage
	cost := prices.Cost(models.Tokens{Input: int(u.Input), CacheRead: int(u.CacheRead), CacheWrite: int(u.CacheWrite), Output: int(u.Output)})
	dollars := float64(cost) / float64(models.Dollar)
	l.Cost = &dollars
}

func (w *Writer) contextOf(r *runtime.Request) *contextSize {
	c := &contextSize{Messages: len(r.Messages), Tools: len(r.Tools), Bytes: len(r.Instruction)}
	for i := range r.Messages {
		c.Bytes += len(r.Messages[i].Content)
		for j := range r.Messages[i].Calls {
			c.Bytes += len(r.Messages[i].Calls[j].Args)
		}
	}
	for i := range r.Tools {
		c.Bytes += len(r.Tools[i].Description) + len(r.Tools[i].Input)
	}
	if m, ok := w.table.Model(w.model.Provider, w.model.ID); ok {
		c.Limit = m.InputLimit()
	}
	return c
}

func invocationOf(i *runtime.Invocation) *invocation {
	n := &invocation{Tool: i.Tool, Args: i.Args}
	switch {
	case i.Err != nil:
		n.Result.Error = &i.Err.Message
	case len(i.Result) == 0:
		n.Result.Success = json.RawMessage("null")
	default:
		n.Result.Success = i.Result
	}
	return n
}

// millis returns milliseconds with at most three decimals.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

package interp

import (
	"context"
	"log/slog"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// An EventKind is what happened.
type EventKind string

// The kinds of events, and the fields of the [Event] that they set.
const (
	EventRequest      EventKind = "model-request"  // Request, which is about to be sent
	EventDelta        EventKind = "model-delta"    // Delta, a piece of the response that follows; only with Options.Stream
	EventResponse     EventKind = "model-response" // Response, as the model gave it
	EventFallback     EventKind = "model-fallback" // Fallback; the request goes to another model
	EventCompacted    EventKind = "compacted"      // Compaction; the conversation was too long, and goes on with a summary
	EventToolStarted  EventKind = "tool-started"   // Call, as it is in the conversation
	EventToolFinished EventKind = "tool-finished"  // Call, Invocation and Time
	EventAnswer       EventKind = "answer"         // Answer; the last event of a run that succeeds
	EventStopped      EventKind = "stopped"        // Answer, with everything until then; the last event of a run that fails
)

// An Event is one step of a run. What it points to must not be changed, by the
// caller or by the run.
type Event struct {
	Kind       EventKind
	Turn       int  // counts the requests to the model, from 1; 0 before the first
	Replayed   bool // it happened in an earlier run, which this one continues; see [Options.Recorded]
	Request    *runtime.Request
	Delta      *runtime.Delta
	Response   *runtime.Response
	Fallback   *Fallback
	Compaction *Compaction
	Call       *runtime.Call
	Invocation *runtime.Invocation
	Time       time.Duration // that the tool took, without the wait for an approval; 0 for a call that was not run
	Answer     *AgentResponse
}

// log writes an event without texts of the user, the model or the tools.
func (e *Event) log(ctx context.Context, logger *slog.Logger) {
	if logger == nil || e.Kind == EventDelta || !logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := []slog.Attr{slog.Int("turn", e.Turn)}
	switch e.Kind {
	case EventRequest:
		attrs = append(attrs, slog.String("model", e.Request.Model),
			slog.Int("messages", len(e.Request.Messages)), slog.Int("tools", len(e.Request.Tools)))
	case EventResponse:
		attrs = append(attrs, slog.String("finish", e.Response.Finish), slog.Int("calls", len(e.Response.Calls)),
			slog.Int64("tokens", e.Response.Usage.Total))
	case EventFallback:
		attrs = append(attrs, slog.String("from", e.Fallback.From.String()), slog.String("to", e.Fallback.To.String()))
	case EventCompacted:
		attrs = append(attrs, slog.Int("messages", e.Compaction.Messages), slog.Int64("tokens", e.Compaction.Response.Usage.Output))
	case EventToolStarted:
		attrs = append(attrs, slog.String("tool", e.Call.Name), slog.String("call", e.Call.ID))
	case EventToolFinished:
		attrs = append(attrs, slog.String("tool", e.Call.Name), slog.String("call", e.Call.ID))
		if failed := e.Invocation.Err; failed != nil {
			attrs = append(attrs, slog.String("error", string(failed.Kind)))
		}
	}
	logger.LogAttrs(ctx, slog.LevelDebug, string(e.Kind), attrs...)
}

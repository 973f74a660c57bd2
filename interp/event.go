package interp

import (
	"context"
	"log/slog"

	"github.com/gram-lang/gramc/runtime"
)

// An EventKind says what happened.
type EventKind string

// The kinds of events, and the field of the [Event] that tells more.
const (
	EventRequest      EventKind = "model-request"  // Request, which is about to be sent
	EventResponse     EventKind = "model-response" // Response, as the model gave it
	EventToolStarted  EventKind = "tool-started"   // Call, as it stands in the conversation
	EventToolFinished EventKind = "tool-finished"  // Call and Invocation
	EventAnswer       EventKind = "answer"         // Answer; the last event of a run that succeeds
	EventStopped      EventKind = "stopped"        // Answer, with what was done so far; the last event of a run that does not
)

// An Event is one step of a run. What it points to belongs to the run and must
// not be changed; it stays as it is.
type Event struct {
	Kind       EventKind
	Turn       int // counts the requests to the model, from 1; 0 before the first
	Request    *runtime.Request
	Response   *runtime.Response
	Call       *runtime.Call
	Invocation *runtime.Invocation
	Answer     *AgentResponse
}

// log writes an event without the words of the user, the model or the tools.
func (e *Event) log(ctx context.Context, logger *slog.Logger) {
	if logger == nil || !logger.Enabled(ctx, slog.LevelDebug) {
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

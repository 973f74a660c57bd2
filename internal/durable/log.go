package durable

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A Log is where a run is written, by one process at a time. A [*journal.Claim] is one; what
// its methods promise holds for all.
type Log interface {
	Append(ctx context.Context, entries ...journal.Entry) error
	End(ctx context.Context, status journal.Status, failure string, entries ...journal.Entry) error
	Release(ctx context.Context) error
	OnCancelled(f func())
}

// Continue goes on with a run whose entries are not in a journal of this machine. The
// conversation that the run continues is that of the options.
func Continue(about *journal.Run, entries []journal.Entry, log Log, o *Options) (*Run, error) {
	r := newRun(nil, o)
	r.about, r.claim, r.given = *about, log, r.options.Conversation
	close(r.begun)
	if err := r.take(entries); err != nil {
		return nil, err
	}
	return r, nil
}

// StartEntry returns the first entry of a run: see [Begin].
func StartEntry(s *Start, redact func(string) string) (journal.Entry, error) {
	data, err := newRun(nil, &Options{Redact: redact}).redactStart(s).encode()
	return journal.Entry{Kind: kindStart, Data: data}, err
}

// IntentEntry returns the entry that says that a call may have been made.
func IntentEntry(s *interp.Step) (journal.Entry, error) { return entryOf(kindIntent, s, nil) }

// OutcomeOf returns the outcome of a step, nil if the entry is about something else.
func OutcomeOf(e *journal.Entry) (*interp.Outcome, error) {
	if e.Kind != kindOutcome {
		return nil, nil
	}
	step, err := readStep(e)
	if err != nil {
		return nil, err
	}
	return step.Outcome, nil
}

// redactStart returns a start whose message is that of the user, without secrets.
func (r *Run) redactStart(s *Start) *Start {
	start := *s
	start.Message.Role = runtime.RoleUser
	start.Message = r.redactMessage(start.Message)
	return &start
}

// WaitingOf returns what a run waits for, nil if the entry is about something else.
func WaitingOf(e *journal.Entry) (*Waiting, error) {
	if e.Kind != kindWaiting {
		return nil, nil
	}
	step, err := readStep(e)
	if err != nil {
		return nil, err
	}
	return &Waiting{e.Key, step.Tool, step.Args.Bytes(), step.Hash, e.Time}, nil
}

// WriteMessages writes messages, as [ReadMessages] reads them.
func WriteMessages(messages []runtime.Message) ([]byte, error) {
	list := make([]messageJSON, len(messages))
	for i := range messages {
		list[i] = messageJSONOf(&messages[i])
	}
	return plainjson.Marshal(list)
}

// ReadMessages reads messages that [WriteMessages] has written.
func ReadMessages(data []byte) (runtime.Conversation, error) {
	var list []messageJSON
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("the messages cannot be read: %w", err)
	}
	return new(source).read(list)
}

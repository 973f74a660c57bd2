package temporal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	commonpb "go.temporal.io/api/common/v1"
	enums "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/converter"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/runtime"
)

// failing is a store that fails at times.
type failing struct {
	Files
	err error
}

func (f *failing) Get(ctx context.Context, hash string) ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	return f.Files.Get(ctx, hash)
}

func testEngine(t *testing.T) (*Engine, *failing) {
	t.Helper()
	store := &failing{Files: Files(t.TempDir())}
	return &Engine{o: Options{Store: store}, json: converter.GetDefaultDataConverter()}, store
}

func payloads(t *testing.T, e *Engine, value any) *commonpb.Payloads {
	t.Helper()
	p, err := e.json.ToPayloads(value)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// began returns the first events of a history: that of a run, and that of an activity.
func began(t *testing.T, e *Engine) []*historypb.HistoryEvent {
	t.Helper()
	in := input{Start: entry{Kind: "start", Data: json.RawMessage("{}")}}
	return []*historypb.HistoryEvent{
		{EventId: 1, EventType: enums.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED, Attributes: &historypb.HistoryEvent_WorkflowExecutionStartedEventAttributes{
			WorkflowExecutionStartedEventAttributes: &historypb.WorkflowExecutionStartedEventAttributes{Input: payloads(t, e, in)},
		}},
		{EventId: 5, EventType: enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, Attributes: &historypb.HistoryEvent_ActivityTaskScheduledEventAttributes{
			ActivityTaskScheduledEventAttributes: &historypb.ActivityTaskScheduledEventAttributes{ActivityType: &commonpb.ActivityType{Name: modelName}, Input: payloads(t, e, task{})},
		}},
	}
}

// completed returns the event of an activity that is done.
func completed(t *testing.T, e *Engine, id int64, entries ...entry) *historypb.HistoryEvent {
	t.Helper()
	return &historypb.HistoryEvent{EventId: id, EventType: enums.EVENT_TYPE_ACTIVITY_TASK_COMPLETED, Attributes: &historypb.HistoryEvent_ActivityTaskCompletedEventAttributes{
		ActivityTaskCompletedEventAttributes: &historypb.ActivityTaskCompletedEventAttributes{ScheduledEventId: 5, Result: payloads(t, e, result{Entries: entries})},
	}}
}

func takeAll(t *testing.T, r *reader, events ...*historypb.HistoryEvent) {
	t.Helper()
	for _, event := range events {
		if err := r.take(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTasksOfTheWorkflowHaveNoPlaceYet has the server show a task that is not in the history yet. What is
// written there next gets its number.
func TestTasksOfTheWorkflowHaveNoPlaceYet(t *testing.T) {
	e, _ := testEngine(t)
	r := newReader(e, "r")
	takeAll(t, r, began(t, e)...)
	takeAll(t, r,
		&historypb.HistoryEvent{EventId: 6, EventType: enums.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED},
		&historypb.HistoryEvent{EventId: 7, EventType: enums.EVENT_TYPE_WORKFLOW_TASK_STARTED},
		completed(t, e, 6, entry{Kind: "outcome", Data: json.RawMessage("{}")}))
	if len(r.entries) != 2 || r.read != 6 {
		t.Errorf("%d entries after event %d", len(r.entries), r.read)
	}
}

// TestAnEventIsReadOnceOrNot has the store fail in the middle of an event, which is then read again.
func TestAnEventIsReadOnceOrNot(t *testing.T) {
	e, store := testEngine(t)
	large, err := e.pack(t.Context(), &journal.Entry{Kind: "outcome", Data: fmt.Appendf(nil, "%*d", maxInline+1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(e, "r")
	takeAll(t, r, began(t, e)...)
	event := completed(t, e, 6, entry{Kind: "outcome", Data: json.RawMessage("{}")}, large)
	store.err = errors.New("the store is away")
	if err := r.take(t.Context(), event); !errors.Is(err, store.err) || len(r.entries) != 1 {
		t.Errorf("%d entries with the error %v", len(r.entries), err)
	}
	store.err = nil
	takeAll(t, r, event)
	if len(r.entries) != 3 || r.size != len(r.entries[2].Data)+4 {
		t.Errorf("%d entries of %d bytes", len(r.entries), r.size)
	}
}

// TestALongConversationHasFewParts continues a conversation many times.
func TestALongConversationHasFewParts(t *testing.T) {
	e, _ := testEngine(t)
	var parts []string
	for n := range 3 * maxParts {
		var err error
		if parts, err = e.extend(t.Context(), parts, &durable.End{Keep: n, Messages: runtime.Conversation{runtime.UserMessage(fmt.Sprint(n))}}); err != nil {
			t.Fatal(err)
		}
		if len(parts) > maxParts {
			t.Fatalf("%d parts", len(parts))
		}
	}
	all, err := e.given(t.Context(), parts)
	if err != nil || len(all) != 3*maxParts || all[40].Content != "40" {
		t.Errorf("%d messages: %v", len(all), err)
	}
}

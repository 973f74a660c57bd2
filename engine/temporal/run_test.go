package temporal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/gram-lang/gramc/engine/temporal"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// engineFor returns an engine of the shared server, whose queue and store are those of the test.
func engineFor(t *testing.T) *temporal.Engine {
	return sharedServer(t).dial(t, t.Name(), temporal.Files(t.TempDir()))
}

func TestARun(t *testing.T) {
	e := engineFor(t)
	s := &script{respond: twoSteps}
	work(t, e, s.open)
	id := begin(t, e, "find it")
	r := end(t, e, id)
	if r.Run.Status != journal.Finished || r.End.Content != "done" || len(r.End.Messages) != 4 || r.End.Messages[2].Content != `{"found":"it"}` {
		t.Errorf("the run ended as %+v with %+v", r.Run, r.End)
	}
	if requests, calls := s.requests.Load(), s.calls.Load(); requests != 2 || calls != 1 {
		t.Errorf("%d requests and %d calls", requests, calls)
	}
	var kinds []interp.EventKind
	for event, err := range e.Events(t.Context(), id, s.bind) {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, event.Kind)
	}
	if len(kinds) != 7 || kinds[6] != interp.EventAnswer {
		t.Errorf("the events are %v", kinds)
	}
	if _, err := e.Start(t.Context(), &temporal.Begin{Run: journal.Run{ID: id}, Start: r.Start}); !errors.Is(err, journal.ErrExists) {
		t.Errorf("the ID is taken, and the error is %v", err)
	}
	if _, err := e.Read(t.Context(), "none"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("there is no such run, and the error is %v", err)
	}
}

// TestAConversationGoesOn continues runs by their parents, and one by its conversation.
func TestAConversationGoesOn(t *testing.T) {
	e := engineFor(t)
	s := &script{respond: func(int) runtime.Response { return runtime.Response{Content: "done", Finish: "stop"} }}
	work(t, e, s.open)
	b := beginning("first")
	b.Conversation = runtime.Conversation{runtime.UserMessage("before"), runtime.AssistantMessage("yes", nil)}
	for _, message := range []string{"first", "second", "third"} {
		b.Start.Message = runtime.UserMessage(message)
		id, err := e.Start(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		end(t, e, id)
		b.Run.Parent = id
	}
	c, err := e.Conversation(t.Context(), b.Run.Parent)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range c {
		said = append(said, m.Content)
	}
	if got := strings.Join(said, ", "); got != "before, yes, first, done, second, done, third, done" {
		t.Errorf("the conversation is %s", got)
	}
}

// TestARunBeginsAtOnce begins a run on a server that has just got its search attributes.
func TestARunBeginsAtOnce(t *testing.T) {
	e := startServer(t, "-slow-attributes").dial(t, "q", temporal.Files(t.TempDir()))
	begin(t, e, "find it")
}

func askFirst(s *script) *script {
	s.config.Approval.Default = runtime.Ask
	return s
}

// waiting follows a run until it waits.
func waiting(t *testing.T, e *temporal.Engine, id string) *durable.Waiting {
	t.Helper()
	return until(t, e, id, func(r *durable.Record) bool { return r.Waiting != nil }).Waiting
}

func TestApproval(t *testing.T) {
	e := engineFor(t)
	s := askFirst(&script{respond: twoSteps})
	work(t, e, s.open)
	for _, allow := range []bool{true, false} {
		s.calls.Store(0)
		id := begin(t, e, "find it")
		q := waiting(t, e, id)
		if q.Tool != "find" || string(q.Args) != `{"n": 0}` || q.Key != "1/1/approval" {
			t.Errorf("the run waits for %+v", q)
		}
		if err := e.Decide(t.Context(), id, journal.Decision{Hash: "other", Allow: true}); !errors.Is(err, durable.ErrOtherArguments) {
			t.Errorf("a decision about other arguments has the error %v", err)
		}
		if err := e.Decide(t.Context(), id, journal.Decision{Key: "9/1/approval", Hash: q.Hash, Allow: true}); !errors.Is(err, journal.ErrDecided) {
			t.Errorf("a decision about another question has the error %v", err)
		}
		if err := e.Decide(t.Context(), id, journal.Decision{Key: q.Key, Hash: q.Hash, Allow: allow, Note: "not today", By: "ann"}); err != nil {
			t.Fatal(err)
		}
		r := end(t, e, id)
		if made := s.calls.Load(); made == 1 != allow || r.Run.Status != journal.Finished {
			t.Errorf("allowed: %t; %d calls, %s", allow, made, r.Run.Status)
		}
		if text := r.End.Messages[2].Content; strings.Contains(text, "not today") == allow {
			t.Errorf("allowed: %t; the model gets %s", allow, text)
		}
		if err := e.Decide(t.Context(), id, journal.Decision{Hash: q.Hash, Allow: true}); !errors.Is(err, journal.ErrNotWaiting) {
			t.Errorf("a decision after the end has the error %v", err)
		}
	}
	if err := e.Decide(t.Context(), "none", journal.Decision{}); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("a decision about no run has the error %v", err)
	}
}

func TestCancel(t *testing.T) {
	e := engineFor(t)
	called, over := make(chan bool), make(chan bool)
	s := &script{respond: twoSteps, config: runtime.ToolConfig{Timeout: time.Minute}}
	s.call = func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		close(called)
		<-ctx.Done()
		close(over)
		return nil, ctx.Err()
	}
	work(t, e, s.open)
	id := begin(t, e, "find it")
	<-called
	if err := e.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	<-over
	r := end(t, e, id)
	if last := r.End.Messages[len(r.End.Messages)-1]; r.Run.Status != journal.Cancelled || last.Role != runtime.RoleTool || !last.Failed {
		t.Errorf("the run ended as %s with %+v", r.Run.Status, last)
	}
	if err := e.Cancel(t.Context(), id); !errors.Is(err, journal.ErrEnded) {
		t.Errorf("the run has ended, and the error is %v", err)
	}
	s = askFirst(&script{respond: twoSteps})
	waits := sharedServer(t).dial(t, "waits", temporal.Files(t.TempDir()))
	work(t, waits, s.open)
	id = begin(t, waits, "find it")
	waiting(t, waits, id)
	if err := waits.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if r := end(t, waits, id); r.Run.Status != journal.Cancelled || s.calls.Load() != 0 {
		t.Errorf("the run ended as %s after %d calls", r.Run.Status, s.calls.Load())
	}
}

func TestARunThatFails(t *testing.T) {
	e := engineFor(t)
	s := &script{respond: func(int) runtime.Response { return runtime.Response{} }}
	work(t, e, s.open)
	id := begin(t, e, "find it")
	r := end(t, e, id)
	var known *runtime.Error
	if r.Run.Status != journal.Failed || !errors.As(r.End.Error, &known) || known.Kind != runtime.KindConfiguration || s.requests.Load() != 1 {
		t.Errorf("the run ended as %+v with %v after %d requests", r.Run, r.End.Error, s.requests.Load())
	}
	for _, err := range e.Events(t.Context(), id, s.bind) {
		if err != nil && !errors.As(err, &known) {
			t.Errorf("the events end with %v", err)
		}
	}
}

// TestARunThatEndsWithACall has no request after its call: it is at its end then, and ends once.
func TestARunThatEndsWithACall(t *testing.T) {
	e := engineFor(t)
	s := &script{respond: callOf}
	work(t, e, s.open)
	b := beginning("find it")
	b.Start.Limits = durable.LimitsOf(&interp.Options{MaxTurns: 1})
	id, err := e.Start(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if r := end(t, e, id); r.Run.Status != journal.Failed || !strings.Contains(r.Run.Error, "iteration limit") || len(r.Steps) != 2 {
		t.Errorf("the run ended as %+v after %d steps", r.Run, len(r.Steps))
	}
	if got := activitiesOf(t, id); got != "Model OpenAI/gpt-5.4, Tool find" {
		t.Errorf("the activities are %s", got)
	}
}

// TestNoSecretIsInAHistory has a secret in all that a run gets and makes, and in an error of an activity.
func TestNoSecretIsInAHistory(t *testing.T) {
	const secret = "sk-0123456789"
	redact := func(text string) string { return strings.ReplaceAll(text, secret, "${KEY}") }
	e := engineFor(t)
	s := &script{respond: func(turn int) runtime.Response {
		r := twoSteps(turn)
		r.Content += secret
		return r
	}}
	s.call = func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"` + secret + `"`), nil
	}
	var opened atomic.Int32
	work(t, e, func(context.Context, *journal.Run, []byte) (*temporal.Agent, error) {
		return &temporal.Agent{Redact: redact, Bind: func(o *interp.Options) (*interp.Bound, error) {
			if opened.Add(1) == 1 {
				return nil, errors.New("the key " + secret + " is wrong")
			}
			return s.bind(o)
		}}, nil
	})
	b := beginning("find " + secret)
	b.Redact = redact
	id, err := e.Start(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	end(t, e, id)
	events := dialRaw(t).GetWorkflowHistory(t.Context(), id, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	seen := 0
	for events.HasNext() {
		event, err := events.Next()
		if err != nil {
			t.Fatal(err)
		}
		text := event.String()
		if strings.Contains(text, secret) {
			t.Errorf("event %d has it: %s", event.EventId, text)
		}
		seen += strings.Count(text, "${KEY}")
	}
	if seen < 5 {
		t.Errorf("the history has %d texts in which it was", seen)
	}
}

// TestTheTimeoutOfTheAgent counts what a run works, over all its activities.
func TestTheTimeoutOfTheAgent(t *testing.T) {
	e := engineFor(t)
	s := &script{respond: func(int) runtime.Response { return callOf(1) }, timeout: time.Second}
	s.call = func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		time.Sleep(100 * time.Millisecond)
		return json.RawMessage("true"), nil
	}
	work(t, e, s.open)
	r := end(t, e, begin(t, e, "find it"))
	var known *runtime.Error
	if r.Run.Status != journal.Failed || !errors.As(r.End.Error, &known) || known.Kind != runtime.KindTimeout {
		t.Errorf("the run ended as %+v with %v", r.Run, r.End.Error)
	}
}

// TestALongRun has more steps than a history may have.
func TestALongRun(t *testing.T) {
	const turns = 30
	e := startServer(t, "-events", "100").dial(t, "q", temporal.Files(t.TempDir()))
	s := &script{respond: func(turn int) runtime.Response {
		if turn > turns {
			return runtime.Response{Content: "done", Finish: "stop"}
		}
		return callOf(1)
	}}
	work(t, e, s.open)
	id := begin(t, e, "find it")
	followed := 0
	for _, err := range e.Follow(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		followed++
	}
	r := end(t, e, id)
	if r.End.Content != "done" || len(r.Steps) != 2*turns+1 || followed < 2*turns {
		t.Errorf("%d steps, followed in %d pieces, ended with %+v", len(r.Steps), followed, r.End.Error)
	}
	if requests, calls := s.requests.Load(), s.calls.Load(); requests != turns+1 || calls != turns {
		t.Errorf("%d requests and %d calls", requests, calls)
	}
	if about, err := e.Run(t.Context(), id); err != nil || !about.Created.Equal(r.Run.Created) || about.Title != "find it" {
		t.Errorf("the run began at %s, and is listed with %+v: %v", r.Run.Created, about, err)
	}
	runs, err := e.Runs(t.Context(), journal.Filter{})
	if err != nil || len(runs) > 1 {
		t.Errorf("the run is listed %d times: %v", len(runs), err)
	}
}

// TestALargeResult has 8 MiB, which Temporal refuses.
func TestALargeResult(t *testing.T) {
	e := engineFor(t)
	large, err := json.Marshal(strings.Repeat("8 MiB...", 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	s := &script{respond: twoSteps}
	s.call = func(context.Context, json.RawMessage) (json.RawMessage, error) { return large, nil }
	work(t, e, s.open)
	id := begin(t, e, "find it")
	r := end(t, e, id)
	if got := r.Steps[1].Outcome.Result; !bytes.Equal(got, large) {
		t.Errorf("%d bytes come back as %d", len(large), len(got))
	}
	if size := historySize(t, e, id); size > 64<<10 {
		t.Errorf("the history has %d bytes", size)
	}
}

// dialRaw returns a client as others have it.
func dialRaw(t *testing.T) client.Client {
	t.Helper()
	s := sharedServer(t)
	c, err := client.Dial(client.Options{HostPort: s.address, Namespace: s.namespace})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func historySize(t *testing.T, _ *temporal.Engine, id string) int64 {
	t.Helper()
	about, err := dialRaw(t).DescribeWorkflowExecution(t.Context(), id, "")
	if err != nil {
		t.Fatal(err)
	}
	return about.WorkflowExecutionInfo.HistorySizeBytes
}

// TestTemporalShowsARun reads what Temporal's page shows.
func TestTemporalShowsARun(t *testing.T) {
	e := engineFor(t)
	s := askFirst(&script{respond: twoSteps})
	work(t, e, s.open)
	id := begin(t, e, "find it")
	q := waiting(t, e, id)
	listed(t, e, id, journal.Filter{User: new(string), Status: []journal.Status{journal.Waiting}}, false)
	ann := "ann"
	listed(t, e, id, journal.Filter{User: &ann, Agent: "clerk", Status: []journal.Status{journal.Waiting}}, true)
	if err := e.Decide(t.Context(), id, journal.Decision{Hash: q.Hash, Allow: true}); err != nil {
		t.Fatal(err)
	}
	end(t, e, id)
	run := listed(t, e, id, journal.Filter{Status: []journal.Status{journal.Finished}}, true)
	if run.Agent != "clerk" || run.Title != "find it" || run.User != "ann" {
		t.Errorf("the list has %+v", run)
	}
	if got := activitiesOf(t, id); got != "Model OpenAI/gpt-5.4, Model OpenAI/gpt-5.4, Tool find, Model OpenAI/gpt-5.4" {
		t.Errorf("the activities are %s", got)
	}
	about, err := dialRaw(t).DescribeWorkflow(t.Context(), id, "")
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(about.TypedSearchAttributes.GetUntypedValues()); !strings.Contains(text, "0.") {
		t.Errorf("the cost is not among %s", text)
	}
}

// activitiesOf returns the activities of a run, as Temporal's page shows them.
func activitiesOf(t *testing.T, id string) string {
	t.Helper()
	var names []string
	events := dialRaw(t).GetWorkflowHistory(t.Context(), id, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		if err != nil {
			t.Fatal(err)
		}
		if a := event.GetActivityTaskScheduledEventAttributes(); a != nil {
			var summary string
			if err := converter.GetDefaultDataConverter().FromPayload(event.UserMetadata.Summary, &summary); err != nil {
				t.Fatal(err)
			}
			names = append(names, summary)
		}
	}
	return strings.Join(names, ", ")
}

// listed waits until a list has a run, or checks that it has not.
func listed(t *testing.T, e *temporal.Engine, id string, f journal.Filter, wanted bool) *journal.Run {
	t.Helper()
	for range 100 {
		runs, err := e.Runs(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			if r.ID == id {
				if !wanted {
					t.Errorf("the list for %+v has %+v", f, r)
				}
				return r
			}
		}
		if !wanted {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("the list for %+v does not have the run", f)
	return nil
}

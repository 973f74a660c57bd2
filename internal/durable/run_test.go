package durable_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

func TestAnApprovalThatIsDecidedLater(t *testing.T) {
	for _, allowed := range []bool{true, false} {
		s := newStage(t, func(turn int) runtime.Response {
			if turn == 1 {
				return respond("once", `{}`, "ask", `{"file": "a"}`)
			}
			return respond()
		})
		if _, err := s.run(nil); !errors.Is(err, interp.ErrWaiting) {
			t.Fatalf("the run ends with %v", err)
		}
		for range 2 { // resumed without an answer, it waits again
			r := s.read()
			if r.Run.Status != journal.Waiting || r.Waiting == nil || r.Waiting.Key != "1/2/approval" || r.Waiting.Tool != "ask" || string(r.Waiting.Args) != `{"file": "a"}` || r.End != nil {
				t.Fatalf("%+v, waiting for %+v", r.Run, r.Waiting)
			}
			if _, err := s.run(nil); !errors.Is(err, interp.ErrWaiting) {
				t.Fatalf("the run ends with %v", err)
			}
		}
		hash := s.read().Waiting.Hash
		s.open()
		if err := durable.Decide(t.Context(), s.j, "r", journal.Decision{Allow: true, Hash: durable.HashOf([]byte(`{"file": "b"}`))}); err == nil {
			t.Error("a decision about other arguments is taken")
		}
		if err := durable.Decide(t.Context(), s.j, "r", journal.Decision{Key: "1/1/approval", Allow: true, Hash: hash}); !errors.Is(err, journal.ErrDecided) {
			t.Errorf("a decision about another question has the error %v", err)
		}
		if err := durable.Decide(t.Context(), s.j, "r", journal.Decision{Key: "1/2/approval", Allow: allowed, Hash: hash, By: "me"}); err != nil {
			t.Fatal(err)
		}
		s.close()
		answer, err := s.run(nil)
		if err != nil || answer.Content != "done" {
			t.Fatalf("%+v, %v", answer, err)
		}
		want := map[string]int{"once {}": 1, "request 1": 1, "request 2": 1}
		if allowed {
			want[`ask {"file": "a"}`] = 1
		}
		if diff := cmp.Diff(want, s.effects); diff != "" {
			t.Error(diff)
		}
		if got := answer.Conversation[3].Content; strings.Contains(got, "did not allow") == allowed {
			t.Errorf("the model gets %q", got)
		}
		if r := s.read(); r.Waiting != nil || r.Run.Status != journal.Finished {
			t.Errorf("%+v", r)
		}
	}
}

func TestAPersonDecidesAboutAnUnknownCall(t *testing.T) {
	for _, test := range []struct {
		name    string
		again   bool
		later   bool
		effects int
		content string
	}{
		{"again", true, false, 1, "done"}, {"not again", false, false, 0, runtime.UnknownEffect},
		{"again, later", true, true, 1, "done"}, {"not again, later", false, true, 0, runtime.UnknownEffect},
	} {
		s := newStage(t, func(turn int) runtime.Response {
			if turn == 1 {
				return respond("once", `{}`)
			}
			return respond()
		})
		s.crash = 3 // before the call
		if _, err := s.run(nil); err == nil {
			t.Fatal("no crash")
		}
		s.crash = 0
		if steps := s.read().Steps; len(steps) != 2 || steps[1].Key != "1/1" || steps[1].Outcome != nil || steps[1].Tool != "once" {
			t.Fatalf("%+v", steps)
		}
		o := &durable.Options{AskUnknown: func(_ context.Context, step interp.Step) (bool, error) {
			if step.Key != "1/1" || step.Tool != "once" {
				t.Errorf("asked about %+v", step)
			}
			if test.later {
				return false, interp.ErrWaiting
			}
			return test.again, nil
		}}
		answer, err := s.run(o)
		if test.later {
			if !errors.Is(err, interp.ErrWaiting) {
				t.Fatal(err)
			}
			waiting := s.read().Waiting
			s.open()
			err := durable.Decide(t.Context(), s.j, "r", journal.Decision{Allow: test.again, Hash: waiting.Hash})
			s.close()
			if err != nil {
				t.Fatal(err)
			}
			answer, err = s.run(o)
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := answer.Conversation[2].Content; !strings.Contains(got, test.content) || s.effects["once {}"] != test.effects {
			t.Errorf("%s: %q, %v", test.name, got, s.effects)
		}
	}
}

// begin begins a run and binds its agent.
func (s *stage) begin(about journal.Run, start durable.Start, o *durable.Options) (*durable.Run, *interp.Bound) {
	s.t.Helper()
	run, err := durable.Begin(s.t.Context(), s.j, &about, []byte("program"), &start, o)
	if err != nil {
		s.t.Fatal(err)
	}
	return run, s.bind(run.Options(nil))
}

// last returns the last event of a run.
func last(ctx context.Context, run *durable.Run, b *interp.Bound) (last interp.Event, err error) {
	for last, err = range run.Events(ctx, b) {
	}
	return last, err
}

func TestHowARunEnds(t *testing.T) {
	stop := errors.New("the user has pressed a key")
	for _, test := range []struct {
		name   string
		cause  error
		fails  error
		status journal.Status
		ended  bool
	}{
		{name: "answer", status: journal.Finished, ended: true},
		{name: "stopped", cause: stop, status: journal.Cancelled, ended: true},
		{name: "interrupted", cause: durable.ErrInterrupted, status: journal.Running},
		{name: "failed", fails: runtime.Errorf(runtime.KindRateLimit, "busy, secret-key"), status: journal.Failed, ended: true},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		fails := test.fails
		s := newStage(t, busy)
		s.model = func(turn int) runtime.Response {
			if turn == 1 && test.cause != nil {
				cancel(test.cause)
			}
			return busy(turn * 4 / 2) // 2, 4
		}
		s.open()
		o := &durable.Options{Redact: func(text string) string { return strings.ReplaceAll(text, "secret-key", "${KEY}") }}
		run, b := s.begin(journal.Run{ID: "r"}, durable.Start{Message: runtime.UserMessage("x")}, o)
		if fails != nil {
			b = failing(t, run, fails)
		}
		e, err := last(ctx, run, b)
		if (err == nil) != (test.status == journal.Finished) || e.Answer == nil {
			t.Errorf("%s: %v", test.name, err)
		}
		cancel(nil)
		s.close()
		r := s.read()
		if r.Run.Status != test.status || r.Run.Live || (r.End != nil) != test.ended {
			t.Errorf("%s: %+v, %+v", test.name, r.Run, r.End)
		}
		if fails != nil && (r.Run.Error != "busy, ${KEY}" || !errors.Is(r.End.Error, &runtime.Error{Kind: runtime.KindRateLimit})) {
			t.Errorf("%q, %v", r.Run.Error, r.End.Error)
		}
		if test.ended {
			if diff := cmp.Diff(e.Answer.Conversation, r.End.Messages); diff != "" {
				t.Errorf("%s: %s", test.name, diff)
			}
		}
		s.open()
		again, err := durable.Resume(t.Context(), s.j, "r", nil)
		if test.status == journal.Finished {
			if !errors.Is(err, journal.ErrEnded) {
				t.Errorf("a finished run is resumed: %v", err)
			}
			s.close()
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if e, err := last(t.Context(), again, s.bind(again.Options(nil))); err != nil || e.Answer.Content != "done" {
			t.Errorf("%s: after that %v", test.name, err)
		}
		s.close()
		for what, n := range s.effects {
			if n > 1 {
				t.Errorf("%s: %s has had %d effects", test.name, what, n)
			}
		}
	}
}

// failing binds the agent to a model that fails.
func failing(t *testing.T, run *durable.Run, err error) *interp.Bound {
	t.Helper()
	a := &interp.Agent{Name: "a", Instruction: "i"}
	a.Model.ID = "m"
	b, bindErr := interp.Bind(a, runtime.Library{}, brokenModel{err}, run.Options(nil))
	if bindErr != nil {
		t.Fatal(bindErr)
	}
	return b
}

type brokenModel struct{ err error }

func (brokenModel) Name() string { return "broken" }
func (m brokenModel) Generate(context.Context, *runtime.Request) (*runtime.Response, error) {
	return nil, m.err
}

func TestAnotherProcessCancels(t *testing.T) {
	s := newStage(t, busy)
	began := make(chan bool)
	s.approve = nil
	s.open()
	defer s.close()
	run, _ := s.begin(journal.Run{ID: "r"}, durable.Start{Message: runtime.UserMessage("x")}, nil)
	slow := runtime.ToolConfig{Name: "safe", Adopt: true, Execute: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		close(began)
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	tool, err := runtime.NewTool(slow)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := runtime.Library{}.Add("safe", tool)
	if err != nil {
		t.Fatal(err)
	}
	a := &interp.Agent{Name: "a", Instruction: "i", Tools: []runtime.Contract{{Name: "safe", Description: "d", Input: json.RawMessage(`{"type":"object"}`), Timeout: 3600e9}}}
	a.Model.ID = "m"
	b, err := interp.Bind(a, lib, scripted{s}, run.Options(nil))
	if err != nil {
		t.Fatal(err)
	}
	other, err := journal.Open(s.dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	go func() {
		<-began
		if err := other.Cancel(context.Background(), "r"); err != nil {
			t.Error(err)
		}
	}()
	if _, err := last(t.Context(), run, b); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ends with %v", err)
	}
	if r, err := durable.Read(t.Context(), other, "r"); err != nil || r.Run.Status != journal.Cancelled || len(r.End.Messages) != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestARunThatIsTakenOverWritesNothing(t *testing.T) {
	s := newStage(t, busy)
	s.open()
	defer s.close()
	other, err := journal.Open(s.dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	s.model = func(turn int) runtime.Response {
		if turn == 2 {
			if _, err := other.TakeOver(context.Background(), "r"); err != nil {
				t.Error(err)
			}
		}
		return busy(turn)
	}
	run, b := s.begin(journal.Run{ID: "r"}, durable.Start{Message: runtime.UserMessage("x")}, nil)
	if _, err := durable.Resume(t.Context(), other, "r", nil); !errors.Is(err, journal.ErrHeld) {
		t.Errorf("a run that another process has is resumed: %v", err)
	}
	if _, err := last(t.Context(), run, b); !errors.Is(err, journal.ErrFenced) && !errors.Is(err, context.Canceled) {
		t.Errorf("the run ends with %v", err)
	}
	if r, err := durable.Read(t.Context(), other, "r"); err != nil || len(r.Steps) != 2 || r.End != nil {
		t.Errorf("%+v, %v", r, err)
	}
	if s.effects[`once {"n": 2}`] > 0 {
		t.Error("a call is made after the run was taken over")
	}
}

func TestSecretsAreNotJournaled(t *testing.T) {
	const secret = `pass"word-12345`
	s := newStage(t, nil)
	s.model = func(turn int) runtime.Response {
		if turn == 1 {
			r := respond("safe", `{"key": "pass\"word-12345"}`, "once", `not JSON `+secret)
			r.Content, r.Reasoning, r.Extra = "I use "+secret, secret, json.RawMessage(`{"OpenAI":"pass\"word-12345"}`)
			return r
		}
		return respond()
	}
	s.open()
	o := &durable.Options{Redact: func(text string) string { return strings.ReplaceAll(text, secret, "${PASSWORD}") }}
	message := runtime.UserMessage("my key is " + secret)
	message.Attachments = []runtime.Attachment{{Name: "f", MediaType: "text/plain", Data: []byte("x " + secret)}, {Name: "i", MediaType: "image/png", Data: []byte{0xff, 0}}}
	run, b := s.begin(journal.Run{ID: "r", Title: "about " + secret}, durable.Start{Message: message}, o)
	e, err := last(t.Context(), run, b)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := s.j.Entries(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if bytes.Contains(entry.Data, []byte(`word-12345`)) {
			t.Errorf("the entry %s %s has the secret: %s", entry.Kind, entry.Key, entry.Data)
		}
	}
	s.close()
	r := s.read()
	if strings.Contains(r.Run.Title, "word-12345") || len(r.Start.Message.Attachments) != 2 {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(e.Answer.Conversation, r.End.Messages); diff != "" {
		t.Errorf("the run went on otherwise than it can be replayed: %s", diff)
	}
	if got := string(e.Answer.Conversation[1].Calls[0].Args); got != `{"key": "${PASSWORD}"}` {
		t.Errorf("the call has the arguments %s", got)
	}
	for _, name := range []string{"journal.db", "journal.db-wal"} {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("word-12345")) {
			t.Errorf("%s has the secret", name)
		}
	}
}

func TestALargeResultSurvives(t *testing.T) {
	s := newStage(t, func(turn int) runtime.Response {
		if turn == 1 {
			return respond("large", `{}`)
		}
		return respond()
	})
	s.open()
	run, _ := s.begin(journal.Run{ID: "r"}, durable.Start{Message: runtime.UserMessage("x")}, nil)
	large := json.RawMessage(`"` + strings.Repeat("8 MiB <&> \\u00e4 ", 8<<20/16) + `"`)
	tool, err := runtime.NewTool(runtime.ToolConfig{Name: "large", Adopt: true, Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) { return large, nil }})
	if err != nil {
		t.Fatal(err)
	}
	lib, err := runtime.Library{}.Add("large", tool)
	if err != nil {
		t.Fatal(err)
	}
	a := &interp.Agent{Name: "a", Instruction: "i", Tools: []runtime.Contract{{Name: "large", Description: "d", Input: json.RawMessage(`{"type":"object"}`)}}}
	a.Model.ID = "m"
	b, err := interp.Bind(a, lib, scripted{s}, run.Options(nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := last(t.Context(), run, b); err != nil {
		t.Fatal(err)
	}
	s.close()
	r := s.read()
	if got := r.Steps[1].Outcome.Result; !bytes.Equal(got, large) {
		t.Errorf("of %d bytes, %d are read", len(large), len(got))
	}
}

func TestARunContinuesAConversation(t *testing.T) {
	s := newStage(t, busy)
	s.approve = allow
	s.open()
	defer s.close()
	loop := &interp.Options{Approve: func(context.Context, *interp.ApprovalRequest) (bool, error) { return true, nil }}
	parent := ""
	var want runtime.Conversation
	for _, id := range []string{"r1", "r2", "r3"} {
		s.model = func(turn int) runtime.Response {
			if turn%4 == 0 {
				return respond()
			}
			return busy(turn % 4)
		}
		run, err := durable.Begin(t.Context(), s.j, &journal.Run{ID: id, Parent: parent}, nil, &durable.Start{Message: runtime.UserMessage("message of " + id)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.keys = map[string]string{}
		if diff := cmp.Diff(want, run.Conversation()); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
		e, err := last(t.Context(), run, s.bind(run.Options(loop)))
		if err != nil {
			t.Fatal(err)
		}
		want, parent = e.Answer.Conversation, id
		entries, err := s.j.Entries(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if end := entries[len(entries)-1]; end.Kind != "end" || len(end.Data) > 2500 || bytes.Contains(end.Data, []byte("message of")) {
			t.Errorf("%s: the end repeats what is written before: %s", id, end.Data)
		}
	}
	got, err := durable.Conversation(t.Context(), s.j, "r3")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, _ = s.begin(journal.Run{ID: "open", Parent: "r3"}, durable.Start{Message: runtime.UserMessage("x")}, nil); true {
		if _, err := durable.Conversation(t.Context(), s.j, "open"); !errors.Is(err, durable.ErrNotEnded) {
			t.Errorf("a run that has not ended has a conversation: %v", err)
		}
	}
}

// TestConversationsThatWereCompacted has a run rewrite what its parents have said.
func TestConversationsThatWereCompacted(t *testing.T) {
	s := newStage(t, nil)
	s.model = func(int) runtime.Response {
		return runtime.Response{Content: strings.Repeat("words ", 20), Finish: "stop"}
	}
	s.open()
	defer s.close()
	given := runtime.Conversation{
		runtime.UserMessage("first"), runtime.AssistantMessage(strings.Repeat("long ", 500), nil), runtime.UserMessage("second"), runtime.AssistantMessage("short", nil),
	}
	run, err := durable.Begin(t.Context(), s.j, &journal.Run{ID: "p"}, nil, &durable.Start{Message: given[0]}, &durable.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.End(t.Context(), &interp.AgentResponse{Content: "short", Conversation: given}, nil); err != nil {
		t.Fatal(err)
	}
	child, err := durable.Begin(t.Context(), s.j, &journal.Run{ID: "c", Parent: "p"}, nil, &durable.Start{Message: runtime.UserMessage("third")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := &interp.Agent{Name: "a", Instruction: "i", OnOverflow: interp.CompactOnOverflow}
	a.Model.ID = "m"
	b, err := interp.Bind(a, runtime.Library{}, narrow{scripted{s}}, child.Options(nil))
	if err != nil {
		t.Fatal(err)
	}
	e, err := last(t.Context(), child, b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := durable.Conversation(t.Context(), s.j, "c")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(e.Answer.Conversation, got); diff != "" || got[0].Content != "first" || strings.Contains(got[1].Content, "long long") {
		t.Errorf("%v: %s", got, diff)
	}
}

// A narrow model refuses long conversations.
type narrow struct{ scripted }

func (n narrow) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	size := 0
	for _, m := range r.Messages {
		size += len(m.Content)
	}
	if len(r.Messages) > 1 && size > 2000 {
		return nil, runtime.Errorf(runtime.KindContextOverflow, "too long")
	}
	return n.scripted.Generate(ctx, r)
}

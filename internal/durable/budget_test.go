package durable_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// spentAfter ends a run at a place, resumes it as often as is said, and returns what an account of
// its last process has counted.
func spentAfter(t *testing.T, s *stage, crashes ...int) interp.Spent {
	t.Helper()
	s.approve = allow
	for _, at := range crashes {
		s.crash = at
		s.account = interp.NewAccount(interp.Budget{})
		if _, err := s.run(nil); err == nil {
			t.Fatalf("crash %d: no error", at)
		}
	}
	s.crash, s.account = 0, interp.NewAccount(interp.Budget{})
	if _, err := s.run(nil); err != nil {
		t.Fatal(err)
	}
	return s.account.Spent()
}

// The provider may have charged a request during which a process was killed.
func TestARequestThatWasKilledIsCounted(t *testing.T) {
	whole := spentAfter(t, newStage(t, busy))
	if whole.Requests != 4 || whole.Uncounted != 0 {
		t.Fatalf("without a crash: %+v", whole)
	}
	for _, test := range []struct {
		name    string
		crashes []int
		lost    int
	}{
		{"in a request", []int{5}, 1},
		{"in a request, twice", []int{5, 6}, 2},
		{"in a call", []int{3}, 0},
		{"in the first request, then in a call", []int{1, 4}, 1},
	} {
		got := spentAfter(t, newStage(t, busy), test.crashes...)
		if got.Requests != whole.Requests+test.lost || got.Uncounted != test.lost || got.Tokens != whole.Tokens {
			t.Errorf("killed %s: %+v", test.name, got)
		}
	}
}

// What a request has spent that failed counts when the run goes on, also when it goes on twice.
func TestARequestThatFailedIsCounted(t *testing.T) {
	s := newStage(t, busy)
	s.approve = allow
	failures := 2
	s.model = func(turn int) runtime.Response {
		if turn == 2 && failures > 0 {
			failures--
			s.failing = &runtime.Error{Kind: runtime.KindLLMAPI, Message: "busy", Attempts: runtime.Attempts{Sent: 3, Lost: 1}}
		}
		return busy(turn)
	}
	for range 2 {
		if _, err := s.run(nil); err == nil {
			t.Fatal("no error")
		}
	}
	s.account = interp.NewAccount(interp.Budget{Requests: 10})
	if _, err := s.run(nil); err != nil {
		t.Fatal(err)
	}
	if got := s.account.Spent(); got.Requests != 4+6 || got.Uncounted != 2 {
		t.Errorf("%+v", got)
	}
	if record := s.read(); len(record.Steps) != 11 {
		t.Errorf("%d steps are recorded", len(record.Steps))
	}
}

// The timeout of an agent is one for all processes of a run, and begins anew after an end.
func TestTheTimeoutGoesOn(t *testing.T) {
	j, err := journal.Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	run, err := durable.Begin(t.Context(), j, &journal.Run{ID: "r"}, nil, &durable.Start{Message: runtime.UserMessage("hello")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	step := func(r *durable.Run, key string) {
		t.Helper()
		time.Sleep(2 * time.Millisecond)
		_, err := r.Steps(t.Context(), []interp.Step{{Key: key, Kind: interp.StepRequest}}, func(context.Context, int) (interp.Outcome, error) {
			return interp.Outcome{Response: &runtime.Response{}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if run.Elapsed() != 0 {
		t.Errorf("a new run has taken %v", run.Elapsed())
	}
	var before time.Duration
	for _, key := range []string{"1", "2"} {
		step(run, key)
		if err := run.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		if run, err = durable.Resume(t.Context(), j, "r", nil); err != nil {
			t.Fatal(err)
		}
		if run.Elapsed() <= before || key == "1" && run.Elapsed() < 2*time.Millisecond {
			t.Errorf("after step %s the run has taken %v, and %v before", key, run.Elapsed(), before)
		}
		before = run.Elapsed()
	}
	if err := run.End(t.Context(), &interp.AgentResponse{}, errors.New("it is too late")); err != nil {
		t.Fatal(err)
	}
	if run, err = durable.Resume(t.Context(), j, "r", nil); err != nil || run.Elapsed() != 0 {
		t.Errorf("after its end the run has taken %v, %v", run.Elapsed(), err)
	}
}

// A run that is cancelled when no process has it keeps nobody from going on.
func TestAConversationGoesOnAfterARunThatNobodyHad(t *testing.T) {
	s := newStage(t, func(turn int) runtime.Response { return respond() })
	if _, err := s.run(nil); err != nil {
		t.Fatal(err)
	}
	s.open()
	defer s.close()
	begin := func(about journal.Run) *durable.Run {
		t.Helper()
		run, err := durable.Begin(t.Context(), s.j, &about, nil, &durable.Start{Message: runtime.UserMessage("more")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	if err := begin(journal.Run{ID: "cancelled", Parent: "r"}).Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := durable.Conversation(t.Context(), s.j, "cancelled"); !errors.Is(err, durable.ErrNotEnded) {
		t.Errorf("before it is cancelled: %v", err)
	}
	if err := s.j.Cancel(t.Context(), "cancelled"); err != nil {
		t.Fatal(err)
	}
	if given := begin(journal.Run{Parent: "cancelled"}).Conversation(); len(given) != 2 || given[0].Content != "hello" {
		t.Errorf("the next run is given %+v", given)
	}
}

package session

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A shelf is the folder of sessions of a test, and what its agent can do.
type shelf struct {
	t      *testing.T
	folder string
	added  int // calls of the tool
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	return &shelf{t: t, folder: filepath.Join(t.TempDir(), "sessions")}
}

func (f *shelf) open() *Store {
	f.t.Helper()
	s, err := OpenStore(f.t.Context(), f.folder, true, &StoreOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = s.Close() })
	return s
}

func (f *shelf) close(s *Store) {
	f.t.Helper()
	if err := s.Close(); err != nil {
		f.t.Fatal(err)
	}
}

// begin returns the keeper of a new session.
func (f *shelf) begin(s *Store, name string) *Keeper {
	f.t.Helper()
	k, err := s.Begin(f.t.Context(), &Beginning{Name: name, Agent: "clerk", Model: "OpenAI/gpt-4o-mini", File: "/clerk.gram", Program: []byte("program"), Settings: []byte(`{"quiet":true}`)})
	if err != nil {
		f.t.Fatal(err)
	}
	return k
}

func (f *shelf) reopen(s *Store, name string) *Keeper {
	f.t.Helper()
	k, err := s.Open(f.t.Context(), name)
	if err != nil {
		f.t.Fatal(err)
	}
	return k
}

// session returns a conversation that a keeper keeps.
func (f *shelf) session(k *Keeper, m runtime.Model) *Session {
	f.t.Helper()
	lib, err := runtime.AddFunc(runtime.Library{}, "add", "Adds", func(context.Context, struct{}) (int, error) { f.added++; return 3, nil })
	if err != nil {
		f.t.Fatal(err)
	}
	tool, _ := lib.Lookup("add")
	agent := &interp.Agent{Name: "clerk", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"}, Tools: []runtime.Contract{{Name: "add", Description: "Adds", Input: tool.Input()}}}
	s, err := New(agent, nil, func(a *interp.Agent) (*interp.Bound, error) {
		return interp.Bind(a, lib, m, &interp.Options{Stream: true, Steps: k.Steps, Recorded: k.Recorded, Attempted: k.Attempted, Elapsed: k.Elapsed})
	})
	if err == nil {
		err = s.Keep(f.t.Context(), k)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

// A hanger is a talker that begins its last response, and then waits for the end of the run.
type hanger struct{ talker }

func (m *hanger) Stream(ctx context.Context, r *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	if len(m.asked) < len(m.steps) {
		return m.talker.Stream(ctx, r, yield)
	}
	if err := yield(runtime.Delta{Kind: runtime.DeltaText, Text: "One two "}); err != nil {
		return nil, err
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// shownOf returns what is shown of turns.
func shownOf(turns []*Turn) (lines []string) {
	for _, t := range turns {
		line := "> " + t.Message
		for _, step := range t.Steps {
			if step.Call != nil {
				line += " | " + step.Call.Name + " = " + string(step.Invocation.Result)
			}
		}
		lines = append(lines, line+" | "+t.Answer)
	}
	return lines
}

func TestAKeptConversationIsAsItWas(t *testing.T) {
	f := newShelf(t)
	store := f.open()
	s := f.session(f.begin(store, "one"), &talker{steps: []runtime.Response{callAdd, hello}})
	for _, message := range []string{"hi", "more"} {
		if err := send(t.Context(), s, message, ""); err != nil {
			t.Fatal(err)
		}
	}
	before, conversation, spent := shownOf(s.Turns()), s.Conversation(), s.Spent()
	f.close(store)

	store = f.open()
	k := f.reopen(store, "one")
	if k.Name() != "one" || k.Agent() != "clerk" || k.Model() != "OpenAI/gpt-4o-mini" || k.File() != "/clerk.gram" || string(k.Program()) != "program" || string(k.Settings()) != `{"quiet":true}` {
		t.Errorf("the keeper has %+v", k)
	}
	s = f.session(k, &talker{steps: []runtime.Response{hello}})
	if diff := cmp.Diff(before, shownOf(s.Turns())); diff != "" || len(before) != 2 {
		t.Error(diff)
	}
	if diff := cmp.Diff(conversation, s.Conversation()); diff != "" {
		t.Error(diff)
	}
	if s.Spent() != spent || s.Unfinished() {
		t.Errorf("spent %+v, and %+v before", s.Spent(), spent)
	}

	// What is taken back stays so, and the next turn goes on from there.
	if message, ok := s.Undo(); !ok || message != "more" {
		t.Errorf("%q is taken back", message)
	}
	if err := send(t.Context(), s, "instead", ""); err != nil {
		t.Fatal(err)
	}
	f.close(store)
	store = f.open()
	s = f.session(f.reopen(store, "one"), &talker{steps: []runtime.Response{hello}})
	if got := shownOf(s.Turns()); len(got) != 2 || !strings.HasPrefix(got[0], "> hi | add = 3") || got[1] != "> instead | Hello there" {
		t.Errorf("%q", got)
	}
}

func TestAKeptTurnThatBrokeOffGoesOn(t *testing.T) {
	f := newShelf(t)
	store := f.open()
	k := f.begin(store, "one")
	k.SetRest([]string{"and then"})
	s := f.session(k, &hanger{talker{steps: []runtime.Response{callAdd}}})
	if err := send(t.Context(), s, "hi", "two "); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	f.close(store)

	store = f.open()
	if kept, err := store.Kept(t.Context(), "one"); err != nil || kept.State != Interrupted || kept.Turns != 1 || kept.Title != "hi" {
		t.Errorf("%+v, %v", kept, err)
	}
	k = f.reopen(store, "one")
	s = f.session(k, &talker{steps: []runtime.Response{hello}})
	if !s.Unfinished() || cmp.Diff(k.Rest(), []string{"and then"}) != "" {
		t.Errorf("unfinished: %v, rest: %q", s.Unfinished(), k.Rest())
	}
	for _, err := range s.Continue(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := shownOf(s.Turns()); f.added != 1 || len(got) != 1 || got[0] != "> hi | add = 3 | Hello there" {
		t.Errorf("after %d calls: %q", f.added, got)
	}
	if s.Unfinished() {
		t.Error("it is still unfinished")
	}
}

func TestTwoProcessesDoNotMixATurn(t *testing.T) {
	f := newShelf(t)
	first := f.open()
	s := f.session(f.begin(first, "one"), &talker{steps: []runtime.Response{hello}})
	if err := send(t.Context(), s, "hi", ""); err != nil {
		t.Fatal(err)
	}
	second := f.open()
	other := f.session(f.reopen(second, "one"), &talker{steps: []runtime.Response{hello}})
	if err := send(t.Context(), other, "from elsewhere", ""); err != nil {
		t.Fatal(err)
	}
	if err := send(t.Context(), s, "more", ""); err == nil || !strings.Contains(err.Error(), "the session one went on in another process") {
		t.Errorf("the first one goes on: %v", err)
	}
}

func TestSessionsAreForkedFoundAndDeleted(t *testing.T) {
	f := newShelf(t)
	ctx, store := t.Context(), f.open()
	if _, err := store.Latest(ctx); !errors.Is(err, ErrNone) {
		t.Errorf("the latest of none: %v", err)
	}
	s := f.session(f.begin(store, "one"), &talker{steps: []runtime.Response{hello}})
	for _, message := range []string{"hi", "more"} {
		if err := send(ctx, s, message, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := store.Begin(ctx, &Beginning{Name: "one"}); err == nil {
		t.Error("a name is taken twice")
	}
	for _, wrong := range []struct {
		name string
		turn int
		says string
	}{{"one", 1, "there is a session one already"}, {"two", 3, "has 2 turns"}, {"a b", 1, "is no name"}} {
		if _, err := store.Fork(ctx, "one", wrong.name, wrong.turn); err == nil || !strings.Contains(err.Error(), wrong.says) {
			t.Errorf("forked to %q from turn %d: %v", wrong.name, wrong.turn, err)
		}
	}
	if name, err := store.Fork(ctx, "one", "two", 1); err != nil || name != "two" {
		t.Fatal(name, err)
	}
	fork := f.session(f.reopen(store, "two"), &talker{steps: []runtime.Response{hello}})
	if got := shownOf(fork.Turns()); len(got) != 1 || got[0] != "> hi | Hello there" {
		t.Errorf("the fork has %q", got)
	}
	if err := store.Delete(ctx, "one"); err != nil {
		t.Fatal(err)
	}
	var wrong *NameError
	if _, err := store.Open(ctx, "one"); !errors.As(err, &wrong) {
		t.Errorf("a deleted session: %v", err)
	}
	if err := send(ctx, fork, "again", ""); err != nil {
		t.Errorf("the fork does not go on: %v", err)
	}
	if name, err := store.Find(ctx, "tw"); err != nil || name != "two" {
		t.Errorf("found %q, %v", name, err)
	}
	if list, err := store.List(ctx, "", "AGAIN"); err != nil || len(list) != 1 || list[0].Name != "two" || list[0].State != Idle || list[0].Turns != 2 {
		t.Errorf("listed %+v, %v", list, err)
	}
	if list, err := store.List(ctx, "eve", ""); err != nil || len(list) != 0 {
		t.Errorf("another user has %+v, %v", list, err)
	}
}

// A run that was cancelled when no process had it is a turn that was stopped.
func TestATurnThatNobodyHadIsStopped(t *testing.T) {
	f := newShelf(t)
	store := f.open()
	k := f.begin(store, "one")
	s := f.session(k, &hanger{})
	if err := send(t.Context(), s, "hi", "two "); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	f.close(store)
	store = f.open()
	if err := store.journal.Cancel(t.Context(), s.Last().run); err != nil {
		t.Fatal(err)
	}
	s = f.session(f.reopen(store, "one"), &talker{steps: []runtime.Response{hello}})
	if turns := s.Turns(); len(turns) != 1 || !errors.Is(turns[0].Err, ErrStopped) || s.Unfinished() {
		t.Errorf("%+v", turns)
	}
	if err := send(t.Context(), s, "again", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := durable.Conversation(t.Context(), store.journal, s.Last().run); err != nil {
		t.Error(err)
	}
}

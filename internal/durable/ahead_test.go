package durable_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// An eager model says when it is asked, and answers in a piece.
type eager struct{ asked chan struct{} }

func (eager) Name() string { return "eager" }

func (m eager) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	return m.Stream(ctx, r, func(runtime.Delta) error { return nil })
}

func (m eager) Stream(_ context.Context, _ *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	close(m.asked)
	return &runtime.Response{Content: "hello", Finish: "stop"}, yield(runtime.Delta{Kind: runtime.DeltaText, Text: "hello"})
}

// beginAhead begins a run of which a request is sent at once.
func beginAhead(t *testing.T, j *journal.Journal, m runtime.Model, about *journal.Run) (*durable.Run, *interp.Bound) {
	t.Helper()
	run, err := durable.Begin(t.Context(), j, about, nil, &durable.Start{Message: runtime.UserMessage("Hello")}, &durable.Options{Ahead: true})
	if err != nil {
		t.Fatal(err)
	}
	agent := &interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{ID: "m"}}
	bound, err := interp.Bind(agent, runtime.Library{}, m, run.Options(&interp.Options{Stream: true}))
	if err != nil {
		t.Fatal(err)
	}
	return run, bound
}

func TestNothingComesOfARunBeforeItIsInTheJournal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	j, err := journal.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	db, err := sql.Open("sqlite", filepath.Join(dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil { // nobody else can write
		t.Fatal(err)
	}
	m := eager{make(chan struct{})}
	run, bound := beginAhead(t, j, m, &journal.Run{Agent: "a"})
	kinds := make(chan interp.EventKind, 100)
	failed := make(chan error, 1)
	go func() {
		defer close(kinds)
		for e, err := range run.Events(t.Context(), bound) {
			kinds <- e.Kind
			if err != nil {
				failed <- err
			}
		}
	}()
	<-m.asked // before the run is written
	if _, err := j.Run(t.Context(), run.ID()); !errors.Is(err, journal.ErrNotFound) {
		t.Fatalf("the run is there: %v", err)
	}
	if first := <-kinds; first != interp.EventRequest {
		t.Fatalf("%s", first)
	}
	select {
	case kind := <-kinds:
		t.Fatalf("%s of a run that a crash would lose", kind)
	case <-time.After(50 * time.Millisecond):
	}
	if _, err := db.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	var last interp.EventKind
	for last = range kinds {
	}
	record, err := durable.Read(t.Context(), j, run.ID())
	if err != nil || last != interp.EventAnswer || record.End == nil || record.End.Content != "hello" || len(failed) > 0 {
		t.Errorf("%s, %+v, %v", last, record, err)
	}
}

func TestARunThatCannotBegin(t *testing.T) {
	j, err := journal.Open(filepath.Join(t.TempDir(), "state"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, err := j.Create(t.Context(), &journal.Run{ID: "taken"}, nil, journal.Entry{Kind: "start"}); err != nil {
		t.Fatal(err)
	}
	run, bound := beginAhead(t, j, eager{make(chan struct{})}, &journal.Run{ID: "taken"})
	var kinds []interp.EventKind
	var failure error
	for e, err := range run.Events(t.Context(), bound) {
		kinds, failure = append(kinds, e.Kind), err
	}
	if !errors.Is(failure, durable.ErrNotBegun) || !errors.Is(failure, journal.ErrExists) {
		t.Errorf("%v", failure)
	}
	for _, kind := range kinds {
		if kind != interp.EventRequest && kind != interp.EventStopped {
			t.Errorf("%s of a run that is not there", kind)
		}
	}
}

func TestARunThatHangsIsStoppedIfItCannotBegin(t *testing.T) {
	j, err := journal.Open(filepath.Join(t.TempDir(), "state"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, err := j.Create(t.Context(), &journal.Run{ID: "taken"}, nil, journal.Entry{Kind: "start"}); err != nil {
		t.Fatal(err)
	}
	run, bound := beginAhead(t, j, silent{}, &journal.Run{ID: "taken"})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for _, err := range run.Events(ctx, bound) {
		if err != nil && !errors.Is(err, durable.ErrNotBegun) {
			t.Error(err)
		}
	}
	if ctx.Err() != nil {
		t.Error("the run goes on although the journal refuses it")
	}
}

// A silent model does not answer.
type silent struct{}

func (silent) Name() string { return "silent" }

func (silent) Generate(ctx context.Context, _ *runtime.Request) (*runtime.Response, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

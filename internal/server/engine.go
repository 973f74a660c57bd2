package server

import (
	"context"
	"iter"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// An Engine makes runs that survive the end of a process, and knows all of them. Its errors are
// those of packages journal and durable, such as [journal.ErrNotFound].
type Engine interface {
	// Begin keeps a new run. The conversation is that of a run without a session.
	Begin(ctx context.Context, a *Agent, about *journal.Run, message runtime.Message, given runtime.Conversation) (Run, error)

	// Resume goes on with a run. The error is [journal.ErrHeld] if another process does.
	Resume(ctx context.Context, a *Agent, about *journal.Run) (Run, error)

	// Left returns the runs that this process has to go on with, and that wait for no decision: those
	// that nobody makes, or, where the engine makes runs elsewhere, those of watched. These are
	// followed here, while nothing of them goes on here.
	Left(ctx context.Context, watched []string) ([]*journal.Run, error)

	Program(ctx context.Context, hash string) ([]byte, error)
	Read(ctx context.Context, id string) (*durable.Record, error)
	Run(ctx context.Context, id string) (*journal.Run, error)
	Runs(context.Context, journal.Filter) ([]*journal.Run, error)
	Session(ctx context.Context, name string) (*journal.Session, error)
	Sessions(context.Context, journal.Filter) ([]*journal.Session, error)
	DeleteSession(ctx context.Context, name string) error

	// Decide answers what a run waits for; see [durable.Decide].
	Decide(ctx context.Context, id string, d journal.Decision) error

	// Cancel cancels a run, wherever it goes on.
	Cancel(ctx context.Context, id string) error
}

// A Run is a run that goes on.
type Run interface {
	About() journal.Run

	// Events yields what happens until the run ends or waits, as [durable.Run.Events] does. What
	// has happened before comes first, as events that are replayed. A context that ends with the
	// cause [durable.ErrInterrupted] leaves the run to others; with any other cause the run is
	// cancelled.
	Events(context.Context) iter.Seq2[interp.Event, error]
}

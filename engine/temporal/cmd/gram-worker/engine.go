package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/engine/temporal"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/server"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// An engine is what package server needs of runs on Temporal. The runs of a session are named NAME.1,
// NAME.2, …, so that two that are begun at once get the same name, and one of them is refused.
type engine struct {
	*temporal.Engine
	live       *live
	closeStore func()
}

// Close ends the connections.
func (e *engine) Close() {
	e.Engine.Close()
	e.closeStore()
}

// nameOf returns the name of a new run.
func nameOf(session, parent string) string {
	if session == "" {
		return "run-" + strings.ToLower(rand.Text()[:16])
	}
	return turnName(session, turnOf(parent)+1)
}

func turnName(session string, turn int) string { return session + "." + strconv.Itoa(turn) }

// turnOf returns the number in the name of a run; 0 for no run.
func turnOf(run string) int {
	n, err := strconv.Atoi(run[strings.LastIndexByte(run, '.')+1:])
	if err != nil {
		return 0
	}
	return n
}

// Begin begins a run.
func (e *engine) Begin(ctx context.Context, a *server.Agent, about *journal.Run, message runtime.Message, given runtime.Conversation) (server.Run, error) {
	begun := *about
	begun.ID = nameOf(about.Session, about.Parent)
	id, err := e.Start(ctx, &temporal.Begin{
		Run: begun, Model: a.Model, Program: a.Program, Start: &durable.Start{Message: message}, Redact: a.Redact, Conversation: given,
	})
	if errors.Is(err, journal.ErrExists) && about.Session != "" {
		return nil, journal.ErrMoved
	}
	if err != nil {
		return nil, err
	}
	begun.ID = id
	return &watchedRun{e, a, begun}, nil
}

// Resume watches a run, from its beginning.
func (e *engine) Resume(_ context.Context, a *server.Agent, about *journal.Run) (server.Run, error) {
	return &watchedRun{e, a, *about}, nil
}

// Left returns the runs of watched that do not wait any more: they went on at other machines.
func (e *engine) Left(ctx context.Context, watched []string) (left []*journal.Run, err error) {
	for _, id := range watched {
		about, err := e.Run(ctx, id)
		switch {
		case errors.Is(err, journal.ErrNotFound): // it was deleted, which its followers notice themselves
		case err != nil:
			return left, err
		case about.Status != journal.Waiting:
			left = append(left, about)
		}
	}
	return left, nil
}

// Cancel cancels a run. One that has done its last step has ended, also where the server does not know
// it yet.
func (e *engine) Cancel(ctx context.Context, id string) error {
	r, err := e.Read(ctx, id)
	switch {
	case err != nil:
		return err
	case r.End != nil:
		return journal.ErrEnded
	}
	return e.Engine.Cancel(ctx, id)
}

// Session returns a session, whose head is its last run. Lists may not have that yet, so that it is
// looked for by its name.
func (e *engine) Session(ctx context.Context, name string) (*journal.Session, error) {
	runs, err := e.Runs(ctx, journal.Filter{Session: name})
	if err != nil {
		return nil, err
	}
	turn := 0
	for _, r := range runs {
		turn = max(turn, turnOf(r.ID))
	}
	for {
		next, err := e.Run(ctx, turnName(name, turn+1))
		if errors.Is(err, journal.ErrNotFound) {
			break
		}
		if err != nil {
			return nil, err
		}
		turn++
		runs = append(runs, next)
	}
	all := sessionsOf(runs)
	if len(all) == 0 {
		return nil, journal.ErrNotFound
	}
	return all[0], nil
}

// Sessions returns the sessions of the runs that a filter selects, the last used first.
func (e *engine) Sessions(ctx context.Context, f journal.Filter) ([]*journal.Session, error) {
	limit := f.Limit
	f.Limit = 0
	runs, err := e.Runs(ctx, f)
	if err != nil {
		return nil, err
	}
	all := sessionsOf(runs)
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return all, nil
}

// sessionsOf returns the sessions of runs, the last used first.
func sessionsOf(runs []*journal.Run) (all []*journal.Session) {
	known := map[string]*journal.Session{}
	first := map[string]int{} // the turn that a title is of
	for _, r := range runs {
		if r.Session == "" {
			continue
		}
		s := known[r.Session]
		if s == nil {
			s = &journal.Session{Name: r.Session, Agent: r.Agent, File: r.File, User: r.User, Created: r.Created}
			known[r.Session] = s
			all = append(all, s)
		}
		turn := turnOf(r.ID)
		if s.Head == "" || turn > turnOf(s.Head) {
			s.Head, s.Updated = r.ID, r.Updated
		}
		if at, ok := first[r.Session]; !ok || turn < at {
			first[r.Session], s.Title, s.Created = turn, r.Title, r.Created
		}
	}
	slices.SortFunc(all, func(a, b *journal.Session) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.Name, b.Name))
	})
	return all
}

// DeleteSession deletes a session with its runs. What they have put in the store remains.
func (e *engine) DeleteSession(ctx context.Context, name string) error {
	s, err := e.Session(ctx, name)
	if err != nil {
		return err
	}
	head, err := e.Run(ctx, s.Head)
	if err != nil {
		return err
	}
	if head.Status == journal.Running || head.Status == journal.Waiting || head.Status == journal.Queued {
		return journal.ErrHeld
	}
	for turn := turnOf(s.Head); turn > 0; turn-- {
		if err := e.Delete(ctx, turnName(name, turn)); err != nil && !errors.Is(err, journal.ErrNotFound) {
			return err
		}
	}
	return nil
}

// A watchedRun is a run that workers make, as this process watches it.
type watchedRun struct {
	engine *engine
	agent  *server.Agent
	about  journal.Run
}

func (r *watchedRun) About() journal.Run { return r.about }

// Events yields what happens, wherever it does. The pieces of responses are there only of requests
// that this process makes.
func (r *watchedRun) Events(ctx context.Context) iter.Seq2[interp.Event, error] {
	return func(yield func(interp.Event, error) bool) {
		watching, leave := context.WithCancelCause(context.WithoutCancel(ctx))
		defer leave(nil)
		stop := context.AfterFunc(ctx, func() {
			if cause := context.Cause(ctx); !errors.Is(cause, durable.ErrInterrupted) {
				err := r.engine.Cancel(watching, r.about.ID)
				if err == nil || errors.Is(err, journal.ErrEnded) {
					return // its end is watched
				}
				leave(fmt.Errorf("the run cannot be cancelled: %w", err))
				return
			}
			leave(durable.ErrInterrupted)
		})
		defer stop()
		w := r.engine.live.watch(r.about.ID)
		defer w.leave()
		gone := false
		pieces := func(e interp.Event) bool {
			if gone = gone || !yield(e, nil); gone {
				leave(nil) // what is still waited for
			}
			return !gone
		}
		bind := func(o *interp.Options) (*interp.Bound, error) {
			o.Steps = w.between(o.Steps, pieces)
			return r.agent.Bind(o)
		}
		for e, err := range r.engine.Engine.Events(watching, r.about.ID, bind) {
			if cause := context.Cause(watching); err != nil && cause != nil {
				err = cause
			}
			if gone || !yield(e, err) {
				return
			}
		}
	}
}

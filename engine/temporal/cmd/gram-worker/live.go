package main

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// live passes the pieces of responses on from the steps that this process makes to those who watch
// their runs here. Nothing of it is kept.
type live struct {
	mu       sync.Mutex
	watchers map[string][]*watcher // by run
}

func newLive() *live { return &live{watchers: map[string][]*watcher{}} }

// A piece is one of the response to a request.
type piece struct {
	step  string // the key of the request
	delta runtime.Delta
}

// A watcher gets the pieces of one run.
type watcher struct {
	live *live
	run  string
	wake chan struct{} // gets something when there are pieces

	mu     sync.Mutex
	pieces []piece
}

func (l *live) watch(run string) *watcher {
	w := &watcher{live: l, run: run, wake: make(chan struct{}, 1)}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watchers[run] = append(l.watchers[run], w)
	return w
}

// leave ends watching.
func (w *watcher) leave() {
	w.live.mu.Lock()
	defer w.live.mu.Unlock()
	var rest []*watcher
	for _, other := range w.live.watchers[w.run] {
		if other != w {
			rest = append(rest, other)
		}
	}
	if len(rest) == 0 {
		delete(w.live.watchers, w.run)
		return
	}
	w.live.watchers[w.run] = rest
}

// pass gives a piece to those who watch its run.
func (l *live) pass(run string, p piece) {
	l.mu.Lock()
	watchers := l.watchers[run]
	l.mu.Unlock()
	for _, w := range watchers {
		w.mu.Lock()
		w.pieces = append(w.pieces, p)
		w.mu.Unlock()
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
}

// take returns the pieces of a step. Those of later steps wait for their turn, those of earlier ones
// are over.
func (w *watcher) take(step string) (deltas []runtime.Delta) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var later []piece
	for _, p := range w.pieces {
		switch a, b := requestOf(p.step), requestOf(step); {
		case a == b:
			deltas = append(deltas, p.delta)
		case a > b:
			later = append(later, p)
		}
	}
	w.pieces = later
	return deltas
}

// requestOf returns which request of its run a step is.
func requestOf(step string) int {
	n, _ := strconv.Atoi(step) // it is a number: calls have no pieces
	return n
}

var errNobodyWatches = errors.New("nobody watches any more")

// between has a loop that follows a run yield the pieces of a response while it waits for the whole.
func (w *watcher) between(wait interp.Steps, yield func(interp.Event) bool) interp.Steps {
	return func(ctx context.Context, steps []interp.Step, do func(context.Context, int) (interp.Outcome, error)) (outcomes []interp.Outcome, err error) {
		if len(steps) != 1 || steps[0].Kind != interp.StepRequest {
			return wait(ctx, steps, do)
		}
		arrived := make(chan struct{})
		go func() {
			defer close(arrived)
			outcomes, err = wait(ctx, steps, do)
		}()
		watched := true
		for {
			for _, d := range w.take(steps[0].Key) {
				watched = watched && yield(interp.Event{Kind: interp.EventDelta, Delta: &d})
			}
			select {
			case <-arrived:
				if !watched {
					err = errNobodyWatches
				}
				return outcomes, err
			case <-w.wake:
			}
		}
	}
}

package server

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
)

// elsewhere is an engine whose runs are made by other servers: this one only watches them.
type elsewhere struct{ Engine }

func (e elsewhere) Left(ctx context.Context, watched []string) (list []*journal.Run, err error) {
	for _, id := range watched {
		about, err := e.Run(ctx, id)
		if err != nil {
			return nil, err
		}
		if about.Status != journal.Waiting {
			list = append(list, about)
		}
	}
	return list, nil
}

func (e elsewhere) Resume(_ context.Context, _ *Agent, about *journal.Run) (Run, error) {
	return watchedRun{e, about}, nil
}

type watchedRun struct {
	engine Engine
	about  *journal.Run
}

func (r watchedRun) About() journal.Run { return *r.about }

func (r watchedRun) Events(ctx context.Context) iter.Seq2[interp.Event, error] {
	return func(yield func(interp.Event, error) bool) {
		for range 500 { // a bound, not a measurement
			if about, err := r.engine.Run(ctx, r.about.ID); err != nil || !isOpen(about.Status) {
				yield(interp.Event{Kind: interp.EventStopped}, err)
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// TestARunIsFollowedThatGoesOnElsewhere follows at one server a run that is begun, decided about and
// made at another.
func TestARunIsFollowedThatGoesOnElsewhere(t *testing.T) {
	j := newJournal(t)
	there := caller{t, start(t, func(o *Options) { o.Engine = OnJournal(j) }), secret}
	here := caller{t, start(t, func(o *Options) { o.Engine = elsewhere{OnJournal(j)} }), secret}
	id, _ := there.send("", "call risky")
	list := there.follow(id, "", waits)
	w := list[len(list)-1].Run.Waiting
	decided := false
	list = here.follow(id, "", func(e event) bool {
		if waits(e) && !decided {
			decided = true
			there.do("POST", "/api/runs/"+id+"/decision", map[string]any{"call": w.Call, "hash": w.Hash, "allow": true}, nil)
		}
		return ended(e)
	})
	last := list[len(list)-1].Run
	if last.Status != journal.Finished || last.Answer != "The result is {}" || len(kept(list)) != 4 {
		t.Errorf("it ended as %+v after %v", last, kept(list))
	}
}

package main

import (
	"context"
	"testing"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// TestPiecesComeBeforeTheirResponse has pieces pass between a step and a follower in one process:
// those of the request that is waited for, and no others.
func TestPiecesComeBeforeTheirResponse(t *testing.T) {
	l := newLive()
	w := l.watch("r")
	other := l.watch("r2")
	var got string
	release := make(chan struct{})
	steps := w.between(func(context.Context, []interp.Step, func(context.Context, int) (interp.Outcome, error)) ([]interp.Outcome, error) {
		<-release
		return []interp.Outcome{{}}, nil
	}, func(e interp.Event) bool {
		got += e.Delta.Text
		if got == "ab" {
			close(release)
		}
		return true
	})
	for _, p := range []piece{{"1", delta("late")}, {"2", delta("a")}, {"3", delta("early")}, {"2", delta("b")}} {
		l.pass("r", p)
	}
	if outcomes, err := steps(t.Context(), []interp.Step{{Key: "2", Kind: interp.StepRequest}}, nil); err != nil || len(outcomes) != 1 || got != "ab" {
		t.Errorf("%v, %v, %q", outcomes, err, got)
	}
	if rest := other.take("2"); rest != nil {
		t.Errorf("another run got %v", rest)
	}
	if next := w.take("3"); len(next) != 1 || next[0].Text != "early" {
		t.Errorf("the next request has %v", next)
	}
	w.leave()
	l.pass("r", piece{"3", delta("c")})
	if len(w.take("3")) != 0 || len(l.watchers) != 1 {
		t.Error("who has left gets pieces")
	}
}

// TestACallIsWaitedForAsItIs has no pieces come while a call is made.
func TestACallIsWaitedForAsItIs(t *testing.T) {
	l := newLive()
	w := l.watch("r")
	steps := w.between(func(context.Context, []interp.Step, func(context.Context, int) (interp.Outcome, error)) ([]interp.Outcome, error) {
		return []interp.Outcome{{}, {}}, nil
	}, func(interp.Event) bool { t.Error("a piece"); return true })
	l.pass("r", piece{"1", delta("x")})
	if outcomes, err := steps(t.Context(), []interp.Step{{Key: "1/1", Kind: interp.StepCall}, {Key: "1/2", Kind: interp.StepCall}}, nil); err != nil || len(outcomes) != 2 {
		t.Errorf("%v, %v", outcomes, err)
	}
}

func delta(text string) runtime.Delta { return runtime.Delta{Kind: runtime.DeltaText, Text: text} }

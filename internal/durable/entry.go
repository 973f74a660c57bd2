package durable

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// The kinds of entries.
const (
	kindStart   = "start"
	kindIntent  = "intent"  // a call that must not be made twice is about to be made
	kindOutcome = "outcome" // what a step led to
	kindWaiting = "waiting" // an approval is waited for; the answer is a [journal.KindDecision]
	kindAttempt = "attempt" // what a request without an outcome has spent; its Spent and Charged alone
	kindRelease = "release" // the process has given up the run, and has not been killed
	kindEnd     = "end"
)

// A stepJSON is an entry about a step. The arguments are there to notice a replay that
// asks for something else.
type stepJSON struct {
	stepHead
	Outcome *interp.Outcome `json:"outcome,omitempty"`
}

// A stepHead is what an entry says about a step before its outcome.
type stepHead struct {
	Tool string           `json:"tool,omitempty"`
	Hash string           `json:"args_sha256,omitempty"`
	Args *plainjson.Exact `json:"args,omitempty"` // of an approval that is waited for
}

// HashOf returns the hash of the arguments of a call.
func HashOf(args json.RawMessage) string {
	sum := sha256.Sum256(args)
	return hex.EncodeToString(sum[:])
}

// entryOf returns an entry about a step.
func entryOf(kind string, s *interp.Step, o *interp.Outcome) (journal.Entry, error) {
	var head stepHead
	if s.Kind != interp.StepRequest {
		head.Tool, head.Hash = s.Tool, HashOf(s.Args)
	}
	if kind == kindWaiting {
		head.Args = plainjson.ExactOf(s.Args)
	}
	data, err := plainjson.Marshal(head)
	if err == nil && o != nil {
		data, err = withOutcome(data, o)
	}
	if err != nil {
		return journal.Entry{}, fmt.Errorf("step %s has no JSON form: %w", s.Key, err)
	}
	return journal.Entry{Key: s.Key, Kind: kind, Data: data}, nil
}

// withOutcome adds an outcome to the JSON object before it. What Outcome writes may be large,
// and encoding/json would read it once more.
func withOutcome(head []byte, o *interp.Outcome) ([]byte, error) {
	outcome, err := o.MarshalJSON()
	if err != nil {
		return nil, err
	}
	data := make([]byte, 0, len(head)+len(outcome)+len(`,"outcome":`))
	data = append(data, head[:len(head)-1]...)
	if len(head) > len(`{}`) {
		data = append(data, ',')
	}
	data = append(data, `"outcome":`...)
	data = append(data, outcome...)
	return append(data, '}'), nil
}

// readStep reads an entry about a step.
func readStep(e *journal.Entry) (stepJSON, error) {
	var j stepJSON
	if err := json.Unmarshal(e.Data, &j); err != nil {
		return j, fmt.Errorf("step %s of the run cannot be read: %w", e.Key, err)
	}
	if e.Kind == kindOutcome && j.Outcome == nil {
		return j, fmt.Errorf("step %s of the run has no outcome", e.Key)
	}
	return j, nil
}

// check returns why an entry cannot be about a step.
func (j *stepJSON) check(s *interp.Step) error {
	if s.Kind == interp.StepRequest || j.Tool == s.Tool && j.Hash == HashOf(s.Args) {
		return nil
	}
	if j.Tool != s.Tool {
		return runtime.Errorf(runtime.KindReplay, "the run cannot go on: its step %s was about tool %q, and is now about %q", s.Key, j.Tool, s.Tool)
	}
	return runtime.Errorf(runtime.KindReplay, "the run cannot go on: its step %s, of tool %q, had other arguments", s.Key, j.Tool)
}

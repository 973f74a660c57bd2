package durable

import (
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// pieces takes secrets out of the pieces of a response, which may have a secret in several of them.
// From the first piece on that has one, or that may have its beginning, pieces are kept back: the response
// that follows has all of it.
type pieces struct {
	redact func(string) string
	seen   [2]string // the end of what was yielded, of texts and of reasoning
	held   [2]string // what is kept back
}

// Limits of pieces, in bytes.
const (
	maxSeen = 512     // a longer secret, of which each piece is short, is not found
	maxHeld = 1 << 20 // more is not kept back, and not yielded either
)

// take takes an event of a run. It reports whether the event is yielded, and puts what was kept back
// into it.
func (p *pieces) take(e *interp.Event) bool {
	if p.redact == nil {
		return true
	}
	if e.Kind != interp.EventDelta || e.Delta.Kind == runtime.DeltaRestart {
		p.seen, p.held = [2]string{}, [2]string{}
		return true
	}
	of := 0
	switch e.Delta.Kind {
	case runtime.DeltaText:
	case runtime.DeltaReasoning:
		of = 1
	default:
		return e.Delta.Kind != runtime.DeltaArguments // parts of JSON, in which a secret has other spellings
	}
	text := p.held[of] + e.Delta.Text
	all := p.seen[of] + text + ellipsis
	if len(text) > maxHeld || p.redact(all) != all {
		p.held[of] = text[:min(len(text), maxHeld)]
		return false
	}
	if p.held[of] != "" {
		whole := *e.Delta
		whole.Text, p.held[of] = text, ""
		e.Delta = &whole
	}
	p.seen[of] = all[max(len(all)-len(ellipsis)-maxSeen, 0) : len(all)-len(ellipsis)]
	return true
}

// ellipsis stands after a text that goes on: what redacts takes the beginning of a secret before it out
// too.
const ellipsis = "…"

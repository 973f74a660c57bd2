package interp

import (
	"context"
	"errors"
	"fmt"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/runtime"
)

// A Fallback is the change to another model for the rest of a run.
type Fallback struct {
	From, To compile.Model
	Err      error // why the first does not respond
}

// String says in a sentence what happened.
func (f *Fallback) String() string {
	return fmt.Sprintf("%s has failed, %s goes on: %s", f.From, f.To, f.Err)
}

// serving returns the model that responds.
func (r *loop) serving() compile.Model {
	if r.fallen == 0 {
		return r.agent.Model
	}
	return r.agent.Fallbacks[r.fallen-1]
}

// generate returns the response of the model, or else of the next one that responds.
func (r *loop) generate(ctx context.Context, request *runtime.Request) (*runtime.Response, error) {
	for {
		response, begun, err := r.send(ctx, request)
		if err == nil || !r.canFallBack(ctx, err) {
			return response, err
		}
		change := &Fallback{From: r.serving(), Err: err}
		r.fallen++
		change.To = r.serving()
		if begun {
			if err := r.emit(ctx, Event{Kind: EventDelta, Delta: &runtime.Delta{Kind: runtime.DeltaRestart}}); err != nil {
				return nil, err
			}
		}
		if err := r.emit(ctx, Event{Kind: EventFallback, Fallback: change}); err != nil {
			return nil, err
		}
		next := *request
		next.Model = change.To.ID
		request = &next
	}
}

// send sends a request to the model that responds, and yields the pieces of the
// response if they are asked for. It reports whether there were any.
func (r *loop) send(ctx context.Context, request *runtime.Request) (response *runtime.Response, begun bool, err error) {
	model := r.model
	if r.fallen > 0 {
		model = r.options.Fallbacks[r.fallen-1]
	}
	if r.options.Stream {
		return r.stream(ctx, model, request)
	}
	response, err = model.Generate(ctx, request)
	return response, false, err
}

// stream is send for a response whose pieces are yielded.
func (r *loop) stream(ctx context.Context, model runtime.Model, request *runtime.Request) (response *runtime.Response, begun bool, err error) {
	response, err = runtime.Stream(ctx, model, request, func(d runtime.Delta) error {
		if d.Kind != runtime.DeltaWait {
			begun = d.Kind != runtime.DeltaRestart
		}
		return r.emit(ctx, Event{Kind: EventDelta, Delta: &d})
	})
	return response, begun, err
}

// canFallBack reports whether another model may respond where one failed with err:
// not where that refuses the request, the conversation or the key.
func (r *loop) canFallBack(ctx context.Context, err error) bool {
	if r.fallen == len(r.options.Fallbacks) || ctx.Err() != nil || errors.Is(err, errBreak) {
		return false
	}
	var known *runtime.Error
	if !errors.As(err, &known) {
		return true
	}
	switch known.Kind {
	case runtime.KindRateLimit, runtime.KindOverloaded, runtime.KindLLMAPI:
		return !known.Refused
	}
	return false
}

package interp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

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

// servingOrFallback returns the model that responds.
func (r *loop) servingOrFallback() compile.Model { return r.agent.modelAt(r.fallen) }

// generateOrFallBack returns the response of the model, or else of the next one that responds, and
// counts what was spent.
func (r *loop) generateOrFallBack(ctx context.Context, request *runtime.Request, held *hold) (*runtime.Response, error) {
	var earlier []string // which models failed, and why
	for {
		response, begun, err := r.sendOrFallBack(ctx, request)
		r.count(held, response, err)
		switch {
		case err != nil && !r.canFallBack(ctx, err):
			return nil, r.afterFallBack(modelError(ctx, err), earlier)
		case err != nil:
		case response == nil:
			return nil, runtime.Errorf(runtime.KindLLMAPI, "LLM returned no response")
		default:
			r.usage, r.cut = r.usage.Add(response.Usage), held != nil && held.cut
			return response, nil
		}
		earlier = append(earlier, fmt.Sprintf("%s: %s", r.servingOrFallback(), err))
		if err := r.leaveModel(ctx, begun, err); err != nil {
			return nil, err
		}
		request = r.requestOfFallback(request, held)
		if held, err = r.admit(request); err != nil {
			return nil, r.afterFallBack(err, earlier)
		}
	}
}

// leaveModel changes to the next model after an error. The response of the last one may have begun.
func (r *loop) leaveModel(ctx context.Context, begun bool, why error) error {
	if begun {
		if err := r.emit(ctx, Event{Kind: EventDelta, Delta: &runtime.Delta{Kind: runtime.DeltaRestart}}); err != nil {
			return err
		}
	}
	r.notePauseBeforeFallBack(why)
	return r.fallBack(ctx, why)
}

// requestOfFallback returns a request to another model as one to the model that responds.
func (r *loop) requestOfFallback(request *runtime.Request, held *hold) *runtime.Request {
	next := *request
	next.Model, next.Again = r.servingOrFallback().ID, nil
	if held != nil {
		next.MaxTokens = held.wanted
	}
	return &next
}

// afterFallBack returns the error of the last model with its name and with why the models
// before it did not respond.
func (r *loop) afterFallBack(err error, earlier []string) error {
	var known *runtime.Error
	if len(earlier) == 0 || !errors.As(err, &known) {
		return err
	}
	all := *known
	all.Message, all.Err = fmt.Sprintf("%s: %s (before it failed %s)", r.servingOrFallback(), err, strings.Join(earlier, "; ")), err
	return &all
}

// fallBack changes to the next model that was not asked to wait, because of an error.
func (r *loop) fallBack(ctx context.Context, why error) error {
	if r.outcome != nil {
		r.outcome.failed(why)
	}
	if err := r.changeModel(ctx, why); err != nil {
		return err
	}
	return r.skipWaiting(ctx)
}

// changeModel changes to the next model.
func (r *loop) changeModel(ctx context.Context, why error) error {
	change := &Fallback{From: r.servingOrFallback(), Err: why}
	r.fallen++
	change.To = r.servingOrFallback()
	return r.emit(ctx, Event{Kind: EventFallback, Fallback: change})
}

// Pauses are how long models are not asked, as their providers want.
type pauses struct {
	mu   sync.Mutex
	list []pause // of the models but the last; nil before the first
}

type pause struct {
	until time.Time
	err   error
}

// notePauseBeforeFallBack notes for later runs how long the provider asks to wait.
func (r *loop) notePauseBeforeFallBack(err error) {
	var known *runtime.Error
	if !errors.As(err, &known) || known.Wait <= 0 {
		return
	}
	p := r.pauses
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.list == nil {
		p.list = make([]pause, len(r.options.Fallbacks))
	}
	p.list[r.fallen] = pause{time.Now().Add(known.Wait), err}
}

// paused returns why the model that would respond is not asked yet; nil if it is.
func (r *loop) paused() error {
	p := r.pauses
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.fallen < len(p.list) && time.Now().Before(p.list[r.fallen].until) {
		return p.list[r.fallen].err
	}
	return nil
}

// skipWaiting changes to a model that was not asked to wait in an earlier run, or
// else to the last one.
func (r *loop) skipWaiting(ctx context.Context) error {
	if err := r.paused(); err != nil {
		return r.fallBack(ctx, err)
	}
	return nil
}

// sendOrFallBack sends a request to the model that responds, and yields the pieces of the
// response if they are asked for. It reports whether there were any.
func (r *loop) sendOrFallBack(ctx context.Context, request *runtime.Request) (response *runtime.Response, begun bool, err error) {
	model := r.model
	if r.fallen > 0 {
		model = r.options.Fallbacks[r.fallen-1]
	}
	if r.options.Stream && !r.silent {
		return r.streamOrFallBack(ctx, model, request)
	}
	response, err = model.Generate(ctx, request)
	return response, false, err
}

// streamOrFallBack is send for a response whose pieces are yielded.
func (r *loop) streamOrFallBack(ctx context.Context, model runtime.Model, request *runtime.Request) (response *runtime.Response, begun bool, err error) {
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

package durable

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// Recorded reports whether an earlier process has made a step; see [interp.Options].
func (r *Run) Recorded(key string) bool {
	_, ok := r.earlier[key]
	return ok
}

// Attempted returns what earlier processes have done for a request; see [interp.Options]. The
// first step that this process makes is the one at which the last one was killed.
func (r *Run) Attempted(key string) interp.Attempts {
	var made interp.Attempts
	if earlier, ok := r.attempts[key]; ok && earlier.Outcome != nil {
		made.Spent, made.Charged = earlier.Outcome.Spent, earlier.Outcome.Charged
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stepped {
		made.Unknown = r.past.killed(r.epoch)
	}
	r.stepped = true
	return made
}

// Elapsed returns how long earlier processes worked on the run; see [interp.Options].
func (r *Run) Elapsed() time.Duration { return r.past.elapsed() }

// A doStep makes one of the steps that the loop has given; see [interp.Steps].
type doStep = func(context.Context, int) (interp.Outcome, error)

// Steps makes the steps of the run that are not in the journal; see [interp.Options].
func (r *Run) Steps(ctx context.Context, steps []interp.Step, do doStep) ([]interp.Outcome, error) {
	outcomes := make([]interp.Outcome, len(steps))
	var missing []int         // the steps that are made
	var first []journal.Entry // what is written before
	for i := range steps {
		known, entry, err := r.before(ctx, &steps[i])
		if err != nil {
			return nil, r.note(err, &steps[i], nil)
		}
		if entry != nil {
			first = append(first, *entry)
		}
		if known == nil {
			missing = append(missing, i)
			continue
		}
		outcomes[i] = *known
	}
	if err := ctx.Err(); err != nil && len(missing) > 0 {
		return nil, err // before intents are written for calls that are not made
	}
	if err := r.append(ctx, first...); err != nil {
		return nil, err
	}
	if err := r.makeAll(ctx, steps, missing, outcomes, do); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range steps {
		r.outcomes[steps[i].Key] = &outcomes[i]
	}
	return outcomes, nil
}

// before returns the outcome of a step that is not made, and the entry that is written before
// the step is made, or instead.
func (r *Run) before(ctx context.Context, s *interp.Step) (*interp.Outcome, *journal.Entry, error) {
	if known, ok := r.earlier[s.Key]; ok {
		return known.Outcome, nil, known.check(s)
	}
	switch s.Kind {
	case interp.StepApproval:
		if d, ok := r.decisions[s.Key]; ok && d.Hash == HashOf(s.Args) {
			o := &interp.Outcome{Approved: d.Allow}
			if d.Allow {
				o.Args = d.Args
			} else {
				o.Reason = d.Note
			}
			entry, err := entryOf(kindOutcome, s, o)
			return o, &entry, err
		}
	case interp.StepCall:
		if s.Repeat == runtime.RepeatSafe || s.Repeat == runtime.RepeatKeyed {
			return nil, nil, nil
		}
		intent, ok := r.intents[s.Key]
		if !ok {
			entry, err := entryOf(kindIntent, s, nil)
			return nil, &entry, err
		}
		if err := intent.check(s); err != nil {
			return nil, nil, err
		}
		return r.unknown(ctx, s)
	}
	return nil, nil, nil
}

// unknown returns the outcome of a call of which nobody knows what it did; nil if it is made
// again.
func (r *Run) unknown(ctx context.Context, s *interp.Step) (*interp.Outcome, *journal.Entry, error) {
	d, decided := r.decisions[s.Key]
	again := decided && d.Allow && d.Hash == HashOf(s.Args)
	if !decided && r.options.AskUnknown != nil {
		var err error
		if again, err = r.options.AskUnknown(ctx, *s); err != nil {
			return nil, nil, err
		}
	}
	if again {
		return nil, nil, nil
	}
	r.step()
	o := &interp.Outcome{Unknown: true, Error: &runtime.ToolError{
		Kind: runtime.ToolExecution, Message: "the run stopped during this call" + runtime.UnknownEffect,
	}}
	entry, err := entryOf(kindOutcome, s, o)
	return o, &entry, err
}

// makeAll makes steps at the same time, and writes the outcome of each as soon as it is there.
func (r *Run) makeAll(ctx context.Context, steps []interp.Step, which []int, outcomes []interp.Outcome, do doStep) error {
	if len(which) == 1 { // in this goroutine
		i := which[0]
		return r.makeOne(ctx, &steps[i], i, &outcomes[i], do)
	}
	return r.makeSideBySide(ctx, steps, which, outcomes, do)
}

func (r *Run) makeSideBySide(ctx context.Context, steps []interp.Step, which []int, outcomes []interp.Outcome, do doStep) error {
	errs := make([]error, len(steps))
	var making sync.WaitGroup
	for _, i := range which {
		making.Go(func() { errs[i] = r.makeOne(ctx, &steps[i], i, &outcomes[i], do) })
	}
	making.Wait()
	return errors.Join(errs...)
}

func (r *Run) makeOne(ctx context.Context, s *interp.Step, i int, o *interp.Outcome, do doStep) error {
	inner := ctx
	if s.Kind == interp.StepCall {
		inner = runtime.WithCallKey(ctx, r.ID()+"/"+s.Key)
	}
	if s.Kind != interp.StepRequest { // for which the loop calls Attempted
		r.step()
	}
	var err error
	if *o, err = do(inner, i); err != nil {
		return r.note(err, s, o)
	}
	return r.keep(ctx, s, o)
}

// keep writes the outcome of a step.
func (r *Run) keep(ctx context.Context, s *interp.Step, o *interp.Outcome) error {
	r.redactOutcome(o)
	entry, err := entryOf(kindOutcome, s, o)
	if err != nil {
		return err
	}
	return r.append(ctx, entry)
}

// step notes that this process has begun a step.
func (r *Run) step() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stepped = true
}

// note remembers the step whose answer is waited for, and what a request without an outcome has
// spent.
func (r *Run) note(err error, s *interp.Step, o *interp.Outcome) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.Is(err, interp.ErrWaiting) {
		waiting := *s
		r.waiting = &waiting
	}
	if o != nil && s.Kind == interp.StepRequest && (o.Spent != interp.Spent{}) {
		if r.tried == nil {
			r.tried = map[string]*interp.Outcome{}
		}
		r.tried[s.Key] = &interp.Outcome{Spent: o.Spent, Charged: o.Charged}
	}
	return err
}

// attemptEntries returns what is written of requests without an outcome when this process gives
// up the run.
func (r *Run) attemptEntries() (entries []journal.Entry, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, o := range r.tried {
		entry, err := entryOf(kindAttempt, &interp.Step{Key: key, Kind: interp.StepRequest}, o)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// append writes entries, also after the end of the context: what was done must be known. After
// an error nothing is written any more.
func (r *Run) append(ctx context.Context, entries ...journal.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	if err := r.wait(); err != nil {
		return err
	}
	err := r.claim.Append(context.WithoutCancel(ctx), entries...)
	if err == nil {
		return nil
	}
	err = runtime.Errorf(runtime.KindConfiguration, "the run cannot go on, since its journal cannot be written: %w", err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil {
		r.failed = err
	}
	return err
}

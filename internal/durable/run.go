package durable

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// Options change how a run is journaled. The zero value, like nil, is the default.
type Options struct {
	// Redact takes declared secrets out of a text. What is journaled is also what the run goes
	// on with. Nil leaves texts as they are.
	Redact func(string) string

	// Conversation is that of the parent after its end. Nil reads it.
	Conversation runtime.Conversation

	// Conclude returns a message that ends the conversation of a run that has no answer; nil
	// for none. stopped says that the user stopped the run. A nil Conclude adds none.
	Conclude func(stopped bool, conversation runtime.Conversation) *runtime.Message

	// AskUnknown decides whether a call is made again of which nobody knows whether it was
	// made. Its error ends the run; [interp.ErrWaiting] lets it wait. Nil, like false, has
	// the model informed.
	AskUnknown func(context.Context, interp.Step) (again bool, err error)

	// Ahead lets the first request be sent while the run is being written to the journal: [Begin]
	// does not wait for that, and its error is that of the run, which wraps [ErrNotBegun]. Nothing
	// comes of the run but its request until it is there. It is for a caller who has no answer, and
	// knows of no run, if the process ends.
	Ahead bool
}

// Causes of the end of a context; see [context.Cause].
var (
	// ErrInterrupted is the cause with which a caller ends the context of a run that shall go on
	// when it is resumed, as after a crash.
	ErrInterrupted = errors.New("the run was interrupted; it can be resumed")

	// ErrCancelled is the cause when another process has cancelled the run, or has taken it
	// over.
	ErrCancelled = errors.New("the run was cancelled")
)

// ErrNotBegun is the error of a run that could not be written to the journal; see
// [Options.Ahead].
var ErrNotBegun = errors.New("the run cannot begin")

// A Run is a run with a journal, which this process has claimed. [Run.Steps] and [Run.Events]
// are used by one run of the loop at a time.
type Run struct {
	journal *journal.Journal // nil for a run whose entries are elsewhere
	about   journal.Run
	claim   Log
	start   *Start
	options Options
	given   runtime.Conversation // before the message of the user

	earlier   map[string]stepJSON         // outcomes of earlier processes, by key
	intents   map[string]stepJSON         // of earlier processes, without an outcome
	decisions map[string]journal.Decision // by key
	attempts  map[string]stepJSON         // of earlier processes, at requests
	past      past
	epoch     int64 // of this process, if there were earlier ones

	begun chan struct{} // is closed when claim is set, or there is none

	mu       sync.Mutex
	cancel   context.CancelCauseFunc    // of the context of the loop; nil before it begins
	stepped  bool                       // this process has made a step, or has begun to
	tried    map[string]*interp.Outcome // requests of this process that have no outcome, with what they have spent
	outcomes map[string]*interp.Outcome // that the loop has got
	waiting  *interp.Step               // that an answer is waited for
	failed   error                      // why the journal cannot be written any more
}

// Begin writes a new run to a journal. What is known of it is its session, parent, agent,
// file and title; the program is all that is needed to run it, in a form of the caller. The
// message of the user is redacted, and the run goes on with that.
func Begin(ctx context.Context, j *journal.Journal, about *journal.Run, program []byte, s *Start, o *Options) (*Run, error) {
	r := newRun(j, o)
	start := r.redactStart(s)
	r.start, r.about = start, *about
	r.about.Title = r.redact(about.Title)
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	data, err := start.encode()
	if err != nil {
		return nil, err
	}
	entry := journal.Entry{Kind: kindStart, Data: data}
	if r.options.Ahead {
		if r.about.ID == "" {
			r.about.ID = journal.NewID()
		}
		go r.create(context.WithoutCancel(ctx), r.about, program, entry)
		return r, nil
	}
	claim, err := j.Create(ctx, &r.about, program, entry)
	if err != nil {
		return nil, err
	}
	r.claim = claim
	close(r.begun)
	return r, nil
}

// create writes the run while its first request is sent.
func (r *Run) create(ctx context.Context, about journal.Run, program []byte, start journal.Entry) {
	claim, err := r.journal.Create(ctx, &about, program, start)
	r.mu.Lock()
	if err != nil {
		r.failed = fmt.Errorf("%w: %w", ErrNotBegun, err)
	} else {
		r.claim = claim
	}
	close(r.begun)
	if r.cancel != nil {
		r.watch()
	}
	r.mu.Unlock()
}

// wait waits until the run is in the journal, and returns why it is not.
func (r *Run) wait() error {
	<-r.begun
	if r.claim != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// watch has the context of the loop end with the claim. The lock is held.
func (r *Run) watch() {
	if r.claim == nil {
		r.cancel(r.failed)
		return
	}
	cancel := r.cancel
	r.claim.OnCancelled(func() { cancel(ErrCancelled) })
}

// Resume claims a run that has not finished: it was interrupted, waits, has failed or was
// cancelled.
func Resume(ctx context.Context, j *journal.Journal, id string, o *Options) (*Run, error) {
	r := newRun(j, o)
	claim, err := j.Claim(ctx, id)
	if err != nil {
		return nil, err
	}
	r.claim, r.epoch = claim, claim.Epoch()
	close(r.begun)
	if err := r.restore(ctx, id); err != nil {
		return nil, errors.Join(err, claim.Release(context.WithoutCancel(ctx)))
	}
	return r, nil
}

func newRun(j *journal.Journal, o *Options) *Run {
	r := &Run{journal: j, outcomes: map[string]*interp.Outcome{}, begun: make(chan struct{})}
	if o != nil {
		r.options = *o
	}
	return r
}

// restore reads what earlier processes have written.
func (r *Run) restore(ctx context.Context, id string) error {
	about, err := r.journal.Run(ctx, id)
	if err != nil {
		return err
	}
	r.about = *about
	entries, err := r.journal.Entries(ctx, id)
	if err != nil {
		return err
	}
	if err := r.take(entries); err != nil {
		return err
	}
	return r.load(ctx)
}

// take reads entries of before.
func (r *Run) take(entries []journal.Entry) error {
	read, err := readEntries(entries)
	if err != nil {
		return err
	}
	r.start, r.earlier, r.intents, r.decisions = read.start, read.outcomes, read.intents, read.decisions
	r.attempts, r.past = read.attempts, read.past
	return nil
}

// load reads the conversation that the run continues.
func (r *Run) load(ctx context.Context) (err error) {
	r.given = r.options.Conversation
	if r.given == nil && r.about.Parent != "" {
		r.given, err = Conversation(ctx, r.journal, r.about.Parent)
	}
	return err
}

// ID returns the ID of the run.
func (r *Run) ID() string { return r.about.ID }

// About returns what the journal knew of the run when it was claimed. Times, the hash of the program and
// the epoch are missing in one that was begun with [Options.Ahead].
func (r *Run) About() journal.Run { return r.about }

// Start returns how the run began. It must not be changed.
func (r *Run) Start() *Start { return r.start }

// Program returns the program of the run.
func (r *Run) Program(ctx context.Context) ([]byte, error) {
	return r.journal.Program(ctx, r.about.Program)
}

// Conversation returns the conversation that the run continues.
func (r *Run) Conversation() runtime.Conversation { return slices.Clip(r.given) }

// Options returns options with which an agent makes the steps of this run: with the limits of
// its start, and with approvals that are waited for if nobody can be asked.
func (r *Run) Options(o *interp.Options) *interp.Options {
	var c interp.Options
	if o != nil {
		c = *o
	}
	r.start.Limits.set(&c)
	c.Steps, c.Recorded, c.Attempted, c.Elapsed = r.Steps, r.Recorded, r.Attempted, r.Elapsed
	if c.Approve == nil {
		c.Approve = func(context.Context, *interp.ApprovalRequest) (bool, error) { return false, interp.ErrWaiting }
	}
	return &c
}

// Events runs an agent that makes the steps of this run, and yields what happens, as
// [interp.Bound.Events] does. The end of the run is in the journal when the last event is
// yielded; see [Run.End]. Pieces of responses are redacted as the journal is. The context that the agent gets ends when the run is cancelled. A
// caller that stops ranging interrupts the run.
func (r *Run) Events(ctx context.Context, b *interp.Bound) iter.Seq2[interp.Event, error] {
	return func(yield func(interp.Event, error) bool) {
		inner, stop := r.context(ctx)
		defer stop()
		shown := pieces{redact: r.options.Redact}
		for e, err := range b.EventsOf(inner, r.start.Message, r.given) {
			if e.Kind != interp.EventRequest && r.wait() != nil && e.Answer == nil {
				continue // nothing comes of it; the context has ended
			}
			if !shown.take(&e) {
				continue
			}
			if e.Kind == interp.EventAnswer || e.Kind == interp.EventStopped {
				err = r.ended(inner, &e, err)
			}
			if !yield(e, err) {
				if e.Answer == nil {
					_ = r.Release(ctx) // as it is released when the process ends
				}
				return
			}
		}
	}
}

// ended writes the end of a run whose last event this is, and returns the error of that
// event.
func (r *Run) ended(ctx context.Context, e *interp.Event, err error) error {
	ended := r.End(ctx, e.Answer, err)
	switch {
	case errors.Is(ended, ErrNotBegun):
		e.Kind = interp.EventStopped
		return ended
	case ended == nil:
		return err
	case err == nil:
		e.Kind = interp.EventStopped
		return ended
	}
	if errors.Is(err, ended) {
		return err
	}
	return fmt.Errorf("%w (and the end of the run could not be written: %w)", err, ended)
}

// context returns a context that ends with the claim.
func (r *Run) context(ctx context.Context) (context.Context, func()) {
	inner, cancel := context.WithCancelCause(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancel = cancel
	select {
	case <-r.begun:
		r.watch()
	default: // create does
	}
	return inner, func() { cancel(nil) }
}

// End writes the end of the run, releases it, and returns why it could not. The context is that
// of the run; it may have ended.
//
// A run without an error is finished. One that waits, with an error that wraps
// [interp.ErrWaiting], is waiting; one whose context ended with the cause [ErrInterrupted]
// goes on as after a crash; one whose context was cancelled otherwise is cancelled. Any other
// error is a failure. All but the first can be resumed.
func (r *Run) End(ctx context.Context, answer *interp.AgentResponse, failure error) error {
	cause := context.Cause(ctx)
	ctx = context.WithoutCancel(ctx)
	if err := r.wait(); err != nil {
		return err
	}
	r.mu.Lock()
	waiting, failed := r.waiting, r.failed
	r.mu.Unlock()
	switch {
	case failed != nil:
		return failed
	case failure == nil:
		return r.writeEnd(ctx, journal.Finished, answer, nil)
	case errors.Is(failure, interp.ErrWaiting) && waiting != nil:
		entry, err := entryOf(kindWaiting, waiting, nil)
		if err != nil {
			return err
		}
		return r.endClaim(ctx, journal.Waiting, "", entry)
	case errors.Is(cause, ErrInterrupted):
		return r.Release(ctx)
	case cause != nil && !errors.Is(cause, context.DeadlineExceeded):
		return r.writeEnd(ctx, journal.Cancelled, answer, failure)
	}
	return r.writeEnd(ctx, journal.Failed, answer, failure)
}

// Release gives the run up, so that it can be resumed at once.
func (r *Run) Release(ctx context.Context) error {
	if err := r.wait(); err != nil {
		return err
	}
	entries, err := r.attemptEntries()
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	return errors.Join(r.claim.Append(ctx, append(entries, journal.Entry{Kind: kindRelease})...), r.claim.Release(ctx))
}

// endClaim ends the claim with an entry, after those about requests without an outcome.
func (r *Run) endClaim(ctx context.Context, status journal.Status, message string, last journal.Entry) error {
	entries, err := r.attemptEntries()
	if err != nil {
		return err
	}
	return r.claim.End(ctx, status, message, append(entries, last)...)
}

// writeEnd writes the entry with which a run ends.
func (r *Run) writeEnd(ctx context.Context, status journal.Status, answer *interp.AgentResponse, failure error) error {
	r.mu.Lock()
	outcomes := maps.Clone(r.outcomes)
	r.mu.Unlock()
	if last := r.conclusion(status, answer.Conversation); last != nil {
		concluded := *answer
		concluded.Conversation = append(slices.Clip(answer.Conversation), *last)
		answer = &concluded
	}
	end := newEnd(&source{r.start, outcomes}, r.given, answer, failure, r.redact)
	data, err := end.encode()
	if err != nil {
		return err
	}
	message := ""
	if failure != nil {
		message = r.redact(failure.Error())
	}
	return r.endClaim(ctx, status, message, journal.Entry{Kind: kindEnd, Data: data})
}

// conclusion returns the message that ends the conversation of a run without an answer.
func (r *Run) conclusion(status journal.Status, conversation runtime.Conversation) *runtime.Message {
	if status == journal.Finished || r.options.Conclude == nil {
		return nil
	}
	last := r.options.Conclude(status == journal.Cancelled, conversation)
	if last != nil {
		*last = r.redactMessage(*last)
	}
	return last
}

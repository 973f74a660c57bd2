package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// ErrNotEnded is the error of [Conversation] for a run that is not at its end.
var ErrNotEnded = errors.New("the run has not ended; resume it first")

// A recorded run is what the entries of a run say.
type recorded struct {
	start     *Start
	outcomes  map[string]stepJSON
	intents   map[string]stepJSON // without an outcome
	decisions map[string]journal.Decision
	attempts  map[string]stepJSON // at requests without an outcome
	past      past
	waiting   *journal.Entry // the last thing that was waited for
	end       *journal.Entry // the last end; nil if something was done after it
}

// readEntries reads all entries of a run. The error of a run that cannot go on with this
// version is a [VersionError].
func readEntries(entries []journal.Entry) (*recorded, error) {
	read := &recorded{outcomes: map[string]stepJSON{}, intents: map[string]stepJSON{}, decisions: map[string]journal.Decision{}, attempts: map[string]stepJSON{}}
	if len(entries) == 0 || entries[0].Kind != kindStart {
		return nil, errors.New("the run has no start")
	}
	var version error
	var err error
	if read.start, version = readStart(entries[0].Data); read.start == nil {
		return nil, version
	}
	read.past.add(&entries[0])
	for i := range entries[1:] {
		e := &entries[i+1]
		read.past.add(e)
		switch e.Kind {
		case kindEnd:
			read.end = e
			continue
		case kindWaiting:
			read.waiting = e
		case kindIntent:
			read.intents[e.Key], err = readStep(e)
		case kindAttempt:
			read.attempts[e.Key], err = readStep(e)
		case kindRelease:
		case kindOutcome:
			delete(read.intents, e.Key)
			read.outcomes[e.Key], err = readStep(e)
		case journal.KindDecision:
			var d journal.Decision
			err = json.Unmarshal(e.Data, &d)
			read.decisions[e.Key] = d
		default:
			err = fmt.Errorf("an entry is of kind %q, which this version of gramc does not know", e.Kind)
		}
		if err != nil {
			return nil, err
		}
		read.end = nil
	}
	return read, version
}

// past is what the processes of a run have done, by the times and epochs of its entries.
type past struct {
	epoch       int64 // of the last process that has written something
	isOver      bool  // that it has ended by itself
	first, last time.Time
	before      time.Duration // that the processes before it took
}

func (p *past) add(e *journal.Entry) {
	if e.Epoch == 0 {
		return // a decision, of no process of the run
	}
	if e.Epoch != p.epoch {
		p.before += p.last.Sub(p.first)
		p.epoch, p.first = e.Epoch, e.Time
	}
	p.last, p.isOver = e.Time, e.Kind == kindEnd || e.Kind == kindWaiting || e.Kind == kindRelease
	if e.Kind == kindEnd { // whoever goes on after that begins anew
		p.before, p.first = 0, e.Time
	}
}

// elapsed returns how long the processes worked on the run since it last ended, as far as their
// entries say.
func (p *past) elapsed() time.Duration { return p.before + p.last.Sub(p.first) }

// killed returns how many processes have ended without a word since the last entry, if the next
// one is of that epoch.
func (p *past) killed(epoch int64) int {
	n := int(epoch - p.epoch)
	if p.isOver {
		n--
	}
	return max(n, 0)
}

func (r *recorded) source() *source {
	s := &source{r.start, make(map[string]*interp.Outcome, len(r.outcomes))}
	for key, step := range r.outcomes {
		s.outcomes[key] = step.Outcome
	}
	return s
}

// A Record is what the journal says of a run.
type Record struct {
	Run     journal.Run
	Start   *Start
	Steps   []RecordedStep // in the order in which they were done
	Waiting *Waiting       // nil unless an answer is waited for
	End     *End           // nil unless the run is at its end
}

// A RecordedStep is a step that was made, or may have been.
type RecordedStep struct {
	Key     string
	Tool    string          // "" for a request
	Outcome *interp.Outcome // nil: the step was begun, and nobody knows whether it was done
	Time    time.Time
}

// A Waiting is a question that a run waits for.
type Waiting struct {
	Key, Tool string
	Args      json.RawMessage
	Hash      string // of Args, to which the answer is bound
	Since     time.Time
}

// Read returns what the journal says of a run, which another process may be running.
func Read(ctx context.Context, j *journal.Journal, id string) (*Record, error) {
	about, err := j.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	entries, err := j.Entries(ctx, id)
	if err != nil {
		return nil, err
	}
	return RecordOf(about, entries)
}

// RecordOf returns what the entries of a run say, wherever they are kept.
func RecordOf(about *journal.Run, entries []journal.Entry) (*Record, error) {
	read, err := readEntries(entries)
	var version *VersionError
	if err != nil && (read == nil || !errors.As(err, &version)) {
		return nil, err
	}
	record := &Record{Run: *about, Start: read.start}
	if err := record.addSteps(entries, read); err != nil {
		return nil, err
	}
	if read.waiting != nil && about.Status == journal.Waiting {
		if record.Waiting, err = WaitingOf(read.waiting); err != nil {
			return nil, err
		}
	}
	if read.end != nil {
		if record.End, err = readEnd(read.end.Data, read.source()); err != nil {
			return nil, err
		}
	}
	return record, nil
}

func (r *Record) addSteps(entries []journal.Entry, read *recorded) error {
	for i := range entries {
		e := &entries[i]
		_, unknown := read.intents[e.Key]
		if e.Kind != kindOutcome && !(e.Kind == kindIntent && unknown) {
			continue
		}
		step, err := readStep(e)
		if err != nil {
			return err
		}
		r.Steps = append(r.Steps, RecordedStep{e.Key, step.Tool, step.Outcome, e.Time})
	}
	return nil
}

// Conversation returns the conversation after a run: what it and its parents have added. A run
// that was cancelled when no process had it has added nothing, since its loop has not ended it. The
// error of a run that is not at its end is an [ErrNotEnded].
func Conversation(ctx context.Context, j *journal.Journal, id string) (runtime.Conversation, error) {
	var ends []*End
	for id != "" {
		r, err := Read(ctx, j, id)
		if err != nil {
			return nil, err
		}
		if r.End == nil && r.Run.Status == journal.Cancelled {
			id = r.Run.Parent
			continue
		}
		if r.End == nil {
			return nil, fmt.Errorf("run %s: %w", id, ErrNotEnded)
		}
		ends = append(ends, r.End)
		if r.End.Keep == 0 {
			break // nothing of the earlier conversation is left
		}
		id = r.Run.Parent
	}
	var all runtime.Conversation
	for _, end := range slices.Backward(ends) {
		var err error
		if all, err = end.After(all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ErrOtherArguments is the error of [Decide] if the hash is of other arguments than those that the
// run waits with.
var ErrOtherArguments = errors.New("the run waits for a decision about other arguments; look at it again")

// Decide answers what a run waits for, if the hash is that of the arguments that were shown, and
// queues the run. The error is [journal.ErrDecided] if a key is set, and it is not that of the question.
func Decide(ctx context.Context, j *journal.Journal, id string, d journal.Decision) error {
	r, err := Read(ctx, j, id)
	if err != nil {
		return err
	}
	if r.Waiting == nil {
		return journal.ErrNotWaiting
	}
	if d.Key != "" && d.Key != r.Waiting.Key {
		return journal.ErrDecided
	}
	if d.Hash != r.Waiting.Hash {
		return ErrOtherArguments
	}
	d.Key = r.Waiting.Key
	return j.Decide(ctx, id, d)
}

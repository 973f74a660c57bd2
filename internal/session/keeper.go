package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A Beginning is what a kept session begins with.
type Beginning struct {
	Name     string // "" chooses one
	Agent    string
	Model    string // with which the agent runs
	File     string // of the agent, an absolute path
	Program  []byte // compiled, with which the session goes on whatever becomes of the file
	Settings []byte // JSON of the caller
}

// A Keeper keeps the turns of one session. It is used by one goroutine at a time, except for
// Steps, Recorded, Attempted and Elapsed, which are for the [interp.Options] of the session's agents. A nil
// Keeper keeps nothing.
type Keeper struct {
	// Redact takes secrets out of what is kept; nil takes out nothing.
	Redact func(string) string

	// Retry lets a last turn that has no answer go on, as one that was interrupted does.
	Retry bool

	// AskUnknown decides whether a call is made again of which nobody knows whether it was
	// made; nil lets the model decide what to do about it.
	AskUnknown func(context.Context, interp.Step) (again bool, err error)

	store   *Store
	session journal.Session // Head is the last run that counts
	begun   bool            // the session is in the journal
	program []byte
	about   about
	rest    []string // messages that are to be sent after the next one
	failure error    // of writing what is no turn

	run *durable.Run // of the turn that runs; nil between turns
}

// about is what is kept of a session besides its turns.
type about struct {
	Model    string          `json:"model"`
	Settings json.RawMessage `json:"settings,omitempty"`
}

// readAbout reads what is kept of a session; what cannot be read is empty.
func readAbout(data []byte) (a about) {
	_ = json.Unmarshal(data, &a) // what was kept otherwise is of no use
	return a
}

func (a *about) encode() []byte {
	data, err := json.Marshal(a)
	if err != nil {
		panic("session: what is kept has no JSON form: " + err.Error())
	}
	return data
}

// turnData is what is kept of a turn besides its run.
type turnData struct {
	Agent string   `json:"agent"`
	Text  string   `json:"text,omitempty"` // as the user wrote it, if the message differs
	Rest  []string `json:"rest,omitempty"` // messages that are to be sent after it
}

// Begin returns the keeper of a new session. Nothing is written before its first turn.
func (s *Store) Begin(ctx context.Context, b *Beginning) (*Keeper, error) {
	k := &Keeper{store: s, program: b.Program, about: about{b.Model, b.Settings}}
	k.session = journal.Session{Name: b.Name, Agent: b.Agent, File: b.File}
	if b.Name == "" {
		var err error
		k.session.Name, err = s.newName(ctx, b.Agent)
		return k, err
	}
	if err := CheckName(b.Name); err != nil {
		return nil, err
	}
	switch _, err := s.journal.Session(ctx, b.Name); {
	case err == nil:
		return nil, fmt.Errorf("there is a session %s already; gramc resume %[1]s goes on with it", b.Name)
	case !errors.Is(err, journal.ErrNotFound):
		return nil, err
	}
	return k, nil
}

// Open returns the keeper of a session that goes on, which no other process may have.
func (s *Store) Open(ctx context.Context, name string) (*Keeper, error) {
	one, err := s.session(ctx, name)
	if err != nil {
		return nil, err
	}
	k := &Keeper{store: s, session: *one, begun: true, about: readAbout(one.Data)}
	head := one.Head
	if head == "" { // after /clear, or where nothing was sent: the program is that of any run
		runs, err := s.journal.Runs(ctx, journal.Filter{Session: name, Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(runs) == 0 {
			return nil, fmt.Errorf("nothing was sent in the session %s; gramc sessions delete %[1]s deletes it", name)
		}
		head = runs[0].ID
	}
	r, err := s.journal.Run(ctx, head)
	if err != nil {
		return nil, err
	}
	if r.Live {
		return nil, fmt.Errorf("another process has the session %s%s", name, processText(r.Process))
	}
	k.program, err = s.journal.Program(ctx, r.Program)
	return k, err
}

func processText(id int) string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf(" (process %d)", id)
}

// Name returns the name of the session.
func (k *Keeper) Name() string { return k.session.Name }

// Agent returns the name of the agent that the session is with.
func (k *Keeper) Agent() string { return k.session.Agent }

// Model returns the model that responds.
func (k *Keeper) Model() string { return k.about.Model }

// File returns the path of the file in which the agent was.
func (k *Keeper) File() string { return k.session.File }

// Program returns the compiled form of that file, as it was when the session began.
func (k *Keeper) Program() []byte { return k.program }

// Settings returns what the caller has kept of the session.
func (k *Keeper) Settings() []byte { return k.about.Settings }

// Begun reports whether there is something to go on with.
func (k *Keeper) Begun() bool { return k.begun }

// Upgrade lets the session go on with another program.
func (k *Keeper) Upgrade(program []byte) { k.program = program }

// Rest returns the messages that are to be sent when the last turn has ended, and
// SetRest sets those that follow the next message.
func (k *Keeper) Rest() []string { return k.rest }

// SetRest sets the messages that are to be sent after the next one.
func (k *Keeper) SetRest(messages []string) { k.rest = messages }

// Failure returns why something of the session could not be kept; nil if all was.
func (k *Keeper) Failure() error { return k.failure }

// Steps makes the steps of the turn that runs; see [interp.Options].
func (k *Keeper) Steps(ctx context.Context, steps []interp.Step, do func(context.Context, int) (interp.Outcome, error)) ([]interp.Outcome, error) {
	return k.run.Steps(ctx, steps, do)
}

// Recorded reports whether the turn that runs has made a step before it was interrupted.
func (k *Keeper) Recorded(key string) bool { return k.run.Recorded(key) }

// Attempted returns what was done for a request before the turn that runs was interrupted.
func (k *Keeper) Attempted(key string) interp.Attempts { return k.run.Attempted(key) }

// Elapsed returns how long the turn that runs took before it was interrupted.
func (k *Keeper) Elapsed() time.Duration { return k.run.Elapsed() }

// begin begins the run of a turn.
func (k *Keeper) begin(ctx context.Context, s *Session, t *Turn) error {
	if k == nil {
		return nil
	}
	if !k.begun {
		k.session.Title, k.session.Data = titleOf(t.Message), k.about.encode()
		if err := k.store.journal.NewSession(ctx, &k.session); err != nil {
			return err
		}
		k.begun = true
	}
	data := turnData{Agent: s.agent.Name, Rest: k.rest}
	if t.Message != t.sent.Content {
		data.Text = t.Message
	}
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	run := &journal.Run{Session: k.session.Name, Parent: k.session.Head, Agent: s.agent.Name, File: k.session.File, Title: titleOf(t.Message)}
	start := &durable.Start{Message: t.sent, Model: s.agent.Model.String(), Data: text}
	k.run, err = durable.Begin(ctx, k.store.journal, run, k.program, start, k.options(t))
	if errors.Is(err, journal.ErrMoved) {
		return fmt.Errorf("the session %s went on in another process; gramc resume %[1]s shows it as it is now", k.session.Name)
	}
	if err != nil {
		return err
	}
	k.session.Head, t.run, t.sent = k.run.ID(), k.run.ID(), k.run.Start().Message
	return nil
}

// resume lets the run of a turn go on.
func (k *Keeper) resume(ctx context.Context, _ *Session, t *Turn) (err error) {
	if k == nil {
		return errors.New("the turn was not kept")
	}
	k.run, err = durable.Resume(ctx, k.store.journal, t.run, k.options(t))
	return err
}

func (k *Keeper) options(t *Turn) *durable.Options {
	return &durable.Options{
		Redact: k.Redact, Conversation: t.before, AskUnknown: k.AskUnknown,
		Conclude: func(stopped bool, conversation runtime.Conversation) *runtime.Message {
			return t.conclusion(stopped, conversation)
		},
	}
}

// events runs a turn.
func (s *Session) events(ctx context.Context, t *Turn) iter.Seq2[interp.Event, error] {
	if s.keeper == nil {
		return s.bound.EventsOf(ctx, t.sent, t.before)
	}
	return func(yield func(interp.Event, error) bool) {
		running, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
		defer cancel(nil)
		defer context.AfterFunc(ctx, func() {
			why := context.Cause(ctx)
			if !errors.Is(why, ErrStopped) {
				why = durable.ErrInterrupted // the run goes on later
			}
			cancel(why)
		})()
		for event, err := range s.keeper.run.Events(running, s.bound) {
			if !yield(event, err) {
				return
			}
		}
	}
}

// moveTo makes a turn the last one that counts; nil means that none does.
func (k *Keeper) moveTo(t *Turn) {
	if k == nil || !k.begun {
		return
	}
	to := ""
	if t != nil {
		to = t.run
	}
	if err := k.store.journal.MoveHead(context.Background(), k.session.Name, k.session.Head, to); err != nil {
		k.failure = err
		return
	}
	k.session.Head = to
}

// note keeps which agent and which model the session goes on with.
func (k *Keeper) note(a *interp.Agent) {
	if k == nil {
		return
	}
	k.session.Agent, k.about.Model = a.Name, a.Model.String()
	if !k.begun {
		return
	}
	k.session.Data = k.about.encode()
	if err := k.store.journal.PutSession(context.Background(), &k.session); err != nil {
		k.failure = err
	}
}

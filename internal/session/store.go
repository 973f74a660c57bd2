package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/models"
)

// StoreOptions are how sessions are kept.
type StoreOptions struct {
	Key    []byte        // encrypts what is said and done; nil does not
	Keep   time.Duration // how long after its last message a session is kept; 0 for ever
	Models *models.Table // for what turns cost; nil is the built-in table
}

// A Store is the sessions that are kept in a folder. It may be shared.
type Store struct {
	journal *journal.Journal // nil if nothing was kept yet
	models  *models.Table
}

// OpenStore opens the sessions in a folder, and ends those that are too old. The folder is
// made with the first session, not before, unless that is wanted.
func OpenStore(ctx context.Context, folder string, create bool, o *StoreOptions) (*Store, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) && !create {
		return &Store{models: o.Models}, nil
	}
	j, err := journal.Open(folder, &journal.Options{Key: o.Key})
	if err != nil {
		return nil, err
	}
	s := &Store{j, o.Models}
	if o.Keep > 0 {
		if _, err := j.Expire(ctx, time.Now(), o.Keep); err != nil {
			return nil, errors.Join(err, j.Close())
		}
	}
	return s, nil
}

// Close closes the sessions. Those that this process had can go on at once.
func (s *Store) Close() error {
	if s == nil || s.journal == nil {
		return nil
	}
	return s.journal.Close()
}

// A State says whether a session can go on.
type State string

// The states.
const (
	Idle        State = "idle"        // all of its turns have ended
	Running     State = "running"     // a process has it
	Interrupted State = "interrupted" // its last turn broke off, and can go on
	Waiting     State = "waiting"     // a call waits for the approval of a person
	Queued      State = "queued"      // a person has decided, and its last turn can go on
	Failed      State = "failed"      // its last turn has no answer
	Damaged     State = "damaged"     // a part of it was lost; it can be read
)

// A Kept is what is known of a kept session without its turns.
type Kept struct {
	Name, Agent, Model, File string
	Title                    string // its first message, on a line
	State                    State
	Process                  int // that has it; 0 if none has, or it is not known
	Turns                    int
	Created, Updated         time.Time
	Waiting                  *Wait // nil unless a call waits
}

// A Wait is a call that waits for the approval of a person.
type Wait struct {
	Run string
	durable.Waiting
}

// List returns the sessions of a user in which a text occurs, the latest first; all for "".
// The user "" is that of the command line, others are those of a server.
func (s *Store) List(ctx context.Context, user, text string) ([]*Kept, error) {
	if s.journal == nil {
		return nil, nil
	}
	list, err := s.journal.Sessions(ctx, journal.Filter{User: &user, Text: text})
	if err != nil {
		return nil, err
	}
	runs, err := s.runs(ctx)
	if err != nil {
		return nil, err
	}
	var kept []*Kept
	for _, one := range list {
		k, err := s.kept(ctx, one, runs)
		if err != nil {
			return nil, err
		}
		kept = append(kept, k)
	}
	return kept, nil
}

// runs returns all runs by their id.
func (s *Store) runs(ctx context.Context) (map[string]*journal.Run, error) {
	list, err := s.journal.Runs(ctx, journal.Filter{})
	if err != nil {
		return nil, err
	}
	runs := make(map[string]*journal.Run, len(list))
	for _, r := range list {
		runs[r.ID] = r
	}
	return runs, nil
}

// kept returns what is known of a session.
func (s *Store) kept(ctx context.Context, of *journal.Session, runs map[string]*journal.Run) (*Kept, error) {
	about := readAbout(of.Data)
	k := &Kept{Name: of.Name, Agent: of.Agent, Model: about.Model, File: of.File, Title: of.Title, State: Idle, Created: of.Created, Updated: of.Updated}
	head := runs[of.Head]
	for r := head; r != nil; r = runs[r.Parent] {
		k.Turns++
	}
	if head == nil {
		return k, nil
	}
	switch {
	case head.Live:
		k.State, k.Process = Running, head.Process
	case head.Status == journal.Running:
		k.State = Interrupted
	case head.Status == journal.Waiting:
		k.State = Waiting
		record, err := durable.Read(ctx, s.journal, head.ID)
		if err != nil {
			return nil, err
		}
		if record.Waiting != nil {
			k.Waiting = &Wait{head.ID, *record.Waiting}
		}
	case head.Status == journal.Failed:
		k.State = Failed
	case head.Status == journal.Queued:
		k.State = Queued
	case head.Status == journal.Damaged:
		k.State = Damaged
	}
	return k, nil
}

// Kept returns what is known of the session of that name.
func (s *Store) Kept(ctx context.Context, name string) (*Kept, error) {
	one, err := s.session(ctx, name)
	if err != nil {
		return nil, err
	}
	runs, err := s.runs(ctx)
	if err != nil {
		return nil, err
	}
	return s.kept(ctx, one, runs)
}

func (s *Store) session(ctx context.Context, name string) (*journal.Session, error) {
	if s.journal == nil {
		return nil, &NameError{Typed: name}
	}
	one, err := s.journal.Session(ctx, name)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, &NameError{Typed: name}
	}
	return one, err
}

// names returns the names of the sessions that a filter selects, the latest first.
func (s *Store) names(ctx context.Context, f journal.Filter) ([]string, error) {
	if s.journal == nil {
		return nil, nil
	}
	list, err := s.journal.Sessions(ctx, f)
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return names, err
}

// Find returns the name of the session that a person means by what they typed; see
// [FindName].
func (s *Store) Find(ctx context.Context, typed string) (string, error) {
	names, err := s.names(ctx, journal.Filter{})
	if err != nil {
		return "", err
	}
	return FindName(names, typed)
}

// ErrNone is returned where there is no session.
var ErrNone = errors.New("there are no sessions")

// Latest returns the name of the session that was used last on the command line.
func (s *Store) Latest(ctx context.Context) (string, error) {
	names, err := s.names(ctx, journal.Filter{User: new(string), Limit: 1})
	if err == nil && len(names) == 0 {
		err = ErrNone
	}
	if err != nil {
		return "", err
	}
	return names[0], nil
}

// Delete deletes a session and all that was said and done in it.
func (s *Store) Delete(ctx context.Context, name string) error {
	err := s.journal.DeleteSession(ctx, name)
	if errors.Is(err, journal.ErrHeld) {
		return fmt.Errorf("the session %s is not deleted: a process has it", name)
	}
	return err
}

// Fork makes a session that goes on from a turn of another one, counted from 1, or from
// its last one for 0. An empty name is chosen. It returns the name.
func (s *Store) Fork(ctx context.Context, from, name string, turn int) (string, error) {
	one, err := s.session(ctx, from)
	if err != nil {
		return "", err
	}
	line, err := s.line(ctx, one.Head)
	if err != nil {
		return "", err
	}
	if turn > len(line) {
		return "", fmt.Errorf("the session %s has %d turns, and so no turn %d", from, len(line), turn)
	}
	at := len(line)
	if turn > 0 {
		at = turn
	}
	if at > 0 && !ended(line[at-1]) {
		if turn > 0 {
			return "", fmt.Errorf("turn %d of the session %s has not ended", turn, from)
		}
		at-- // what runs stays with the other one
	}
	fork := &journal.Session{Name: name, Agent: one.Agent, File: one.File, Title: one.Title, Data: one.Data}
	if at > 0 {
		fork.Head = line[at-1].ID
	}
	if fork.Name == "" {
		if fork.Name, err = s.newName(ctx, one.Agent); err != nil {
			return "", err
		}
	}
	if err := CheckName(fork.Name); err != nil {
		return "", err
	}
	err = s.journal.NewSession(ctx, fork)
	if errors.Is(err, journal.ErrExists) {
		return "", fmt.Errorf("there is a session %s already", fork.Name)
	}
	return fork.Name, err
}

// newName returns a name that no session has.
func (s *Store) newName(ctx context.Context, agent string) (string, error) {
	names, err := s.names(ctx, journal.Filter{})
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}
	for _, n := range names {
		taken[n] = true
	}
	return NewName(agent, func(n string) bool { return taken[n] }), nil
}

// line returns the runs of a conversation that ends with a run, oldest first.
func (s *Store) line(ctx context.Context, head string) ([]*journal.Run, error) {
	var line []*journal.Run
	for id := head; id != ""; {
		r, err := s.journal.Run(ctx, id)
		if err != nil {
			return nil, err
		}
		line, id = append(line, r), r.Parent
	}
	slices.Reverse(line)
	return line, nil
}

// ended reports whether a turn has ended, with an answer or without.
func ended(r *journal.Run) bool {
	return r.Status == journal.Finished || r.Status == journal.Failed || r.Status == journal.Cancelled
}

// titleOf returns a message as the title of a session: its first line.
func titleOf(message string) string {
	const most = 120 // bytes
	line, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return cmp.Or(line, "(no text)")
}

// A Decision is what a person says about a call that waits.
type Decision struct {
	Allow  bool
	Reason string // of a refusal, for the model
}

// Decide records a decision about the call that a session waits with, as it was shown. The
// run can then go on.
func (s *Store) Decide(ctx context.Context, k *Kept, d *Decision) error {
	err := durable.Decide(ctx, s.journal, k.Waiting.Run, journal.Decision{Hash: k.Waiting.Hash, Allow: d.Allow, Note: d.Reason})
	if errors.Is(err, journal.ErrNotWaiting) || errors.Is(err, journal.ErrDecided) {
		return fmt.Errorf("the session %s does not wait any more: it was decided elsewhere", k.Name)
	}
	return err
}

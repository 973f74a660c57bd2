package journal

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Session is a conversation that people go on with: a name for the run at its end.
type Session struct {
	Name    string // unique
	Head    string // the run whose conversation goes on; "" before the first one
	Agent   string
	File    string
	User    string // as that of a [Run]
	Title   string // one line
	Data    []byte // of the caller
	Created time.Time
	Updated time.Time     // when a run of it began or ended, or it was put
	Keep    time.Duration // how long after that it is kept; 0: as long as Expire says; negative: for ever
}

const sessionColumns = "name, head, agent, file, user, created, updated, keep, title, data, sum"

func (s *Session) place() place {
	p := place(nil)
	for _, text := range []string{"session", s.Name, s.Head, s.Agent, s.File, s.User} {
		p = p.text(text)
	}
	for _, number := range []int64{s.Created.UnixMicro(), s.Updated.UnixMicro(), int64(s.Keep)} {
		p = p.number(number)
	}
	return p
}

func (v vault) readSession(scan func(...any) error) (*Session, error) {
	var s Session
	var created, updated, sum int64
	var title, data []byte
	if err := scan(&s.Name, &s.Head, &s.Agent, &s.File, &s.User, &created, &updated, &s.Keep, &title, &data, &sum); err != nil {
		return nil, scanned(err)
	}
	s.Created, s.Updated = when(created), when(updated)
	if s.place().sum(title, data) != sum {
		return nil, &DamageError{What: fmt.Sprintf("the row of the session %q is not as it was written", s.Name)}
	}
	text, err := v.open("session "+s.Name, place(nil).text("title"), title)
	if err == nil {
		s.Title = string(text)
		s.Data, err = v.open("session "+s.Name, place(nil).text("data"), data)
	}
	if err != nil {
		return nil, &DamageError{fmt.Sprintf("the session %q", s.Name), err}
	}
	return &s, nil
}

// session reads a session in a transaction of the writer.
func (j *Journal) session(t *tx, name string) (*Session, error) {
	s, err := t.prepared("SELECT " + sessionColumns + " FROM session WHERE name = ?")
	if err != nil {
		return nil, err
	}
	return j.vault.readSession(s.QueryRowContext(t.ctx, name).Scan)
}

// saveSession writes the row of a session, new or not.
func (j *Journal) saveSession(t *tx, s *Session) error {
	title, err := j.vault.seal("session "+s.Name, place(nil).text("title"), []byte(s.Title))
	if err != nil {
		return stored(err)
	}
	data, err := j.vault.seal("session "+s.Name, place(nil).text("data"), s.Data)
	if err != nil {
		return stored(err)
	}
	_, err = t.exec("INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		s.Name, s.Head, s.Agent, s.File, s.User, s.Created.UnixMicro(), s.Updated.UnixMicro(), int64(s.Keep), title, data, s.place().sum(title, data))
	return err
}

func (j *Journal) addSession(t *tx, s *Session) error {
	s.Created = when(now())
	s.Updated = s.Created
	if _, err := t.exec("UPDATE state SET sessions = sessions + 1"); err != nil {
		return err
	}
	return j.saveSession(t, s)
}

// NewSession writes a new session, as a fork of another one if Head is a run of that. The
// error is ErrExists if the name is taken.
func (j *Journal) NewSession(ctx context.Context, s *Session) error {
	return j.write(ctx, func(t *tx) error {
		if _, err := j.session(t, s.Name); !errors.Is(err, ErrNotFound) {
			return or(err, ErrExists)
		}
		return j.addSession(t, s)
	})
}

// PutSession writes a session, new or not. The head and the time of creation of one that
// is there stay as they are: see [Journal.MoveHead].
func (j *Journal) PutSession(ctx context.Context, s *Session) error {
	return j.write(ctx, func(t *tx) error {
		old, err := j.session(t, s.Name)
		switch {
		case errors.Is(err, ErrNotFound):
			return j.addSession(t, s)
		case err != nil:
			return err
		}
		s.Head, s.Created, s.Updated = old.Head, old.Created, when(now())
		return j.saveSession(t, s)
	})
}

// RenameSession gives a session another name; its runs follow.
func (j *Journal) RenameSession(ctx context.Context, from, to string) error {
	return j.write(ctx, func(t *tx) error {
		s, err := j.session(t, from)
		if err != nil {
			return err
		}
		if _, err := j.session(t, to); !errors.Is(err, ErrNotFound) {
			return or(err, ErrExists)
		}
		runs, err := j.runsOf(t, from)
		if err != nil {
			return err
		}
		for _, r := range runs {
			r.Session = to
			if err := j.save(t, r); err != nil {
				return err
			}
		}
		if _, err := t.exec("DELETE FROM session WHERE name = ?", from); err != nil {
			return err
		}
		s.Name = to
		return j.saveSession(t, s)
	})
}

// runsOf reads the runs of a session in a transaction of the writer.
func (j *Journal) runsOf(t *tx, session string) ([]*Run, error) {
	return j.readRuns(t.ctx, t.conn, "SELECT "+columns+" FROM run WHERE session = ? ORDER BY n", session)
}

// MoveHead makes a run the head of a session, if its head is still from: else the error is
// ErrMoved. It is no error if to is the head already.
func (j *Journal) MoveHead(ctx context.Context, name, from, to string) error {
	return j.write(ctx, func(t *tx) error {
		s, err := j.session(t, name)
		switch {
		case err != nil:
			return err
		case s.Head != from && s.Head != to:
			return ErrMoved
		}
		s.Head, s.Updated = to, when(now())
		return j.saveSession(t, s)
	})
}

// extend makes a new run the head of its session.
func (j *Journal) extend(t *tx, r *Run) error {
	if r.Session == "" {
		return nil
	}
	s, err := j.session(t, r.Session)
	switch {
	case errors.Is(err, ErrNotFound):
		return j.addSession(t, &Session{Name: r.Session, Head: r.ID, Agent: r.Agent, File: r.File, User: r.User, Title: r.Title})
	case err != nil:
		return err
	case s.Head != r.Parent || s.User != r.User:
		return ErrMoved
	}
	s.Head, s.Updated = r.ID, r.Created
	return j.saveSession(t, s)
}

// touch notes in the session of a run that something has happened.
func (j *Journal) touch(t *tx, r *Run) error {
	if r.Session == "" {
		return nil
	}
	s, err := j.session(t, r.Session)
	if errors.Is(err, ErrNotFound) {
		return nil // it was deleted
	}
	if err != nil {
		return err
	}
	s.Updated = r.Updated
	return j.saveSession(t, s)
}

// Session returns the session of that name.
func (j *Journal) Session(ctx context.Context, name string) (*Session, error) {
	s, err := j.vault.readSession(j.db.QueryRowContext(ctx, "SELECT "+sessionColumns+" FROM session WHERE name = ?", name).Scan)
	return s, j.notFound(ctx, err)
}

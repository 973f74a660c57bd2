package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Salvage says what was saved of a damaged journal.
type Salvage struct {
	Runs       int      // saved, those below included
	Incomplete []string // the runs of which only the first entries could be read
	Lost       int      // runs of which nothing could be saved, as far as that is known
	Sessions   int
}

// SaveFrom copies what can be read of the damaged journal in the folder from into a new one in
// the folder to. A run of which entries are missing becomes Damaged: it can be read,
// but not go on, because nobody knows what it did afterwards. The damaged
// journal is not changed; nobody should have it open.
func SaveFrom(ctx context.Context, from, to string, o *Options) (*Salvage, error) {
	if o == nil {
		o = &Options{}
	}
	to, err := filepath.Abs(to) // for SQLite
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(filepath.Join(to, fileName)); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has a journal: %w", to, or(err, ErrExists))
	}
	j, err := Open(to, o)
	if err != nil {
		return nil, err
	}
	defer j.Close() // everything was written before
	copied, err := os.MkdirTemp(to, "damaged-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(copied)
	for _, name := range []string{fileName, fileName + "-wal"} {
		if err := copyFile(filepath.Join(from, name), filepath.Join(copied, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	old := &Journal{dir: from}
	if old.db, err = sql.Open("sqlite", address(filepath.Join(copied, fileName))); err != nil {
		return nil, err
	}
	defer old.db.Close() // it is a copy
	conn, err := old.db.Conn(ctx)
	if err != nil {
		return nil, stored(err)
	}
	t := &tx{ctx: ctx, conn: conn, statements: map[string]*sql.Stmt{}}
	defer t.close()
	if old.vault, err = unlock(t, o.Key); err != nil {
		return nil, err
	}
	return saveAll(t, old, j)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	return err
}

// saveAll copies runs one by one: where one cannot be read, the next one may be.
func saveAll(t *tx, old, j *Journal) (*Salvage, error) {
	var result Salvage
	for _, n := range numbers(t) {
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
		r, entries := old.salvage(t, n)
		if r == nil {
			continue
		}
		if len(entries) < r.Entries {
			r.Status, r.Entries = Damaged, len(entries)
			result.Incomplete = append(result.Incomplete, r.ID)
		}
		if err := j.copyRun(t.ctx, r, entries, old.salvageProgram(t, r.Program)); err != nil {
			return nil, err
		}
		result.Runs++
	}
	var expected int
	if err := t.row("SELECT runs FROM state", nil, &expected); err == nil {
		result.Lost = max(expected-result.Runs, 0)
	}
	names, _ := t.texts("SELECT name FROM session") // the names before what cannot be read
	for _, name := range names {
		s, err := old.session(t, name)
		if err != nil {
			continue // copyRun has made one for its runs
		}
		err = j.write(t.ctx, func(t *tx) error {
			there, err := j.session(t, name)
			if errors.Is(err, ErrNotFound) {
				return j.addSession(t, s)
			}
			if err != nil {
				return err
			}
			if _, err := j.run(t, s.Head); err != nil {
				s.Head = there.Head // the last run that was saved
			}
			return j.saveSession(t, s)
		})
		if err != nil {
			return nil, err
		}
	}
	sessions, err := j.allSessions(t.ctx)
	result.Sessions = len(sessions)
	return &result, err
}

// numbers returns the numbers of the runs that may be there, in the order in which they
// were made.
func numbers(t *tx) []int64 {
	var last int64
	for _, query := range []string{"SELECT seq FROM sqlite_sequence WHERE name = 'run'", "SELECT max(n) FROM run", "SELECT max(id) >> 32 FROM entry", "SELECT runs FROM state"} {
		var n int64
		if t.row(query, nil, &n) == nil && n < 1<<24 {
			last = max(last, n)
		}
	}
	numbers := make([]int64, 0, last)
	for n := int64(1); n <= last; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}

// salvage reads a run and its first entries, as far as they are as they were written.
func (j *Journal) salvage(t *tx, n int64) (*Run, []Entry) {
	s, err := t.prepared("SELECT " + columns + " FROM run WHERE n = ?")
	if err != nil {
		return nil, nil
	}
	r, err := j.vault.readRun(s.QueryRowContext(t.ctx, n).Scan)
	if err != nil {
		return nil, nil
	}
	var entries []Entry
	for seq := range r.Entries {
		var s row
		var at int64
		err := t.row("SELECT id, key, kind, epoch, time, data, sum FROM entry WHERE id = ?", []any{entryID(n, seq)},
			&s.id, &s.entry.Key, &s.entry.Kind, &s.entry.Epoch, &at, &s.data, &s.sum)
		if err != nil {
			break
		}
		s.entry.Time = when(at)
		e, err := j.vault.entry(r, seq, s)
		if err != nil {
			break
		}
		entries = append(entries, e)
	}
	return r, entries
}

// salvageProgram returns the program of that hash, or nil.
func (j *Journal) salvageProgram(t *tx, hash string) []byte {
	var data []byte
	if t.row("SELECT data FROM program WHERE hash = ?", []any{hash}, &data) != nil {
		return nil
	}
	program, err := j.vault.program(hash, data)
	if err != nil {
		return nil
	}
	return program
}

// copyRun writes a run of another journal.
func (j *Journal) copyRun(ctx context.Context, r *Run, entries []Entry, program []byte) error {
	if program == nil && r.Status != Finished {
		r.Status = Damaged
	}
	r.owner, r.Cancel = "", false
	text, err := j.vault.seal("program "+r.Program, nil, program)
	if err != nil {
		return err
	}
	return j.write(ctx, func(t *tx) error {
		if r.Session != "" {
			s, err := j.session(t, r.Session)
			if errors.Is(err, ErrNotFound) {
				err = j.addSession(t, &Session{Name: r.Session, Head: r.ID, Agent: r.Agent, File: r.File, User: r.User, Title: r.Title})
			} else if err == nil {
				s.Head = r.ID
				err = j.saveSession(t, s)
			}
			if err != nil {
				return err
			}
		}
		if program != nil {
			if _, err := t.exec("INSERT INTO program VALUES (?, ?) ON CONFLICT DO NOTHING", r.Program, text); err != nil {
				return err
			}
		}
		return j.insert(t, r, func() ([]row, error) { return j.vault.datedRows(r.n, r.ID, 0, entries) })
	})
}

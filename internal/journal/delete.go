package journal

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// DefaultKeep is how long runs and sessions are kept after they were last used.
const DefaultKeep = 30 * 24 * time.Hour

// DeleteSession deletes a session and its runs, so that nothing of them remains in the
// file or its write-ahead log. Runs from which other sessions went on remain until those
// are deleted. The error is ErrHeld if a living process has one of the runs.
func (j *Journal) DeleteSession(ctx context.Context, name string) error {
	err := j.write(ctx, func(t *tx) error {
		if _, err := j.session(t, name); err != nil {
			return err
		}
		runs, err := j.runsOf(t, name)
		if err == nil {
			err = j.noneLives(runs)
		}
		if err != nil {
			return err
		}
		if err := j.dropSession(t, name); err != nil {
			return err
		}
		_, err = j.collect(t)
		return err
	})
	if err != nil {
		return j.notFound(ctx, err)
	}
	return j.clear(ctx)
}

func (j *Journal) dropSession(t *tx, name string) error {
	if _, err := t.exec("DELETE FROM session WHERE name = ?", name); err != nil {
		return err
	}
	_, err := t.exec("UPDATE state SET sessions = sessions - 1")
	return err
}

func (j *Journal) noneLives(runs []*Run) error {
	if err := j.enliven(runs); err != nil {
		return err
	}
	for _, r := range runs {
		if r.Live {
			return fmt.Errorf("%w: %s (process %d)", ErrHeld, r.ID, r.Process)
		}
	}
	return nil
}

// Delete deletes a run as DeleteSession does. The error is ErrInUse if another run goes on
// from it, or it is the head of a session, and ErrHeld if a living process has it.
func (j *Journal) Delete(ctx context.Context, id string) error {
	err := j.write(ctx, func(t *tx) error {
		r, err := j.run(t, id)
		if err == nil {
			err = j.noneLives([]*Run{r})
		}
		if err != nil {
			return err
		}
		var uses int
		if err := t.row("SELECT (SELECT count(*) FROM run WHERE parent = ?1) + (SELECT count(*) FROM session WHERE head = ?1)", []any{id}, &uses); err != nil {
			return err
		}
		if uses > 0 {
			return ErrInUse
		}
		if err := j.drop(t, r.n); err != nil {
			return err
		}
		return j.dropPrograms(t)
	})
	if err != nil {
		return j.notFound(ctx, err)
	}
	return j.clear(ctx)
}

func (j *Journal) drop(t *tx, n int64) error {
	for _, s := range []struct {
		query string
		args  []any
	}{
		{"DELETE FROM entry WHERE id BETWEEN ? AND ?", []any{entryID(n, 0), entryID(n+1, 0) - 1}},
		{"DELETE FROM run WHERE n = ?", []any{n}},
		{"UPDATE state SET runs = runs - 1", nil},
	} {
		if _, err := t.exec(s.query, s.args...); err != nil {
			return err
		}
	}
	return nil
}

func (j *Journal) dropPrograms(t *tx) error {
	_, err := t.exec("DELETE FROM program WHERE hash NOT IN (SELECT program FROM run)")
	return err
}

// collect deletes the runs that no session needs any more: those of a session that is
// there, those without one, and all from which one of these went on are needed, and
// so are those that a living process has.
func (j *Journal) collect(t *tx) (int, error) {
	runs, err := j.readRuns(t.ctx, t.conn, `
		WITH RECURSIVE needed (id) AS (
			SELECT id FROM run WHERE session = '' OR session IN (SELECT name FROM session)
			UNION SELECT head FROM session
			UNION SELECT run.parent FROM run JOIN needed USING (id) WHERE run.parent <> ''
		)
		SELECT `+columns+` FROM run WHERE id NOT IN (SELECT id FROM needed)`)
	if err != nil {
		return 0, err
	}
	if err := j.enliven(runs); err != nil {
		return 0, err
	}
	deleted := 0
	for _, r := range runs {
		if r.Live {
			continue
		}
		if err := j.drop(t, r.n); err != nil {
			return deleted, err
		}
		deleted++
	}
	return deleted, j.dropPrograms(t)
}

// Expire deletes the sessions, and the runs without a session, that were not used since
// keep before now, unless a living process has one of their runs or the session says
// otherwise. It returns how many sessions and runs it has deleted.
func (j *Journal) Expire(ctx context.Context, now time.Time, keep time.Duration) (int, error) {
	due, err := j.expired(ctx, now, keep)
	if err != nil || !due {
		return 0, err
	}
	deleted := 0
	err = j.write(ctx, func(t *tx) error {
		deleted, err = j.expire(t, now, keep)
		return err
	})
	if err != nil {
		return 0, err
	}
	return deleted, j.clear(ctx)
}

const expiredSessions = "keep >= 0 AND updated + CASE keep WHEN 0 THEN ?1 ELSE keep / 1000 END < ?2"

// expired reports whether there may be something to delete.
func (j *Journal) expired(ctx context.Context, now time.Time, keep time.Duration) (bool, error) {
	var due bool
	err := j.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM session WHERE "+expiredSessions+") OR EXISTS (SELECT 1 FROM run WHERE session = '' AND updated + ?1 < ?2)",
		keep.Microseconds(), now.UnixMicro()).Scan(&due)
	return due, stored(err)
}

func (j *Journal) expire(t *tx, now time.Time, keep time.Duration) (int, error) {
	names, err := t.texts("SELECT name FROM session WHERE "+expiredSessions, keep.Microseconds(), now.UnixMicro())
	if err != nil {
		return 0, err
	}
	deleted := 0
	for _, name := range names {
		runs, err := j.runsOf(t, name)
		if err == nil {
			err = j.noneLives(runs)
		}
		if errors.Is(err, ErrHeld) {
			continue
		}
		if err == nil {
			err = j.dropSession(t, name)
		}
		if err != nil {
			return 0, stored(err)
		}
		deleted++
	}
	runs, err := j.readRuns(t.ctx, t.conn, "SELECT "+columns+" FROM run WHERE session = '' AND updated + ? < ? AND id NOT IN (SELECT parent FROM run) AND id NOT IN (SELECT head FROM session)",
		keep.Microseconds(), now.UnixMicro())
	if err != nil {
		return 0, err
	}
	if err := j.enliven(runs); err != nil {
		return 0, stored(err)
	}
	for _, r := range runs {
		if r.Live {
			continue
		}
		if err := j.drop(t, r.n); err != nil {
			return 0, err
		}
		deleted++
	}
	_, err = j.collect(t)
	return deleted, err
}

func (t *tx) texts(query string, args ...any) ([]string, error) {
	rows, err := t.conn.QueryContext(t.ctx, query, args...)
	if err != nil {
		return nil, stored(err)
	}
	defer rows.Close()
	var texts []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, stored(err)
		}
		texts = append(texts, text)
	}
	return texts, stored(rows.Err())
}

// clear empties the write-ahead log, in which what was deleted still stands. In the file
// itself SQLite has overwritten it with zeros.
func (j *Journal) clear(ctx context.Context) error {
	w := &write{alone: true, done: make(chan error, 1), do: func(t *tx) error {
		var busy, pages, done int64
		if err := t.row("PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, &pages, &done); err != nil {
			return err
		}
		if busy != 0 {
			return &storeError{errBusyLog}
		}
		return nil
	}}
	if err := j.enqueue(ctx, w); err != nil {
		return err
	}
	return j.wait(w)
}

var errBusyLog = errors.New("what was deleted is still in its write-ahead log, because another process reads it; it goes when all processes have ended")

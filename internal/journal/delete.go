package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	return j.clear()
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
		return j.sweep(t)
	})
	if err != nil {
		return j.notFound(ctx, err)
	}
	return j.clear()
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

// sweep ends every deletion.
func (j *Journal) sweep(t *tx) error {
	if _, err := t.exec("UPDATE state SET remains = 1"); err != nil {
		return err
	}
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
	return deleted, j.sweep(t)
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
	return deleted, j.clear()
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

// clear removes what is left of what was deleted: in the write-ahead log, and in the gaps
// of the file that SQLite leaves when it moves rows. The file is written anew.
func (j *Journal) clear() error {
	w := &write{alone: true, done: make(chan error, 1), do: j.rewrite}
	if err := j.enqueue(w); err != nil {
		return err
	}
	if err := j.wait(w); err != nil {
		return fmt.Errorf("it is deleted, but traces of it remain in the file until the journal is next opened: %w", err)
	}
	return nil
}

const inMemory = 16 << 20 // bytes of a file that is written anew without a temporary one

func (j *Journal) rewrite(t *tx) error {
	var bytes int64
	if err := t.row("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", nil, &bytes); err != nil {
		return err
	}
	if bytes > inMemory {
		// A temporary file is as private as the journal only in its folder.
		folder := "PRAGMA temp_store_directory = '" + strings.ReplaceAll(j.dir, "'", "''") + "'"
		if _, err := t.conn.ExecContext(t.ctx, folder+"; PRAGMA temp_store = FILE"); err != nil {
			return stored(err)
		}
		defer t.conn.ExecContext(t.ctx, "PRAGMA temp_store = MEMORY")
	}
	if _, err := t.conn.ExecContext(t.ctx, "VACUUM; UPDATE state SET remains = 0"); err != nil {
		return stored(err)
	}
	var busy, pages, moved int64
	if err := t.row("PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, &pages, &moved); err != nil {
		return err
	}
	if busy != 0 {
		_, _ = t.conn.ExecContext(t.ctx, "UPDATE state SET remains = 1")
		return errBusyLog
	}
	return nil
}

var errBusyLog = errors.New("another process reads the write-ahead log")

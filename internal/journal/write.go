package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

const maxBatch = 256 // writes in one transaction

// A write is something to do in a transaction of the writer. What it refuses, it refuses
// before it writes: any other error undoes the whole transaction.
type write struct {
	do    func(*tx) error
	alone bool // it is no part of a transaction
	done  chan error
}

// A tx is the connection that writes, in a transaction.
type tx struct {
	ctx        context.Context
	conn       *sql.Conn
	statements map[string]*sql.Stmt
}

func (t *tx) prepared(query string) (*sql.Stmt, error) {
	if s := t.statements[query]; s != nil {
		return s, nil
	}
	s, err := t.conn.PrepareContext(t.ctx, query)
	if err != nil {
		return nil, stored(err)
	}
	t.statements[query] = s
	return s, nil
}

// close releases the connection; with statements that are not closed it would stay open.
func (t *tx) close() {
	for _, s := range t.statements {
		_ = s.Close()
	}
	_ = t.conn.Close()
}

func (t *tx) exec(query string, args ...any) (int64, error) {
	s, err := t.prepared(query)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, stored(err)
	}
	n, err := result.RowsAffected()
	return n, stored(err)
}

// row reads one row, or returns ErrNotFound.
func (t *tx) row(query string, args []any, into ...any) error {
	s, err := t.prepared(query)
	if err != nil {
		return err
	}
	return scanned(s.QueryRowContext(t.ctx, args...).Scan(into...))
}

// write has the writer do something, and returns when that is on the disk.
func (j *Journal) write(ctx context.Context, do func(*tx) error) error {
	w := &write{do: do, done: make(chan error, 1)}
	if err := j.enqueue(ctx, w); err != nil {
		return err
	}
	return j.wait(w)
}

func (j *Journal) enqueue(ctx context.Context, w *write) error {
	select {
	case <-j.stop:
		return ErrClosed
	default:
	}
	select {
	case j.queue <- w:
		return nil
	case <-j.stop:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wait does not end with a context: whether something was written must be known.
func (j *Journal) wait(w *write) error {
	select {
	case err := <-w.done:
		return err
	case <-j.stop:
	}
	j.stopped.Wait()
	select {
	case err := <-w.done:
		return err
	default:
		return ErrClosed
	}
}

// writeAll is the writer: whatever waits goes into one transaction.
func (j *Journal) writeAll(t *tx) {
	defer j.stopped.Done()
	defer t.close()
	batch := make([]*write, 0, maxBatch)
	for {
		select {
		case w := <-j.queue:
			batch = append(batch[:0], w)
		case <-j.stop:
			select {
			case w := <-j.queue:
				batch = append(batch[:0], w)
			default:
				return
			}
		}
		for len(batch) < maxBatch && len(j.queue) > 0 { // nobody else takes from it
			batch = append(batch, <-j.queue)
		}
		j.writeBatch(t, batch)
	}
}

// writeBatch does what waits in transactions, between what is to be done alone.
func (j *Journal) writeBatch(t *tx, batch []*write) {
	start := 0
	for i, w := range batch {
		if !w.alone {
			continue
		}
		if i > start {
			j.commit(t, batch[start:i])
		}
		w.done <- w.do(t)
		start = i + 1
	}
	if start < len(batch) {
		j.commit(t, batch[start:])
	}
}

func (j *Journal) commit(t *tx, batch []*write) {
	results := make([]error, len(batch))
	commits, err := t.transaction(func() (int64, error) {
		var have int64
		if err := t.row("PRAGMA user_version", nil, &have); err != nil {
			return 0, err
		}
		if have != version { // a newer gramc has migrated it meanwhile
			return 0, &storeError{ErrNewer}
		}
		wrote := false
		for i, w := range batch {
			results[i] = w.do(t)
			if isStored(results[i]) {
				return 0, results[i]
			}
			wrote = wrote || results[i] == nil
		}
		if !wrote {
			return 0, errNothing
		}
		var commits int64
		err := t.row("UPDATE state SET commits = commits + 1 RETURNING commits", nil, &commits)
		return commits, err
	})
	if err == nil {
		writeMark(j.mark, commits)
	}
	for i, w := range batch {
		if err != nil && err != errNothing {
			results[i] = err
		}
		w.done <- results[i]
	}
}

// errNothing ends a transaction in which everything was refused.
var errNothing = errors.New("nothing to write")

func isStored(err error) bool {
	var s *storeError
	var d *DamageError
	return errors.As(err, &s) || errors.As(err, &d)
}

// transaction commits what do has written, unless it returns an error.
func (t *tx) transaction(do func() (int64, error)) (n int64, err error) {
	if _, err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return 0, err
	}
	if n, err = do(); err == nil {
		if _, err = t.exec("COMMIT"); err == nil {
			return n, nil
		}
	}
	_, _ = t.exec("ROLLBACK") // SQLite may have done so
	return 0, err
}

func now() int64 { return time.Now().UnixMicro() }

func when(micro int64) time.Time { return time.UnixMicro(micro).UTC() }

func number[T any](what string, got, want T) error {
	return &DamageError{What: fmt.Sprintf("%s: %v instead of %v", what, got, want)}
}

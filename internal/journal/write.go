package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

const maxBatch = 256 // writes in one transaction

// A write is something to do in a transaction. What it refuses, it refuses
// before it writes: any other error undoes the whole transaction.
type write struct {
	quick func(*tx) (last, error) // nil: there is no shorter way than do
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

// A line is where writes wait. Whoever has the turn writes all that wait, his own with
// them: nobody hands a single write to another goroutine.
type line struct {
	turn chan struct{} // filled by who has the turn

	mu      sync.Mutex
	waiting []*write
	closed  bool
}

// take returns writes that wait, in their order, at most those of one transaction.
func (l *line) take() []*write {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(len(l.waiting), maxBatch)
	batch := l.waiting[:n:n]
	l.waiting = l.waiting[n:]
	return batch
}

// write does something, and returns when that is on the disk.
func (j *Journal) write(ctx context.Context, do func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &write{do: do, done: make(chan error, 1)}
	if err := j.enqueue(w); err != nil {
		return err
	}
	return j.wait(w)
}

// enqueue puts a write behind those that wait. It must be waited for.
func (j *Journal) enqueue(w *write) error {
	j.line.mu.Lock()
	defer j.line.mu.Unlock()
	if j.line.closed {
		return ErrClosed
	}
	j.line.waiting = append(j.line.waiting, w)
	return nil
}

// wait does not end with a context: whether something was written must be known.
func (j *Journal) wait(w *write) error {
	for {
		select {
		case err := <-w.done:
			return err
		case j.line.turn <- struct{}{}:
			j.writeBatch(j.line.take())
			<-j.line.turn
		}
	}
}

// stopWriting writes what waits, and keeps the turn.
func (j *Journal) stopWriting() {
	j.line.mu.Lock()
	j.line.closed = true
	j.line.mu.Unlock()
	j.line.turn <- struct{}{}
	for batch := j.line.take(); len(batch) > 0; batch = j.line.take() {
		j.writeBatch(batch)
	}
	j.tx.close()
}

// writeBatch does what waits in transactions, between what is to be done alone.
func (j *Journal) writeBatch(batch []*write) {
	start := 0
	for i, w := range batch {
		if !w.alone {
			continue
		}
		if i > start {
			j.commit(batch[start:i])
		}
		w.done <- w.do(j.tx)
		start = i + 1
	}
	if start < len(batch) {
		j.commit(batch[start:])
	}
}

func (j *Journal) commit(batch []*write) {
	results := make([]error, len(batch))
	var l last
	err := j.tx.transaction(func() error {
		counted, wrote := false, false
		for i, w := range batch {
			if w.quick != nil && j.commits > 0 {
				quick, err := w.quick(j.tx)
				if err != nil {
					return err
				}
				if quick.run > 0 {
					l.run, l.entries, wrote = quick.run, quick.entries, true
					continue
				}
			}
			if !counted {
				if err := j.count(); err != nil {
					return err
				}
				counted = true
			}
			results[i] = w.do(j.tx)
			if isStored(results[i]) {
				return results[i]
			}
			wrote = wrote || results[i] == nil
		}
		if !wrote {
			return errNothing
		}
		return nil
	})
	if err == nil {
		l.commits = j.commits
		l.write(j.mark)
	} else {
		j.commits = 0
	}
	for i, w := range batch {
		if err != nil && err != errNothing {
			results[i] = err
		}
		w.done <- results[i]
	}
}

// count counts a transaction that does more than append to runs. If nobody else has counted one
// since, runs are as their claims have left them, and the schema is the one we know.
func (j *Journal) count() error {
	var have int64
	if err := j.tx.row("PRAGMA user_version", nil, &have); err != nil {
		return err
	}
	if have != version { // a newer gramc has migrated it meanwhile
		return &storeError{ErrNewer}
	}
	return j.tx.row("UPDATE state SET commits = commits + 1 RETURNING commits", nil, &j.commits)
}

// errNothing ends a transaction in which everything was refused.
var errNothing = errors.New("nothing to write")

func isStored(err error) bool {
	var s *storeError
	var d *DamageError
	return errors.As(err, &s) || errors.As(err, &d)
}

// transaction commits what do has written, unless it returns an error.
func (t *tx) transaction(do func() error) error {
	_, err := t.exec("BEGIN IMMEDIATE")
	if err != nil {
		return err
	}
	if err = do(); err == nil {
		if _, err = t.exec("COMMIT"); err == nil {
			return nil
		}
	}
	_, _ = t.exec("ROLLBACK") // SQLite may have done so
	return err
}

func now() int64 { return time.Now().UnixMicro() }

func when(micro int64) time.Time { return time.UnixMicro(micro).UTC() }

func number[T any](what string, got, want T) error {
	return &DamageError{What: fmt.Sprintf("%s: %v instead of %v", what, got, want)}
}

package journal

import (
	"context"
	"fmt"
	"sync"
)

// A Claim is the right to append to a run. It may be shared between goroutines: what
// they append at the same time is written together.
type Claim struct {
	j     *Journal
	id    string
	epoch int64
	n     int64 // of the row of the run
	row   *Run  // as the last append has left it; of who has the turn to write

	mu     sync.Mutex
	next   int   // the place of the next entry
	failed error // why nothing can be appended any more

	ctx    context.Context // ends when the run must stop
	cancel context.CancelFunc
}

func newClaim(j *Journal, id string, epoch int64, next int) *Claim {
	c := &Claim{j: j, id: id, epoch: epoch, next: next}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// Run returns the ID of the run.
func (c *Claim) Run() string { return c.id }

// Epoch returns how often the run was claimed, this time included.
func (c *Claim) Epoch() int64 { return c.epoch }

// Cancelled returns a channel that is closed when the run must stop: at most a second
// after somebody has requested that it be cancelled or has taken it over, and
// when an append has failed. It is not closed by the end of the claim.
func (c *Claim) Cancelled() <-chan struct{} { return c.ctx.Done() }

// OnCancelled has a function called, in a goroutine of its own, when the channel of Cancelled is
// closed.
func (c *Claim) OnCancelled(f func()) { context.AfterFunc(c.ctx, f) }

// hold makes the claim known to the journal, which watches it.
func (j *Journal) hold(c *Claim) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return ErrClosed
	}
	j.claims[c.id] = c
	return nil
}

func (j *Journal) letGo(c *Claim) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.claims[c.id] == c {
		delete(j.claims, c.id)
	}
}

// Claim claims a run that no living process has. The error is an [ErrHeld] if
// one has it, and [ErrEnded] if the run is finished.
func (j *Journal) Claim(ctx context.Context, id string) (*Claim, error) {
	return j.claim(ctx, id, false)
}

// TakeOver claims a run even if a living process has it, as one that hangs. That process
// can append no more.
func (j *Journal) TakeOver(ctx context.Context, id string) (*Claim, error) {
	return j.claim(ctx, id, true)
}

func (j *Journal) claim(ctx context.Context, id string, force bool) (*Claim, error) {
	us, err := j.us()
	if err != nil {
		return nil, err
	}
	var c *Claim
	err = j.write(ctx, func(t *tx) error {
		r, err := j.run(t, id)
		if err != nil {
			return err
		}
		switch {
		case r.Status == Finished:
			return ErrEnded
		case r.Status == Damaged:
			return ErrIncomplete
		}
		if r.owner != "" && !force {
			live, process, err := alive(j.dir, r.owner)
			if err != nil {
				return err
			}
			if live {
				return fmt.Errorf("%w (process %d)", ErrHeld, process)
			}
		}
		r.Status, r.Error, r.owner, r.Cancel = Running, "", us.id, false
		r.Epoch++
		c = newClaim(j, id, r.Epoch, r.Entries)
		c.n, c.row = r.n, r
		return j.save(t, r)
	})
	if err != nil {
		return nil, j.notFound(ctx, err)
	}
	return c, j.hold(c)
}

// Append writes entries in one transaction, and returns when they are on the disk. After
// an error the claim writes nothing any more. A context that has ended before is an error
// too; one that ends later does not keep the entries from being written.
func (c *Claim) Append(ctx context.Context, entries ...Entry) error {
	if len(entries) == 0 {
		return nil
	}
	return c.append(ctx, entries, nil)
}

// End writes the last entries of a claim and the status of the run, and releases it.
func (c *Claim) End(ctx context.Context, status Status, failure string, entries ...Entry) error {
	err := c.append(ctx, entries, func(r *Run) { r.Status, r.Error, r.owner, r.Cancel = status, failure, "", false })
	if err == nil {
		c.stop(ErrEnded)
	}
	return err
}

// Release gives up the claim. The run stays as it is, and can be claimed at once.
func (c *Claim) Release(ctx context.Context) error {
	err := c.append(ctx, nil, func(r *Run) { r.owner = "" })
	c.stop(ErrClosed)
	return err
}

// append writes entries, and what change makes of the run.
func (c *Claim) append(ctx context.Context, entries []Entry, change func(*Run)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w, err := c.enqueue(entries, change)
	if err == nil {
		err = c.j.wait(w)
	}
	if err != nil {
		c.stop(err)
		c.cancel()
	}
	return err
}

// enqueue has entries written after those that were enqueued before.
func (c *Claim) enqueue(entries []Entry, change func(*Run)) (*write, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed != nil {
		return nil, c.failed
	}
	first := c.next
	rows, err := c.j.vault.rows(c.n, c.id, c.epoch, first, entries)
	if err != nil {
		return nil, err
	}
	w := &write{done: make(chan error, 1), do: func(t *tx) error { return c.insert(t, first, rows, change) }}
	if change == nil {
		w.quick = func(t *tx) (last, error) { return c.advance(t, first, rows) }
	}
	if err := c.j.enqueue(w); err != nil {
		return nil, err
	}
	c.next += len(rows)
	return w, nil
}

// insert writes rows from a place in the run on, and what change makes of the run.
func (c *Claim) insert(t *tx, first int, rows []row, change func(*Run)) error {
	r, err := c.j.run(t, c.id)
	switch {
	case err == ErrNotFound, err == nil && r.Epoch != c.epoch:
		return ErrFenced
	case err != nil:
		return err
	case r.Entries != first:
		return fmt.Errorf("the entry %d of the run %s was not written", r.Entries, c.id)
	}
	r.extend(rows)
	if change != nil {
		change(r)
		r.Updated = when(now())
		if err := c.j.touch(t, r); err != nil {
			return err
		}
	}
	if err := insertRows(t, rows); err != nil {
		return err
	}
	c.row = r
	return c.j.save(t, r)
}

// advance writes rows as insert does, if nobody else has written anything but entries since the
// last one of the claim, and the row of the run is still the one with that checksum. It returns
// the run, or nothing if insert must do it.
func (c *Claim) advance(t *tx, first int, rows []row) (last, error) {
	if c.row.Entries != first {
		return last{}, nil
	}
	r := *c.row
	r.extend(rows)
	r.sum = r.place().sum(r.title, r.failure)
	n, err := t.exec("UPDATE run SET updated = ?, entries = ?, sum = ? WHERE n = ? AND sum = ? AND epoch = ? AND entries = ? AND (SELECT commits FROM state) = ?",
		r.Updated.UnixMicro(), r.Entries, r.sum, r.n, c.row.sum, r.Epoch, first, c.j.commits)
	if err != nil || n == 0 {
		return last{}, err
	}
	c.row = &r
	return last{run: r.n, entries: int64(r.Entries)}, insertRows(t, rows)
}

// extend counts rows as entries of the run.
func (r *Run) extend(rows []row) {
	r.Entries += len(rows)
	if len(rows) > 0 {
		r.Updated = rows[len(rows)-1].entry.Time
	}
}

// stop ends the claim: nothing is appended any more.
func (c *Claim) stop(why error) {
	c.mu.Lock()
	if c.failed == nil {
		c.failed = why
	}
	c.mu.Unlock()
	c.j.letGo(c)
}

// look closes the channel of the claim if that is due.
func (c *Claim) look() {
	var epoch int64
	var cancel bool
	err := c.j.db.QueryRow("SELECT epoch, cancel FROM run WHERE n = ?", c.n).Scan(&epoch, &cancel)
	if err == nil && (cancel || epoch != c.epoch) {
		c.cancel()
	}
}

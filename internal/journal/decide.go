package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// KindDecision is the kind of the entries that Decide writes; their data is a Decision in
// JSON.
const KindDecision = "decision"

// A Decision is what somebody has decided about a call that waits for approval.
type Decision struct {
	Key   string          `json:"-"`    // of the step that waits
	Hash  string          `json:"hash"` // of the arguments that were shown
	Allow bool            `json:"allow"`
	Args  json.RawMessage `json:"args,omitempty"` // instead of those of the model
	By    string          `json:"by,omitempty"`   // who decided
	Note  string          `json:"note,omitempty"` // why, for the model
}

// Decide writes a decision for a run that waits, and queues the run. It needs no claim. The
// error is ErrNotWaiting if the run does not wait, and ErrDecided if there is
// a decision for the key.
func (j *Journal) Decide(ctx context.Context, id string, d Decision) error {
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	err = j.write(ctx, func(t *tx) error {
		r, err := j.run(t, id)
		if err != nil {
			return err
		}
		if r.Status != Waiting && r.Status != Queued {
			return ErrNotWaiting
		}
		var there int
		err = t.row("SELECT count(*) FROM entry WHERE id BETWEEN ? AND ? AND kind = ? AND key = ?", []any{entryID(r.n, 0), entryID(r.n+1, 0) - 1, KindDecision, d.Key}, &there)
		if err != nil {
			return err
		}
		if there > 0 {
			return ErrDecided
		}
		rows, err := j.vault.rows(r.n, r.ID, 0, r.Entries, []Entry{{Key: d.Key, Kind: KindDecision, Data: data}})
		if err != nil {
			return err
		}
		r.Status, r.Entries, r.Updated = Queued, r.Entries+1, when(now())
		if err := insertRows(t, rows); err != nil {
			return err
		}
		return j.save(t, r)
	})
	return j.notFound(ctx, err)
}

// Cancel requests that a run be cancelled. A process that runs it notices within a second;
// if there is none, the run is cancelled at once. A run that has ended is an
// ErrEnded.
func (j *Journal) Cancel(ctx context.Context, id string) error {
	err := j.write(ctx, func(t *tx) error {
		r, err := j.run(t, id)
		if err != nil {
			return err
		}
		switch r.Status {
		case Finished, Failed, Cancelled, Damaged:
			return ErrEnded
		}
		live := false
		if r.owner != "" {
			if live, _, err = alive(j.dir, r.owner); err != nil {
				return err
			}
		}
		if r.Cancel = live; !live {
			r.Status, r.owner, r.Updated = Cancelled, "", when(now())
			r.Epoch++ // a process that slept must not go on
		}
		return j.save(t, r)
	})
	return j.notFound(ctx, err)
}

// notFound finds out whether what was not found is missing because of damage.
func (j *Journal) notFound(ctx context.Context, err error) error {
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	return or(j.Check(ctx), err)
}

// Check reads the whole journal, and returns a [DamageError] if its structure is broken or
// runs or sessions have gone. It does not read the entries: see [Journal.Entries].
func (j *Journal) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var result string
	if err := j.db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&result); err != nil {
		return stored(err)
	}
	if result != "ok" {
		return &DamageError{What: fmt.Sprintf("%.200q", result)}
	}
	if _, err := j.allRuns(ctx, ""); err != nil {
		return err
	}
	_, err := j.allSessions(ctx)
	return err
}

package journal

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"time"
)

// An Entry is one thing that a run has done or learned. Key and Kind stay readable in an
// encrypted journal, Data does not.
type Entry struct {
	Key  string
	Kind string
	Data []byte

	Epoch int64     // of the claim that wrote it; 0 for a decision
	Time  time.Time // when it was written
}

// A row is an entry as it is stored.
type row struct {
	id    int64
	entry Entry
	data  []byte
	sum   int64
}

// entryID returns the id of an entry: those of one run are neighbours.
func entryID(n int64, seq int) int64 { return n<<32 | int64(seq) }

// place has what the row of an entry says openly.
func (e *Entry) place(run string, id int64) place {
	return place(nil).text("entry").text(run).number(id).text(e.Key).text(e.Kind).number(e.Epoch).number(e.Time.UnixMicro())
}

// rows returns new entries as they are stored from a place in a run on.
func (v vault) rows(n int64, run string, epoch int64, seq int, entries []Entry) ([]row, error) {
	dated := make([]Entry, len(entries))
	at := when(now())
	for i, e := range entries {
		e.Epoch, e.Time = epoch, at
		dated[i] = e
	}
	return v.datedRows(n, run, seq, dated)
}

// datedRows is rows for entries that have their epoch and time.
func (v vault) datedRows(n int64, run string, seq int, entries []Entry) ([]row, error) {
	rows := make([]row, len(entries))
	for i, e := range entries {
		id := entryID(n, seq+i)
		where := e.place(run, id)
		data, err := v.seal("run "+run, where, e.Data)
		if err != nil {
			return nil, err
		}
		rows[i] = row{id, e, data, where.sum(data)}
	}
	return rows, nil
}

func insertRows(t *tx, rows []row) error {
	for _, r := range rows {
		_, err := t.exec("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", r.id, r.entry.Key, r.entry.Kind, r.entry.Epoch, r.entry.Time.UnixMicro(), r.data, r.sum)
		if err != nil {
			return err
		}
	}
	return nil
}

// Entries returns all entries of a run, in the order in which they were written. If one
// is missing or not as it was written, the error is a [DamageError], and the entries
// before it are returned.
func (j *Journal) Entries(ctx context.Context, id string) ([]Entry, error) {
	t, err := j.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, stored(err)
	}
	defer t.Rollback()
	r, err := j.vault.readRun(t.QueryRowContext(ctx, "SELECT "+columns+" FROM run WHERE id = ?", id).Scan)
	if err != nil {
		return nil, j.notFound(ctx, err)
	}
	rows, err := t.QueryContext(ctx, "SELECT id, key, kind, epoch, time, data, sum FROM entry WHERE id BETWEEN ? AND ? ORDER BY id", entryID(r.n, 0), entryID(r.n+1, 0)-1)
	if err != nil {
		return nil, stored(err)
	}
	defer rows.Close()
	entries := make([]Entry, 0, min(r.Entries, 1<<10))
	for rows.Next() {
		var s row
		var at int64
		var data sql.RawBytes
		if err := rows.Scan(&s.id, &s.entry.Key, &s.entry.Kind, &s.entry.Epoch, &at, &data, &s.sum); err != nil {
			return entries, scanned(err)
		}
		s.entry.Time, s.data = when(at), data
		e, err := j.vault.entry(r, len(entries), s)
		if err != nil {
			return entries, err
		}
		entries = append(entries, e)
	}
	if err := rows.Err(); err != nil {
		return entries, stored(err)
	}
	if len(entries) != r.Entries {
		return entries, number("the entries of the run "+id, len(entries), r.Entries)
	}
	return entries, nil
}

// entry returns the entry of a stored row that must be the one of that place in a run.
func (v vault) entry(r *Run, seq int, s row) (Entry, error) {
	e := s.entry
	if s.id != entryID(r.n, seq) {
		return e, &DamageError{What: fmt.Sprintf("the entry %d of the run %s is missing", seq, r.ID)}
	}
	where := e.place(r.ID, s.id)
	if where.sum(s.data) != s.sum {
		return e, &DamageError{What: fmt.Sprintf("the entry %d of the run %s is not as it was written", seq, r.ID)}
	}
	data, err := v.open("run "+r.ID, where, s.data)
	if err != nil {
		return e, &DamageError{fmt.Sprintf("the entry %d of the run %s", seq, r.ID), err}
	}
	e.Data = append([]byte(nil), data...) // the row is reused
	return e, nil
}

// Program returns the program of that hash.
func (j *Journal) Program(ctx context.Context, hash string) ([]byte, error) {
	var data []byte
	err := j.db.QueryRowContext(ctx, "SELECT data FROM program WHERE hash = ?", hash).Scan(&data)
	if err != nil {
		return nil, j.notFound(ctx, scanned(err))
	}
	return j.vault.program(hash, data)
}

// program returns the program that is stored under its hash.
func (v vault) program(hash string, stored []byte) ([]byte, error) {
	program, err := v.open("program "+hash, nil, stored)
	if sum := sha256.Sum256(program); err != nil || hex.EncodeToString(sum[:]) != hash {
		return nil, &DamageError{"the program " + hash, err}
	}
	return program, nil
}

package journal

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Status says where a run is.
type Status string

const (
	Running   Status = "running"   // if it is not Live, its process has died
	Waiting   Status = "waiting"   // for a decision
	Queued    Status = "queued"    // to go on
	Finished  Status = "finished"  // with an answer
	Failed    Status = "failed"    // with an error; it can go on
	Cancelled Status = "cancelled" // it can go on
	Damaged   Status = "damaged"   // a part of it was lost; it can be read
)

// A Run is what a journal knows of a run besides its entries.
type Run struct {
	ID      string // unique; made by Create if it is empty
	Session string // the name of its session, may be empty
	Parent  string // the run whose conversation it continues, may be empty
	Agent   string
	File    string
	User    string // of a server, to whom it belongs; "" for the command line
	Program string // SHA-256 of the program, in hexadecimal
	Title   string // what the run is about, one line
	Status  Status
	Error   string // why it failed
	Created time.Time
	Updated time.Time // when the last entry was written
	Epoch   int64     // how often it was claimed
	Entries int
	Cancel  bool   // somebody has requested that it be cancelled
	Live    bool   // a process runs it; read by Run, Runs and RunsOf
	Process int    // its number, 0 if unknown
	Found   string // where Filter.Text was found

	n     int64 // of the row
	owner string

	title, failure []byte // as they are stored
	sum            int64
}

// columns of a run, in the order in which scan reads them.
const columns = "n, id, session, parent, agent, file, user, program, status, created, updated, epoch, owner, cancel, entries, title, error, sum"

// readRun reads the row of a run.
func (v vault) readRun(scan func(...any) error) (*Run, error) {
	var r Run
	var created, updated int64
	err := scan(&r.n, &r.ID, &r.Session, &r.Parent, &r.Agent, &r.File, &r.User, &r.Program, &r.Status, &created, &updated, &r.Epoch, &r.owner, &r.Cancel, &r.Entries, &r.title, &r.failure, &r.sum)
	if err != nil {
		return nil, scanned(err)
	}
	r.Created, r.Updated = when(created), when(updated)
	if r.place().sum(r.title, r.failure) != r.sum {
		return nil, &DamageError{What: fmt.Sprintf("the row of the run %q is not as it was written", r.ID)}
	}
	for _, text := range []struct {
		from []byte
		to   *string
		name string
	}{{r.title, &r.Title, "title"}, {r.failure, &r.Error, "error"}} {
		data, err := v.open("run "+r.ID, place(nil).text(text.name), text.from)
		if err != nil {
			return nil, &DamageError{fmt.Sprintf("the %s of the run %q", text.name, r.ID), err}
		}
		*text.to = string(data)
	}
	return &r, nil
}

// place has what the row of a run says openly.
func (r *Run) place() place {
	cancel := int64(0)
	if r.Cancel {
		cancel = 1
	}
	p := place(nil)
	for _, text := range []string{"run", r.ID, r.Session, r.Parent, r.Agent, r.File, r.User, r.Program, string(r.Status), r.owner} {
		p = p.text(text)
	}
	for _, number := range []int64{r.n, r.Created.UnixMicro(), r.Updated.UnixMicro(), r.Epoch, int64(r.Entries), cancel} {
		p = p.number(number)
	}
	return p
}

// run reads a run in a transaction of the writer.
func (j *Journal) run(t *tx, id string) (*Run, error) {
	s, err := t.prepared("SELECT " + columns + " FROM run WHERE id = ?")
	if err != nil {
		return nil, err
	}
	return j.vault.readRun(s.QueryRowContext(t.ctx, id).Scan)
}

// save writes the row of a run that is there, with a new checksum.
func (j *Journal) save(t *tx, r *Run) error {
	if err := j.sealTexts(r); err != nil {
		return err
	}
	r.sum = r.place().sum(r.title, r.failure)
	_, err := t.exec(`UPDATE run SET session = ?, parent = ?, status = ?, updated = ?, epoch = ?, owner = ?, cancel = ?, entries = ?, title = ?, error = ?, sum = ? WHERE n = ?`,
		r.Session, r.Parent, string(r.Status), r.Updated.UnixMicro(), r.Epoch, r.owner, r.Cancel, r.Entries, r.title, r.failure, r.sum, r.n)
	return err
}

// sealTexts makes what is stored of the texts of a run.
func (j *Journal) sealTexts(r *Run) (err error) {
	if r.title, err = j.vault.seal("run "+r.ID, place(nil).text("title"), []byte(r.Title)); err == nil {
		r.failure, err = j.vault.seal("run "+r.ID, place(nil).text("error"), []byte(r.Error))
	}
	return stored(err)
}

// NewID returns an ID for a new run.
func NewID() string { return strings.ToLower(rand.Text()[:12]) }

// Create writes a new run with its program and its first entry, and claims it. It fills in
// ID, Program and times. In a session, Parent must be its head, or the
// error is ErrMoved; the run becomes the head. A session that is not there is made.
func (j *Journal) Create(ctx context.Context, r *Run, program []byte, start Entry) (*Claim, error) {
	us, err := j.us()
	if err != nil {
		return nil, err
	}
	if r.ID == "" {
		r.ID = NewID()
	}
	hash := sha256.Sum256(program)
	r.Program = hex.EncodeToString(hash[:])
	text, err := j.vault.seal("program "+r.Program, nil, program)
	if err != nil {
		return nil, err
	}
	r.Status, r.Epoch, r.owner, r.Entries, r.Cancel, r.Live = Running, 1, us.id, 1, false, true
	r.Created = when(now())
	r.Updated = r.Created
	c := newClaim(j, r.ID, r.Epoch, 1)
	err = j.write(ctx, func(t *tx) error {
		if _, err := j.run(t, r.ID); !errors.Is(err, ErrNotFound) {
			return or(err, ErrExists)
		}
		if err := j.extend(t, r); err != nil {
			return err
		}
		if _, err := t.exec("INSERT INTO program VALUES (?, ?) ON CONFLICT DO NOTHING", r.Program, text); err != nil {
			return err
		}
		rows := func() ([]row, error) { return j.vault.rows(r.n, r.ID, r.Epoch, 0, []Entry{start}) }
		return j.insert(t, r, rows)
	})
	if err != nil {
		return nil, err
	}
	row := *r
	c.n, c.row = r.n, &row
	return c, j.hold(c)
}

// insert writes the row of a new run, and those of its entries, which depend on its number.
func (j *Journal) insert(t *tx, r *Run, entries func() ([]row, error)) error {
	if err := j.sealTexts(r); err != nil {
		return err
	}
	// The number is part of the checksum, and known when the row is there.
	err := t.row(`INSERT INTO run (id, session, parent, agent, file, user, program, status, created, updated, epoch, owner, cancel, entries, title, error, sum)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) RETURNING n`,
		[]any{r.ID, r.Session, r.Parent, r.Agent, r.File, r.User, r.Program, string(r.Status), r.Created.UnixMicro(), r.Updated.UnixMicro(), r.Epoch, r.owner, r.Cancel, r.Entries, r.title, r.failure}, &r.n)
	if err != nil {
		return err
	}
	if err := j.save(t, r); err != nil {
		return err
	}
	if _, err := t.exec("UPDATE state SET runs = runs + 1"); err != nil {
		return err
	}
	rows, err := entries()
	if err != nil {
		return stored(err)
	}
	return insertRows(t, rows)
}

func or(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

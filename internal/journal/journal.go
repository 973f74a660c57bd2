package journal

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver
)

const (
	busyTimeout = 30 * time.Second       // how long another process may write
	watchEvery  = 250 * time.Millisecond // how soon a claim notices a request to cancel
	readers     = 3                      // connections
)

// Options of a journal.
type Options struct {
	// Key encrypts what is said and done, and titles: 32 random bytes in base64 or
	// hexadecimal, or a passphrase of at least 12 bytes. Names, times, sizes and
	// how runs ended stay readable. It is chosen when the journal is made.
	Key []byte
}

// A Journal is an opened journal. It may be shared between goroutines.
type Journal struct {
	dir   string
	db    *sql.DB
	vault vault
	mark  *os.File

	line    line
	tx      *tx   // of who has the turn in the line
	commits int64 // see count; 0 if unknown; also of who has the turn

	stop    chan struct{} // closed by Close
	stopped sync.WaitGroup

	mu     sync.Mutex
	closed bool
	owner  *owner            // nil before the first claim
	claims map[string]*Claim // by run
}

// Open opens the journal in a folder, and makes both if they are not there. It refuses a
// folder that is not the user's own, a journal of a newer version, and one that
// has lost what was written to it: see [DamageError].
func Open(dir string, o *Options) (*Journal, error) {
	if o == nil {
		o = &Options{}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := prepareFolder(dir); err != nil {
		return nil, fmt.Errorf("the folder of the journal: %w", err)
	}
	j := &Journal{dir: dir, line: line{turn: make(chan struct{}, 1)}, stop: make(chan struct{}), claims: map[string]*Claim{}}
	ctx := context.Background()
	guard, err := lockFile(ctx, filepath.Join(dir, openLock), 2*busyTimeout)
	if err != nil {
		return nil, err
	}
	defer guard.Close()
	if err := j.open(ctx, o.Key); err != nil {
		j.closeFiles()
		return nil, err
	}
	return j, nil
}

func (j *Journal) open(ctx context.Context, key []byte) error {
	var mark last
	var err error
	if j.mark, mark, err = openMark(filepath.Join(j.dir, markName)); err != nil {
		return err
	}
	if j.db, err = sql.Open("sqlite", address(filepath.Join(j.dir, fileName))); err != nil {
		return err
	}
	j.db.SetMaxOpenConns(1 + readers)
	j.db.SetMaxIdleConns(1 + readers)
	conn, err := j.db.Conn(ctx)
	if err != nil {
		return stored(err)
	}
	t := &tx{ctx: ctx, conn: conn, statements: map[string]*sql.Stmt{}}
	if err := j.prepare(t, key, mark); err != nil {
		t.close()
		return err
	}
	j.tx = t
	j.stopped.Go(j.watch)
	return nil
}

// prepare makes sure that the file is a journal that can be used with that key.
func (j *Journal) prepare(t *tx, key []byte, mark last) error {
	if err := bringUp(t, mark); err != nil {
		return err
	}
	var err error
	if j.vault, err = unlock(t, key); err != nil {
		return err
	}
	clearOwners(j.dir)
	var remains bool
	if err := t.row("SELECT remains FROM state", nil, &remains); err != nil {
		return err
	}
	if remains {
		_ = j.rewrite(t) // else the next one does it
	}
	return nil
}

// address returns what opens the file of a journal: every commit is on the disk
// when it returns, and what is deleted is overwritten with zeros.
func address(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	query := url.Values{"_defensive": {"1"}, "_dqs": {"0"}, "_error_rc": {"1"}}
	for _, pragma := range []string{
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"journal_mode(WAL)", "synchronous(FULL)", "fullfsync(ON)", "checkpoint_fullfsync(ON)", "journal_size_limit(4194304)",
		"secure_delete(ON)", "temp_store(MEMORY)", "trusted_schema(OFF)", "cell_size_check(ON)",
	} {
		query.Add("_pragma", pragma)
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}).String()
}

// Close waits for what is being written, releases all claims, and closes the file.
// Runs that are not at their end can be claimed at once.
func (j *Journal) Close() error {
	j.mu.Lock()
	if j.closed {
		j.mu.Unlock()
		return nil
	}
	j.closed = true
	claims := make([]*Claim, 0, len(j.claims))
	for _, c := range j.claims {
		claims = append(claims, c)
	}
	j.mu.Unlock()
	for _, c := range claims {
		c.stop(ErrClosed)
	}
	j.stopWriting()
	close(j.stop)
	j.stopped.Wait()
	return j.closeFiles()
}

func (j *Journal) closeFiles() error {
	var err error
	if j.db != nil {
		err = j.db.Close()
	}
	if j.mark != nil {
		_ = j.mark.Close() // it is never flushed
	}
	if ownerErr := j.owner.close(); err == nil {
		err = ownerErr
	}
	return err
}

// us returns the owner that this journal is in the runs that it claims.
func (j *Journal) us() (*owner, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil, ErrClosed
	}
	var err error
	if j.owner == nil {
		j.owner, err = newOwner(j.dir)
	}
	return j.owner, err
}

// watch closes the channels of claims whose runs somebody wants to cancel or has taken
// over.
func (j *Journal) watch() {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-j.stop:
			return
		case <-ticker.C:
			j.look()
		}
	}
}

// look closes the channels that are due. All claims take one query, since there can be thousands.
func (j *Journal) look() {
	j.mu.Lock()
	claims := make([]*Claim, 0, len(j.claims))
	for _, c := range j.claims {
		claims = append(claims, c)
	}
	us := j.owner
	j.mu.Unlock()
	if len(claims) == 0 {
		return
	}
	going, err := j.going(us.id)
	if err != nil {
		return // the next time
	}
	for _, c := range claims {
		if epoch, ok := going[c.n]; !ok || epoch != c.epoch {
			c.look()
		}
	}
}

// going returns the epochs of the runs of an owner that nobody wants to cancel, by the number of their
// row.
func (j *Journal) going(owner string) (map[int64]int64, error) {
	rows, err := j.db.Query("SELECT n, epoch FROM run WHERE owner = ? AND NOT cancel", owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	going := map[int64]int64{}
	for rows.Next() {
		var n, epoch int64
		if err := rows.Scan(&n, &epoch); err != nil {
			return nil, err
		}
		going[n] = epoch
	}
	return going, rows.Err()
}

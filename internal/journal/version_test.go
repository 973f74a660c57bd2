package journal

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the journal of this version to testdata")

// goldenRun is the run that each journal in testdata has.
const goldenRun = `start//1/"hello" intent/1/1/ outcome/1/1/{"text":"an answer of some length, which is longer than what is stored as it is, so that it is packed; it is packed"} decision/1/approval/0/{"hash":"h","allow":true} outcome/2/2/ end//2/{}`

// The journal of every released version is brought up to date, and says what it said.
func TestOlderJournalsAreMigrated(t *testing.T) {
	if *update {
		writeGolden(t)
	}
	for v := 1; v <= version; v++ {
		data, err := os.ReadFile(fmt.Sprintf("testdata/version%d.db", v))
		if err != nil {
			t.Errorf("%v: run the test with -update, before the version is released", err)
			continue
		}
		j := opened(t, restored(t, map[string][]byte{fileName: data}), nil)
		if got := entriesText(t, j, "golden"); got != goldenRun {
			t.Errorf("version %d: the entries are\n%s, not\n%s", v, got, goldenRun)
		}
		r, err := j.Run(t.Context(), "golden")
		if err != nil || r.Status != Failed || r.Error != "no model" || r.Title != "a title" || r.Epoch != 2 {
			t.Errorf("version %d: %+v, %v", v, r, err)
		}
		if program, err := j.Program(t.Context(), r.Program); err != nil || string(program) != "program" {
			t.Errorf("version %d: %q, %v", v, program, err)
		}
		s, err := j.Session(t.Context(), "names")
		if err != nil || s.Head != "golden" || string(s.Data) != "data" || s.Keep != -1 {
			t.Errorf("version %d: %+v, %v", v, s, err)
		}
		must(t, j.Check(t.Context()))
		c, err := j.Claim(t.Context(), "golden")
		must(t, err)
		must(t, c.End(t.Context(), Finished, "", Entry{Kind: "end"}))
	}
}

func writeGolden(t *testing.T) {
	t.Helper()
	dir := newFolder(t)
	j := opened(t, dir, nil)
	c := begun(t, j, Run{ID: "golden", Session: "names", Agent: "clerk", File: "clerk.gram", Title: "a title"})
	must(t, j.PutSession(t.Context(), &Session{Name: "names", Title: "names", Data: []byte("data"), Keep: -1}))
	_, rest, _ := strings.Cut(goldenRun, "outcome/1/1/")
	text, _, _ := strings.Cut(rest, " decision")
	must(t, c.Append(t.Context(), Entry{Key: "1", Kind: "intent"}, Entry{Key: "1", Kind: "outcome", Data: []byte(text)}))
	must(t, c.End(t.Context(), Waiting, ""))
	must(t, j.Decide(t.Context(), "golden", Decision{Key: "1/approval", Hash: "h", Allow: true}))
	c, err := j.Claim(t.Context(), "golden")
	must(t, err)
	must(t, c.Append(t.Context(), Entry{Key: "2", Kind: "outcome"}))
	must(t, c.End(t.Context(), Failed, "no model", Entry{Kind: "end", Data: []byte("{}")}))
	must(t, j.Close())
	data, err := os.ReadFile(filepath.Join(dir, fileName))
	must(t, err)
	must(t, os.MkdirAll("testdata", 0o755))
	must(t, os.WriteFile(fmt.Sprintf("testdata/version%d.db", version), data, 0o644))
	t.Error("testdata was written")
}

// changed runs SQL on the file of a journal that nobody has open.
func changed(t *testing.T, dir, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, fileName))
	must(t, err)
	_, err = db.Exec(query)
	must(t, err)
	must(t, db.Close())
}

func TestWhatIsNoJournalOfOursIsRefused(t *testing.T) {
	for query, want := range map[string]error{
		"PRAGMA user_version = 2":   ErrNewer,
		"PRAGMA application_id = 7": ErrNotJournal,
		"PRAGMA application_id = 0": ErrNotJournal,
		"PRAGMA user_version = 0":   new(DamageError),
		"DELETE FROM state":         new(DamageError),
		"DELETE FROM run; VACUUM":   nil, // is noticed later, see TestRowsThatAreGoneAreNoticed
	} {
		dir := newFolder(t)
		must(t, opened(t, dir, nil).Close())
		changed(t, dir, query)
		j, err := Open(dir, nil)
		if err == nil {
			must(t, j.Close())
		}
		var damage *DamageError
		if _, isDamage := want.(*DamageError); isDamage != errors.As(err, &damage) || !isDamage && !errors.Is(err, want) {
			t.Errorf("%s: %v", query, err)
		}
	}
	dir := newFolder(t)
	must(t, os.MkdirAll(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(dir, fileName), []byte("these are notes, and no journal of anything at all, though they are somewhat long for that: "+strings.Repeat("notes ", 100)), 0o600))
	var damage *DamageError
	if _, err := Open(dir, nil); !errors.As(err, &damage) {
		t.Errorf("a text: %v", err)
	}
}

func TestRowsThatAreGoneAreNoticed(t *testing.T) {
	for _, query := range []string{"DELETE FROM run WHERE id = 'b'", "DELETE FROM session", "DELETE FROM entry WHERE key = '1'", "UPDATE entry SET key = '2' WHERE key = '1'", "UPDATE run SET status = 'finished' WHERE id = 'b'"} {
		dir := newFolder(t)
		j := opened(t, dir, nil)
		_ = begun(t, j, Run{ID: "a", Session: "a"})
		must(t, begun(t, j, Run{ID: "b"}).Append(t.Context(), Entry{Key: "1"}, Entry{Key: "2"}))
		must(t, j.Close())
		changed(t, dir, query)
		j = opened(t, dir, nil)
		_, errRuns := j.Runs(t.Context(), Filter{})
		_, errSessions := j.Sessions(t.Context(), Filter{})
		_, errEntries := j.Entries(t.Context(), "b")
		var damage *DamageError
		if err := errors.Join(errRuns, errSessions, errEntries); !errors.As(err, &damage) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestAMigrationIsAppliedOnce(t *testing.T) {
	dir := newFolder(t)
	must(t, opened(t, dir, nil).Close())
	j := opened(t, dir, nil)
	_ = begun(t, j, Run{}) // it knows the count of its commits
	steps := append(append([]string(nil), migrations[:]...), "ALTER TABLE run ADD COLUMN later TEXT NOT NULL DEFAULT ''")
	w := &write{alone: true, done: make(chan error, 1), do: func(t *tx) error { return migrate(t, steps, version) }}
	must(t, j.enqueue(w))
	must(t, j.wait(w))
	var have int
	must(t, j.db.QueryRow("PRAGMA user_version").Scan(&have))
	if have != version+1 {
		t.Errorf("the version is %d", have)
	}
	if _, err := j.Create(t.Context(), &Run{}, nil, Entry{}); !errors.Is(err, ErrNewer) {
		t.Errorf("a write by an older gramc after the migration: %v", err)
	}
	must(t, j.Close())
	if _, err := Open(dir, nil); !errors.Is(err, ErrNewer) {
		t.Errorf("a journal of a later version: %v", err)
	}
}

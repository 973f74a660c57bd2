package journal

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What was deleted is neither in the file nor in its write-ahead log, whatever was
// written and deleted around it.
func TestNothingRemainsOfWhatWasDeleted(t *testing.T) {
	dir := newFolder(t)
	j := opened(t, dir, nil)
	var claims []*Claim
	texts := map[string][][]byte{} // of a session; they cannot be packed
	random := func(session string, size int) []byte {
		data := make([]byte, size)
		_, _ = rand.Read(data)
		texts[session] = append(texts[session], data)
		return data
	}
	for i := range 12 {
		session := fmt.Sprintf("s%d", i%4)
		s, err := j.Session(t.Context(), session)
		r := Run{ID: fmt.Sprint(i), Session: session, Title: string(random(session, 40))}
		if err == nil {
			r.Parent = s.Head
		}
		c, err := j.Create(t.Context(), &r, random(session, 300), Entry{Data: random(session, 50)})
		must(t, err)
		claims = append(claims, c)
	}
	sizes := []int{40, 90, 700, 2000, 4000, 9000, 30}
	for range 300 {
		i := mathrand.IntN(len(claims))
		must(t, claims[i].Append(t.Context(), Entry{Key: "k", Data: random(fmt.Sprintf("s%d", i%4), sizes[mathrand.IntN(len(sizes))])}))
	}
	for i, c := range claims {
		must(t, c.End(t.Context(), Failed, string(random(fmt.Sprintf("s%d", i%4), 60))))
	}
	if found(t, dir, texts["s1"]) == 0 || found(t, dir, texts["s0"]) == 0 {
		t.Fatal("what is there is not found")
	}
	for _, session := range []string{"s1", "s2", "s0"} {
		must(t, j.DeleteSession(t.Context(), session))
		if n := found(t, dir, texts[session]); n > 0 {
			t.Errorf("%d pieces of %s remain", n, session)
		}
	}
	if found(t, dir, texts["s3"]) == 0 {
		t.Error("what was not deleted is gone")
	}
	must(t, j.Check(t.Context()))
}

// found counts the texts of which a piece is in a file of the folder.
func found(t *testing.T, dir string, texts [][]byte) int {
	t.Helper()
	var all []byte
	for _, name := range []string{fileName, fileName + "-wal"} {
		// Opening the file is safe here: no other process uses it.
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	n := 0
	for _, text := range texts {
		for at := 0; at+12 <= len(text); at += 12 {
			if bytes.Contains(all, text[at:at+12]) {
				n++
				break
			}
		}
	}
	return n
}

func TestWhatIsDeletedAndWhatExpires(t *testing.T) {
	dir := newFolder(t)
	j := opened(t, dir, nil)
	end := func(r Run) {
		t.Helper()
		must(t, begun(t, j, r).End(t.Context(), Finished, ""))
	}
	end(Run{ID: "a1", Session: "a"})
	end(Run{ID: "a2", Session: "a", Parent: "a1"})
	must(t, j.NewSession(t.Context(), &Session{Name: "fork", Head: "a1"}))
	end(Run{ID: "f2", Session: "fork", Parent: "a1"})
	end(Run{ID: "lone"})
	must(t, j.NewSession(t.Context(), &Session{Name: "kept", Keep: -1}))
	if err := j.Delete(t.Context(), "a1"); !errors.Is(err, ErrInUse) {
		t.Errorf("a run with others after it: %v", err)
	}
	must(t, j.DeleteSession(t.Context(), "a"))
	if got := ids(t, j); got != "[lone f2 a1]" {
		t.Errorf("the fork keeps %s", got)
	}
	if err := j.DeleteSession(t.Context(), "a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted session: %v", err)
	}
	held := begun(t, j, Run{ID: "held", Session: "h"})
	if err := j.DeleteSession(t.Context(), "h"); !errors.Is(err, ErrHeld) {
		t.Errorf("a session that runs: %v", err)
	}
	if n, err := j.Expire(t.Context(), time.Now(), DefaultKeep); n != 0 || err != nil {
		t.Errorf("%d have expired too soon, %v", n, err)
	}
	if n, err := j.Expire(t.Context(), time.Now().Add(DefaultKeep+time.Hour), DefaultKeep); n != 2 || err != nil {
		t.Errorf("%d have expired, %v", n, err)
	}
	if got := ids(t, j); got != "[held]" {
		t.Errorf("there remains %s", got)
	}
	must(t, held.End(t.Context(), Finished, ""))
	sessions, err := j.Sessions(t.Context(), Filter{})
	if err != nil || len(sessions) != 2 {
		t.Errorf("the sessions are %v, %v", sessions, err)
	}
	must(t, j.Delete(t.Context(), begunAndEnded(t, j)))
	if programs := count(t, j, "program"); programs != 1 {
		t.Errorf("there are %d programs", programs)
	}
	must(t, j.DeleteSession(t.Context(), "h"))
	if programs := count(t, j, "program"); programs != 0 {
		t.Errorf("there are %d programs", programs)
	}
}

func begunAndEnded(t *testing.T, j *Journal) string {
	c := begun(t, j, Run{})
	must(t, c.End(t.Context(), Failed, ""))
	return c.Run()
}

func ids(t *testing.T, j *Journal) string {
	t.Helper()
	runs, err := j.Runs(t.Context(), Filter{})
	must(t, err)
	var ids []string
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return fmt.Sprint(ids)
}

func count(t *testing.T, j *Journal, table string) (n int) {
	t.Helper()
	must(t, j.db.QueryRow("SELECT count(*) FROM "+table).Scan(&n))
	return n
}

// A large file is written anew through a temporary one, which is in the folder.
func TestALargeJournalIsClearedInItsFolder(t *testing.T) {
	dir := newFolder(t)
	j := opened(t, dir, nil)
	large := make([]byte, inMemory)
	_, _ = rand.Read(large)
	c := begun(t, j, Run{ID: "a", Session: "a"})
	must(t, c.Append(t.Context(), Entry{Data: large}))
	must(t, c.End(t.Context(), Finished, ""))
	must(t, begun(t, j, Run{ID: "b", Session: "b"}).End(t.Context(), Finished, ""))
	must(t, j.DeleteSession(t.Context(), "b"))
	must(t, j.DeleteSession(t.Context(), "a"))
	info, err := os.Stat(filepath.Join(dir, fileName))
	if err != nil || info.Size() > 1<<20 {
		t.Errorf("the file has %v bytes, %v", info.Size(), err)
	}
}

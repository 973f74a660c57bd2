package journal

import (
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written returns a journal of a few runs, as its files are after a clean end and after a kill.
func written(t *testing.T) (files map[string]map[string][]byte, runs map[string]string) {
	t.Helper()
	dir := newFolder(t)
	j := opened(t, dir, nil)
	runs = map[string]string{}
	var claims []*Claim
	for i := range 5 {
		id := fmt.Sprintf("run%d", i)
		claims = append(claims, begun(t, j, Run{ID: id, Session: "s" + id, Title: "about " + id}))
	}
	for step := range 12 {
		for i, c := range claims {
			text := make([]byte, 300*(i+1))
			_, _ = rand.Read(text)
			must(t, c.Append(t.Context(), Entry{Key: fmt.Sprint(step), Kind: "outcome", Data: text}))
		}
		if step == 6 { // the first half is in the file, the second in its log
			_, err := j.db.Exec("PRAGMA wal_checkpoint(PASSIVE)")
			must(t, err)
		}
	}
	for _, c := range claims {
		runs[c.Run()] = entriesText(t, j, c.Run())
	}
	files = map[string]map[string][]byte{"killed": copied(t, dir)}
	must(t, j.Close())
	files["closed"] = copied(t, dir)
	return files, runs
}

func copied(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range []string{fileName, fileName + "-wal", markName} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			files[name] = data
		} else if !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return files
}

func restored(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := newFolder(t)
	must(t, os.MkdirAll(dir, 0o700))
	for name, data := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	return dir
}

// lies reads a damaged journal, and returns what it says that was not written, or leaves
// out without an error.
func lies(t *testing.T, dir string, runs map[string]string) (lies []string, refused bool) {
	t.Helper()
	j, err := Open(dir, nil)
	if err != nil {
		return nil, true
	}
	defer j.Close()
	for id, want := range runs {
		entries, err := j.Entries(t.Context(), id)
		if err != nil {
			refused = true
			continue
		}
		var b strings.Builder
		for _, e := range entries {
			fmt.Fprintf(&b, "%s/%s/%d/%s ", e.Kind, e.Key, e.Epoch, e.Data)
		}
		if got := strings.TrimSpace(b.String()); got != want {
			lies = append(lies, fmt.Sprintf("the run %s has %d bytes instead of %d", id, len(got), len(want)))
		}
	}
	list, err := j.Runs(t.Context(), Filter{})
	if err == nil && len(list) != len(runs) {
		lies = append(lies, fmt.Sprintf("the list has %d runs", len(list)))
	}
	for _, r := range list {
		if err == nil && r.Title != "about "+r.ID {
			lies = append(lies, fmt.Sprintf("a run is %+v", r))
		}
	}
	sessions, err := j.Sessions(t.Context(), Filter{})
	if err == nil && len(sessions) != len(runs) {
		lies = append(lies, fmt.Sprintf("the list has %d sessions", len(sessions)))
	}
	return lies, refused
}

// A journal whose files were damaged says what was written, or that it is damaged.
func TestDamageIsNoticed(t *testing.T) {
	states, runs := written(t)
	refusals, tries := 0, manySteps(t, 240)
	for i := range tries {
		state := []string{"closed", "killed"}[i%2]
		files := map[string][]byte{}
		for name, data := range states[state] {
			files[name] = append([]byte(nil), data...)
		}
		name := fileName
		if state == "killed" && i%3 == 0 {
			name = fileName + "-wal"
		}
		data := files[name]
		var how string
		at := mathrand.IntN(len(data))
		switch i % 5 {
		case 0:
			files[name], how = data[:at], "cut off at"
		case 1:
			at = at / 512 * 512
			files[name], how = data[:at], "cut off at"
		case 2:
			end := min(at+4096, len(data))
			clear(data[at:end])
			how = "zeros from"
		default:
			data[at] ^= 1 << mathrand.IntN(8)
			how = "a bit is wrong at"
		}
		found, refused := lies(t, restored(t, files), runs)
		if refused {
			refusals++
		}
		for _, lie := range found {
			t.Errorf("%s, %s: %s %d of %d: %s", state, name, how, at, len(data), lie)
		}
	}
	if refusals < tries/4 {
		t.Errorf("only %d of %d were noticed", refusals, tries)
	}
	if found, refused := lies(t, restored(t, states["killed"]), runs); refused || found != nil {
		t.Errorf("what is not damaged: %v, %v", refused, found)
	}
}

// A journal that has lost commits says so, even if SQLite takes it for whole.
func TestLostCommitsAreNoticed(t *testing.T) {
	states, _ := written(t)
	for name, files := range map[string]map[string][]byte{
		"the log is cut off": {fileName: states["killed"][fileName], fileName + "-wal": states["killed"][fileName+"-wal"][:40_000], markName: states["killed"][markName]},
		"the log is gone":    {fileName: states["killed"][fileName], markName: states["killed"][markName]},
		"the file is empty":  {fileName: nil, markName: states["closed"][markName]},
		"the file is gone":   {markName: states["closed"][markName]},
	} {
		_, err := Open(restored(t, files), nil)
		var damage *DamageError
		if !errors.As(err, &damage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

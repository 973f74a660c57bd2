package journal

import (
	"errors"
	mathrand "math/rand/v2"
	"os"
	"strings"
	"testing"
)

// What is saved of a damaged journal is what was written; what is not whole cannot go on.
func TestWhatCanBeReadIsSaved(t *testing.T) {
	states, runs := written(t)
	for i := range 24 {
		files := map[string][]byte{}
		for name, data := range states["closed"] {
			files[name] = append([]byte(nil), data...)
		}
		data := files[fileName]
		at := 8192 + mathrand.IntN(len(data)-8192)
		if i > 0 { // the first one is whole
			clear(data[at:min(at+3000, len(data))])
		}
		from, to := restored(t, files), newFolder(t)
		saved, err := SaveFrom(t.Context(), from, to, nil)
		if err != nil {
			var damage *DamageError
			if i == 0 || !errors.As(err, &damage) {
				t.Errorf("zeros at %d: %v", at, err)
			}
			continue
		}
		if saved.Runs+saved.Lost != len(runs) || i == 0 && (saved.Lost > 0 || saved.Incomplete != nil || saved.Sessions != len(runs)) {
			t.Errorf("zeros at %d: %+v", at, saved)
		}
		j := opened(t, to, nil)
		list, err := j.Runs(t.Context(), Filter{})
		must(t, err)
		for _, r := range list {
			got := entriesText(t, j, r.ID)
			whole := got == runs[r.ID]
			if !strings.HasPrefix(runs[r.ID], got) || whole == (r.Status == Damaged) && r.Program == "" {
				t.Errorf("zeros at %d: %s is %s and says other than was written", at, r.ID, r.Status)
			}
			c, err := j.Claim(t.Context(), r.ID)
			switch {
			case r.Status == Damaged && !errors.Is(err, ErrIncomplete), r.Status != Damaged && (err != nil || !whole):
				t.Errorf("zeros at %d: a claim of %s, which is %s: %v", at, r.ID, r.Status, err)
			case err == nil:
				must(t, c.Append(t.Context(), Entry{Key: "on"}))
			}
		}
		must(t, j.Check(t.Context()))
	}
	if _, err := SaveFrom(t.Context(), restored(t, states["closed"]), restored(t, states["closed"]), nil); !errors.Is(err, ErrExists) {
		t.Errorf("over a journal: %v", err)
	}
	_, err := SaveFrom(t.Context(), newFolder(t), newFolder(t), nil)
	if err == nil {
		t.Error("a folder without a journal is saved")
	}
	if isHeld, _, err := HeldBy(newFolder(t)); isHeld || err != nil {
		t.Errorf("a folder without a journal is held: %t, %v", isHeld, err)
	}
	held := newFolder(t)
	claim := begun(t, opened(t, held, nil), Run{})
	if isHeld, process, err := HeldBy(held); !isHeld || process != os.Getpid() || err != nil {
		t.Errorf("the journal of a claim is held: %t by %d, %v", isHeld, process, err)
	}
	must(t, claim.Release(t.Context()))
	encrypted := newFolder(t)
	must(t, begun(t, opened(t, encrypted, &Options{Key: []byte("correct horse battery staple")}), Run{}).Release(t.Context()))
	if _, err := SaveFrom(t.Context(), encrypted, newFolder(t), nil); !errors.Is(err, ErrKeyNeeded) {
		t.Errorf("without a key: %v", err)
	}
}

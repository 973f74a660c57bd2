//go:build unix

package journal

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// The claim of a stopped process can be taken over, and the process cannot write when it
// goes on.
func TestAStoppedProcessIsFenced(t *testing.T) {
	dir := newFolder(t)
	queued(t, dir, 1)
	t.Setenv("JOURNAL_PAUSE", "yes") // it is hardly ever stopped while it writes
	w := startWorker(t, dir, 1<<20)
	j := opened(t, dir, nil)
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if r, err := j.Run(t.Context(), "run0"); err == nil && r.Live && r.Entries > 1 {
			break
		}
	}
	must(t, w.Process.Signal(syscall.SIGSTOP))
	c, err := j.TakeOver(t.Context(), "run0")
	if err != nil {
		// It was stopped while it was writing, and has the lock of the file.
		must(t, w.Process.Signal(syscall.SIGCONT))
		c, err = j.TakeOver(t.Context(), "run0")
		must(t, err)
	}
	before := entriesText(t, j, "run0")
	must(t, w.Process.Signal(syscall.SIGCONT))
	if err := w.Wait(); err == nil {
		t.Error("the worker has not noticed")
	}
	if after := entriesText(t, j, "run0"); !strings.HasPrefix(after, before) || strings.Contains(strings.TrimPrefix(after, before), "outcome") {
		t.Errorf("it has written %s", strings.TrimPrefix(after, before))
	}
	must(t, c.Append(t.Context(), Entry{Key: "mine"}))
}

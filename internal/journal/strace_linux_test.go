package journal

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A process that is killed at any of its writes to the disk loses nothing that it was told
// to be written, and leaves runs that are free and a journal that is whole.
func TestAKillAtEachWriteLosesNothing(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err == nil {
		err = exec.Command(strace, "-f", "-o", os.DevNull, "true").Run()
	}
	if err != nil {
		t.Skip("strace does not work here: ", err)
	}
	const runs, steps = 2, 6
	killed := 0
	for _, call := range []string{"pwrite64", "fdatasync", "fsync", "ftruncate", "unlink,unlinkat"} {
		for k := 1; k <= manySteps(t, 12); k++ {
			dir := newFolder(t)
			queued(t, dir, runs)
			cmd := exec.Command(strace, "-f", "-qq", "-o", os.DevNull, "-e", "trace="+call, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", call, k), os.Args[0])
			cmd.Env = append(os.Environ(), "JOURNAL_WORKER="+dir, fmt.Sprintf("JOURNAL_STEPS=%d", steps))
			if cmd.Run() == nil {
				break // it has fewer of these calls
			}
			killed++
			j := opened(t, dir, nil)
			must(t, j.Check(t.Context()))
			for _, step := range acknowledged(t, dir) {
				run, key, _ := strings.Cut(step, " ")
				if !strings.Contains(entriesText(t, j, run), "outcome/"+key+"/") {
					t.Errorf("killed at %s %d: the step %s is lost", call, k, step)
				}
			}
			must(t, j.Close())
			must(t, startWorker(t, dir, steps).Wait())
			again := 0
			for _, times := range ledger(t, dir) {
				again += times - 1
			}
			if again > 1 {
				t.Errorf("killed at %s %d: %d steps were done again", call, k, again)
			}
			checkRuns(t, dir, runs, steps)
		}
	}
	if killed < 10 {
		t.Errorf("the process was killed %d times", killed)
	}
}

// acknowledged returns the steps of which a worker knew that they were written.
func acknowledged(t *testing.T, dir string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "acknowledged"))
	if os.IsNotExist(err) {
		return nil
	}
	must(t, err)
	defer f.Close()
	var steps []string
	for s := bufio.NewScanner(f); s.Scan(); {
		steps = append(steps, s.Text())
	}
	return steps
}

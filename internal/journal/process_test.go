package journal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestMain is the worker of the tests with several processes, if it is started as one.
func TestMain(m *testing.M) {
	for variable, work := range map[string]func(string) error{"JOURNAL_WORKER": worker, "JOURNAL_FILLER": filler, "JOURNAL_LISTER": lister} {
		dir := os.Getenv(variable)
		if dir == "" {
			continue
		}
		if err := work(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// worker does the steps of all runs of a journal that nobody else does, until there are
// none left. A step is a line in a ledger and an entry.
func worker(dir string) error {
	steps, err := strconv.Atoi(os.Getenv("JOURNAL_STEPS"))
	if err != nil {
		return err
	}
	j, err := Open(dir, nil)
	if err != nil {
		return err
	}
	defer j.Close()
	ledger, err := os.OpenFile(filepath.Join(dir, "ledger"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	known, err := os.OpenFile(filepath.Join(dir, "acknowledged"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	ctx := context.Background()
	for {
		runs, err := j.Runs(ctx, Filter{Status: []Status{Running, Queued}})
		if err != nil {
			return err
		}
		if len(runs) == 0 {
			return nil
		}
		free := 0
		rand.Shuffle(len(runs), func(a, b int) { runs[a], runs[b] = runs[b], runs[a] })
		for _, r := range runs {
			if r.Live {
				continue
			}
			c, err := j.Claim(ctx, r.ID)
			if errors.Is(err, ErrHeld) || errors.Is(err, ErrEnded) {
				continue
			}
			if err != nil {
				return err
			}
			free++
			if err := workOn(ctx, j, c, ledger, known, steps); err != nil {
				return err
			}
		}
		if free == 0 {
			time.Sleep(5 * time.Millisecond)
		}
	}
}

func workOn(ctx context.Context, j *Journal, c *Claim, ledger, known *os.File, steps int) error {
	entries, err := j.Entries(ctx, c.Run())
	if err != nil {
		return err
	}
	if len(entries) > steps { // it was killed between its last step and its end
		return c.End(ctx, Finished, "")
	}
	// A few at a time, so that others have a chance to claim the run.
	for step := len(entries); step <= steps && step < len(entries)+20; step++ {
		key := strconv.Itoa(step)
		if _, err := fmt.Fprintln(ledger, c.Run(), key); err != nil {
			return err
		}
		if err := c.Append(ctx, Entry{Key: key, Kind: "outcome", Data: []byte("done " + key)}); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(known, c.Run(), key); err != nil {
			return err
		}
		if os.Getenv("JOURNAL_PAUSE") != "" {
			time.Sleep(100 * time.Millisecond)
		}
		if step == steps {
			return c.End(ctx, Finished, "")
		}
	}
	return c.Release(ctx)
}

func startWorker(t *testing.T, dir string, steps int) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "JOURNAL_WORKER="+dir, fmt.Sprintf("JOURNAL_STEPS=%d", steps))
	cmd.Stderr = os.Stderr
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

// ledger returns how often each step was done.
func ledger(t *testing.T, dir string) map[string]int {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "ledger"))
	must(t, err)
	defer f.Close()
	done := map[string]int{}
	for s := bufio.NewScanner(f); s.Scan(); {
		done[s.Text()]++
	}
	return done
}

// queued creates runs for workers.
func queued(t *testing.T, dir string, runs int) {
	t.Helper()
	j, err := Open(dir, nil)
	must(t, err)
	for i := range runs {
		must(t, begun(t, j, Run{ID: fmt.Sprintf("run%d", i)}).End(t.Context(), Queued, ""))
	}
	must(t, j.Close())
}

// checkRuns checks that all steps of all runs are entries, in order.
func checkRuns(t *testing.T, dir string, runs, steps int) {
	t.Helper()
	j := opened(t, dir, nil)
	for i := range runs {
		id := fmt.Sprintf("run%d", i)
		entries, err := j.Entries(t.Context(), id)
		must(t, err)
		for n, e := range entries[1:] {
			if e.Key != strconv.Itoa(n+1) {
				t.Fatalf("%s: the entry %d has the key %s", id, n+1, e.Key)
			}
		}
		if r, err := j.Run(t.Context(), id); err != nil || r.Status != Finished || len(entries) != steps+1 {
			t.Errorf("%s: %+v with %d entries, %v", id, r, len(entries), err)
		}
	}
}

// steps returns how many steps a test does; GRAMC_JOURNAL_STEPS makes them more.
func manySteps(t *testing.T, few int) int {
	t.Helper()
	if text := os.Getenv("GRAMC_JOURNAL_STEPS"); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		return n
	}
	return few
}

func TestThreeProcessesDoEveryStepOnce(t *testing.T) {
	const runs = 20
	dir, total := newFolder(t), manySteps(t, 1200)
	steps := total / runs
	queued(t, dir, runs)
	began := time.Now()
	var workers []*exec.Cmd
	for range 3 {
		workers = append(workers, startWorker(t, dir, steps))
	}
	for _, w := range workers {
		must(t, w.Wait())
	}
	t.Logf("%d steps in %v", total, time.Since(began))
	done := ledger(t, dir)
	if len(done) != runs*steps {
		t.Errorf("%d steps were done instead of %d", len(done), runs*steps)
	}
	for step, times := range done {
		if times != 1 {
			t.Errorf("%s was done %d times", step, times)
		}
	}
	checkRuns(t, dir, runs, steps)
}

// A killed worker leaves runs that are free at once; what it has appended stays, and only
// the step that it was doing is done again.
func TestNothingIsLostWhenProcessesAreKilled(t *testing.T) {
	const runs, kills = 6, 6
	dir, steps := newFolder(t), manySteps(t, 600)/runs
	queued(t, dir, runs)
	for range kills {
		first, second := startWorker(t, dir, steps), startWorker(t, dir, steps)
		time.Sleep(time.Duration(30+rand.IntN(60)) * time.Millisecond)
		must(t, first.Process.Kill())
		must(t, second.Process.Kill())
		_, _ = first.Wait(), second.Wait()
	}
	must(t, startWorker(t, dir, steps).Wait())
	again := 0
	for step, times := range ledger(t, dir) {
		again += times - 1
		if times > kills*2+1 {
			t.Errorf("%s was done %d times", step, times)
		}
	}
	if again > kills*2 {
		t.Errorf("%d steps were done again after %d kills", again, kills*2)
	}
	checkRuns(t, dir, runs, steps)
}

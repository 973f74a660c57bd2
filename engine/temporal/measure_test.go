package temporal_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
)

// The numbers of docs/scale.md:
//
//	GRAMC_TEMPORAL_MEASURE=1 go test -v -run 'TestAHistoryOf200Turns|TestRunsThatSleep|TestRunsPerSecond' .

// measured skips a test that only measures, unless GRAMC_TEMPORAL_MEASURE is set.
func measured(t *testing.T) {
	if os.Getenv("GRAMC_TEMPORAL_MEASURE") == "" {
		t.Skip("set GRAMC_TEMPORAL_MEASURE to measure")
	}
}

// TestAHistoryOf200Turns has responses of 4 KB.
func TestAHistoryOf200Turns(t *testing.T) {
	measured(t)
	p, e := processOf(t, process{Turns: 200, Text: 4 << 10})
	p.start(t)
	began := time.Now()
	id := begin(t, e, "work")
	r := end(t, e, id)
	size := historySize(t, e, id)
	t.Logf("%d steps in %v, the last history has %.1f MB", len(r.Steps), time.Since(began).Round(time.Second), float64(size)/1e6)
	if len(r.Steps) != 401 || r.End.Content != "done" || size > 10e6 {
		t.Errorf("the run ended as %+v", r.Run)
	}
}

// TestRunsThatSleep measures the memory of the workers.
func TestRunsThatSleep(t *testing.T) {
	measured(t)
	const runs = 2000
	p, e := processOf(t, process{Turns: 1, Ask: true})
	workers := []*exec.Cmd{p.start(t), p.start(t)}
	warm := begin(t, e, "work")
	waiting(t, e, warm)
	time.Sleep(2 * time.Second)
	before := memory(t, workers)
	inParallel(16, runs, func(int) { begin(t, e, "work") })
	user := "ann"
	n := 0
	for began := time.Now(); time.Since(began) < 150*time.Second && n <= runs; time.Sleep(3 * time.Second) {
		found, err := e.Runs(t.Context(), journal.Filter{User: &user, Status: []journal.Status{journal.Waiting}})
		if err != nil {
			t.Fatal(err)
		}
		n = len(found)
		t.Logf("%d wait, %.0f MB", n, memory(t, workers))
	}
	time.Sleep(5 * time.Second)
	after := memory(t, workers)
	t.Logf("two workers have %.0f MB, and had %.0f MB before %d runs sleep", after, before, runs)
	if after-before > 40 {
		t.Errorf("they took %.0f MB", after-before)
	}
}

// inParallel calls a function so many times, by so many goroutines.
func inParallel(goroutines, times int, f func(i int)) {
	numbers := make(chan int)
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for i := range numbers {
				f(i)
			}
		})
	}
	for i := range times {
		numbers <- i
	}
	close(numbers)
	all.Wait()
}

// memory returns the resident memory of processes, in MB.
func memory(t *testing.T, processes []*exec.Cmd) (sum float64) {
	t.Helper()
	for _, c := range processes {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if err != nil {
			t.Skip("there is no /proc")
		}
		for line := range strings.Lines(string(text)) {
			var kB float64
			if n, _ := fmt.Sscanf(line, "RssAnon: %f", &kB); n == 1 {
				sum += kB / 1e3
			}
		}
	}
	return sum
}

// TestRunsPerSecond measures 500 runs of five steps over one worker and over two.
func TestRunsPerSecond(t *testing.T) {
	measured(t)
	const runs, steps = 500, 5
	for _, workers := range []int{1, 2} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			p, e := processOf(t, process{Turns: 2, Text: 4 << 10})
			for range workers {
				p.start(t)
			}
			began := time.Now()
			ids := make([]string, runs)
			inParallel(32, runs, func(i int) { ids[i] = begin(t, e, "work") })
			inParallel(64, runs, func(i int) {
				until(t, e, ids[i], func(r *durable.Record) bool { return r.End != nil })
			})
			took := time.Since(began)
			t.Logf("%d workers: %d runs in %v, %.1f runs/s, %.0f steps/s", workers, runs, took.Round(time.Millisecond), runs/took.Seconds(), runs*steps/took.Seconds())
		})
	}
}

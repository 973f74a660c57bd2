package durable_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// noisy answers with 4 KB.
type noisy struct{}

func (noisy) Name() string { return "noisy" }
func (noisy) Generate(context.Context, *runtime.Request) (*runtime.Response, error) {
	return &runtime.Response{Content: noise(4 << 10), Finish: "stop"}, nil
}

// TestAConversationIsWrittenOnce has 200 turns, each a run that continues the one before.
func TestAConversationIsWrittenOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	j, err := journal.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := &interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{ID: "m"}}
	parent, conversation := "", runtime.Conversation{}
	const turns = 200
	for i := range turns {
		start := &durable.Start{Message: runtime.UserMessage(fmt.Sprintf("question %d", i))}
		run, err := durable.Begin(t.Context(), j, &journal.Run{ID: fmt.Sprint("r", i), Parent: parent}, nil, start, &durable.Options{Conversation: conversation})
		if err != nil {
			t.Fatal(err)
		}
		bound, err := interp.Bind(a, runtime.Library{}, noisy{}, run.Options(nil))
		if err != nil {
			t.Fatal(err)
		}
		e, err := last(t.Context(), run, bound)
		if err != nil {
			t.Fatal(err)
		}
		parent, conversation = run.ID(), e.Answer.Conversation
	}
	read, err := durable.Conversation(t.Context(), j, parent)
	if err != nil || len(read) != 2*turns || read[2*turns-1].Content != conversation[2*turns-1].Content {
		t.Errorf("%d messages are read, %v", len(read), err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	t.Logf("%d turns of 4 KB take %.2f MB", turns, float64(size)/1e6)
	if size > 6e6 {
		t.Errorf("%d turns of 4 KB take %d bytes", turns, size)
	}
}

// BenchmarkSleepingRuns measures the memory that a process with a journal of runs needs that
// wait for an approval.
func BenchmarkSleepingRuns(b *testing.B) {
	const runs = 10_000
	j, err := journal.Open(filepath.Join(b.TempDir(), "state"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	var before, after goruntime.MemStats
	goruntime.GC()
	goruntime.ReadMemStats(&before)
	for b.Loop() {
		atOnce(b, 64, func(worker int) error {
			for i := worker; i < runs; i += 64 {
				run, err := durable.Begin(b.Context(), j, &journal.Run{ID: fmt.Sprint("r", b.N, "-", i)}, nil, &durable.Start{Message: runtime.UserMessage("hello")}, nil)
				if err != nil {
					return err
				}
				step := interp.Step{Key: "1/1/approval", Kind: interp.StepApproval, Tool: "t", Args: []byte(`{}`)}
				_, err = run.Steps(b.Context(), []interp.Step{step}, func(context.Context, int) (interp.Outcome, error) { return interp.Outcome{}, interp.ErrWaiting })
				if err = run.End(b.Context(), &interp.AgentResponse{}, err); err != nil {
					return err
				}
			}
			return nil
		})
	}
	goruntime.GC()
	goruntime.ReadMemStats(&after)
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/1e6, "heap-MB")
	b.ReportMetric(float64(resident())/1e6, "resident-MB")
}

// resident returns the memory of this process, 0 where it cannot be read.
func resident() (bytes int64) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

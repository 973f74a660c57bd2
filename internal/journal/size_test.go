package journal

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
)

// dense returns JSON that can hardly be packed.
func dense(size int) []byte {
	raw := make([]byte, size*3/4)
	_, _ = rand.Read(raw)
	return strconv.AppendQuote(nil, base64.StdEncoding.EncodeToString(raw))
}

func sizeOf(t *testing.T, dir string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, fileName))
	must(t, err)
	return info.Size()
}

// A step of 2 KB takes at most 4 KB, also if steps of many runs alternate and nothing in
// them can be packed.
func TestWhatAStepTakes(t *testing.T) {
	const runs, steps = 16, 400
	dir := newFolder(t)
	j := opened(t, dir, nil)
	var wait sync.WaitGroup
	for range runs {
		c := begun(t, j, Run{})
		wait.Go(func() {
			for range steps / runs {
				if err := c.Append(context.Background(), Entry{Key: "1", Kind: "intent"}); err != nil {
					t.Error(err)
				}
				if err := c.Append(context.Background(), Entry{Key: "1", Kind: "outcome", Data: dense(2048)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	must(t, j.Close())
	if per := sizeOf(t, dir) / steps; per > 4096 {
		t.Errorf("a step takes %d bytes", per)
	}
}

// A session of 200 turns of 4 KB takes at most 6 MB.
func TestWhatAConversationTakes(t *testing.T) {
	dir := newFolder(t)
	j := opened(t, dir, nil)
	parent := ""
	for range 200 {
		c := begun(t, j, Run{Session: "s", Parent: parent})
		must(t, c.End(t.Context(), Finished, "", Entry{Key: "1", Kind: "outcome", Data: dense(4096)}, Entry{Kind: "end", Data: []byte(`{"added": 2}`)}))
		parent = c.Run()
	}
	must(t, j.Close())
	if size := sizeOf(t, dir); size > 6<<20 {
		t.Errorf("200 turns take %d bytes", size)
	}
}

func TestALargeResultSurvives(t *testing.T) {
	dir := newFolder(t)
	j := opened(t, dir, nil)
	large := dense(8 << 20)
	must(t, begun(t, j, Run{ID: "a"}).Append(t.Context(), Entry{Key: "1", Data: large}))
	must(t, j.Close())
	entries, err := opened(t, dir, nil).Entries(t.Context(), "a")
	if err != nil || !bytes.Equal(entries[1].Data, large) {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

// memory returns the resident memory of this process in KB.
func memory() (int, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(regexp.MustCompile(`VmRSS:\s+(\d+)`).FindSubmatch(text)[1]))
}

// lister opens a journal, lists its runs, and says how much memory that takes.
func lister(dir string) error {
	before, err := memory()
	if err != nil {
		return err
	}
	j, err := Open(dir, nil)
	if err != nil {
		return err
	}
	defer j.Close()
	runs, err := j.Runs(context.Background(), Filter{Status: []Status{Waiting}})
	if err != nil {
		return err
	}
	after, err := memory()
	fmt.Println(len(runs), after-before)
	return err
}

// Runs that sleep cost no more memory than a list of them. GRAMC_JOURNAL_STEPS sets how
// many there are.
func TestSleepingRunsCostLittleMemory(t *testing.T) {
	if _, err := memory(); err != nil {
		t.Skip(err)
	}
	runs := manySteps(t, 1000)
	dir := newFolder(t)
	j := opened(t, dir, nil)
	var wait sync.WaitGroup
	for w := range 50 {
		wait.Go(func() {
			for i := range runs / 50 {
				c, err := j.Create(context.Background(), &Run{ID: fmt.Sprintf("r%d-%d", w, i), Agent: "clerk", Title: "a question"}, []byte("program"), Entry{Kind: "start", Data: dense(1000)})
				if err == nil {
					err = c.End(context.Background(), Waiting, "")
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	must(t, j.Close())
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "JOURNAL_LISTER="+dir)
	out, err := cmd.CombinedOutput()
	var listed, kB int
	if _, scanErr := fmt.Sscan(string(out), &listed, &kB); err != nil || scanErr != nil || listed != runs/50*50 || kB > 20<<10 {
		t.Errorf("%d of %d runs take %d KB: %v\n%s", listed, runs, kB, err, out)
	}
	t.Logf("%d runs take %d KB", listed, kB)
}

package journal

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// filler appends until the system refuses to let files grow, and one time more.
func filler(dir string) error {
	signal.Ignore(syscall.SIGXFSZ)
	j, err := Open(dir, nil)
	if err != nil {
		return err
	}
	defer j.Close()
	ctx := context.Background()
	c, err := j.Claim(ctx, "run0")
	if err != nil {
		return err
	}
	limit := syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	for i := 1; i < 10_000; i++ {
		text := make([]byte, 5000)
		_, _ = rand.Read(text)
		if err := c.Append(ctx, Entry{Key: fmt.Sprint(i), Data: text}); err != nil {
			again := c.Append(ctx, Entry{Key: "later"})
			fmt.Println(i, again == err)
			return nil
		}
	}
	return fmt.Errorf("the file grows and grows")
}

func TestAFileThatCannotGrow(t *testing.T) {
	dir := newFolder(t)
	queued(t, dir, 1)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "JOURNAL_FILLER="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	j := opened(t, dir, nil)
	entries, err := j.Entries(t.Context(), "run0")
	must(t, err)
	var failed int
	if _, err := fmt.Sscanf(string(out), "%d true", &failed); err != nil || len(entries) != failed || failed < 20 {
		t.Errorf("the append %s failed, and there are %d entries (%v)", strings.TrimSpace(string(out)), len(entries), err)
	}
	c, err := j.Claim(t.Context(), "run0")
	must(t, err)
	must(t, c.Append(t.Context(), Entry{Key: "there is room again"}))
}

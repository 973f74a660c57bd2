//go:build unix

package builtin_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gram-lang/gramc/internal/tools/builtin"
	"github.com/gram-lang/gramc/runtime"
)

// Somebody who may change the folder exchanges a file and a folder for links
// and pipes all the time, just when the tools have looked at them.
func TestNoPathLeadsOutWhileItChanges(t *testing.T) {
	const flips = 3_000
	tr := newTrap(t)
	var tools []runtime.Tool
	for _, name := range []string{"read_file", "write_file", "get_file_info", "list_directory"} {
		tool, err := builtin.New(name, builtin.Options{Root: tr.root})
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, tool)
	}
	done := make(chan error, 1)
	go func() { done <- flip(tr.root, flips) }()
	answers, failures := 0, 0
	for running := true; running; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running = false
		default:
		}
		for _, tool := range tools {
			for _, path := range []string{"target", "turn/secret.txt", "turn"} {
				result, err := attack(t, tool, path)
				if err != nil {
					failures++
					result = err.Error()
				}
				if answers++; strings.Contains(result, canary) {
					t.Fatalf("%s %s: %s", tool.Name(), path, result)
				}
			}
		}
	}
	if failures == answers {
		t.Errorf("none of %d calls found a file", answers)
	}
	t.Logf("%d calls, %d refused", answers, failures)
	tr.checkOutside(t)
	tr.checkHidden(t)
}

// flip makes the name target a file, links and a pipe, and turn a folder, a link
// and a pipe, in turn.
func flip(root string, times int) error {
	file := func(name string) error { return os.WriteFile(name, []byte("fine"), 0o666) }
	folder := func(name string) error { return os.Mkdir(name, 0o777) }
	pipe := func(name string) error { return syscall.Mkfifo(name, 0o666) }
	hard := func(name string) error { return os.Link(filepath.Join(root, "hard"), name) }
	to := func(target string) func(string) error {
		return func(name string) error { return os.Symlink(target, name) }
	}
	targets := []func(string) error{file, to("../outside/secret.txt"), file, to(".env"), hard, pipe}
	turns := []func(string) error{folder, to("../outside"), folder, to(".git"), folder, pipe}
	next, away := filepath.Join(root, "next"), filepath.Join(root, "away")
	for i := range times {
		name, create := filepath.Join(root, "target"), targets[i/2%len(targets)]
		if i%2 == 1 {
			name, create = filepath.Join(root, "turn"), turns[i/2%len(turns)]
		}
		if err := create(next); err != nil {
			return err
		}
		if os.Rename(next, name) == nil {
			continue
		}
		// A folder and something else do not replace each other.
		_ = os.Rename(name, away)
		if os.Rename(next, name) != nil {
			_ = os.RemoveAll(next) // a tool was quicker
		}
		_ = os.RemoveAll(away)
	}
	return nil
}

//go:build unix

package process_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/process"
)

// alive reports whether a process is there and is more than a zombie.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return err != nil || !bytes.HasPrefix(state, []byte("Z"))
}

// gone waits for the end of a process.
func gone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); alive(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d is still there", pid)
		}
	}
}

// within fails when f takes as long as only the end of a program that sleeps for
// 100 s would, and not the end that we make of it.
func within(t *testing.T, f func()) {
	t.Helper()
	start := time.Now()
	f()
	if took := time.Since(start); took > 60*time.Second {
		t.Errorf("it took %v", took)
	}
}

func pidIn(t *testing.T, file string) int {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(file)
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			return pid
		}
	}
	t.Fatal("the grandchild did not start")
	return 0
}

func TestRunGivesInputAndTakesOutput(t *testing.T) {
	golden.Needs(t, "sleep")
	out, err := process.Run(t.Context(), process.Command{Shell: "cat; echo done"}, []byte("in\n"), 100)
	if err != nil || string(out) != "in\ndone\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestAProgramNeedNotReadItsInput(t *testing.T) {
	out, err := process.Run(t.Context(), process.Command{Shell: "echo early"}, make([]byte, 4<<20), 100)
	if err != nil || string(out) != "early\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestExitCodeAndStderrAreTold(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"echo cannot open >&2; exit 3", "ended with exit code 3: cannot open"},
		{"exit 4", "ended with exit code 4"},
		{"kill -ABRT $$", "ended with signal: aborted"},
		{"printf '\\303' >&2; exit 1", "ended with exit code 1: \uFFFD"},
	} {
		_, err := process.Run(t.Context(), process.Command{Shell: tt.line}, nil, 100)
		var exit *process.ExitError
		if !errors.As(err, &exit) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.line, err)
		}
	}
}

func TestOnlyTheEndOfStderrIsKept(t *testing.T) {
	golden.Needs(t, "sleep")
	_, err := process.Run(t.Context(), process.Command{Shell: "yes ä | head -c 99999 >&2; echo end >&2; exit 1"}, nil, 100)
	var exit *process.ExitError
	if !errors.As(err, &exit) || len(exit.Stderr) > 2100 || !strings.HasPrefix(exit.Stderr, "…") || !strings.HasSuffix(exit.Stderr, "ä\nend") {
		t.Errorf("got %v", err)
	}
	_, err = process.Run(t.Context(), process.Command{Shell: "printf %3000s end >&2; exit 1"}, nil, 100) // in one piece
	if !errors.As(err, &exit) || exit.Stderr != "…end" {
		t.Errorf("got %v", err)
	}
}

func TestTooMuchOutputStopsTheProgram(t *testing.T) {
	golden.Needs(t, "sleep")
	within(t, func() {
		_, err := process.Run(t.Context(), process.Command{Shell: "yes"}, nil, 1000)
		var long *process.TooLongError
		if !errors.As(err, &long) || long.Most != 1000 {
			t.Errorf("got %v", err)
		}
	})
}

func TestTheWholeGroupEndsAtTheTimeout(t *testing.T) {
	golden.Needs(t, "sleep")
	for _, line := range []string{
		"sleep 100 & echo $! > $FILE; wait",                               // a grandchild that holds both pipes
		"trap '' TERM INT HUP; sleep 100 & echo $! > $FILE; wait; wait",   // that will not hear
		"exec >&-; sleep 100 & echo $! > $FILE; wait",                     // stdout is closed, and nobody ends
		"(sleep 100 & echo $! > $FILE; exec sleep 100) >/dev/null & wait", // a great-grandchild
	} {
		file := filepath.Join(t.TempDir(), "pid")
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := process.Run(ctx, process.Command{Shell: line, Env: []string{"FILE=" + file}}, nil, 1000)
			failed <- err
		}()
		pid := pidIn(t, file)
		within(t, func() {
			cancel()
			if err := <-failed; !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", line, err)
			}
			gone(t, pid)
		})
	}
}

func TestWhatAProgramLeavesBehindEndsWithIt(t *testing.T) {
	golden.Needs(t, "sleep")
	for _, tt := range []struct{ line, want string }{
		{"sleep 100 & echo $!", ""},                                    // holds stdout and stderr
		{"sleep 100 2>/dev/null & echo $!", ""},                        // holds stdout
		{"sleep 100 >/dev/null & echo $!", ""},                         // holds stderr
		{"(sleep 0.05; echo late) & sleep 100 & echo $!", "late"},      // a moment for what comes late
		{"sleep 100 >/dev/null 2>&1 & echo $!; echo fine >&2", ""},     // holds nothing
		{"trap '' HUP TERM; sleep 100 & echo $!; trap - HUP TERM", ""}, // will not hear
	} {
		within(t, func() {
			out, err := process.Run(t.Context(), process.Command{Shell: tt.line}, nil, 1000)
			first, rest, _ := strings.Cut(string(out), "\n")
			pid, notANumber := strconv.Atoi(first)
			if err != nil || notANumber != nil || strings.TrimSpace(rest) != tt.want {
				t.Fatalf("%s: got %q, %v", tt.line, out, err)
			}
			gone(t, pid)
		})
	}
}

func TestAGrandchildOutsideOfTheGroupKeepsNobodyWaiting(t *testing.T) {
	setsid := "setsid"
	if _, err := process.Find(setsid, ""); err != nil {
		t.Skip("no setsid here")
	}
	within(t, func() {
		out, err := process.Run(t.Context(), process.Command{Shell: "setsid sleep 100 & echo $!"}, nil, 1000)
		pid, _ := strconv.Atoi(strings.TrimSpace(string(out)))
		if err != nil || pid == 0 {
			t.Fatalf("got %q, %v", out, err)
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	})
}

func TestTheEnvironmentIsSmall(t *testing.T) {
	golden.Needs(t, "sleep")
	t.Setenv("GRAMC_TEST_SECRET", "hunter2")
	t.Setenv("LANG", "en_GB.UTF-8")
	out, err := process.Run(t.Context(), process.Command{Shell: "env", Env: []string{"CITY=Paris", "LANG=C"}}, nil, 10000)
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "CITY", "PWD", "SHLVL", "_", "OLDPWD"}
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(line, "=")
		if !slices.Contains(allowed, name) {
			t.Errorf("the program knows %s", line)
		}
	}
	if !strings.Contains(string(out), "CITY=Paris\n") || !strings.Contains(string(out), "LANG=C\n") {
		t.Errorf("got %s", out)
	}
}

func TestNothingStartsAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := process.Run(ctx, process.Command{Shell: "echo"}, nil, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for _, c := range []process.Command{
		{Args: []string{"/nowhere/at/all"}},
		{Shell: "echo", Dir: "/nowhere"},
		{Shell: "echo", Env: []string{"A=\x00"}},
	} {
		if _, err := process.Run(t.Context(), c, nil, 10); err == nil || !strings.HasPrefix(err.Error(), "cannot start /") {
			t.Errorf("got %v", err)
		}
	}
}

func TestASetEndsWhatRuns(t *testing.T) {
	golden.Needs(t, "sleep")
	set := process.NewSet()
	file := filepath.Join(t.TempDir(), "pid")
	failed := make(chan error, 1)
	c := process.Command{Shell: "sleep 100 & echo $! > $FILE; wait", Env: []string{"FILE=" + file}}
	go func() {
		_, err := set.Run(context.Background(), c, nil, 10)
		failed <- err
	}()
	pid := pidIn(t, file)
	within(t, func() {
		set.Close()
		set.Close()
		if err := <-failed; err == nil {
			t.Error("the run did not fail")
		}
		gone(t, pid)
	})
	within(t, func() {
		if _, err := set.Run(context.Background(), c, nil, 10); err == nil {
			t.Error("a closed set runs")
		}
	})
}

func TestCloseEndsAStubbornProcess(t *testing.T) {
	golden.Needs(t, "sleep")
	for _, line := range []string{
		"cat", // ends by itself
		"trap 'echo asked; exit' TERM; echo; while :; do sleep 0.01; done", // asked to
		"trap '' TERM; echo; while :; do sleep 0.01; done",                 // neither
		"trap '' TERM; sleep 100 & echo $!; cat; wait; wait",               // with a grandchild
	} {
		p, err := process.Start(process.Command{Shell: line})
		if err != nil {
			t.Fatal(err)
		}
		out := bufio.NewReader(p.Stdout)
		_, _ = io.WriteString(p.Stdin, "\n")
		first, err := out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, out) }()
		within(t, func() {
			p.Close()
			<-p.Done()
			if pid, err := strconv.Atoi(strings.TrimSpace(first)); err == nil {
				gone(t, pid)
			}
		})
	}
}

// TestMain is a program that starts others and waits, when the environment says so.
func TestMain(m *testing.M) {
	folder := os.Getenv("GRAMC_TEST_PROGRAM")
	if folder == "" {
		os.Exit(m.Run())
	}
	line := func(name string) process.Command {
		return process.Command{Shell: "trap '' TERM HUP; sleep 100 & echo $! > " + name + "; wait", Dir: folder}
	}
	if _, err := process.Start(line("started")); err != nil {
		panic(err)
	}
	_, _ = process.Run(context.Background(), line("run"), nil, 10)
}

func TestNothingOutlivesUsWhenWeAreKilled(t *testing.T) {
	golden.Needs(t, "sleep")
	folder := t.TempDir()
	us := exec.Command(os.Args[0])
	us.Env = append(os.Environ(), "GRAMC_TEST_PROGRAM="+folder)
	if err := us.Start(); err != nil {
		t.Fatal(err)
	}
	started, run := pidIn(t, filepath.Join(folder, "started")), pidIn(t, filepath.Join(folder, "run"))
	_, _ = us.Process.Kill(), us.Wait()
	gone(t, started)
	gone(t, run)
}

func TestFind(t *testing.T) {
	folder := t.TempDir()
	for name, mode := range map[string]os.FileMode{"tool": 0o755, "text": 0o644} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", "/bin:.:"+folder)
	t.Chdir(folder)
	for _, tt := range []struct{ program, base, want string }{
		{"./tool", folder, filepath.Join(folder, "tool")},
		{"sub/../tool", folder, filepath.Join(folder, "tool")},
		{folder + "/tool", "", folder + "/tool"},
		{"sh", folder, "/bin/sh"},
		{"tool", "", `the program "tool" is not in the folders of PATH`}, // "." comes first, and is not searched
		{"./tool", "", `the program "./tool": the path "./tool" is relative, and it is not known to what`},
		{"./text", folder, `the program "./text" may not be executed`},
		{"./none", folder, `the program "./none" is not there: no file ` + folder + "/none"},
		{"/bin/", "", `the program "/bin/" is a folder`},
	} {
		got, err := process.Find(tt.program, tt.base)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.program, got, tt.want)
		}
	}
}

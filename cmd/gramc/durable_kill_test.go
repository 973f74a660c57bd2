//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A durableFolder is one in which a durable run calls a tool that counts its calls.
type durableFolder struct {
	t     *testing.T
	path  string
	agent string
}

func newDurableFolder(t *testing.T, repeat, shell string) *durableFolder {
	t.Helper()
	agent, err := filepath.Abs("../../examples/hello.gram")
	if err != nil {
		t.Fatal(err)
	}
	f := &durableFolder{t, t.TempDir(), agent}
	library := fmt.Sprintf("[l:Library {timeout: 1m} | [sayHello:Command {repeat: %s, shell: %q}]]", repeat, "echo x >> times; "+shell)
	if err := os.WriteFile(filepath.Join(f.path, "l.gram"), []byte(library), 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

// command returns a command that runs in the folder.
func (f *durableFolder) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = f.path, append(os.Environ(), "GRAMC_STATE="+filepath.Join(f.path, "state"))
	return cmd
}

// run are the words of the durable run.
func (f *durableFolder) run() []string {
	return []string{"gramc", "run", "--offline", "--durable", "--session", "one", "--library", "l.gram", "--approve", "all", f.agent, "I am Ada"}
}

// state returns the state of the session, "" if there is none.
func (f *durableFolder) state() string {
	f.t.Helper()
	out, err := f.command("gramc", "sessions", "--json").Output()
	var list []struct{ State string }
	if err == nil {
		err = json.Unmarshal(out, &list)
	}
	if err != nil {
		f.t.Fatalf("%v: %s", err, out)
	}
	if len(list) == 0 {
		return ""
	}
	return list[0].State
}

// later returns what goes on with the run, or begins it again if it was not kept: it may have been
// stopped before there was a session, or before the session had a run.
func (f *durableFolder) later() []string {
	f.t.Helper()
	if f.state() == "" {
		return f.run()
	}
	out, err := f.command("gramc", "sessions", "--json").Output()
	if err != nil || !strings.Contains(string(out), `"turns": 0`) {
		return []string{"gramc", "resume"}
	}
	if out, err := f.command("gramc", "sessions", "delete", "one").CombinedOutput(); err != nil {
		f.t.Fatalf("%v: %s", err, out)
	}
	return f.run()
}

// times returns how often the tool was called.
func (f *durableFolder) times() int {
	text, _ := os.ReadFile(filepath.Join(f.path, "times"))
	return strings.Count(string(text), "x")
}

// SIGTERM leaves a run in the journal that goes on: it is given up, and not left by a dead process.
func TestASignalLeavesARunThatGoesOn(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			f := newDurableFolder(t, "safe", "test -e second || { echo > second; echo $$ > pid; sleep 100; }; echo hi")
			words := f.run()
			cmd := f.command(words[0], words[1:]...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pid := pidIn(t, filepath.Join(f.path, "pid"))
			_, _ = cmd.Process.Signal(signal), cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("the exit code is %d", code)
			}
			gone(t, pid)
			if state := f.state(); state != "interrupted" {
				t.Errorf("the session is %q", state)
			}
			out, err := f.command("gramc", "resume").Output()
			if err != nil || !strings.Contains(string(out), "sayHello answered: hi") || f.times() != 2 {
				t.Errorf("after %d calls: %v, %s", f.times(), err, out)
			}
		})
	}
}

// stracing returns the path of strace, or skips the test.
func stracing(t *testing.T) string {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err == nil {
		err = exec.Command(strace, "-f", "-o", os.DevNull, "true").Run()
	}
	if err != nil {
		t.Skip("strace does not work here: ", err)
	}
	return strace
}

// injecting returns a command of the durable run in which something happens at system calls.
func (f *durableFolder) injecting(strace, call, what string) *exec.Cmd {
	inject := []string{"-f", "-qq", "-o", os.DevNull, "-e", "trace=" + call, "-e", "inject=" + call + ":" + what}
	return f.command(strace, append(inject, f.run()...)...)
}

// A run whose disk is full, or broken, from some write on stops before its next effect, says why, and
// goes on when the disk is well again.
func TestADurableRunWithoutADisk(t *testing.T) {
	strace := stracing(t)
	failed := 0
	for _, tt := range []struct{ call, code, says string }{
		{"pwrite64", "ENOSPC", "the disk is full"}, {"pwrite64", "EIO", "disk I/O error"}, {"fsync", "EIO", "disk I/O error"},
	} {
		for when := 1; when < 100; when += 5 {
			f := newDurableFolder(t, "once", "echo hi")
			var complaint bytes.Buffer
			cmd := f.injecting(strace, tt.call, fmt.Sprintf("error=%s:when=%d+", tt.code, when))
			cmd.Stderr = &complaint
			out, err := cmd.Output()
			if strings.Contains(string(out), "sayHello answered") {
				break // it fails when all is done, or not at all
			}
			failed++
			said := complaint.String()
			if err == nil || !strings.Contains(said, tt.says) && !strings.Contains(said, "disk I/O error") { // as it says of the file -shm in both cases
				t.Errorf("%s from %s %d on: %v, %s", tt.code, tt.call, when, err, said)
			}
			before := f.times()
			words := f.later()
			out, err = f.command(words[0], words[1:]...).CombinedOutput()
			isUnknown := strings.Contains(string(out), "the run stopped during this call")
			if err != nil || !isUnknown && !strings.Contains(string(out), "sayHello answered: hi") {
				t.Errorf("%s from %s %d on, then on a disk: %v, %s", tt.code, tt.call, when, err, out)
			}
			if n := f.times(); n > 1 || isUnknown && n != before {
				t.Errorf("%s from %s %d on: the tool was called %d times before, and %d in all", tt.code, tt.call, when, before, n)
			}
		}
	}
	t.Logf("%d runs failed", failed)
	if failed < 8 {
		t.Errorf("%d runs failed", failed)
	}
}

// A run that is killed at any of its writes goes on, and makes no call twice that must not be.
func TestADurableRunThatIsKilledAtItsWrites(t *testing.T) {
	strace := stracing(t)
	killed, unknown := 0, 0
	for _, call := range []string{"pwrite64", "fsync"} {
		for when := 1; when < 100; when += 4 {
			f := newDurableFolder(t, "once", "echo hi")
			if f.injecting(strace, call, fmt.Sprintf("signal=SIGKILL:when=%d", when)).Run() == nil {
				break // it has fewer of these calls
			}
			killed++
			var complaint bytes.Buffer
			words := f.later()
			cmd := f.command(words[0], words[1:]...)
			cmd.Stderr = &complaint
			out, err := cmd.Output()
			isUnknown := strings.Contains(string(out), "the run stopped during this call")
			if isUnknown {
				unknown++
			}
			if err != nil || !isUnknown && !strings.Contains(string(out), "sayHello answered: hi") {
				t.Errorf("killed at %s %d: %v, %s%s", call, when, err, out, complaint.String())
			}
			if n := f.times(); n > 1 || n == 0 && !isUnknown {
				t.Errorf("killed at %s %d: the tool was called %d times", call, when, n)
			}
		}
	}
	t.Logf("%d kills, %d calls unknown", killed, unknown)
	if killed < 10 {
		t.Errorf("the run was killed %d times", killed)
	}
}

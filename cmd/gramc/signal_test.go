//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pidIn waits for a process to write its id to a file.
func pidIn(t *testing.T, file string) int {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(file)
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			return pid
		}
	}
	t.Fatal("the process did not start")
	return 0
}

// gone waits for the end of a process, of which a zombie may be left.
func gone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(end) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d is still there", pid)
		}
	}
}

// Whatever ends gramc, its programs and servers end too.
func TestSignalsEndTheProgramsOfARun(t *testing.T) {
	files := map[string]string{
		"l.gram": `[l:Library {timeout: 1m} |
  [sayHello:Command {shell: "trap '' TERM HUP; sleep 100 & echo $! > command; wait"}],
  [deaf:Mcp {command: ["sh", "server.sh"]}]]`,
		"server.sh": `trap '' TERM HUP
echo $$ > server
read line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}'
read line; read line
echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}'
while :; do sleep 1; done
`}
	agent, err := filepath.Abs("../../examples/hello.gram")
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("gramc", "run", "--offline", "--library", "l.gram", "--approve", "all", "--trace", "trace", agent, "I am Ada")
			cmd.Dir, cmd.Stderr = folder, os.Stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pids := []int{pidIn(t, filepath.Join(folder, "server")), pidIn(t, filepath.Join(folder, "command"))}
			_, _ = cmd.Process.Signal(signal), cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); signal != syscall.SIGKILL && code != exitInterrupted {
				t.Errorf("the exit code is %d", code)
			}
			for _, pid := range pids {
				gone(t, pid)
			}
			trace, _ := os.ReadFile(filepath.Join(folder, "trace"))
			if ended := strings.Contains(string(trace), `"event":"stopped"`); ended != (signal != syscall.SIGKILL) {
				t.Errorf("the trace is %s", trace)
			}
		})
	}
}

// What ends the server ends its calls, before they have an effect.
func TestSignalsEndTheCallsOfAServer(t *testing.T) {
	const library = `[l:Library {timeout: 1m} |
  [slow:Command {description: "s", shell: "echo $$ > command; sleep 20; echo > effect"} | (x::Text)==>(::Text)]]`
	const messages = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{"x":"a"}}}
`
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "l.gram"), []byte(library), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("gramc", "serve", "mcp", "l.gram", "--approve", "all")
			cmd.Dir, cmd.Stderr = folder, os.Stderr
			stdin, err := cmd.StdinPipe() // stays open
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(stdin, messages); err != nil {
				t.Fatal(err)
			}
			pid := pidIn(t, filepath.Join(folder, "command"))
			_, _ = cmd.Process.Signal(signal), cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("the exit code is %d", code)
			}
			gone(t, pid)
			if _, err := os.Stat(filepath.Join(folder, "effect")); err == nil {
				t.Error("the call had its effect")
			}
		})
	}
}

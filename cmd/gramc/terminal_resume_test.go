//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// resumeLibrary has a tool that is killed with gramc the first time, and says which time it
// is.
const resumeLibrary = `[local:Library {timeout: 1m} |
  [write_file:Builtin {root: "."}],
  [slow:Command {repeat: REPEAT, shell: "echo x >> times; if [ $(wc -l < times) = 1 ]; then echo $$ > pid; sleep 100; fi; echo call $(wc -l < times)"}]]
`

// TestAConversationGoesOnAfterAKill kills gramc in the middle of a call, and goes on in
// another process.
func TestAConversationGoesOnAfterAKill(t *testing.T) {
	for _, tt := range []struct{ repeat, result, times string }{
		{"safe", "call 2", "2"}, // it was made again
		{"once", "the run stopped during this call", "1"},
	} {
		t.Run(tt.repeat, func(t *testing.T) {
			d := newDrip(t)
			folder := talkFolder(t)
			if err := os.WriteFile(filepath.Join(folder, "l.gram"), []byte(strings.Replace(resumeLibrary, "REPEAT", tt.repeat, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			args := append(talkArgs(d.URL), "--session", "clerk-otter")
			w := newWindow(t, folder, 100, 40, nil, args...)
			w.wait("/help")
			d.say("Hello **you**.")
			w.typed("Hi")
			w.answered(1)
			d.call("slow", "{}")
			w.typed("Work")
			pidIn(t, filepath.Join(folder, "pid"))
			kill(t, folder)
			w.wait("[exit 137]")

			w = newWindow(t, folder, 100, 40, nil, "resume", "otter")
			d.say("It is done.")
			shown := w.wait("2 requests")
			for _, want := range []string{"> Hi", "Hello you.", "> Work", "● slow", "It is done."} {
				if tt.repeat == "once" && want == "● slow" {
					want = "✗ slow"
				}
				if strings.Count(shown, want) != 1 {
					t.Errorf("%q is not shown once", want)
				}
			}
			if !strings.Contains(shown, tt.result) {
				t.Errorf("there is no %q in\n%s", tt.result, shown)
			}
			if text, err := os.ReadFile(filepath.Join(folder, "times")); err != nil || strconv.Itoa(strings.Count(string(text), "x")) != tt.times {
				t.Errorf("the tool was called so: %q, %v", text, err)
			}
			d.say("Goodbye.")
			w.typed("Bye")
			w.wait("Goodbye.")
			w.answered(2)
			w.keys("C-d")
			w.wait("gramc resume clerk-otter goes on with this conversation")
			w.wait("[exit 0]")

			w = newWindow(t, folder, 100, 40, nil, "resume")
			shown = w.wait("Goodbye.")
			if strings.Count(shown, "It is done.") != 1 {
				t.Errorf("the earlier turns are not shown in\n%s", shown)
			}
			w.typed("/undo")
			w.wait("taken back")
			w.keys("C-c", "C-d")
			w.wait("[exit 0]")
			w = newWindow(t, folder, 100, 40, nil, "resume")
			if shown = w.wait("It is done."); strings.Contains(shown, "Goodbye.") {
				t.Errorf("what was taken back is shown in\n%s", shown)
			}
			w.keys("C-d")
		})
	}
}

// TestAskedAboutAnUnknownCall kills gramc in the middle of a call that must not be made twice,
// and decides on the terminal whether it is made again.
func TestAskedAboutAnUnknownCall(t *testing.T) {
	for _, tt := range []struct{ key, result, times string }{
		{"y", "call 2", "2"},
		{"n", "the run stopped during this call", "1"},
	} {
		t.Run(tt.key, func(t *testing.T) {
			d := newDrip(t)
			folder := talkFolder(t)
			if err := os.WriteFile(filepath.Join(folder, "l.gram"), []byte(strings.Replace(resumeLibrary, "REPEAT", "once", 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			w := newWindow(t, folder, 100, 40, nil, append(talkArgs(d.URL), "--session", "clerk-otter")...)
			w.wait("/help")
			d.call("slow", "{}")
			w.typed("Work")
			pidIn(t, filepath.Join(folder, "pid"))
			kill(t, folder)
			w.wait("[exit 137]")

			w = newWindow(t, folder, 100, 40, nil, "resume", "--ask-unknown")
			d.say("It is done.")
			w.wait("it is unknown whether it was made")
			w.wait("Allow this call?")
			time.Sleep(2 * 300 * time.Millisecond) // a person reads the question
			w.keys(tt.key)
			if shown := w.wait("2 requests"); !strings.Contains(shown, tt.result) || !strings.Contains(shown, "It is done.") {
				t.Errorf("there is no %q in\n%s", tt.result, shown)
			}
			if text, err := os.ReadFile(filepath.Join(folder, "times")); err != nil || strconv.Itoa(strings.Count(string(text), "x")) != tt.times {
				t.Errorf("the tool was called so: %q, %v", text, err)
			}
			w.keys("C-d")
			w.wait("[exit 0]")
		})
	}
}

// kill kills gramc in a folder as the system does it, without a warning.
func kill(t *testing.T, folder string) {
	t.Helper()
	owners, err := filepath.Glob(filepath.Join(folder, "home/.local/state/gramc/sessions/owners/*"))
	if err != nil || len(owners) != 1 {
		t.Fatalf("the owners of runs are %q, %v", owners, err)
	}
	pid := pidIn(t, owners[0])
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	gone(t, pid)
}

// TestATurnThatTheUserStoppedIsKept stops a turn, which the conversation then has as far as
// it came.
func TestATurnThatTheUserStoppedIsKept(t *testing.T) {
	for _, env := range [][]string{nil, {"TERM=dumb"}} {
		d := newDrip(t)
		folder := talkFolder(t)
		w := newWindow(t, folder, 100, 40, env, talkArgs(d.URL)...)
		w.wait("\n>")
		pieces := d.respond()
		w.typed("Talk")
		pieces <- map[string]any{"content": "I begin"}
		w.wait("I begin")
		w.keys("C-c")
		w.wait("stopped;")
		<-d.gone
		w.keys("C-d")
		w.wait("[exit 0]")
		w = newWindow(t, folder, 100, 40, env, "resume")
		w.wait("stopped")
		d.say("I see.")
		w.typed("Again")
		w.answered(1)
		w.keys("C-d")
		w.wait("[exit 0]")
		w = newWindow(t, folder, 100, 40, env, "resume")
		if shown := w.wait("I see."); !strings.Contains(shown, "> Talk") || !strings.Contains(shown, "> Again") {
			t.Errorf("the turns are not shown in\n%s", shown)
		}
		w.keys("C-d")
	}
}

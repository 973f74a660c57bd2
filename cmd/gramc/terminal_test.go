//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/gram-lang/gramc/internal/golden"
)

// A window is a terminal of tmux in which gramc runs.
type window struct {
	t      *testing.T
	tmux   string
	socket string
	folder string // in which gramc runs
}

// newWindow starts gramc in a window of a size, in which the exit code of gramc is
// shown at the end. The environment is empty but for what gramc needs.
func newWindow(t *testing.T, folder string, width, height int, env []string, args ...string) *window {
	t.Helper()
	w, line := openWindow(t, folder, env, args...)
	w.start(width, height, line+`; code=$?; echo; echo "[exit $code]"; exec cat`)
	return w
}

// start starts a program of the shell in the window.
func (w *window) start(width, height int, line string) {
	w.t.Helper()
	w.run("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "-c", w.folder, line)
	pid, err := strconv.Atoi(strings.TrimSpace(w.run("display-message", "-p", "#{pane_pid}")))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = exec.Command(w.tmux, "-S", w.socket, "kill-server").Run()
		for range 2000 { // it may still write to the folder, which is removed next
			if syscall.Kill(-pid, 0) != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
}

// openWindow returns a window, and the line that runs gramc in it: gramc run, or what the
// arguments begin with.
func openWindow(t *testing.T, folder string, env []string, args ...string) (*window, string) {
	t.Helper()
	w := &window{t: t, tmux: golden.Needs(t, "tmux", "-V"), folder: folder, socket: filepath.Join(t.TempDir(), "tmux")}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "gramc") // testscript.Main goes by the name
	if err := os.Symlink(self, program); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	home := filepath.Join(folder, "home")
	line := []string{"env", "-i", "TERM=tmux-256color", "LC_ALL=C.UTF-8", "HOME=" + home, "PATH=" + os.Getenv("PATH"), "OPENAI_API_KEY=test", "GORACE=atexit_sleep_ms=0"}
	if len(args) == 0 || args[0] != "resume" {
		args = append([]string{"run"}, args...)
	}
	line = append(append(line, env...), append([]string{program}, args...)...)
	for i := range line {
		line[i] = "'" + strings.ReplaceAll(line[i], "'", `'\''`) + "'"
	}
	return w, strings.Join(line, " ")
}

func (w *window) run(args ...string) string {
	w.t.Helper()
	cmd := exec.Command(w.tmux, append([]string{"-S", w.socket}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// keys presses keys, which tmux names; text is itself.
func (w *window) keys(keys ...string) {
	w.t.Helper()
	w.run(append([]string{"send-keys"}, keys...)...)
}

// typed types a line and sends it.
func (w *window) typed(text string) {
	w.t.Helper()
	w.run("send-keys", "-l", text)
	w.keys("Enter")
}

// shown returns everything that was printed, and what is on the screen.
func (w *window) shown(options ...string) string {
	w.t.Helper()
	return strings.TrimRight(w.run(append([]string{"capture-pane", "-p", "-S", "-"}, options...)...), "\n") + "\n"
}

// wait waits until the window shows a text, and returns everything in it.
func (w *window) wait(text string) string {
	w.t.Helper()
	return w.until(fmt.Sprintf("%q", text), func(shown string) bool { return strings.Contains(shown, text) })
}

// answered waits for the line that ends each turn, of which the window then has this many:
// before it Ctrl-D asks whether it is meant. The line below the prompt has no "·" there.
func (w *window) answered(turns int) {
	w.t.Helper()
	w.until(fmt.Sprintf("end of turn %d", turns), func(shown string) bool { return strings.Count(shown, "· 1,200 tokens in, 34 out") >= turns })
}

// resize gives the window another size, and waits until gramc can know it, which tmux puts off.
func (w *window) resize(width, height int) {
	w.t.Helper()
	w.run("resize-window", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height))
	tty, err := os.Open(strings.TrimSpace(w.run("display-message", "-p", "#{pane_tty}")))
	if err != nil {
		w.t.Fatal(err)
	}
	defer tty.Close()
	w.until(fmt.Sprintf("size of %d columns and %d lines", width, height), func(string) bool {
		x, y, err := term.GetSize(tty.Fd())
		return err == nil && x == width && y == height
	})
}

// prompted waits until the last line is an empty prompt: without a screen, keys that are
// pressed earlier are shown before it.
func (w *window) prompted() {
	w.t.Helper()
	w.until("prompt", func(shown string) bool { return strings.HasSuffix(strings.TrimSpace("\n"+shown), "\n>") })
}

func (w *window) until(what string, holds func(shown string) bool) string {
	w.t.Helper()
	shown := ""
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if shown = w.shown(); holds(shown) {
			return shown
		}
	}
	w.t.Fatalf("there is no %s in\n%s", what, shown)
	return ""
}

var (
	someTime = regexp.MustCompile(`(<1|\d+(\.\d)?) m?s\b`)
	someName = regexp.MustCompile(`gramc resume [a-z]+-[a-z]+`)
)

// compareScreen compares what is shown with a file of testdata/terminal, but for times and
// the names of sessions.
func compareScreen(t *testing.T, name, shown string) {
	t.Helper()
	if err := os.MkdirAll("testdata/terminal", 0o777); err != nil {
		t.Fatal(err)
	}
	golden.CompareFile(t, filepath.Join("testdata", "terminal", name+".txt"), []byte(someName.ReplaceAllString(someTime.ReplaceAllString(shown, "TIME"), "gramc resume NAME")))
}

// A drip is a server of chat completions whose responses the test writes piece by
// piece. Each request takes a channel, whose end is the end of the response.
type drip struct {
	*httptest.Server
	responses chan chan map[string]any
	gone      chan struct{} // is sent to when a client went away
}

func newDrip(t *testing.T) *drip {
	d := &drip{responses: make(chan chan map[string]any, 8), gone: make(chan struct{}, 8)}
	d.Server = httptest.NewServer(http.HandlerFunc(d.serve))
	t.Cleanup(func() { d.CloseClientConnections(); d.Close() })
	return d
}

func (d *drip) serve(w http.ResponseWriter, r *http.Request) {
	if _, err := io.ReadAll(r.Body); err != nil {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	write := func(data string) {
		fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
	pieces := <-d.responses
	for finish := "stop"; ; {
		select {
		case delta, more := <-pieces:
			if !more {
				chunk, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish}}})
				write(string(chunk))
				write(`{"choices":[],"usage":{"prompt_tokens":1200,"completion_tokens":34,"total_tokens":1234}}`)
				write("[DONE]")
				return
			}
			if delta["tool_calls"] != nil {
				finish = "tool_calls"
			}
			chunk, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta}}})
			write(string(chunk))
		case <-r.Context().Done():
			d.gone <- struct{}{}
			return
		}
	}
}

// respond begins a response.
func (d *drip) respond() (pieces chan map[string]any) {
	pieces = make(chan map[string]any, 100)
	d.responses <- pieces
	return pieces
}

// say responds with text.
func (d *drip) say(text string) {
	pieces := d.respond()
	pieces <- map[string]any{"content": text}
	close(pieces)
}

// call responds with a call.
func (d *drip) call(tool, args string) {
	pieces := d.respond()
	pieces <- map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call", "type": "function", "function": map[string]any{"name": tool, "arguments": args}}}}
	close(pieces)
}

// writeFiles makes a folder with files and returns it.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

const talkAgent = `[clerk:Agent {description: "Keeps notes", instruction: "Keep notes.", model: "Ollama/llama3.2"} |
  [write_file:Tool {description: "Writes a note"} | (path::Text)==>(content::Text)==>(::Any)],
  [slow:Tool {description: "Takes long"} | ()==>(::Text)]]

[poet:Agent {instruction: "Rhyme.", model: "Ollama/mistral"}]
`

const talkLibrary = `[local:Library {timeout: 1m} | [write_file:Builtin {root: "."}], [slow:Command {shell: "echo $$ > pid; sleep 100"}]]
`

func talkFolder(t *testing.T) string {
	return writeFiles(t, map[string]string{"a.gram": talkAgent, "l.gram": talkLibrary, "my notes.txt": "Buy milk\n"})
}

func talkArgs(url string) []string {
	return []string{"a.gram", "--agent", "clerk", "--library", "l.gram", "--base-url", url}
}

const longAnswer = "# Title\n\nA paragraph with **bold** and `code`, which is long enough to be wrapped.\n\n" +
	"- first 東京\n- second\n\n```sh\necho one\necho two\n```\n\n| City | °C |\n|------|---:|\n| Oslo | -3 |\n\nThe [end](https://example.test)."

func TestAConversationOnATerminal(t *testing.T) {
	d := newDrip(t)
	w := newWindow(t, talkFolder(t), 72, 30, nil, talkArgs(d.URL)...)
	w.wait("/help")
	d.say(longAnswer)
	w.typed("Show me")
	w.answered(1)
	w.typed("/tools")
	w.wait("Takes long")
	w.typed("/cost")
	w.wait("in all")
	w.typed("/udno")
	w.wait("did you mean")
	w.keys("C-c", "C-d")
	compareScreen(t, "conversation", w.wait("[exit 0]"))
}

func TestTextIsShownOnceWhateverTheSizeOfTheTerminal(t *testing.T) {
	d := newDrip(t)
	w := newWindow(t, talkFolder(t), 80, 24, nil, talkArgs(d.URL)...)
	w.wait("/help")
	pieces := d.respond()
	w.typed("Count")
	var words []string
	for i, size := range [][2]int{{80, 24}, {20, 24}, {20, 12}, {100, 30}, {33, 12}, {80, 24}} {
		w.resize(size[0], size[1])
		for k := range 30 {
			word := fmt.Sprintf("w%dx%dw", i, k)
			words = append(words, word)
			text := word + " "
			if k%10 == 9 {
				text += "\n\n"
			}
			pieces <- map[string]any{"content": text}
		}
		w.until("last word", func(string) bool { return strings.Contains(w.shown("-J"), words[len(words)-1]) })
	}
	close(pieces)
	w.answered(1)
	w.keys("C-d")
	w.wait("[exit 0]")
	shown := strings.Join(strings.Fields(w.shown("-J")), "")
	for _, word := range words {
		if n := strings.Count(shown, word); n != 1 {
			t.Errorf("%s is shown %d times", word, n)
		}
	}
}

// A table is painted again and again until it is complete.
func TestATableIsShownOnceIfTheTerminalBecomesHalfAsWide(t *testing.T) {
	d := newDrip(t)
	w := newWindow(t, talkFolder(t), 80, 24, nil, talkArgs(d.URL)...)
	w.wait("/help")
	d.say(strings.Repeat("first\n\n", 20)) // tmux scrolls what is above an empty half of a screen
	w.typed("Fill")
	w.answered(1)
	pieces := d.respond()
	w.typed("Count")
	pieces <- map[string]any{"content": "| Row | Remark |\n|---|---|\n"}
	for i := range 20 {
		pieces <- map[string]any{"content": fmt.Sprintf("| r%dr | %s |\n", i, strings.TrimSpace(strings.Repeat("remark ", 8)))}
		if i == 12 {
			w.wait("r12r")
			w.resize(40, 24)
		}
	}
	w.wait("r19r")
	close(pieces)
	w.answered(2)
	w.keys("C-d")
	shown := w.wait("[exit 0]")
	for i := range 20 {
		if n := strings.Count(shown, fmt.Sprintf("r%dr ", i)); n != 1 {
			t.Errorf("row %d is shown %d times", i, n)
		}
	}
	if n := strings.Count(shown, "remark"); n != 20*8 {
		t.Errorf("there are %d remarks in\n%s", n, shown)
	}
}

func TestCtrlCStopsTheTurnAndThenTheProgram(t *testing.T) {
	d := newDrip(t)
	folder := talkFolder(t)
	w := newWindow(t, folder, 60, 24, nil, talkArgs(d.URL)...)
	w.wait("/help")
	pieces := d.respond()
	w.typed("Talk")
	pieces <- map[string]any{"content": "I begin"}
	w.wait("I begin")
	w.keys("C-c")
	w.wait("stopped")
	<-d.gone

	d.call("slow", "{}")
	w.typed("Work")
	pid := pidIn(t, filepath.Join(folder, "pid"))
	w.wait("calls slow")
	w.keys("C-c")
	gone(t, pid)
	w.until("a second stop", func(shown string) bool { return strings.Count(shown, "stopped;") == 2 })

	w.keys("draft", "C-c")
	w.until("an empty prompt", func(shown string) bool { return !strings.Contains(shown, "draft") })
	w.keys("C-c")
	w.wait("again ends")
	w.keys("C-c")
	compareScreen(t, "stopped", w.wait("[exit 130]"))
}

func TestApprovalsOnATerminal(t *testing.T) {
	d := newDrip(t)
	folder := talkFolder(t)
	w := newWindow(t, folder, 72, 40, nil, talkArgs(d.URL)...)
	w.wait("/help")
	answer := func(n int, keys ...string) {
		t.Helper()
		d.call("write_file", fmt.Sprintf(`{"path":"%d.txt","content":"text"}`, n))
		d.say(fmt.Sprintf("Answer %d.", n))
		w.typed(fmt.Sprintf("Write %d", n))
		if len(keys) > 0 {
			w.wait(fmt.Sprintf(`path: "%d.txt"`, n))
			w.until("a question", func(shown string) bool { return strings.Contains(shown, "Allow this call?") })
			time.Sleep(2 * 300 * time.Millisecond) // a person reads the question
			w.keys(keys...)
		}
		w.wait(fmt.Sprintf("Answer %d.", n))
		w.until("the end of the turn", func(shown string) bool { return strings.Count(shown, " requests") == n })
	}
	answer(1, "n")
	answer(2, "y")
	answer(3, "e", "C-u", "C-u", "C-u", "C-u", "C-u", "C-u", "C-u", "C-u", `{"path":"new.txt","content":"changed"}`, "Enter")
	answer(4, "a")
	answer(5)
	w.keys("C-o")
	w.wait("bytesWritten")
	w.keys("C-d")
	compareScreen(t, "approvals", w.wait("[exit 0]"))
	for name, want := range map[string]string{"1.txt": "", "2.txt": "text", "3.txt": "", "new.txt": "changed", "4.txt": "text", "5.txt": "text"} {
		if got, _ := os.ReadFile(filepath.Join(folder, name)); string(got) != want {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
}

func TestThePromptHasHistoryCompletionAndLines(t *testing.T) {
	d := newDrip(t)
	folder := talkFolder(t)
	w := newWindow(t, folder, 60, 24, nil, talkArgs(d.URL)...)
	w.wait("/help")
	w.run("set-buffer", "pasted\nlines")
	w.keys("first", "M-Enter")
	w.run("paste-buffer", "-p")
	w.keys(" @my", "Tab")
	w.wait(`@"my notes.txt"`)
	d.say("Thank you.")
	w.keys("Enter")
	w.answered(1)
	w.keys("C-d")
	compareScreen(t, "prompt", w.wait("[exit 0]"))

	files, err := filepath.Glob(filepath.Join(folder, "home/.local/state/gramc/history/*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the files of the history are %q, %v", files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the history is %v, %v", info.Mode(), err)
	}
	w = newWindow(t, folder, 60, 24, nil, talkArgs(d.URL)...)
	w.wait("/help")
	w.keys("Up")
	w.wait("> first")
	w.keys("C-c", "/ag", "Tab", "p", "Tab")
	w.wait("> /agent poet")
	w.keys("Enter")
	w.wait("poet, answered by Ollama/mistral, 0 tools")
	w.keys("C-d")
	w.wait("[exit 0]")
}

func TestTheShellGetsTheTerminalForAWhile(t *testing.T) {
	d := newDrip(t)
	w, line := openWindow(t, talkFolder(t), nil, talkArgs(d.URL)...)
	if err := os.WriteFile(filepath.Join(w.folder, "talk"), []byte("exec "+line+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.start(72, 24, "PS1='$ ' exec sh -i")
	w.wait("$")
	w.typed("sh talk")
	w.wait("/help")
	w.keys("draft", "C-z")
	w.wait("Stopped")
	w.typed("stty -a | grep -o ' -*icanon'; echo from the shell")
	if shown := w.wait("\nfrom the shell"); strings.Contains(shown, "-icanon") || strings.Contains(shown, "> draft") {
		t.Errorf("the terminal is not as it was:\n%s", shown)
	}
	w.typed("fg")
	w.wait("> draft")
	w.keys("C-c", "C-l")
	w.until("an empty screen", func(string) bool { return strings.TrimSpace(w.run("capture-pane", "-p")) == ">" })
	w.keys("C-d")
	w.wait("\n$")
}

func TestWhatAModelSaysCannotControlTheScreen(t *testing.T) {
	const orders = "\x1b[2J\x1b]0;owned\x07\u009b2J\x1b[31m\u202e&#27;[2J\r"
	d := newDrip(t)
	w := newWindow(t, talkFolder(t), 72, 40, nil, talkArgs(d.URL)...)
	w.wait("/help")
	quoted, _ := json.Marshal(map[string]string{"path": orders + ".txt", "content": orders})
	for _, pieces := range [][]string{{"write_file", string(quoted)}, {orders, orders}} {
		d.call(pieces[0], pieces[1])
		if pieces[0] == "write_file" {
			d.say("Going on.")
			w.typed("Write")
			w.wait("Allow this call?")
			time.Sleep(2 * 300 * time.Millisecond) // a person reads the question
			w.keys("n")
			w.wait("Going on.")
			w.wait("2 requests")
			continue
		}
		d.say("# " + orders + "The end, `" + orders + "` and\n\n```" + orders + "\n" + orders + "\n```\n")
		w.typed("Talk")
		w.wait("The end")
	}
	w.until("the end of the turn", func(shown string) bool { return strings.Count(shown, "2 requests") == 2 })
	w.keys("C-o", "C-d")
	shown := w.wait("[exit 0]")
	if strings.Contains(shown, "\u202e") || !strings.Contains(shown, "/help") || strings.Contains(w.run("display-message", "-p", "#{pane_title}"), "owned") {
		t.Errorf("the screen was controlled:\n%q", shown)
	}
	for _, sequence := range regexp.MustCompile(`\x1b[^m]*m?`).FindAllString(w.shown("-e"), -1) {
		if !regexp.MustCompile(`^\x1b\[[0-9;]*m`).MatchString(sequence) {
			t.Errorf("the screen has %q", sequence)
		}
	}
}

func TestANarrowTerminalWithoutColour(t *testing.T) {
	d := newDrip(t)
	w := newWindow(t, talkFolder(t), 20, 12, []string{"NO_COLOR=1"}, append(talkArgs(d.URL), "--quiet")...)
	w.wait(">")
	d.say(longAnswer)
	w.typed("Show me, and this is a long question")
	w.until("a prompt below the answer", func(shown string) bool { return strings.HasSuffix(strings.TrimSpace(shown), "t).\n\n>") })
	w.keys("C-d")
	shown := w.wait("[exit 0]")
	compareScreen(t, "narrow", shown)
	styled := strings.NewReplacer("\x1b[39m", "", "\x1b[49m", "").Replace(w.shown("-e")) // which are no colours
	if regexp.MustCompile(`\x1b\[([0-9]+;)*([349]|10)[0-9]`).MatchString(styled) || !strings.Contains(styled, "\x1b[1mbold\x1b[0m") {
		t.Errorf("there are colours, or no bold text:\n%q", styled)
	}
}

func TestAModelOfTheUsersProvidersCanTakeOver(t *testing.T) {
	folder := talkFolder(t)
	const provider = `[work:Provider {address: "http://127.0.0.1:9/v1"}]`
	if err := os.WriteFile(filepath.Join(folder, "work.gram"), []byte(provider), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWindow(t, folder, 72, 40, []string{"TERM=dumb"}, "a.gram", "--agent", "clerk", "--library", "l.gram", "--providers", "work.gram")
	w.wait("\n>")
	w.typed("/model work/large")
	w.wait("from now on work/large answers")
}

func TestTheTraceOfAConversationNamesTheFilesOfAMessage(t *testing.T) {
	d := newDrip(t)
	folder := talkFolder(t)
	if err := os.WriteFile(filepath.Join(folder, "cat.png"), []byte("\x89PNG\r\n\x1a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWindow(t, folder, 72, 40, []string{"TERM=dumb"}, append(talkArgs(d.URL), "--trace", "trace.jsonl")...)
	w.wait("\n>")
	d.say("A cat.")
	w.typed("What is @cat.png")
	w.wait("A cat.")
	text, err := os.ReadFile(filepath.Join(folder, "trace.jsonl"))
	if err != nil || !strings.Contains(string(text), `"attached":["cat.png"]`) {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestTheBaseURLIsThatOfOneProvider(t *testing.T) {
	w := newWindow(t, talkFolder(t), 72, 40, []string{"TERM=dumb", "ANTHROPIC_API_KEY=test"}, talkArgs("http://127.0.0.1:9/v1")...)
	w.wait("\n>")
	w.typed("/model Anthropic/claude-haiku-4-5")
	w.wait("--base-url is the address of Ollama")
}

func TestADumbTerminal(t *testing.T) {
	d := newDrip(t)
	folder := talkFolder(t)
	w := newWindow(t, folder, 72, 40, []string{"TERM=dumb"}, talkArgs(d.URL)...)
	w.prompted()
	d.say("Hello **you**\x1b[31m")
	w.typed("Hi")
	w.answered(1)
	w.prompted()
	d.call("write_file", `{"path":"1.txt","content":"text"}`)
	w.typed("Write")
	w.wait("[e]dit:")
	d.say("Done.")
	w.typed("y")
	w.wait("2 requests")
	w.prompted()
	pieces := d.respond()
	w.typed("Talk")
	pieces <- map[string]any{"content": "I begin"}
	w.wait("I begin")
	w.keys("C-c")
	w.wait("stopped;")
	<-d.gone
	w.prompted()
	w.keys("C-c")
	w.wait("again ends")
	w.prompted()
	w.keys("C-d")
	compareScreen(t, "dumb", w.wait("[exit 0]"))
	if text, _ := os.ReadFile(filepath.Join(folder, "1.txt")); !bytes.Equal(text, []byte("text")) {
		t.Errorf("the file has %q", text)
	}
}

func TestABudgetOfAConversationNamesItsFlag(t *testing.T) {
	for _, env := range [][]string{nil, {"TERM=dumb"}} {
		d := newDrip(t)
		w := newWindow(t, talkFolder(t), 100, 40, env, append(talkArgs(d.URL), "--max-requests=1")...)
		w.wait("\n>")
		d.say("Hello")
		w.typed("Hi")
		w.answered(1)
		w.typed("Again")
		w.wait("(--max-requests)")
		w.keys("C-d")
		w.wait("[exit 0]")
	}
}

package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A stage is a ui without a terminal, whose model responds when the test says so.
type stage struct {
	*ui
	t         *testing.T
	responses chan *runtime.Response // nil is a failure
	asked     []string               // the last messages of the requests
	loop      chan tea.Msg
	did       []string // what the tool was called with
}

func (s *stage) Name() string { return "stage" }

func (s *stage) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	s.asked = append(s.asked, r.Messages[len(r.Messages)-1].Content)
	select {
	case response := <-s.responses:
		if response == nil {
			return nil, errors.New("no luck")
		}
		return response, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// newStage returns a ui of 60 columns. Its agent has the tool "write", which needs approval.
func newStage(t *testing.T) *stage {
	t.Helper()
	t.Chdir(t.TempDir())
	s := &stage{t: t, responses: make(chan *runtime.Response, 8), loop: make(chan tea.Msg, 1000)}
	tool, err := runtime.NewTool(runtime.ToolConfig{
		Name: "write", Description: "Writes", Approval: runtime.Approval{Default: runtime.Ask},
		Input: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`),
		Execute: func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
			s.did = append(s.did, string(args))
			return json.RawMessage(`"done"`), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	lib, err := runtime.Library{}.Add("write", tool)
	if err != nil {
		t.Fatal(err)
	}
	term := New(&Options{})
	agent := &interp.Agent{Name: "clerk", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"},
		Tools: []runtime.Contract{{Name: "write", Description: "Writes", Input: tool.Input()}}}
	term.session, err = session.New(agent, nil, func(a *interp.Agent) (*interp.Bound, error) {
		return interp.Bind(a, lib, s, &interp.Options{Stream: true, Approve: term.Approve})
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	s.ui = term.newUI(ctx, screen{out: io.Discard, width: 60, height: 24})
	s.send = func(msg tea.Msg) { s.loop <- msg }
	return s
}

var stageKeys = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl+o": {Code: 'o', Mod: tea.ModCtrl},
	"ctrl+r": {Code: 'r', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "backspace": {Code: tea.KeyBackspace},
}

// press presses keys, and types what is no key.
func (s *stage) press(keys ...string) {
	s.t.Helper()
	for _, key := range keys {
		s.lastKey = time.Time{} // long ago
		if msg, ok := stageKeys[key]; ok {
			s.Update(msg)
			continue
		}
		for _, c := range key {
			s.Update(tea.KeyPressMsg{Code: c, Text: string(c)})
		}
	}
}

// until lets things happen until something holds.
func (s *stage) until(what string, holds func() bool) {
	s.t.Helper()
	for end := time.After(10 * time.Second); !holds(); {
		select {
		case msg := <-s.loop:
			s.Update(msg)
		case <-end:
			s.t.Fatalf("there is no %s:\n%s", what, s.screenText())
		}
	}
}

func (s *stage) idle() {
	s.t.Helper()
	s.until("end of the turn", func() bool { return s.turn == nil })
}

func (s *stage) questioned() {
	s.t.Helper()
	s.until("question", func() bool { return s.question != nil })
}

// screenText returns what is painted below the printed lines.
func (s *stage) screenText() string { return strings.Join(s.screen.lines, "\n") }

func says(text string) *runtime.Response { return &runtime.Response{Content: text, Finish: "stop"} }

func calling(args string) *runtime.Response {
	return &runtime.Response{Calls: []runtime.Call{{ID: "1", Name: "write", Args: json.RawMessage(args)}}, Finish: "tool_calls"}
}

func TestMessagesAreQueuedWhileATurnRuns(t *testing.T) {
	s := newStage(t)
	s.press("one", "enter", "two", "enter", "/cost", "enter", "three", "enter", "four")
	if diff := cmp.Diff([]string{"two", "/cost", "three"}, s.queue); diff != "" {
		t.Fatal(diff)
	}
	for _, part := range []string{"queued: two", "queued: three", "> four"} {
		if !strings.Contains(s.screenText(), part) {
			t.Errorf("%q is not on the screen:\n%s", part, s.screenText())
		}
	}
	s.responses <- says("1")
	s.until("second turn", func() bool { return len(s.queue) == 2 && s.turn != nil })
	s.responses <- says("2")
	s.until("third turn", func() bool { return len(s.queue) == 0 && s.turn != nil })
	s.responses <- says("3")
	s.idle()
	if diff := cmp.Diff([]string{"one", "two", "three"}, s.asked); diff != "" || s.prompt.Value() != "four" {
		t.Errorf("the prompt has %q, and was sent:\n%s", s.prompt.Value(), diff)
	}
}

func TestQueuedMessagesComeBack(t *testing.T) {
	for name, end := range map[string]func(*stage){
		"stopped by Ctrl-C": func(s *stage) { s.press("ctrl+c") },
		"stopped by Esc":    func(s *stage) { s.press("esc") },
		"failed":            func(s *stage) { s.responses <- nil },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.press("one", "enter", "two", "enter", "three", "enter", "up")
			if s.prompt.Value() != "three" || len(s.queue) != 1 {
				t.Fatalf("the prompt has %q, and the queue %q", s.prompt.Value(), s.queue)
			}
			end(s)
			s.idle()
			if s.prompt.Value() != "two\nthree" || len(s.queue) != 0 || len(s.asked) > 1 {
				t.Errorf("the prompt has %q, the queue %q, and %q was sent", s.prompt.Value(), s.queue, s.asked)
			}
		})
	}
}

func TestHelpNeedNotWait(t *testing.T) {
	s := newStage(t)
	s.press("one", "enter", "/help", "enter")
	if len(s.queue) != 0 || s.last != "" {
		t.Errorf("the queue has %q", s.queue)
	}
	s.press("/exit")
	if _, cmd := s.Update(stageKeys["enter"]); cmd == nil || cmd() != tea.Quit() {
		t.Error("/exit waits")
	}
	s.press("ctrl+c")
	s.idle()
}

func TestAMissingFileNeedsASecondEnter(t *testing.T) {
	s := newStage(t)
	s.press("see @nofile", "enter")
	if want := "there is no file nofile; Enter again sends the message as it is"; s.turn != nil || s.hint != want {
		t.Fatalf("the hint is %q", s.hint)
	}
	s.press("s", "enter") // another message
	if s.turn != nil {
		t.Fatal("it was sent")
	}
	s.press("enter")
	s.responses <- says("ok")
	s.idle()
	if diff := cmp.Diff([]string{"see @nofiles"}, s.asked); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeSentIsInThePromptAgain(t *testing.T) {
	s := newStage(t)
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	s.press("see @folder", "enter")
	if s.turn != nil || s.prompt.Value() != "see @folder" || !strings.Contains(s.hint, "is a directory") {
		t.Errorf("the prompt has %q, and the hint is %q", s.prompt.Value(), s.hint)
	}
}

func TestArgumentsAreEdited(t *testing.T) {
	s := newStage(t)
	s.responses <- calling(`{"n":1}`)
	s.press("go", "enter")
	s.questioned()
	s.press("e")
	for _, tt := range []struct{ args, hint string }{
		{`{"n":`, "not a JSON object"},
		{`[2]`, "not a JSON object"},
		{`null`, "not a JSON object"},
		{`{"n":"two"}`, "/n: "},
		{`{}`, "n"},
	} {
		s.setPrompt(tt.args)
		s.press("enter")
		if s.question == nil || !strings.Contains(s.hint, tt.hint) {
			t.Errorf("%s: the hint is %q", tt.args, s.hint)
		}
	}
	s.setPrompt("{\n \"n\": 2}")
	s.responses <- says("ok")
	s.press("enter")
	s.idle()
	if diff := cmp.Diff([]string{`{"n":2}`}, s.did); diff != "" {
		t.Error(diff)
	}
}

func TestUndoKeepsTheDraft(t *testing.T) {
	s := newStage(t)
	s.responses <- says("ok")
	s.press("one", "enter")
	s.idle()
	s.press("/undo", "enter")
	if s.prompt.Value() != "one" || s.session.Last() != nil {
		t.Errorf("the prompt has %q", s.prompt.Value())
	}
}

// What keeps the user waiting is on the screen.
func TestTheStateSaysWhyNothingComes(t *testing.T) {
	s := newStage(t)
	s.press("one", "enter")
	delta := func(d runtime.Delta) { s.Update(turnEvent{event: interp.Event{Kind: interp.EventDelta, Delta: &d}}) }
	for _, tt := range []struct {
		d    runtime.Delta
		want string
	}{
		{runtime.Delta{Kind: runtime.DeltaWait, Why: "slow\x1b[2J", Wait: time.Minute}, `tries again in 1m0s (slow\x1b[2J)`},
		{runtime.Delta{Kind: runtime.DeltaReasoning, Text: "First.\nSecond.\n"}, "thinks"},
		{runtime.Delta{Kind: runtime.DeltaReasoning, Text: "Third"}, "Third"},
	} {
		delta(tt.d)
		if err := s.paint(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(s.screenText(), tt.want) || strings.Contains(s.screenText(), `\n`) {
			t.Errorf("%q is not in\n%s", tt.want, s.screenText())
		}
	}
	s.press("esc")
	s.idle()
}

func TestACallStaysOnItsLine(t *testing.T) {
	step := &session.Step{Call: &runtime.Call{Name: "write_file_and_more"}, Time: 90 * time.Second,
		Invocation: &runtime.Invocation{Args: json.RawMessage(`{"path":"a very long path"}`), Result: json.RawMessage(`"a long result too"`)}}
	for width := 5; width < 90; width++ {
		if line := New(&Options{}).callLine(step, width); ansi.StringWidth(line) > width {
			t.Errorf("on %d columns: %q", width, line)
		}
	}
}

func TestALongPasteIsAMarkInThePrompt(t *testing.T) {
	s := newStage(t)
	long := strings.Repeat("\tsee @nofile\r\n", 500)
	s.press("first ")
	s.Update(tea.PasteMsg{Content: "short\npaste "})
	s.Update(tea.PasteMsg{Content: long})
	s.press(" last")
	const mark = "[pasted 1: 500 lines, 6 KiB]"
	if got, want := s.prompt.Value(), "first short\npaste "+mark+" last"; got != want {
		t.Fatalf("the prompt has %q", got)
	}
	s.Update(tea.PasteMsg{Content: long})
	s.press("backspace") // erases a mark as a whole
	s.responses <- says("ok")
	s.press("enter")
	s.idle()
	whole := "first short\npaste " + strings.ReplaceAll(long, "\r", "") + " last"
	if diff := cmp.Diff([]string{whole}, s.asked); diff != "" {
		t.Error(diff)
	}
	s.press("/undo", "enter")
	if !strings.Contains(s.prompt.Value(), mark) {
		t.Errorf("the prompt has %q", s.prompt.Value())
	}
	s.setPrompt("")
	s.Update(tea.PasteMsg{Content: strings.Repeat("x", maxPaste+1)})
	if s.prompt.Value() != "" || !strings.Contains(s.hint, "too long to paste") {
		t.Errorf("the hint is %q", s.hint)
	}
}

// The next conversation knows nothing of a mark.
func TestTheHistoryKeepsWhatAMarkMeans(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.jsonl")
	h := openHistory(file)
	h.add("see [pasted 1]", "see it all")
	h.add("see [pasted 2]", strings.Repeat("x", maxHistoryEntry+1))
	if entry, _ := h.back(""); entry != "see [pasted 2]" {
		t.Errorf("now it has %q", entry)
	}
	if diff := cmp.Diff([]string{"see it all"}, openHistory(file).entries); diff != "" {
		t.Error(diff)
	}
}

// Who writes yes and Enter does not send a message "es"; who goes on with something else does.
func TestAnAnswerMayBeAWord(t *testing.T) {
	for keys, want := range map[string][]string{
		"yes\nlater\n":       {"later"},
		"y\nlater\n":         {"later"},
		"no, write\n":        {", write"},
		"nlater\n":           {"later"},
		"always\nnow\nyes\n": {"now", "yes"},
		"edit\n":             nil,
	} {
		t.Run(keys, func(t *testing.T) {
			s := newStage(t)
			s.responses <- calling(`{"n":1}`)
			s.press("go", "enter")
			s.questioned()
			s.lastKey = time.Time{}
			for _, c := range keys {
				if c == '\n' {
					s.Update(stageKeys["enter"])
				} else {
					s.Update(tea.KeyPressMsg{Code: c, Text: string(c)})
				}
			}
			if diff := cmp.Diff(want, s.queue); diff != "" {
				t.Error(diff)
			}
			if (s.question != nil) != (keys == "edit\n") {
				t.Errorf("the question is %v", s.question)
			}
			s.press("esc", "ctrl+c")
			s.idle()
		})
	}
}

func TestCtrlRSearchesTheHistory(t *testing.T) {
	s := newStage(t)
	for _, entry := range []string{"Write a letter", "read it", "write a poem", "read it again"} {
		s.history.add(entry, entry)
	}
	s.press("write")
	for _, want := range []string{"write a poem", "Write a letter", "Write a letter"} {
		if s.press("ctrl+r"); s.prompt.Value() != want {
			t.Errorf("found %q, want %q", s.prompt.Value(), want)
		}
	}
	if want := `no earlier message has "write"`; s.hint != want {
		t.Errorf("the hint is %q", s.hint)
	}
	s.press("down", "down", "down", "down")
	if s.prompt.Value() != "write" {
		t.Errorf("the draft is %q", s.prompt.Value())
	}
	if s.press("ctrl+u", "ctrl+r"); s.hint != "Ctrl-R looks further back" {
		t.Errorf("the hint is %q", s.hint)
	}
	s.press("ctrl+c")
	if s.press("ctrl+r"); s.prompt.Value() != "read it again" {
		t.Errorf("after Ctrl-C, %q is found", s.prompt.Value())
	}
	s.press("ctrl+u", "again", "ctrl+r")
	if s.prompt.Value() != "read it again" {
		t.Errorf("found %q", s.prompt.Value())
	}
}

// Up and Down choose a completion, Enter and Tab take it, and Esc leaves it. While the prompt
// shows an earlier message, they go through those.
func TestCompletionsAreChosen(t *testing.T) {
	s := newStage(t)
	key := func(codes ...rune) {
		for _, c := range codes {
			s.ui.key(tea.KeyPressMsg{Code: c})
		}
	}
	shows := func(lines ...string) {
		t.Helper()
		below := strings.Join(s.below(), "\n")
		for _, line := range lines {
			if !strings.Contains(below, line) {
				t.Errorf("%q is not in\n%s", line, below)
			}
		}
	}
	s.setPrompt("/")
	if n := len(commands()); len(s.below()) != n { // none is left out for a line that says so
		t.Errorf("%d lines of %d commands", len(s.below()), n)
	}
	key(tea.KeyDown, tea.KeyDown)
	shows("  /help", "> "+commands()[1].name)
	key(tea.KeyEnter)
	if got := s.prompt.Value(); got != commands()[1].name+" " || s.turn != nil {
		t.Errorf("taken: %q", got)
	}
	s.setPrompt("/")
	key(tea.KeyDown, tea.KeyUp)
	if strings.Contains(strings.Join(s.below(), "\n"), "> ") {
		t.Error("Up does not leave the menu")
	}
	key(tea.KeyTab, tea.KeyTab) // nothing in common: the first is chosen, and then taken
	if got := s.prompt.Value(); got != "/help " {
		t.Errorf("Tab takes %q", got)
	}
	s.setPrompt("/")
	key(tea.KeyDown, tea.KeyEscape, tea.KeyEscape)
	if below := s.below(); below != nil || s.prompt.Value() != "/" {
		t.Errorf("after Esc %q shows %q", s.prompt.Value(), below)
	}
	s.setPrompt("/c")
	shows("  /clear", "  /cost")
	s.history.add("first", "first")
	s.history.add("/c", "/c")
	s.setPrompt("")
	key(tea.KeyUp, tea.KeyUp, tea.KeyDown, tea.KeyDown)
	if got := s.prompt.Value(); got != "" {
		t.Errorf("the history ends with %q", got)
	}
	s.screen.height = 10 // three options
	s.setPrompt("/")
	for range commands() {
		key(tea.KeyDown)
	}
	shows("> " + commands()[len(commands())-1].name)
}

// One Ctrl-D does not cut an answer off by mistake.
func TestCtrlDDuringATurnAsksOnce(t *testing.T) {
	s := newStage(t)
	s.setPrompt("hello")
	s.ui.key(tea.KeyPressMsg{Code: tea.KeyEnter})
	if s.turn == nil {
		t.Fatal("no turn has begun")
	}
	end := stageKeys["ctrl+d"]
	if cmd := s.ui.key(end); cmd != nil || !strings.Contains(strings.Join(s.below(), " "), "Ctrl-D again ends") {
		t.Errorf("the first ends it; below %q", s.below())
	}
	s.ui.key(tea.KeyPressMsg{Code: 'x', Text: "x"})
	s.setPrompt("")
	if cmd := s.ui.key(end); cmd != nil {
		t.Error("the first after another key ends it")
	}
	if cmd := s.ui.key(end); cmd == nil {
		t.Error("the second does not end it")
	}
}

// What changes the direction of a text does not do so in the prompt.
func TestThePromptShowsTextInItsOrder(t *testing.T) {
	s := newStage(t)
	var out strings.Builder
	s.screen.out = &out
	s.setPrompt("a\u202egnp.exe\u202c\u2066b")
	if err := s.paint(); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.ContainsAny(got, "\u202e\u202c\u2066") || !strings.Contains(got, "gnp.exe") {
		t.Errorf("painted %q", got)
	}
}

// The message that says another size may come after what is painted next.
func TestEachPaintingAsksForTheSize(t *testing.T) {
	s := newStage(t)
	s.press("a long message that is broken")
	s.size = func() (int, int, error) { return 20, 10, nil }
	s.press("!")
	if want := "> a long message\n  that is broken!"; s.screenText() != want {
		t.Errorf("the prompt is\n%s\nwant\n%s", s.screenText(), want)
	}
	s.size = func() (int, int, error) { return 0, 0, os.ErrInvalid }
	s.press("!")
	if s.screen.width != 20 {
		t.Errorf("without a size, the width is %d", s.screen.width)
	}
}

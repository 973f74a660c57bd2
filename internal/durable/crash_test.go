package durable_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A stage is where a run can be stopped: before and after each effect. Between two of these
// places the run only writes to its journal, and that is one transaction.
type stage struct {
	t     *testing.T
	dir   string
	j     *journal.Journal
	model func(turn int) runtime.Response
	tools map[string]runtime.Repeat

	mu      sync.Mutex
	crash   int // at this place the journal is closed, as if the process had ended; 0 never
	place   int
	places  []string
	effects map[string]int
	keys    map[string]string // of each call, by its arguments
	asked   int
	failing error // of the next response, once
	account *interp.Account
	approve func(*interp.ApprovalRequest) (bool, error)
}

var errCrash = errors.New("crashed")

func newStage(t *testing.T, model func(turn int) runtime.Response) *stage {
	return &stage{
		t: t, dir: filepath.Join(t.TempDir(), "state"), model: model, effects: map[string]int{}, keys: map[string]string{},
		tools: map[string]runtime.Repeat{"safe": runtime.RepeatSafe, "keyed": runtime.RepeatKeyed, "once": runtime.RepeatOnce, "ask": runtime.RepeatOnce},
	}
}

// at is called at each place.
func (s *stage) at(name string) error {
	s.mu.Lock()
	s.place++
	s.places = append(s.places, name)
	now := s.place == s.crash
	s.mu.Unlock()
	if now {
		s.close()
		return errCrash
	}
	return nil
}

func (s *stage) open() {
	j, err := journal.Open(s.dir, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.j = j
}

func (s *stage) close() {
	if err := s.j.Close(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) effect(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.effects[what]++
}

// scripted is the model of a stage.
type scripted struct{ *stage }

func (scripted) Name() string { return "scripted" }

func (s scripted) Generate(_ context.Context, r *runtime.Request) (*runtime.Response, error) {
	turn := 1
	for _, m := range r.Messages {
		if m.Role == runtime.RoleAssistant {
			turn++
		}
	}
	if err := s.at(fmt.Sprintf("before request %d", turn)); err != nil {
		return nil, err
	}
	s.effect(fmt.Sprintf("request %d", turn))
	response := s.model(turn)
	if err := s.failing; err != nil {
		s.failing = nil
		return nil, err
	}
	return &response, s.at(fmt.Sprintf("after request %d", turn))
}

func (s *stage) bind(o *interp.Options) *interp.Bound {
	s.t.Helper()
	a := &interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"}}
	lib := runtime.Library{}
	for _, name := range []string{"safe", "keyed", "once", "ask"} {
		config := runtime.ToolConfig{Name: name, Adopt: true, Concurrent: name != "ask", Repeat: s.tools[name]}
		if name == "ask" {
			config.Approval.Default = runtime.Ask
		}
		config.Execute = func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			call := name + " " + string(args)
			if err := s.at("before " + call); err != nil {
				return nil, err
			}
			s.effect(call)
			s.mu.Lock()
			if key := s.keys[call]; runtime.CallKey(ctx) == "" || key != "" && key != runtime.CallKey(ctx) {
				s.t.Errorf("%s has the key %q, and had %q", call, runtime.CallKey(ctx), key)
			}
			s.keys[call] = runtime.CallKey(ctx)
			s.mu.Unlock()
			return fmt.Appendf(nil, `{ "done" : %q}`, call), s.at("after " + call)
		}
		tool, err := runtime.NewTool(config)
		if err == nil {
			lib, err = lib.Add(name, tool)
		}
		if err != nil {
			s.t.Fatal(err)
		}
		a.Tools = append(a.Tools, runtime.Contract{Name: name, Description: "d", Input: json.RawMessage(`{"type":"object"}`)})
	}
	b, err := interp.Bind(a, lib, scripted{s}, o)
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// run begins or resumes the run r, and returns its answer and its error.
func (s *stage) run(o *durable.Options) (answer *interp.AgentResponse, err error) {
	s.t.Helper()
	s.open()
	defer s.close()
	run, err := durable.Resume(s.t.Context(), s.j, "r", o)
	if errors.Is(err, journal.ErrNotFound) {
		run, err = durable.Begin(s.t.Context(), s.j, &journal.Run{ID: "r", Agent: "a"}, []byte("program"), &durable.Start{Message: runtime.UserMessage("hello")}, o)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	loop := interp.Options{Account: s.account}
	if s.approve != nil {
		loop.Approve = func(_ context.Context, q *interp.ApprovalRequest) (bool, error) {
			if err := s.at("before approval " + string(q.Args)); err != nil {
				return false, err
			}
			s.asked++
			yes, err := s.approve(q)
			return yes, errors.Join(err, s.at("after approval "+string(q.Args)))
		}
	}
	for e, failed := range run.Events(s.t.Context(), s.bind(run.Options(&loop))) {
		answer, err = e.Answer, failed
	}
	return answer, err
}

// read returns the record of the run.
func (s *stage) read() *durable.Record {
	s.t.Helper()
	s.open()
	defer s.close()
	r, err := durable.Read(s.t.Context(), s.j, "r")
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

func respond(calls ...string) runtime.Response {
	r := runtime.Response{Content: "thinking", Finish: "tool_calls", Usage: runtime.Usage{Input: 10, Output: 5, Total: 15}}
	if len(calls) == 0 {
		return runtime.Response{Content: "done", Finish: "stop", Usage: runtime.Usage{Input: 10, Output: 5, Total: 15}}
	}
	for i := 0; i < len(calls); i += 2 {
		r.Calls = append(r.Calls, runtime.Call{Name: calls[i], Args: json.RawMessage(calls[i+1])})
	}
	return r
}

// busy calls each tool, alone and with others.
func busy(turn int) runtime.Response {
	switch turn {
	case 1:
		return respond("safe", `{"n": 1}`)
	case 2:
		return respond("safe", `{"n": 2}`, "keyed", `{"n": 2}`, "once", `{"n": 2}`)
	case 3:
		return respond("once", `{"n": 3}`, "ask", `{"n": 3}`)
	}
	return respond()
}

func allow(*interp.ApprovalRequest) (bool, error) { return true, nil }

// TestACrashAtEachPlace stops a run at each place, and each resumed run at each place after
// that.
func TestACrashAtEachPlace(t *testing.T) {
	whole := newStage(t, busy)
	whole.approve = allow
	want, err := whole.run(nil)
	if err != nil {
		t.Fatal(err)
	}
	places := len(whole.places)
	t.Logf("%d places: %s", places, strings.Join(whole.places, ", "))
	for first := 1; first <= places; first++ {
		for second := range 4 {
			s := newStage(t, busy)
			s.approve = allow
			s.crash = first
			if _, err := s.run(nil); err == nil {
				t.Fatalf("crash %d: the run has no error", first)
			}
			if second > 0 {
				s.crash = s.place + 2*second - 1
				if _, err := s.run(nil); err == nil && s.place >= s.crash {
					t.Fatalf("crash %d, then %d: the run has no error", first, s.crash)
				}
			}
			s.crash = 0
			s.check(fmt.Sprintf("crash %d (%s), then %d", first, whole.places[first-1], second), want)
		}
	}
}

// check resumes the run, if it has not ended, and compares it with one that was not stopped.
func (s *stage) check(name string, want *interp.AgentResponse) {
	s.t.Helper()
	if r := s.peek(); r == nil || r.Run.Status != journal.Finished {
		if _, err := s.run(nil); err != nil {
			s.t.Fatalf("%s: %v", name, err)
		}
	}
	end := s.read().End
	if end == nil || end.Error != nil || end.Content != want.Content {
		s.t.Fatalf("%s: the run ended with %+v", name, end)
	}
	for what, n := range s.effects {
		if n > 1 && (strings.HasPrefix(what, "once") || strings.HasPrefix(what, "ask")) {
			s.t.Errorf("%s: %s has had %d effects", name, what, n)
		}
	}
	unknown := 0
	for i := range want.Conversation {
		if i >= len(end.Messages) {
			s.t.Fatalf("%s: the conversation has %d messages", name, len(end.Messages))
		}
		got, w := end.Messages[i], want.Conversation[i]
		if strings.Contains(got.Content, runtime.UnknownEffect) && (w.ToolName == "once" || w.ToolName == "ask") && got.Failed {
			unknown++
			continue
		}
		if diff := cmp.Diff(w, got); diff != "" {
			s.t.Errorf("%s: message %d: %s", name, i, diff)
		}
		if w.Role == runtime.RoleTool && s.effects[got.ToolName+" "+argsOf(end.Messages, got.CallID)] == 0 {
			s.t.Errorf("%s: message %d has a result, and the call had no effect", name, i)
		}
	}
	if unknown > 2 {
		s.t.Errorf("%s: %d calls are unknown after two crashes", name, unknown)
	}
	if end.Usage != want.Usage {
		s.t.Errorf("%s: the usage is %+v", name, end.Usage)
	}
}

// peek returns the record of the run, nil if there is no run.
func (s *stage) peek() *durable.Record {
	s.open()
	defer s.close()
	r, err := durable.Read(s.t.Context(), s.j, "r")
	if err != nil && !errors.Is(err, journal.ErrNotFound) {
		s.t.Fatal(err)
	}
	return r
}

func argsOf(c runtime.Conversation, id string) string {
	for _, m := range c {
		for _, call := range m.Calls {
			if call.ID == id {
				return string(call.Args)
			}
		}
	}
	return ""
}

// TestAWriteThatFailsStopsTheRun closes the journal before each step, and expects no effect
// after that.
func TestAWriteThatFailsStopsTheRun(t *testing.T) {
	whole := newStage(t, busy)
	whole.approve = allow
	if _, err := whole.run(nil); err != nil {
		t.Fatal(err)
	}
	for i, name := range whole.places {
		if !strings.HasPrefix(name, "after") {
			continue
		}
		s := newStage(t, busy)
		s.approve = allow
		s.crash = i + 1
		_, err := s.run(nil)
		if err == nil || !errors.Is(err, journal.ErrClosed) && !errors.Is(err, errCrash) {
			t.Errorf("%s: %v", name, err)
		}
		for _, later := range s.places[s.crash:] {
			if strings.HasPrefix(later, "before") && !slices.Contains(whole.parallel(name), later) {
				t.Errorf("after the journal failed at %q, the run goes on with %q", name, later)
			}
		}
	}
}

// parallel returns the places of the calls that run at the same time as one.
func (s *stage) parallel(name string) []string {
	if !strings.Contains(name, `"n": 2`) {
		return nil
	}
	var all []string
	for _, p := range s.places {
		if strings.Contains(p, `"n": 2`) {
			all = append(all, p)
		}
	}
	return all
}

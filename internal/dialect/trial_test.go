package dialect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/modelfake"
	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

const testKey = "sk-test-0123456789abcdef"

// finished is the right answer of each trial.
var finished = modelfake.Reply{Text: "All done — ☔."}

// A fault is what a model or its provider does wrong. The run gives the right answer or
// ends with one error of a known kind; tools run as often as they should, the key is
// nowhere, and the conversation can go on.
type fault struct {
	name  string
	steps func(d *modelfake.Dialect, stream bool) []modelfake.Step // none where a dialect cannot have the fault
	want  outcome

	// but has what is expected elsewhere: of a dialect, of streams, or of the streams of a
	// dialect ("Gemini API streamed").
	but map[string]outcome
}

// An outcome is how a run ends.
type outcome struct {
	kind     runtime.ErrorKind // "" for the right answer
	requests int
	ran      int           // calls of the tool
	least    time.Duration // that it takes
	most     time.Duration // 0 is a minute
	words    string        // of the error
}

// once is a fault that is over when the model is asked again.
func once(step modelfake.Step) func(*modelfake.Dialect, bool) []modelfake.Step {
	return func(d *modelfake.Dialect, _ bool) []modelfake.Step { return []modelfake.Step{step, d.Reply(finished)} }
}

// always is a fault that stays.
func always(step modelfake.Step) func(*modelfake.Dialect, bool) []modelfake.Step {
	return func(*modelfake.Dialect, bool) []modelfake.Step { return []modelfake.Step{step} }
}

// replies are what the model says until its right answer.
func replies(list ...modelfake.Reply) func(*modelfake.Dialect, bool) []modelfake.Step {
	return func(d *modelfake.Dialect, _ bool) (steps []modelfake.Step) {
		for _, r := range append(list, finished) {
			steps = append(steps, d.Reply(r))
		}
		return steps
	}
}

// forever is what the model says again and again.
func forever(r modelfake.Reply) func(*modelfake.Dialect, bool) []modelfake.Step {
	return func(d *modelfake.Dialect, _ bool) []modelfake.Step { return []modelfake.Step{d.Reply(r)} }
}

// lookup is a reply with a call.
func lookup(args string) modelfake.Reply {
	return calls(modelfake.Call{ID: "call_1", Name: "lookup", Args: args})
}

func calls(list ...modelfake.Call) modelfake.Reply { return modelfake.Reply{Calls: list} }

// runFaults runs each fault in each dialect, streamed and not.
func runFaults(t *testing.T, list []fault) {
	t.Helper()
	for _, f := range list {
		t.Run(f.name, func(t *testing.T) {
			for _, d := range modelfake.Dialects() {
				for _, stream := range []bool{false, true} {
					name := d.Name + map[bool]string{false: "", true: " streamed"}[stream]
					steps := f.steps(d, stream)
					if steps == nil {
						continue
					}
					want := f.want
					for _, where := range []string{d.Name, map[bool]string{false: "whole", true: "streamed"}[stream], name} {
						if w, ok := f.but[where]; ok {
							want = w
						}
					}
					t.Run(name, func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) { newTrial(t, d, stream, steps...).check(want) })
					})
				}
			}
		})
	}
}

// A trial is an agent with the tool lookup, which needs a city.
type trial struct {
	*modelfake.Server
	t       *testing.T
	dialect *modelfake.Dialect
	stream  bool
	bound   *interp.Bound
	ran     atomic.Int32
	shown   string // of the last request
	texts   []string
}

// newTrial returns a trial whose connections end with the test.
func newTrial(t *testing.T, d *modelfake.Dialect, stream bool, steps ...modelfake.Step) *trial {
	t.Helper()
	s := modelfake.NewServer(t, d, testKey, steps...)
	t.Cleanup(s.Close)
	model, err := New(modelhttp.Options{Provider: d.Provider, BaseURL: "http://models.test", APIKey: testKey, HTTPClient: s.Client()})
	if err != nil {
		t.Fatal(err)
	}
	p := &trial{Server: s, t: t, dialect: d, stream: stream}
	const input = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`
	agent := &interp.Agent{Name: "guide", Instruction: "Help travellers.", Model: compile.Model{Provider: d.Provider, ID: d.Model},
		Tools: []runtime.Contract{{Name: "lookup", Description: "Looks up the weather", Input: json.RawMessage(input)}}}
	tool, err := runtime.NewTool(runtime.ToolConfig{Name: "lookup", Adopt: true, Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) {
		p.ran.Add(1)
		return json.RawMessage(`"sunny"`), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	library, err := runtime.Library{}.Add("lookup", tool)
	if err != nil {
		t.Fatal(err)
	}
	if p.bound, err = interp.Bind(agent, library, model, &interp.Options{Stream: stream}); err != nil {
		t.Fatal(err)
	}
	return p
}

// run asks the agent. It returns what there is of an answer also with an error.
func (p *trial) run(ctx context.Context, conversation runtime.Conversation) (answer *interp.AgentResponse, err error) {
	for e, failed := range p.bound.Events(ctx, "What is the weather?", conversation) {
		if err = failed; e.Answer != nil {
			answer = e.Answer
		}
		switch {
		case e.Kind == interp.EventRequest:
			p.shown = ""
		case e.Kind == interp.EventDelta && e.Delta.Kind == runtime.DeltaRestart:
			p.shown = ""
		case e.Kind == interp.EventDelta && e.Delta.Kind == runtime.DeltaText:
			p.shown += e.Delta.Text
		}
		if e.Kind == interp.EventDelta {
			p.texts = append(p.texts, e.Delta.Name+e.Delta.Text+e.Delta.Why)
		}
	}
	return answer, err
}

// check runs the trial, and then goes on with the conversation.
func (p *trial) check(want outcome) {
	p.t.Helper()
	begin := time.Now()
	answer, err := p.run(p.t.Context(), nil)
	took := time.Since(begin)
	if most := max(want.most, time.Minute); took < want.least || want.most >= 0 && took > most {
		p.t.Errorf("it took %s, want %s to %s", took, want.least, most)
	}
	if n, ran := len(p.Bodies()), int(p.ran.Load()); n != want.requests || ran != want.ran {
		p.t.Errorf("%d requests and %d calls, want %d and %d", n, ran, want.requests, want.ran)
	}
	if answer == nil {
		p.t.Fatalf("no answer, %v", err)
	}
	p.checkSecrets(answer, err)
	var e *runtime.Error
	switch {
	case want.kind == "" && (err != nil || answer.Content != finished.Text):
		p.t.Errorf("answer %.300q, %v", answer.Content, err)
	case want.kind == "" && p.stream && p.shown != finished.Text:
		p.t.Errorf("shown %.300q", p.shown)
	case want.kind != "" && (!errors.As(err, &e) || e.Kind != want.kind || !strings.Contains(err.Error(), want.words)):
		p.t.Errorf("answer %.300q, %v, want %s %q", answer.Content, err, want.kind, want.words)
	case err != nil && len([]rune(err.Error())) > 800:
		p.t.Errorf("%d characters: %s", len(err.Error()), err)
	}
	p.checkConversation(answer.Conversation)
	p.Continue(p.dialect.Reply(modelfake.Reply{Text: "Goodbye."}))
	again, err := p.run(p.t.Context(), answer.Conversation) // the server refuses what is not valid
	if err != nil || again.Content != "Goodbye." {
		p.t.Errorf("afterwards: %+v, %v", again, err)
	}
}

// checkSecrets looks for the key, and for control characters in the error.
func (p *trial) checkSecrets(answer *interp.AgentResponse, err error) {
	p.t.Helper()
	text, failed := json.Marshal(struct {
		Answer       *interp.AgentResponse
		Conversation runtime.Conversation
		Texts        string
	}{answer, answer.Conversation, strings.Join(p.texts, "")})
	if failed != nil {
		p.t.Error(failed)
	}
	for ; err != nil; err = errors.Unwrap(err) {
		shown := fmt.Sprintf("%s %v %+v", err, err, err)
		if text = append(text, shown...); strings.ContainsFunc(shown, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
			p.t.Errorf("control characters in %q", shown)
		}
	}
	if strings.Contains(string(text), testKey) {
		p.t.Errorf("the key is in %.2000s", text)
	}
}

// checkConversation checks what is promised of each conversation: a call has an id of its
// own, a name, arguments that are an object, and one result, right after its message.
func (p *trial) checkConversation(list runtime.Conversation) {
	p.t.Helper()
	seen := map[string]bool{}
	for i := 0; i < len(list); i++ {
		m := &list[i]
		if m.Role == runtime.RoleTool {
			p.t.Errorf("message %d is the result of no call: %+v", i, m)
		}
		for j, c := range m.Calls {
			var args map[string]any
			if err := json.Unmarshal(c.Args, &args); err != nil || args == nil || c.ID == "" || seen[c.ID] || c.Name == "" || len(c.Name) > 64 {
				p.t.Errorf("message %d has the call %.200q of %.200q: %v", i, c.ID, c.Name, err)
			}
			seen[c.ID] = true
			if k := i + 1 + j; k >= len(list) || list[k].Role != runtime.RoleTool || list[k].CallID != c.ID || list[k].ToolName == "" {
				p.t.Errorf("message %d has a call without its result", i)
			}
		}
		i += len(m.Calls)
	}
}

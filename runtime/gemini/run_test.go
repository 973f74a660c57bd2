package gemini

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A trial is an agent with two tools, and how often they ran.
type trial struct {
	agent   *interp.Agent
	library runtime.Library
	ran     map[string]int
}

// newTrial returns an agent with the tools lookup, which needs a city, and note.
func newTrial(t *testing.T, model string) *trial {
	t.Helper()
	r := &trial{ran: map[string]int{}}
	r.agent = &interp.Agent{Name: "guide", Instruction: "Answer with the tools.", Model: compile.Model{Provider: "Google", ID: model}}
	for _, tool := range []struct{ name, description, input string }{
		{"lookup", "Looks up the weather", `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":["integer","null"],"default":1}},"required":["city"],"additionalProperties":false}`},
		{"note", "Keeps a note", `{"type":"object","properties":{"text":{"type":"string"}},"required":[]}`},
	} {
		r.agent.Tools = append(r.agent.Tools, runtime.Contract{Name: tool.name, Description: tool.description, Input: json.RawMessage(tool.input)})
		made, err := runtime.NewTool(runtime.ToolConfig{Name: tool.name, Adopt: true, Execute: func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
			r.ran[tool.name]++
			return json.Marshal(fmt.Sprintf("%s %s", tool.name, args))
		}})
		if err == nil {
			r.library, err = r.library.Add(tool.name, made)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// run runs the agent and returns its answer, and the text of the pieces that are
// not void.
func (r *trial) run(t *testing.T, m runtime.Model, stream bool, conv runtime.Conversation) (answer *interp.AgentResponse, shown string, err error) {
	t.Helper()
	bound, err := interp.Bind(r.agent, r.library, m, &interp.Options{Stream: stream})
	if err != nil {
		t.Fatal(err)
	}
	start := 0
	for e, err := range bound.Events(t.Context(), "What is the weather?", conv) {
		switch {
		case err != nil:
			return nil, shown, err
		case e.Kind == interp.EventRequest:
			start = len(shown)
		case e.Kind == interp.EventDelta && e.Delta.Kind == runtime.DeltaRestart:
			shown = shown[:start]
		case e.Kind == interp.EventDelta && e.Delta.Kind == runtime.DeltaText:
			shown += e.Delta.Text
		case e.Kind == interp.EventAnswer:
			answer = e.Answer
		}
	}
	return answer, shown, nil
}

// both runs a test with and without streaming.
func both(t *testing.T, test func(t *testing.T, stream bool)) {
	t.Helper()
	t.Run("whole", func(t *testing.T) { test(t, false) })
	t.Run("streamed", func(t *testing.T) { test(t, true) })
}

// threeTurns are the responses of a run with two tools: two calls at once, one more
// with what came of them, and the answer.
func threeTurns() []step {
	return []step{
		parts("STOP",
			`{"text":"**Planning** two calls","thought":true}`,
			`{"text":"I look "}`, `{"text":"that up."}`,
			`{"functionCall":{"id":"fc1","name":"lookup","args":{"city":"Łódź <b>","days":2}},"thoughtSignature":"c2lnbmF0dXJlIDE="}`,
			`{"functionCall":{"id":"fc2","name":"note","args":{}}}`),
		parts("STOP", `{"functionCall":{"id":"fc3","name":"lookup","args":{"city":"Ulm"}},"thoughtSignature":"c2lnbmF0dXJlIDI="}`),
		parts("STOP", `{"text":"Rain "}`, `{"text":"in Ulm."}`, `{"text":"","thoughtSignature":"c2lnbmF0dXJlIDM="}`),
	}
}

func TestARunOfThreeTurns(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		f := newFake(t, append(threeTurns(), says("Goodbye."))...)
		r, m := newTrial(t, "gemini-3-flash-preview"), f.model(Options{})
		answer, shown, err := r.run(t, m, stream, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Content != "Rain in Ulm." || r.ran["lookup"] != 2 || r.ran["note"] != 1 {
			t.Errorf("answer %q after %v", answer.Content, r.ran)
		}
		if want := "I look that up.Rain in Ulm."; stream && shown != want {
			t.Errorf("shown %q, want %q", shown, want)
		}
		want := runtime.Usage{Input: 300, Output: 150, Total: 450, CacheRead: 120, Reasoning: 90}
		if answer.Usage != want {
			t.Errorf("usage %+v, want %+v", answer.Usage, want)
		}
		if _, _, err = r.run(t, m, stream, answer.Conversation); err != nil {
			t.Fatal(err)
		}
		golden.CompareFile(t, filepath.Join("testdata", "run.jsonl"), []byte(strings.Join(f.sent(), "\n")+"\n"))
	})
}

func TestTheReasoningIsDelivered(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		f := newFake(t, threeTurns()...)
		var pieces []runtime.Delta
		request := &runtime.Request{Model: "gemini-2.5-flash", Messages: []runtime.Message{runtime.UserMessage("hi")}, Tools: newTrial(t, "").agent.Tools}
		response, err := f.model(Options{}).Generate(t.Context(), request)
		if stream {
			response, err = newFake(t, threeTurns()...).model(Options{}).Stream(t.Context(), request, func(d runtime.Delta) error {
				pieces = append(pieces, d)
				return nil
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		if response.Reasoning != "**Planning** two calls" || response.Content != "I look that up." || response.Finish != "tool_calls" {
			t.Errorf("reasoning %q, content %q, finish %q", response.Reasoning, response.Content, response.Finish)
		}
		if !stream {
			return
		}
		want := []runtime.Delta{
			{Kind: runtime.DeltaReasoning, Text: "**Planning** two calls"},
			{Kind: runtime.DeltaText, Text: "I look "}, {Kind: runtime.DeltaText, Text: "that up."},
			{Kind: runtime.DeltaCall, Name: "lookup"}, {Kind: runtime.DeltaArguments, Text: `{"city":"Łódź <b>","days":2}`},
			{Kind: runtime.DeltaCall, Call: 1, Name: "note"}, {Kind: runtime.DeltaArguments, Call: 1, Text: `{}`},
		}
		if fmt.Sprint(pieces) != fmt.Sprint(want) {
			t.Errorf("pieces %v\nwant %v", pieces, want)
		}
	})
}

// A refused is what a run ends with instead of an answer.
type refused struct {
	kind  runtime.ErrorKind
	words string
}

func (want refused) check(t *testing.T, err error) {
	t.Helper()
	var e *runtime.Error
	if !errors.As(err, &e) || e.Kind != want.kind || !strings.Contains(err.Error(), want.words) {
		t.Errorf("error %v (%T), want one of kind %s with %q", err, err, want.kind, want.words)
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if text := fmt.Sprintf("%s %v %+v", err, err, err); strings.Contains(text, testKey) {
			t.Errorf("the key is in %q", text)
		}
	}
}

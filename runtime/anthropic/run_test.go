package anthropic_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/anthropic"
)

// runner runs an agent with the tools time and weather, and counts their calls.
type runner struct {
	bound *interp.Bound
	calls atomic.Int32
}

func newRunner(t *testing.T, m runtime.Model, stream bool) *runner {
	t.Helper()
	r := &runner{}
	lib := runtime.Library{}
	contracts := []runtime.Contract{
		{Name: "weather", Description: "Tells the weather of a city", Input: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)},
		{Name: "time", Description: "Tells the time", Input: json.RawMessage(`{"type":"object","properties":{}}`)},
	}
	for _, c := range contracts {
		tool, err := runtime.NewTool(runtime.ToolConfig{Name: c.Name, Adopt: true, Execute: func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
			r.calls.Add(1)
			if strings.Contains(string(args), "Atlantis") {
				return nil, errors.New("there is no such city")
			}
			return json.Marshal("of " + c.Name)
		}})
		if err == nil {
			lib, err = lib.Add(c.Name, tool)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	agent := &interp.Agent{Name: "guide", Instruction: "Help travellers.", Model: compile.Model{Provider: "Anthropic", ID: "claude-opus-4-6"}, Tools: contracts}
	var err error
	if r.bound, err = interp.Bind(agent, lib, m, &interp.Options{Stream: stream}); err != nil {
		t.Fatal(err)
	}
	return r
}

// The requests of a conversation of three turns. The tools and the instruction are
// the same bytes in each, thinking comes back as it was, and at most four
// places are marked for the cache.
func TestGoldenOfARun(t *testing.T) {
	steps := []step{
		message("tool_use", `[{"type":"thinking","thinking":"They need the weather.","signature":"sigA+/=="},{"type":"text","text":"I look."},`+
			`{"type":"tool_use","id":"toolu_1","name":"weather","input":{"city":"Oslo"}},{"type":"tool_use","id":"toolu_2","name":"weather","input":{"city":"Atlantis"}}]`),
		message("tool_use", `[{"type":"thinking","thinking":"","signature":"sigB=="},{"type":"redacted_thinking","data":"c2VjcmV0"},{"type":"tool_use","id":"toolu_3","name":"time","input":{}}]`),
		message("end_turn", `[{"type":"thinking","thinking":"Done.","signature":"sigC=="},{"type":"text","text":"It is fine in Oslo."}]`),
		message("end_turn", `[{"type":"text","text":"You are welcome."}]`),
		message("tool_use", `[{"type":"tool_use","id":"toolu_1","name":"time","input":{}}]`), // an id that is used already
		message("end_turn", `[{"type":"text","text":"Now."}]`),
	}
	requests := map[bool]string{}
	for _, stream := range []bool{false, true} {
		f := serve(t, steps...)
		r := newRunner(t, f.model(t, anthropic.Options{}), stream)
		var conversation runtime.Conversation
		for _, input := range []string{"Is it fine in Oslo?", "Thanks", "What time is it?"} {
			response, err := r.bound.Run(t.Context(), input, conversation)
			if err != nil {
				t.Fatal(err)
			}
			conversation = response.Conversation
		}
		if n := r.calls.Load(); n != 4 {
			t.Errorf("%d calls", n)
		}
		var all bytes.Buffer
		for _, body := range f.bodies {
			if stream != strings.Contains(body, `"stream":true`) {
				t.Errorf("stream %v: %s", stream, body)
			}
			body = strings.Replace(body, `,"stream":true`, "", 1)
			if err := json.Indent(&all, []byte(body), "", "  "); err != nil {
				t.Fatal(err)
			}
			all.WriteString("\n")
		}
		requests[stream] = all.String()
	}
	if requests[false] != requests[true] {
		t.Error("streamed requests differ")
	}
	golden.CompareFile(t, "testdata/run.golden", []byte(requests[false]))
}

// A call that is cut off is never run.
func TestCallThatIsCutOff(t *testing.T) {
	cut := []step{
		message("max_tokens", `[{"type":"text","text":"I look."},{"type":"tool_use","id":"toolu_1","name":"weather","input":{"city":"Os"}}]`),
		message("model_context_window_exceeded", `[{"type":"tool_use","id":"toolu_1","name":"weather","input":{"city":"Os"}}]`),
		streams(started, `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"weather","input":{}}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"city\": \"Os"}}`, ended("max_tokens"), stopped),
		streams(started, `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"weather","input":{}}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"city\": 'Oslo'}"}}`, ended("tool_use"), stopped),
	}
	for i, s := range cut {
		for _, stream := range []bool{false, true} {
			if i >= 2 && !stream {
				continue
			}
			f := serve(t, s, message("end_turn", `[{"type":"text","text":"I cannot."}]`))
			r := newRunner(t, f.model(t, anthropic.Options{}), stream)
			response, err := r.bound.Run(t.Context(), "Is it fine?", nil)
			if err != nil || response.Content != "I cannot." || r.calls.Load() != 0 || f.requests() != 2 {
				t.Errorf("%d, stream %v: %+v, %v, %d calls", i, stream, response, err, r.calls.Load())
			}
			if !strings.Contains(f.bodies[1], `"is_error":true`) {
				t.Errorf("%d: the call did not fail: %s", i, f.bodies[1])
			}
		}
	}
}

// What the model declines, and what is too long, ends a run.
func TestRunsThatEnd(t *testing.T) {
	long := responds(400, apiError("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"))
	for _, tt := range []struct {
		name     string
		step     step
		kind     runtime.ErrorKind
		words    string
		requests int
	}{
		{"refusal", message("refusal", `[{"type":"text","text":"I will not."},{"type":"tool_use","id":"toolu_1","name":"time","input":{}}]`), runtime.KindContentFilter, "LLM refused to answer: I will not.", 1},
		{"overflow", long, runtime.KindContextOverflow, "too long", 1},
		{"no room", message("model_context_window_exceeded", `[]`), runtime.KindContextOverflow, "no room", 1},
		{"empty", message("end_turn", `[]`), runtime.KindLLMAPI, "empty response", 2},
		{"thinking alone", message("end_turn", `[{"type":"thinking","thinking":"Hm.","signature":"sigA"}]`), runtime.KindLLMAPI, "empty response", 2},
		{"overloaded", responds(529, apiError("overloaded_error", "Overloaded")), runtime.KindOverloaded, "API error: 529 - Overloaded (tried 4 times)", 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, stream := range []bool{false, true} {
				f := serve(t, tt.step)
				r := newRunner(t, f.model(t, anthropic.Options{}), stream)
				response, err := r.bound.Run(t.Context(), "Hello", nil)
				var e *runtime.Error
				if !errors.As(err, &e) || e.Kind != tt.kind || !strings.Contains(err.Error(), tt.words) || f.requests() != tt.requests || r.calls.Load() != 0 {
					t.Errorf("stream %v: %v after %d requests, %d calls", stream, err, f.requests(), r.calls.Load())
				}
				f.steps = []step{message("end_turn", `[{"type":"text","text":"Hi."}]`)}
				if again, err := r.bound.Run(t.Context(), "Once more", response.Conversation); err != nil || again.Content != "Hi." {
					t.Errorf("stream %v: afterwards %+v, %v", stream, again, err)
				}
			}
		})
	}
}

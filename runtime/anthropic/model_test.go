package anthropic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/anthropic"
)

func hello() *runtime.Request {
	return &runtime.Request{Model: "claude-sonnet-4-5", Messages: []runtime.Message{runtime.UserMessage("Hello")}}
}

// both runs a test with whole and with streamed responses. The send function
// checks that the pieces of a stream make its response.
func both(t *testing.T, test func(t *testing.T, send func(*anthropic.Model, *runtime.Request) (*runtime.Response, error))) {
	t.Helper()
	t.Run("whole", func(t *testing.T) {
		test(t, func(m *anthropic.Model, r *runtime.Request) (*runtime.Response, error) {
			return m.Generate(t.Context(), r)
		})
	})
	t.Run("streamed", func(t *testing.T) {
		test(t, func(m *anthropic.Model, r *runtime.Request) (*runtime.Response, error) {
			response, got, err := streamed(t, m, r)
			if err == nil && response.Refusal == "" {
				checkPieces(t, response, got)
			}
			return response, err
		})
	})
}

// Received is what the pieces of a stream make.
type received struct {
	text, reasoning string
	names, args     []string
	restarts        int
}

func streamed(t *testing.T, m *anthropic.Model, r *runtime.Request) (*runtime.Response, *received, error) {
	got := &received{}
	response, err := m.Stream(t.Context(), r, func(d runtime.Delta) error {
		switch d.Kind {
		case runtime.DeltaText:
			got.text += d.Text
		case runtime.DeltaReasoning:
			got.reasoning += d.Text
		case runtime.DeltaCall:
			if d.Call != len(got.names) {
				t.Errorf("call %d begins after %d", d.Call, len(got.names))
			}
			got.names, got.args = append(got.names, d.Name), append(got.args, "")
		case runtime.DeltaArguments:
			got.args[d.Call] += d.Text
		case runtime.DeltaRestart:
			*got = received{restarts: got.restarts + 1}
		}
		return nil
	})
	return response, got, err
}

func checkPieces(t *testing.T, response *runtime.Response, got *received) {
	t.Helper()
	var names, args []string
	for _, c := range response.Calls {
		names, args = append(names, c.Name), append(args, strings.TrimPrefix(string(c.Args), "{}")) // which has no pieces
	}
	if got.text != response.Content || got.reasoning != response.Reasoning || !slices.Equal(got.names, names) || !slices.Equal(got.args, args) {
		t.Errorf("pieces %+v\nresponse %+v", got, response)
	}
}

func TestResponses(t *testing.T) {
	counts := runtime.Usage{Input: 123, Output: 7, Total: 130, CacheRead: 100, CacheWrite: 20, Reasoning: 4}
	tests := []struct {
		name, stop, content string
		want                runtime.Response
	}{
		{"text", "end_turn", `[{"type":"text","text":"Héllo, wörld 👋","citations":null}]`, runtime.Response{Content: "Héllo, wörld 👋", Finish: "stop"}},
		{"texts", "stop_sequence", `[{"type":"text","text":"one "},{"type":"text","text":"two"}]`, runtime.Response{Content: "one two", Finish: "stop"}},
		{"nothing", "end_turn", `[]`, runtime.Response{Finish: "stop"}},
		{"too long", "max_tokens", `[{"type":"text","text":"and so"}]`, runtime.Response{Content: "and so", Finish: "length"}},
		{"full window", "model_context_window_exceeded", `[{"type":"text","text":"and so"}]`, runtime.Response{Content: "and so", Finish: "length"}},
		{"no room", "model_context_window_exceeded", `[]`, runtime.Response{Finish: "model_context_window_exceeded"}},
		{"new reason", "shrug", `[{"type":"text","text":"Hi"}]`, runtime.Response{Content: "Hi", Finish: "shrug"}},
		{"calls", "tool_use", `[{"type":"text","text":"Let me see."},{"type":"tool_use","id":"toolu_1","name":"search","input":{"q":"aé"}},{"type":"tool_use","id":"toolu_2","name":"time","input":{}}]`,
			runtime.Response{Content: "Let me see.", Finish: "tool_calls", Calls: []runtime.Call{
				{ID: "toolu_1", Name: "search", Args: json.RawMessage(`{"q":"aé"}`)}, {ID: "toolu_2", Name: "time", Args: json.RawMessage(`{}`)}}}},
		{"calls, says end", "end_turn", `[{"type":"tool_use","id":"toolu_1","name":"time","input":{"z":1}}]`,
			runtime.Response{Finish: "stop", Calls: []runtime.Call{{ID: "toolu_1", Name: "time", Args: json.RawMessage(`{"z":1}`)}}}},
		{"thinking", "tool_use", `[{"type":"thinking","thinking":"Who?","signature":"sigA="},{"type":"redacted_thinking","data":"xyz"},{"type":"thinking","thinking":"I see.","signature":"sigB="},{"type":"tool_use","id":"toolu_1","name":"time","input":{"z":1}},{"type":"text","text":"Wait."}]`,
			runtime.Response{Content: "Wait.", Reasoning: "Who?\n\nI see.", Finish: "tool_calls", Calls: []runtime.Call{{ID: "toolu_1", Name: "time", Args: json.RawMessage(`{"z":1}`)}},
				Extra: json.RawMessage(`{"Anthropic":[{"type":"thinking","thinking":"Who?","signature":"sigA="},{"type":"redacted_thinking","data":"xyz"},{"type":"thinking","thinking":"I see.","signature":"sigB="},{"type":"tool_use"},{"type":"text","text":"Wait."}]}`)}},
		{"hidden thinking", "end_turn", `[{"type":"thinking","thinking":"","signature":"sigA="},{"type":"text","text":"Yes."}]`,
			runtime.Response{Content: "Yes.", Finish: "stop", Extra: json.RawMessage(`{"Anthropic":[{"type":"thinking","signature":"sigA="},{"type":"text","text":"Yes."}]}`)}},
		{"new block", "end_turn", `[{"type":"poem","lines":["a","b"]},{"type":"text","text":"Yes."}]`,
			runtime.Response{Content: "Yes.", Finish: "stop", Extra: json.RawMessage(`{"Anthropic":[{"lines":["a","b"],"type":"poem"},{"type":"text","text":"Yes."}]}`)}},
		{"refusal", "refusal", `[{"type":"text","text":"I will not"},{"type":"tool_use","id":"toolu_1","name":"time","input":{"z":1}}]`, runtime.Response{Refusal: "I will not", Finish: "refusal"}},
		{"silent refusal", "refusal", `[]`, runtime.Response{Refusal: "it gives no reason", Finish: "refusal"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			both(t, func(t *testing.T, send func(*anthropic.Model, *runtime.Request) (*runtime.Response, error)) {
				got, err := send(serve(t, message(tt.stop, tt.content)).model(t, anthropic.Options{}), hello())
				if err != nil {
					t.Fatal(err)
				}
				tt.want.Usage = counts
				if !jsonEqual(got.Extra, tt.want.Extra) {
					t.Errorf("extra %s\nwant  %s", got.Extra, tt.want.Extra)
				}
				want := tt.want
				want.Extra = got.Extra
				if !reflect.DeepEqual(*got, want) {
					t.Errorf("got  %+v\nwant %+v", *got, want)
				}
			})
		})
	}
}

func jsonEqual(a, b json.RawMessage) bool {
	var x, y any
	return len(a) == len(b) && len(a) == 0 || json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func TestReasonOfARefusal(t *testing.T) {
	whole := responds(200, `{"type":"message","role":"assistant","content":[],"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"This is about malware."},"usage":{}}`)
	parts := streams(started, `{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"This is about malware."}},"usage":{"output_tokens":1}}`, stopped)
	for _, s := range []step{whole, parts} {
		f := serve(t, s)
		response, _, err := streamed(t, f.model(t, anthropic.Options{}), hello())
		if err != nil || response.Refusal != "This is about malware." {
			t.Errorf("%+v, %v", response, err)
		}
	}
}

// The API pauses a response when its own tools take long.
func TestPausedResponseIsContinued(t *testing.T) {
	both(t, func(t *testing.T, send func(*anthropic.Model, *runtime.Request) (*runtime.Response, error)) {
		f := serve(t, message("pause_turn", `[{"type":"thinking","thinking":"Hm.","signature":"sigA="},{"type":"text","text":"Let me "}]`), message("end_turn", `[{"type":"text","text":"see: 4"}]`))
		f.paused = true
		got, err := send(f.model(t, anthropic.Options{}), hello())
		if err != nil || got.Content != "Let me see: 4" || got.Finish != "stop" || got.Usage.Output != 14 || got.Usage.Input != 246 {
			t.Fatalf("%+v, %v", got, err)
		}
		if !strings.Contains(f.bodies[1], `"role":"assistant"`) || !strings.Contains(f.bodies[1], `"sigA="`) {
			t.Errorf("continued with %s", f.bodies[1])
		}
	})
}

func TestRequestsTellNothingOfTheMachine(t *testing.T) {
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "token")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Custom: yes")
	var got http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		message("end_turn", `[{"type":"text","text":"Hi"}]`)(w, r, false)
	}))
	defer s.Close()
	m, err := anthropic.New(anthropic.Options{BaseURL: s.URL, APIKey: " " + testKey + "\n"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Generate(t.Context(), hello()); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range got {
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"Accept", "Accept-Encoding", "Anthropic-Version", "Content-Length", "Content-Type", "User-Agent", "X-Api-Key"}; !slices.Equal(names, want) {
		t.Errorf("headers %q, want %q", names, want)
	}
}

func TestNew(t *testing.T) {
	for _, tt := range []struct {
		o    anthropic.Options
		want string
	}{
		{anthropic.Options{}, "no API key for Anthropic: set the environment variable ANTHROPIC_API_KEY"},
		{anthropic.Options{APIKey: "a\nb"}, "line break"},
		{anthropic.Options{APIKey: testKey, BaseURL: "ftp://x"}, "must start with http"},
		{anthropic.Options{APIKey: testKey, BaseURL: "https://me:secret@x/openai"}, "must have no user"},
		{anthropic.Options{APIKey: testKey, BaseURL: "https://gateway.example/v1/chat/completions"}, `a provider of your own`},
		{anthropic.Options{APIKey: testKey, BaseURL: "https://gateway.example/openai/"}, `a provider of your own`},
	} {
		_, err := anthropic.New(tt.o)
		var e *runtime.Error
		if !errors.As(err, &e) || e.Kind != runtime.KindConfiguration || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v: %v, want %q", tt.o.BaseURL, err, tt.want)
		}
	}
	for base, want := range map[string]string{"": "https://api.anthropic.com", "https://api.anthropic.com/v1/": "https://api.anthropic.com", "http://127.0.0.1:1/claude": "http://127.0.0.1:1/claude"} {
		m, err := anthropic.New(anthropic.Options{APIKey: testKey, BaseURL: base})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%v", m); got != "Anthropic at "+want || m.Name() != "Anthropic" {
			t.Errorf("%q: %s", base, got)
		}
	}
}

// The path of a base URL stays, and a "/v1" at its end is that of the API.
func TestBaseURLWithAPath(t *testing.T) {
	for _, suffix := range []string{"/proxy", "/proxy/", "/proxy/v1"} {
		var path string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path = r.URL.Path
			message("end_turn", `[{"type":"text","text":"Hi"}]`)(w, r, false)
		}))
		m, err := anthropic.New(anthropic.Options{BaseURL: s.URL + suffix, APIKey: testKey})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Generate(t.Context(), hello()); err != nil || path != "/proxy/v1/messages" {
			t.Errorf("%s: %s, %v", suffix, path, err)
		}
		s.Close()
	}
}

// A response that may take longer than a connection lasts without data is streamed.
func TestLongResponsesAreStreamed(t *testing.T) {
	for limit, want := range map[int]bool{0: false, 16_000: false, 21_000: false, 21_001: true, 128_000: true} {
		f := serve(t, message("end_turn", `[{"type":"text","text":"Hi"}]`))
		r := hello()
		r.MaxTokens = limit
		got, err := f.model(t, anthropic.Options{}).Generate(t.Context(), r)
		if err != nil || got.Content != "Hi" || strings.Contains(f.bodies[0], `"stream":true`) != want {
			t.Errorf("%d: %+v, %v: %s", limit, got, err, f.bodies[0])
		}
	}
}

// A provider that the user adds can speak the Messages API, with another key or none.
func TestProviderOfTheUser(t *testing.T) {
	var got http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		message("end_turn", `[{"type":"text","text":"Hi"}]`)(w, r, false)
	}))
	defer s.Close()
	table := models.Builtin().With(models.Provider{Name: "House", Dialect: models.Messages, Address: s.URL},
		models.Provider{Name: "Work", Dialect: models.Messages, Address: s.URL, Keys: []string{"WORK_KEY"}})
	m, err := anthropic.New(anthropic.Options{Provider: "House", Models: table})
	if err != nil {
		t.Fatal(err)
	}
	r := hello()
	r.Model = "House/claude-local"
	if response, err := m.Generate(t.Context(), r); err != nil || response.Content != "Hi" || m.Name() != "House" || len(got["X-Api-Key"]) > 0 {
		t.Errorf("%+v, %v, %v", response, err, got)
	}
	if _, err := anthropic.New(anthropic.Options{Provider: "Work", Models: table}); err == nil || !strings.Contains(err.Error(), "WORK_KEY") {
		t.Error(err)
	}
	if _, err := anthropic.New(anthropic.Options{Provider: "Play", Models: table}); err == nil || !strings.Contains(err.Error(), `unknown provider "Play": use one of OpenAI, Anthropic`) {
		t.Error(err)
	}
}

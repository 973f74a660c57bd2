package anthropic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime/anthropic"
)

const testKey = "sk-ant-test-0123456789"

// A fake is the Messages API as its documentation describes it. It responds with
// its steps in order, repeats the last, and reports requests that the API would refuse.
type fake struct {
	*httptest.Server
	mu     sync.Mutex
	steps  []step
	bodies []string
	waits  []time.Duration // what the model would have slept
	paused bool            // it takes a request that ends with what it has written
}

// A step is one response.
type step func(w http.ResponseWriter, r *http.Request, streamed bool)

func serve(t *testing.T, steps ...step) *fake {
	t.Helper()
	f := &fake{steps: steps}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != "POST" || r.URL.Path != "/v1/messages" || r.Header.Get("X-Api-Key") != testKey ||
			r.Header.Get("Anthropic-Version") != "2023-06-01" || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Authorization") != "" {
			t.Errorf("%s %s with %v", r.Method, r.URL, r.Header)
		}
		for _, problem := range refusals(body, f.paused) {
			t.Errorf("the API refuses %s: %s", body, problem)
		}
		var sent struct{ Stream bool }
		if err := json.Unmarshal(body, &sent); err != nil {
			t.Error(err)
		}
		f.mu.Lock()
		next := f.steps[min(len(f.bodies), len(f.steps)-1)]
		f.bodies = append(f.bodies, string(body))
		f.mu.Unlock()
		next(w, r, sent.Stream)
	}))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.bodies)
}

// model returns a Model that asks f and never really sleeps.
func (f *fake) model(t *testing.T, o anthropic.Options) *anthropic.Model {
	t.Helper()
	o.BaseURL, o.APIKey = f.URL, testKey
	m, err := anthropic.New(o)
	if err != nil {
		t.Fatal(err)
	}
	m.SetSleep(func(ctx context.Context, d time.Duration) error {
		f.waits = append(f.waits, d)
		return ctx.Err()
	})
	t.Cleanup(func() { m.Close() })
	return m
}

// message is a good response, whole or streamed as the request wants it. The content
// is a list of blocks.
func message(stop, content string) step {
	return func(w http.ResponseWriter, _ *http.Request, streamed bool) {
		if !streamed {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"id":"msg_1","type":"message","role":"assistant","model":"claude-test","content":%s,"stop_reason":%q,"stop_sequence":null,"stop_details":null,`+
				`"usage":{"input_tokens":3,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":7,"output_tokens_details":{"thinking_tokens":4}}}`, content, stop)
			return
		}
		stream(w, events(stop, content)...)
	}
}

// stream sends events, with their names.
func stream(w http.ResponseWriter, list ...string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for _, data := range list {
		var named struct{ Type string }
		json.Unmarshal([]byte(data), &named)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", named.Type, data)
	}
}

// streams is a response of these events.
func streams(list ...string) step {
	return func(w http.ResponseWriter, _ *http.Request, _ bool) { stream(w, list...) }
}

// responds sends text with a status; headers are "Name: value".
func responds(status int, text string, headers ...string) step {
	return func(w http.ResponseWriter, _ *http.Request, _ bool) {
		w.Header().Set("Content-Type", "application/json")
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		io.WriteString(w, text)
	}
}

// apiError is the body of an error.
func apiError(kind, text string) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, text)
}

const (
	started = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-test","content":[],"stop_reason":null,"stop_sequence":null,` +
		`"usage":{"input_tokens":3,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":1}}}`
	ping    = `{"type":"ping"}`
	stopped = `{"type":"message_stop"}`
)

// ended is the event before the last.
func ended(stop string) string {
	return fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null,"stop_details":null},"usage":{"output_tokens":7,"output_tokens_details":{"thinking_tokens":4}}}`, stop)
}

// events returns the events of a response.
func events(stop, content string) []string {
	list := []string{started, ping}
	var blocks []map[string]any
	if err := json.Unmarshal([]byte(content), &blocks); err != nil {
		panic(err)
	}
	for i, b := range blocks {
		list = append(list, blockEvents(i, b)...)
		list = append(list, ping)
	}
	return append(list, ended(stop), stopped)
}

// blockEvents returns the events of a block: texts come a few characters at a time.
func blockEvents(i int, b map[string]any) []string {
	type grows struct {
		field, kind, delta string
		pieces             []string
	}
	var parts []grows
	take := func(field, kind, delta string) {
		if text, ok := b[field].(string); ok {
			parts = append(parts, grows{field, kind, delta, pieces(text)})
			b[field] = ""
		}
	}
	switch b["type"] {
	case "text":
		take("text", "text_delta", "text")
	case "thinking":
		take("thinking", "thinking_delta", "thinking")
		take("signature", "signature_delta", "signature")
	case "tool_use":
		input, _ := json.Marshal(b["input"])
		if string(input) == "{}" {
			input = nil
		}
		parts = append(parts, grows{"input", "input_json_delta", "partial_json", append([]string{""}, pieces(string(input))...)})
		b["input"] = map[string]any{}
	}
	list := []string{mustJSON(map[string]any{"type": "content_block_start", "index": i, "content_block": b})}
	for _, p := range parts {
		for _, piece := range p.pieces {
			list = append(list, mustJSON(map[string]any{"type": "content_block_delta", "index": i, "delta": map[string]any{"type": p.kind, p.delta: piece}}))
		}
	}
	return append(list, mustJSON(map[string]any{"type": "content_block_stop", "index": i}))
}

func pieces(text string) (list []string) {
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(3, len(runes))
		list = append(list, string(runes[:n]))
		runes = runes[n:]
	}
	return list
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A sentBlock is a part of a request.
type sentBlock struct {
	Type      string
	Text      *string
	ID        string
	Name      string
	ToolUseID string `json:"tool_use_id"`
	Content   []sentBlock
	Input     map[string]any
	Signature *string
	Cache     *struct{} `json:"cache_control"`
}

// refusals returns why the API would refuse a request: the rules of
// https://platform.claude.com/docs/en/api/messages and of its errors.
func refusals(body []byte, paused bool) (list []string) {
	var r struct {
		Model     string
		MaxTokens int `json:"max_tokens"`
		System    []sentBlock
		Messages  []struct {
			Role    string
			Content []sentBlock
		}
		Tools []struct {
			Name  string
			Input struct{ Type string } `json:"input_schema"`
			Cache *struct{}             `json:"cache_control"`
		}
		Choice struct{ Type, Name string } `json:"tool_choice"`
	}
	fail := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if err := json.Unmarshal(body, &r); err != nil {
		return []string{err.Error()}
	}
	if r.Model == "" || r.MaxTokens < 1 || len(r.Messages) == 0 {
		fail("model, max_tokens and messages are required")
	}
	marks := 0
	blocks := r.System
	tools := map[string]bool{}
	for _, tool := range r.Tools {
		if tools[tool.Name] || !regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`).MatchString(tool.Name) || tool.Input.Type != "object" {
			fail("tools: %q", tool.Name)
		}
		tools[tool.Name] = true
		if tool.Cache != nil {
			marks++
		}
	}
	if r.Choice.Type != "" && len(tools) == 0 || r.Choice.Type == "tool" && !tools[r.Choice.Name] {
		fail("tool_choice without the tool")
	}
	open := map[string]bool{} // calls without results
	for i, m := range r.Messages {
		if want := [2]string{"user", "assistant"}[i%2]; m.Role != want {
			fail("messages.%d: role %s, want %s", i, m.Role, want)
		}
		if len(m.Content) == 0 {
			fail("messages.%d: no content", i)
		}
		results := true
		for _, b := range m.Content {
			blocks = append(append(blocks, b), b.Content...)
			switch b.Type {
			case "tool_use":
				if m.Role != "assistant" || !tools[b.Name] || b.Input == nil || open[b.ID] || !regexp.MustCompile(`^[a-zA-Z0-9_-]+$`).MatchString(b.ID) {
					fail("messages.%d: tool_use %q of %q", i, b.ID, b.Name)
				}
			case "tool_result":
				if m.Role != "user" || !open[b.ToolUseID] || !results {
					fail("messages.%d: unexpected tool_result of %q", i, b.ToolUseID)
				}
				delete(open, b.ToolUseID)
			case "thinking":
				if m.Role != "assistant" || b.Signature == nil || !strings.HasPrefix(*b.Signature, "sig") {
					fail("messages.%d: Invalid signature in thinking block", i)
				}
			case "redacted_thinking":
				if m.Role != "assistant" {
					fail("messages.%d: redacted thinking", i)
				}
			}
			results = results && b.Type == "tool_result"
		}
		for id := range open {
			fail("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s", i, id)
		}
		for _, b := range m.Content {
			if b.Type == "tool_use" {
				open[b.ID] = true
			}
		}
	}
	if !paused && r.Messages != nil && r.Messages[len(r.Messages)-1].Role != "user" {
		fail("prefill")
	}
	for _, b := range blocks {
		if b.Type == "text" && (b.Text == nil || strings.TrimSpace(*b.Text) == "") {
			fail("text content blocks must contain non-whitespace text")
		}
		if b.Cache != nil {
			marks++
			if b.Type == "thinking" || b.Type == "redacted_thinking" {
				fail("cache_control of %s", b.Type)
			}
		}
	}
	if marks > 4 {
		fail("%d blocks with cache_control", marks)
	}
	return list
}

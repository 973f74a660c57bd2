package anthropic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/modelfake"
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
		for _, problem := range modelfake.Messages().Refusals(r, testKey, body) {
			if !f.paused || !strings.HasPrefix(problem, "prefill") {
				t.Errorf("the API refuses %s: %s", body, problem)
			}
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

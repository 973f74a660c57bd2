package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// helloWith returns the file of the example hello with another model.
func helloWith(t *testing.T, model string) (file string) {
	t.Helper()
	text, err := os.ReadFile("../../examples/hello.gram")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(text), "OpenAI/gpt-5.4-mini", model)
	if changed == string(text) {
		t.Fatal("the example has another model")
	}
	file = filepath.Join(t.TempDir(), "hello.gram")
	if err := os.WriteFile(file, []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// A dialectServer is a provider that speaks its own API, and chat completions.
type dialectServer struct {
	URL      string
	requests []string // path, key and body of each
}

// newDialectServer returns a server whose first response is a call, and the one to its
// result, in which a name stands, is text.
func newDialectServer(t *testing.T, keyHeader, call, result, text string) *dialectServer {
	d := &dialectServer{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		d.requests = append(d.requests, r.URL.Path+" "+r.Header.Get(keyHeader)+r.Header.Get("Authorization")+" "+string(body))
		w.Header().Set("Content-Type", "application/json")
		response := call
		switch {
		case strings.HasSuffix(r.URL.Path, "/chat/completions"):
			response = `{"choices":[{"message":{"role":"assistant","content":"by chat"},"finish_reason":"stop"}]}`
		case strings.Contains(string(body), result):
			response = text
		}
		_, _ = io.WriteString(w, response)
	}))
	t.Cleanup(s.Close)
	d.URL = s.URL
	return d
}

// run runs the example and compares its answer, and the start of the last request.
func (d *dialectServer) run(t *testing.T, env map[string]string, answer, request string, args ...string) {
	t.Helper()
	code, stdout, stderr := gramc("", env, append([]string{"run"}, args...)...)
	if code != 0 || stdout != answer || len(d.requests) == 0 || !strings.HasPrefix(d.requests[len(d.requests)-1], request) {
		t.Fatalf("exit %d, %q, %q after %q", code, stdout, stderr, d.requests)
	}
}

// Anthropic/… speaks the Messages API, and chat completions at an address that is theirs.
func TestAnthropicIsReachedByItsOwnAPI(t *testing.T) {
	d := newDialectServer(t, "X-Api-Key",
		`{"content":[{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"tool_use","id":"toolu_1","name":"sayHello","input":{"personName":"Ada"}}],"stop_reason":"tool_use"}`,
		`"tool_result"`, `{"content":[{"type":"text","text":"Hello, Ada!"}],"stop_reason":"end_turn"}`)
	file := helloWith(t, "Anthropic/claude-opus-5")
	env := map[string]string{"ANTHROPIC_API_KEY": "sk-ant-test-key", "ANTHROPIC_BASE_URL": d.URL + "/v1"}
	d.run(t, env, "Hello, Ada!\n", "/v1/messages sk-ant-test-key ", file, "I am Ada")
	signed := `{"signature":"c2ln","thinking":"","type":"thinking"},{"id":"toolu_1","input":{"personName":"Ada"},"name":"sayHello","type":"tool_use"}`
	if len(d.requests) != 2 || !strings.Contains(d.requests[1], signed) {
		t.Errorf("the requests are %q", d.requests)
	}
	d.run(t, env, "by chat\n", "/openai/chat/completions Bearer sk-ant-test-key ", "--base-url", d.URL+"/openai", file, "I am Ada")
}

// Google/… speaks the Gemini API, and chat completions at an address that is theirs.
func TestGoogleIsReachedByItsOwnAPI(t *testing.T) {
	signed := `{"functionCall":{"name":"sayHello","args":{"personName":"Ada"}},"thoughtSignature":"c2ln"}`
	d := newDialectServer(t, "x-goog-api-key",
		`{"candidates":[{"content":{"role":"model","parts":[`+signed+`]},"finishReason":"STOP"}]}`,
		"functionResponse", `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello, Ada!"}]},"finishReason":"STOP"}]}`)
	file := helloWith(t, "Google/gemini-3.8-flash")
	env := map[string]string{"GEMINI_API_KEY": "AIza-test-key"}
	d.run(t, env, "Hello, Ada!\n", "/v1beta/models/gemini-3.8-flash:generateContent AIza-test-key ", "--base-url", d.URL, file, "I am Ada")
	if len(d.requests) != 2 || !strings.Contains(d.requests[1], signed) {
		t.Errorf("the requests are %q", d.requests)
	}
	env["GOOGLE_BASE_URL"] = d.URL + "/openai"
	d.run(t, env, "by chat\n", "/openai/chat/completions Bearer AIza-test-key ", file, "I am Ada")
}

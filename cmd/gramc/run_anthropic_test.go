package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Anthropic/… speaks the Messages API, and chat completions at an address that is theirs.
func TestAnthropicIsReachedByItsOwnAPI(t *testing.T) {
	var requests []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests = append(requests, r.URL.Path+" "+r.Header.Get("X-Api-Key")+r.Header.Get("Authorization")+" "+string(body))
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, "/chat/completions"):
			fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"by chat"},"finish_reason":"stop"}]}`)
		case strings.Contains(string(body), `"tool_result"`):
			fmt.Fprint(w, `{"content":[{"type":"text","text":"Hello, Ada!"}],"stop_reason":"end_turn"}`)
		default:
			fmt.Fprint(w, `{"content":[{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"tool_use","id":"toolu_1","name":"sayHello","input":{"personName":"Ada"}}],"stop_reason":"tool_use"}`)
		}
	}))
	defer s.Close()
	text, err := os.ReadFile("../../examples/hello.gram")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "hello.gram")
	changed := strings.ReplaceAll(string(text), "OpenAI/gpt-5.4-mini", "Anthropic/claude-opus-5")
	if err := os.WriteFile(file, []byte(changed), 0o666); err != nil || changed == string(text) {
		t.Fatal("the example has another model", err)
	}
	env := map[string]string{"ANTHROPIC_API_KEY": "sk-ant-test-key", "ANTHROPIC_BASE_URL": s.URL + "/v1"}
	code, stdout, stderr := gramc("", env, "run", file, "I am Ada")
	if code != 0 || stdout != "Hello, Ada!\n" || len(requests) != 2 {
		t.Fatalf("exit %d, %q, %q after %q", code, stdout, stderr, requests)
	}
	signed := `{"signature":"c2ln","thinking":"","type":"thinking"},{"id":"toolu_1","input":{"personName":"Ada"},"name":"sayHello","type":"tool_use"}`
	if !strings.HasPrefix(requests[1], "/v1/messages sk-ant-test-key ") || !strings.Contains(requests[1], signed) {
		t.Errorf("the second request is %s", requests[1])
	}
	code, stdout, stderr = gramc("", env, "run", "--base-url", s.URL+"/openai", file, "I am Ada")
	if want := "/openai/chat/completions Bearer sk-ant-test-key "; code != 0 || stdout != "by chat\n" || !strings.HasPrefix(requests[2], want) {
		t.Errorf("exit %d, %q, %q after %q", code, stdout, stderr, requests[2:])
	}
}

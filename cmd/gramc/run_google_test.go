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

// Google/… speaks the Gemini API, and chat completions at an address that is theirs.
func TestGoogleIsReachedByItsOwnAPI(t *testing.T) {
	var requests []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests = append(requests, r.URL.Path+" "+r.Header.Get("x-goog-api-key")+r.Header.Get("Authorization")+" "+string(body))
		switch {
		case strings.HasSuffix(r.URL.Path, "/chat/completions"):
			fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"by chat"},"finish_reason":"stop"}]}`)
		case strings.Contains(string(body), "functionResponse"):
			fmt.Fprint(w, `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello, Ada!"}]},"finishReason":"STOP"}]}`)
		default:
			fmt.Fprint(w, `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"sayHello","args":{"personName":"Ada"}},"thoughtSignature":"c2ln"}]},"finishReason":"STOP"}]}`)
		}
	}))
	defer s.Close()
	text, err := os.ReadFile("../../examples/hello.gram")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "hello.gram")
	google := strings.ReplaceAll(string(text), "OpenAI/gpt-5.4-mini", "Google/gemini-3.8-flash")
	if err := os.WriteFile(file, []byte(google), 0o666); err != nil || google == string(text) {
		t.Fatal("the example has another model", err)
	}
	env := map[string]string{"GEMINI_API_KEY": "AIza-test-key"}
	code, stdout, stderr := gramc("", env, "run", "--base-url", s.URL, file, "I am Ada")
	if code != 0 || stdout != "Hello, Ada!\n" || len(requests) != 2 {
		t.Fatalf("exit %d, %q, %q after %q", code, stdout, stderr, requests)
	}
	const method = "/v1beta/models/gemini-3.8-flash:generateContent AIza-test-key "
	signed := `{"functionCall":{"name":"sayHello","args":{"personName":"Ada"}},"thoughtSignature":"c2ln"}`
	if !strings.HasPrefix(requests[1], method) || !strings.Contains(requests[1], signed) {
		t.Errorf("the second request is %s", requests[1])
	}
	env["GOOGLE_BASE_URL"] = s.URL + "/openai"
	code, stdout, stderr = gramc("", env, "run", file, "I am Ada")
	if want := "/openai/chat/completions Bearer AIza-test-key "; code != 0 || stdout != "by chat\n" || !strings.HasPrefix(requests[2], want) {
		t.Errorf("exit %d, %q, %q after %q", code, stdout, stderr, requests[2:])
	}
}

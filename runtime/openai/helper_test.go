package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

const testKey = "sk-test-0123456789"

// A stub responds with its steps in order, repeats the last, and keeps the
// bodies it was sent.
type stub struct {
	*httptest.Server
	mu     sync.Mutex
	steps  []http.HandlerFunc
	bodies []string
	waits  []time.Duration // what the model would have slept
}

func serve(t *testing.T, steps ...http.HandlerFunc) *stub {
	t.Helper()
	return serveAt(t, "/v1/chat/completions", steps...)
}

func serveAt(t *testing.T, path string, steps ...http.HandlerFunc) *stub {
	t.Helper()
	s := &stub{steps: steps}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != path || r.Header.Get("Authorization") != "Bearer "+testKey || !json.Valid(body) {
			t.Errorf("request to %s with %q: %s", r.URL, r.Header.Get("Authorization"), body)
		}
		s.mu.Lock()
		step := s.steps[min(len(s.bodies), len(s.steps)-1)]
		s.bodies = append(s.bodies, string(body))
		s.mu.Unlock()
		step(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *stub) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

// model returns a Model that asks s and never really sleeps.
func (s *stub) model(t *testing.T, o Options) *Model {
	t.Helper()
	o.BaseURL = s.URL + "/v1"
	if o.APIKey == "" {
		o.APIKey = testKey
	}
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	m.http.Sleep = func(ctx context.Context, d time.Duration) error {
		s.waits = append(s.waits, d)
		return ctx.Err()
	}
	return m
}

// responds sends text with a status; headers are "Name: value".
func responds(status int, text string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		io.WriteString(w, text)
	}
}

// says is a good response.
func says(content string) http.HandlerFunc {
	return responds(200, fmt.Sprintf(`{"choices":[{"message":{"role":"assistant","content":%q},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`, content))
}

func hello() *runtime.Request {
	return &runtime.Request{Model: "gpt-4o-mini", Messages: []runtime.Message{runtime.UserMessage("Hello")}}
}

// wantError runs a request that must fail with that kind and contain all the words.
func wantError(t *testing.T, m *Model, kind runtime.ErrorKind, words ...string) error {
	t.Helper()
	resp, err := m.Generate(t.Context(), hello())
	if err == nil {
		t.Fatalf("response %+v, want an error", resp)
	}
	var e *runtime.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Errorf("error %v is %T, want a *runtime.Error of kind %s", err, err, kind)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
	noKey(t, err)
	return err
}

// noKey fails when the key is in any text that err can show.
func noKey(t *testing.T, err error) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		if text := fmt.Sprintf("%s %v %+v", err, err, err); strings.Contains(text, testKey) {
			t.Errorf("the key is in %q", text)
		}
	}
}

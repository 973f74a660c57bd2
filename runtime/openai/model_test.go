package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

func TestMissingKeyNamesVariableAndOffline(t *testing.T) {
	for provider, variable := range map[string]string{"": "OPENAI_API_KEY", "OpenAI": "OPENAI_API_KEY", "Anthropic": "ANTHROPIC_API_KEY", "Google": "GOOGLE_API_KEY or GEMINI_API_KEY"} {
		for _, base := range []string{"", "http://127.0.0.1:1"} {
			for _, key := range []string{"", " \n"} {
				_, err := New(Options{Provider: provider, BaseURL: base, APIKey: key})
				if !errors.Is(err, &runtime.Error{Kind: runtime.KindConfiguration}) ||
					!strings.Contains(err.Error(), variable) || !strings.Contains(err.Error(), "--offline") {
					t.Errorf("%q at %q: %v", provider, base, err)
				}
			}
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{Provider: "Acme", APIKey: testKey}, "OpenAI, Anthropic, Google"},
		{Options{APIKey: "sk-a\nb"}, "OPENAI_API_KEY"},
		{Options{APIKey: testKey, BaseURL: "localhost:11434"}, "http://"},
		{Options{APIKey: testKey, BaseURL: "http://"}, "host"},
		{Options{APIKey: testKey, BaseURL: "http://x/?key=" + testKey}, "query"},
		{Options{APIKey: testKey, BaseURL: "http://user:" + testKey + "@x/"}, "user"},
		{Options{APIKey: testKey, BaseURL: "http://\x7f" + testKey}, "not a URL"},
	} {
		_, err := New(tt.o)
		if !errors.Is(err, &runtime.Error{Kind: runtime.KindConfiguration}) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
		noKey(t, err)
	}
}

func TestProviderTable(t *testing.T) {
	for _, name := range Providers() {
		m, err := New(Options{Provider: name, APIKey: testKey})
		switch base := BaseURL(name); {
		case base == "":
			if err == nil || !strings.Contains(err.Error(), AddressVariable(name)) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		case err != nil || m.Name() != name || m.base != base:
			t.Errorf("%s: %v %v", name, m, err)
		}
		_, err = New(Options{Provider: name})
		if keys := KeyVariables(name); (err == nil) != (len(keys) == 0) || err != nil && !strings.Contains(err.Error(), keys[0]) {
			t.Errorf("%s without a key: %v", name, err)
		}
	}
	if KeyVariables("Acme") != nil || BaseURL("Acme") != "" || AddressVariable("Acme") != "" {
		t.Error("Acme is no provider")
	}
}

func TestALocalProviderNeedsNoKey(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, sent := r.Header["Authorization"]; sent {
			t.Errorf("a key is sent: %q", r.Header)
		}
		says("local")(w, r)
	}))
	defer s.Close()
	m, err := New(Options{Provider: "Ollama", BaseURL: s.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Generate(t.Context(), &runtime.Request{Model: "Ollama/llama3.2", Messages: hello().Messages})
	if err != nil || r.Content != "local" || fmt.Sprint(m) != "Ollama at "+s.URL+"/v1" {
		t.Errorf("%v %v from %v", r, err, m)
	}
}

func TestASchemaIsSentOnlyWhereItFits(t *testing.T) {
	for _, tt := range []struct {
		provider string
		tools    bool
		want     bool
	}{{"OpenAI", true, true}, {"Groq", false, true}, {"Groq", true, false}, {"DeepSeek", false, false}} {
		s := serve(t, says(`{"a":1}`))
		r := hello()
		r.Output.Schema = json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}}}`)
		if tt.tools {
			r.Tools = []runtime.Contract{{Name: "t", Description: "d"}}
		}
		if _, err := s.model(t, Options{Provider: tt.provider}).Generate(t.Context(), r); err != nil {
			t.Errorf("%+v: %v", tt, err)
		}
		if got := strings.Contains(s.bodies[0], `"response_format"`); got != tt.want {
			t.Errorf("%+v: %s", tt, s.bodies[0])
		}
	}
}

func TestEveryProviderSendsItsKey(t *testing.T) {
	for _, name := range Providers() {
		s := serve(t, says("ok")) // checks the Authorization header
		if _, err := s.model(t, Options{Provider: name}).Generate(t.Context(), hello()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestModelNeverShowsItsKey(t *testing.T) {
	m, err := New(Options{APIKey: testKey})
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%v %+v %#v %s %q %d", m, m, m, m, m, m); strings.Contains(text, testKey) || !strings.Contains(text, "OpenAI") {
		t.Error(text)
	}
}

func TestEchoedKeyIsHidden(t *testing.T) {
	for _, status := range []int{200, 302, 400, 401, 404, 500} {
		for _, body := range []string{
			`{"error":{"message":"bad ` + testKey + `"}}`,
			`{"choices":[{"message":"` + testKey + `"}]}`,
			"<p>" + testKey,
			testKey,
			strings.Repeat("a ", 95) + testKey,
		} {
			s := serve(t, responds(status, body, "Location: https://"+testKey+".example/"))
			_, err := s.model(t, Options{}).Generate(t.Context(), hello())
			if err == nil {
				t.Errorf("%d %s: no error", status, body)
			}
			noKey(t, err)
		}
	}
	broken := &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("proxy said " + testKey)
	})}
	s := serve(t, says("ok"))
	wantError(t, s.model(t, Options{HTTPClient: broken}), runtime.KindLLMAPI, "Network error", "[hidden key]")
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// go-openai refuses some models before it asks the server.
func TestModelsThatCannotBeUsed(t *testing.T) {
	s := serve(t, says("ok"))
	m := s.model(t, Options{Functions: true})
	r := conversation()
	r.Model = "gpt-6-sol"
	_, err := m.Generate(t.Context(), r)
	var e *runtime.Error
	if !errors.As(err, &e) || e.Kind != runtime.KindLLMAPI || !strings.Contains(err.Error(), `model "gpt-6-sol" cannot be used`) ||
		!strings.Contains(err.Error(), "Responses API") || s.requests() != 0 {
		t.Errorf("%v after %d requests", err, s.requests())
	}
	for _, model := range []string{"gpt-6-sol", "gpt-5-mini", "o3", "o1-mini", "gpt-4o-mini", "llama3:8b"} {
		r := hello()
		r.Model = model
		if _, err := m.Generate(t.Context(), r); err != nil {
			t.Errorf("%s without tools: %v", model, err)
		}
	}
}

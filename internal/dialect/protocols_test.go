package dialect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/openai"
)

// anyResponse is a whole response in each of the protocols, besides a stream.
const anyResponse = `{"content":[{"type":"text","text":"a"}],"stop_reason":"end_turn","candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],` +
	`"choices":[{"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}],` +
	`"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}]}`

// In every protocol, a caller hears of each repetition before it is made, can forbid it,
// and learns what was sent.
func TestRepetitionsAreVisible(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After-Ms", "1")
		body := anyResponse
		if text, _ := io.ReadAll(r.Body); strings.HasSuffix(r.URL.Path, "/responses") && strings.Contains(string(text), `"stream":true`) {
			w.Header().Set("Content-Type", "text/event-stream")
			body = `data: {"type":"response.completed","response":` + body + "}\n\n"
		}
		switch asked {
		case 1:
			w.WriteHeader(http.StatusGatewayTimeout) // the provider may have done the work
		case 2:
			w.WriteHeader(http.StatusTooManyRequests)
		}
		fmt.Fprint(w, body)
	}))
	defer s.Close()
	for _, tt := range []struct{ provider, id string }{{"OpenAI", "gpt-4o-mini"}, {"OpenAI", "gpt-5-pro"}, {"Anthropic", "claude-haiku-4-5"}, {"Google", "gemini-2.5-flash"}} {
		m, err := New(openai.Options{Provider: tt.provider, BaseURL: s.URL, APIKey: "key"})
		if err != nil {
			t.Fatal(err)
		}
		for name, ask := range map[string]func(context.Context, *runtime.Request) (*runtime.Response, error){
			"whole": m.Generate,
			"streamed": func(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
				return runtime.Stream(ctx, m, r, func(runtime.Delta) error { return nil })
			},
		} {
			t.Run(tt.provider+" "+tt.id+" "+name, func(t *testing.T) {
				var heard []runtime.Attempts
				r := &runtime.Request{Model: tt.id, Instruction: "i", Messages: []runtime.Message{runtime.UserMessage("hi")},
					Again: func(a runtime.Attempts) error { heard = append(heard, a); return nil }}
				asked = 0
				response, err := ask(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				if want := (runtime.Attempts{Sent: 3, Lost: 1}); response.Attempts != want || len(heard) != 2 || heard[1] != (runtime.Attempts{Sent: 2, Lost: 1}) {
					t.Errorf("attempts %+v, heard of %+v", response.Attempts, heard)
				}
				stop := runtime.Errorf(runtime.KindBudget, "no more")
				r.Again = func(runtime.Attempts) error { return stop }
				asked = 0
				_, err = ask(t.Context(), r)
				var stopped *runtime.Error
				if !errors.Is(err, stop) || !errors.As(err, &stopped) || asked != 1 || stopped.Attempts != (runtime.Attempts{Sent: 1, Lost: 1}) {
					t.Errorf("%v after %d requests, %+v", err, asked, stopped)
				}
			})
		}
	}
}

// What a compaction leaves of a conversation is one that every protocol takes: the roles take
// turns, and calls keep their results and what belongs to them.
func TestACompactedConversationIsSent(t *testing.T) {
	var body string
	overflows := true
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		body = string(text)
		w.Header().Set("Content-Type", "application/json")
		if overflows && !strings.Contains(body, "You summarise conversations") {
			overflows = false
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"message":"prompt is too long"}}`)
			return
		}
		fmt.Fprint(w, anyResponse)
	}))
	defer s.Close()
	call := runtime.AssistantMessage("I look", []runtime.Call{{ID: "call_1", Name: "look", Args: []byte(`{}`)}})
	result, err := runtime.ToolMessage("look", "call_1", "seen")
	if err != nil {
		t.Fatal(err)
	}
	given := runtime.Conversation{runtime.UserMessage("first"), runtime.AssistantMessage(strings.Repeat("old ", 500), nil), runtime.UserMessage("old too"), call, result, runtime.AssistantMessage("well", nil)}
	for _, m := range []compile.Model{{Provider: "OpenAI", ID: "gpt-4o-mini"}, {Provider: "OpenAI", ID: "gpt-5-pro"}, {Provider: "Anthropic", ID: "claude-haiku-4-5"}, {Provider: "Google", ID: "gemini-2.5-flash"}} {
		t.Run(m.String(), func(t *testing.T) {
			model, err := New(openai.Options{Provider: m.Provider, BaseURL: s.URL, APIKey: "key"})
			if err != nil {
				t.Fatal(err)
			}
			bound, err := interp.Bind(&interp.Agent{Name: "a", Instruction: "i", Model: m, OnOverflow: interp.CompactOnOverflow}, runtime.Library{}, model, nil)
			if err != nil {
				t.Fatal(err)
			}
			overflows = true
			answer, err := bound.Run(t.Context(), "now", given)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{"first", "its summary", "Go on.", "I look", "seen", "well", "now"} {
				if !strings.Contains(body, part) {
					t.Errorf("%q is not in %s", part, body)
				}
			}
			if strings.Contains(body, "old") || len(answer.Conversation) != 8 {
				t.Errorf("sent %s", body)
			}
		})
	}
}

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
				if !errors.Is(err, stop) || asked != 1 || stop.Attempts != (runtime.Attempts{Sent: 1, Lost: 1}) {
					t.Errorf("%v after %d requests, %+v", err, asked, stop.Attempts)
				}
			})
		}
	}
}

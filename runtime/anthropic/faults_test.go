package anthropic_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/anthropic"
)

// What was shown of a response is void when the request is sent again.
func TestRestart(t *testing.T) {
	part := []string{started, ping, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"It is"}}`}
	for name, fault := range map[string]step{"cut": streams(part...), "overloaded": streams(append(part, apiError("overloaded_error", "Overloaded"))...)} {
		f := serve(t, fault, message("end_turn", `[{"type":"text","text":"It is fine."}]`))
		response, got, err := streamed(t, f.model(t, anthropic.Options{}), hello())
		if err != nil || response.Content != "It is fine." || got.text != response.Content || got.restarts != 1 {
			t.Errorf("%s: %+v, %+v, %v", name, response, got, err)
		}
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		name     string
		step     step
		kind     runtime.ErrorKind
		words    string
		requests int
	}{
		{"credit", responds(400, apiError("invalid_request_error", "Your credit balance is too low to access the Anthropic API.")), runtime.KindLLMAPI, "credit balance", 1},
		{"billing", responds(402, apiError("billing_error", "Pay")), runtime.KindLLMAPI, "API error: 402 - Pay", 1},
		{"key", responds(401, apiError("authentication_error", "invalid x-api-key "+testKey)), runtime.KindConfiguration, "invalid API key or no permission: Anthropic refuses it; check ANTHROPIC_API_KEY (API error: 401 - invalid x-api-key [hidden key])", 1},
		{"permission", responds(403, apiError("permission_error", "Your API key does not have permission")), runtime.KindConfiguration, "no permission: Anthropic refuses it; check ANTHROPIC_API_KEY (API error: 403", 1},
		{"proxy", responds(403, "<html>no"), runtime.KindLLMAPI, "API error: 403", 1},
		{"no such API", responds(404, "404 page not found"), runtime.KindLLMAPI, `; if that server has chat completions but no /v1/messages, declare it as a provider of your own (gramc help models)`, 1},
		{"too large", responds(413, apiError("request_too_large", "Request exceeds the maximum size")), runtime.KindContextOverflow, `too long for model "claude-sonnet-4-5" (API error: 413`, 1},
		{"too long", responds(400, apiError("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")), runtime.KindContextOverflow, "210000 tokens", 1},
		{"too long with the answer", responds(400, apiError("invalid_request_error", "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens`")), runtime.KindContextOverflow, "context limit", 1},
		{"filtered", responds(400, apiError("invalid_request_error", "Output blocked by content filtering policy")), runtime.KindContentFilter, "a content filter refuses the conversation", 1},
		{"events that are not JSON", responds(200, "data: it is too warm today\n\n", "Content-Type: text/event-stream"), runtime.KindLLMAPI, "it is too warm today", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			both(t, func(t *testing.T, send func(*anthropic.Model, *runtime.Request) (*runtime.Response, error)) {
				f := serve(t, tt.step)
				_, err := send(f.model(t, anthropic.Options{}), hello())
				wantError(t, err, tt.kind, tt.words)
				if f.requests() != tt.requests {
					t.Errorf("%d requests, want %d", f.requests(), tt.requests)
				}
			})
		})
	}
}

func wantError(t *testing.T, err error, kind runtime.ErrorKind, words string) {
	t.Helper()
	var e *runtime.Error
	if !errors.As(err, &e) || e.Kind != kind || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v, want %s %q", err, kind, words)
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if strings.Contains(fmt.Sprintf("%v %+v %q", err, err, err), testKey) {
			t.Errorf("the key is in %q", err)
		}
	}
}

// Errors in a stream have the meaning that their status would have.
func TestErrorsInAStream(t *testing.T) {
	for _, tt := range []struct {
		event    string
		kind     runtime.ErrorKind
		words    string
		requests int
	}{
		{apiError("overloaded_error", "Overloaded"), runtime.KindOverloaded, "API error: 529 - Overloaded (tried 3 times)", 3},
		{apiError("invalid_request_error", "bad"), runtime.KindLLMAPI, "API error: 400 - bad", 1},
		{apiError("invalid_request_error", "prompt is too long: 1 > 0"), runtime.KindContextOverflow, "too long", 1},
		{apiError("authentication_error", "revoked"), runtime.KindConfiguration, "ANTHROPIC_API_KEY", 1},
		{`{"type":"error","error":"odd"}`, runtime.KindLLMAPI, "odd", 3},
		{`{"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":"x"}}`, runtime.KindLLMAPI, "that it did not begin", 1},
		{`{"type":"content_block_delta","index":-1,"delta":{"type":"text_delta","text":"x"}}`, runtime.KindLLMAPI, "that it did not begin", 1},
		{`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"` + strings.Repeat("x", 9<<20) + `"}}`, runtime.KindLLMAPI, "larger than 8 MiB", 1},
	} {
		f := serve(t, streams(started, tt.event))
		_, _, err := streamed(t, f.model(t, anthropic.Options{}), hello())
		wantError(t, err, tt.kind, tt.words)
		if f.requests() != tt.requests {
			t.Errorf("%.100s: %d requests", tt.event, f.requests())
		}
	}
}

// A stream can be written in many ways.
func TestFormsOfAStream(t *testing.T) {
	list := events("tool_use", `[{"type":"text","text":"Hé 👋"},{"type":"tool_use","id":"toolu_1","name":"time","input":{"a":"bé"}}]`)
	good := func(between func(io.Writer, string, string)) step {
		return func(w http.ResponseWriter, _ *http.Request, _ bool) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, data := range list {
				kind, _, _ := strings.Cut(strings.TrimPrefix(data[strings.LastIndex(data, `"type":"`):], `"type":"`), `"`)
				for _, name := range []string{"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop", "ping"} {
					if strings.Contains(data, `"type":"`+name+`"`) {
						kind = name
					}
				}
				between(w, kind, data)
			}
		}
	}
	forms := map[string]step{
		"CRLF":      good(func(w io.Writer, kind, data string) { fmt.Fprintf(w, "event: %s\r\ndata: %s\r\n\r\n", kind, data) }),
		"no spaces": good(func(w io.Writer, kind, data string) { fmt.Fprintf(w, "event:%s\ndata:%s\n\n", kind, data) }),
		"comments": good(func(w io.Writer, kind, data string) {
			fmt.Fprintf(w, "%s: x\nevent: %s\nid: 1\ndata: %s\n\n", strings.Repeat(":\n\n", 200), kind, data)
		}),
		"new events": good(func(w io.Writer, kind, data string) {
			fmt.Fprintf(w, "event: weather\ndata: {\"type\":\"weather\"}\n\nevent: %s\ndata: %s\n\n", kind, data)
		}),
		"one byte at a time": good(func(w io.Writer, kind, data string) {
			for _, b := range []byte("event: " + kind + "\ndata: " + data + "\n\n") {
				w.Write([]byte{b})
				w.(http.Flusher).Flush()
			}
		}),
		"more after its end": streams(append(list, `{"type":"content_block_start","index":9,"content_block":{"type":"text","text":"no"}}`, "no JSON")...),
		"interleaved": streams(started, list[2], `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"time","input":{}}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hé 👋"}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"bé\"}"}}`, ended("tool_use"), stopped),
		"input at once":  streams(started, list[2], `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hé 👋"}}`, `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"time","input":{"a":"bé"}}}`, ended("tool_use"), stopped),
		"not streamed":   message("tool_use", `[{"type":"text","text":"Hé 👋"},{"type":"tool_use","id":"toolu_1","name":"time","input":{"a":"bé"}}]`).unstreamed(),
		"with a BOM":     responds(200, "\ufeff"+`{"type":"message","content":[{"type":"text","text":"Hé 👋"},{"type":"tool_use","id":"toolu_1","name":"time","input":{"a":"bé"}}],"stop_reason":"tool_use"}`),
		"without counts": responds(200, `{"type":"message","content":[{"type":"text","text":"Hé 👋"},{"type":"tool_use","id":"toolu_1","name":"time","input":{"a":"bé"}}],"stop_reason":"tool_use","usage":null}`, "Content-Type: application/json; charset=utf-8"),
	}
	for name, s := range forms {
		t.Run(name, func(t *testing.T) {
			response, got, err := streamed(t, serve(t, s).model(t, anthropic.Options{}), hello())
			if err != nil || response.Content != "Hé 👋" || len(response.Calls) != 1 || string(response.Calls[0].Args) != `{"a":"bé"}` || response.Finish != "tool_calls" {
				t.Fatalf("%+v, %v", response, err)
			}
			checkPieces(t, response, got)
		})
	}
}

func (s step) unstreamed() step {
	return func(w http.ResponseWriter, r *http.Request, _ bool) { s(w, r, false) }
}

func TestCountsNeverFailARequest(t *testing.T) {
	for counts, want := range map[string]runtime.Usage{
		`{}`: {}, `null`: {}, `"many"`: {}, `[]`: {},
		`{"input_tokens":-5,"output_tokens":2}`: {Output: 2, Total: 2},
		`{"input_tokens":9223372036854775807,"cache_read_input_tokens":9223372036854775807,"output_tokens":1}`: {Input: 1<<63 - 1, CacheRead: 1<<63 - 1, Output: 1, Total: 1<<63 - 1},
		`{"input_tokens":null,"output_tokens":null}`:                                                           {},
	} {
		whole := responds(200, `{"type":"message","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":`+counts+`}`)
		parts := streams(strings.Replace(started, started[strings.Index(started, `"usage":`):], `"usage":`+counts+`}}`, 1),
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}`, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":`+counts+`}`, stopped)
		for i, s := range []step{whole, parts} {
			response, _, err := streamed(t, serve(t, s).model(t, anthropic.Options{}), hello())
			if err != nil || response.Content != "Hi" || response.Usage != want {
				t.Errorf("%d, %s: %+v, %v", i, counts, response, err)
			}
		}
	}
}

// Pieces that do not end are stopped at the limit of a response.
func TestEndlessStream(t *testing.T) {
	for kind, piece := range map[string]string{
		"text":     `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + strings.Repeat("x", 1<<19) + `"}}`,
		"thinking": `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"` + strings.Repeat("x", 1<<19) + `"}}`,
	} {
		f := serve(t, func(w http.ResponseWriter, r *http.Request, _ bool) {
			stream(w, started, `{"type":"content_block_start","index":0,"content_block":{"type":"`+kind+`"}}`)
			for r.Context().Err() == nil {
				stream(w, piece)
			}
		})
		_, _, err := streamed(t, f.model(t, anthropic.Options{}), hello())
		wantError(t, err, runtime.KindLLMAPI, "larger than 8 MiB")
	}
}

func TestStopOfTheCaller(t *testing.T) {
	f := serve(t, func(w http.ResponseWriter, r *http.Request, _ bool) {
		stream(w, started, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	m := f.model(t, anthropic.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := m.Stream(ctx, hello(), func(runtime.Delta) error { cancel(); return nil })
	wantError(t, err, runtime.KindLLMAPI, "was stopped")
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	enough := errors.New("enough")
	if _, err := m.Stream(t.Context(), hello(), func(runtime.Delta) error { return enough }); err != enough {
		t.Error(err)
	}
	if f.requests() != 2 {
		t.Errorf("%d requests", f.requests())
	}
}

// A server that echoes the key does not bring it into the conversation.
func TestEchoedKeyIsHidden(t *testing.T) {
	f := serve(t, message("tool_use", `[{"type":"thinking","thinking":"`+testKey+`","signature":"sig`+testKey+`"},{"type":"redacted_thinking","data":"`+testKey+`"},{"type":"text","text":"a `+testKey+` b"},`+
		`{"type":"tool_use","id":"`+testKey+`","name":"time","input":{"a":"`+testKey+`"}}]`))
	for _, stream := range []bool{false, true} {
		m := f.model(t, anthropic.Options{})
		response, err := m.Generate(t.Context(), hello())
		got := ""
		if stream {
			response, err = m.Stream(t.Context(), hello(), func(d runtime.Delta) error { got += d.Text + d.Name; return nil })
		}
		if err != nil || !strings.Contains(response.Content, "[hidden key]") || strings.Contains(mustJSON(response)+got, testKey) {
			t.Errorf("stream %v: %s, %q, %v", stream, mustJSON(response), got, err)
		}
	}
}

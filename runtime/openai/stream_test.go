package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// streams sends each event at once.
func streams(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			io.WriteString(w, e)
			w.(http.Flusher).Flush()
		}
	}
}

// delta is an event with a delta.
func delta(fields string) string {
	return `data: {"id":"x","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{` + fields + `},"finish_reason":null}],"usage":null}` + "\n\n"
}

// piece is an event with a piece of text.
func piece(text string) string { return delta(`"content":` + quoted(text)) }

// callPiece is an event with a piece of a tool call.
func callPiece(fields, name, args string) string {
	if fields != "" {
		fields += ","
	}
	return delta(fmt.Sprintf(`"tool_calls":[{%s"function":{"name":%s,"arguments":%s}}]`, fields, quoted(name), quoted(args)))
}

func quoted(text string) string { return string(plainjson.String(text)) }

func ends(reason string) string {
	return `data: {"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}` + "\n\n"
}

const (
	counts = `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":5},"completion_tokens_details":{"reasoning_tokens":3}}}` + "\n\n"
	done   = "data: [DONE]\n\n"
)

// transcript writes pieces as a person would see them.
func transcript(pieces []runtime.Delta) string {
	var out strings.Builder
	for i, d := range pieces {
		switch {
		case d.Kind == runtime.DeltaRestart:
			out.WriteString("<restart>")
			continue
		case d.Kind == runtime.DeltaCall:
			fmt.Fprintf(&out, "<call %d %s>", d.Call, d.Name)
			continue
		case d.Kind == runtime.DeltaReasoning && (i == 0 || pieces[i-1].Kind != d.Kind):
			out.WriteString("<think>")
		case d.Kind == runtime.DeltaText && i > 0 && pieces[i-1].Kind != d.Kind:
			out.WriteString("<text>")
		case d.Kind == runtime.DeltaArguments && (pieces[i-1].Call != d.Call || pieces[i-1].Kind != d.Kind) && i > 0 && pieces[i-1].Kind != runtime.DeltaCall:
			fmt.Fprintf(&out, "<%d>", d.Call)
		}
		out.WriteString(d.Text)
	}
	return out.String()
}

// stream runs a request and returns what it yields.
func stream(t *testing.T, m *Model, r *runtime.Request) (*runtime.Response, string, error) {
	t.Helper()
	var pieces []runtime.Delta
	response, err := m.Stream(t.Context(), r, func(d runtime.Delta) error {
		if d.Kind != runtime.DeltaWait {
			pieces = append(pieces, d)
		}
		return nil
	})
	return response, transcript(pieces), err
}

func TestStreams(t *testing.T) {
	hello := runtime.Response{Content: "Hello", Finish: "stop"}
	call := func(calls ...runtime.Call) runtime.Response {
		return runtime.Response{Calls: calls, Finish: "tool_calls"}
	}
	f := func(id, args string) runtime.Call {
		return runtime.Call{ID: id, Name: "f", Args: json.RawMessage(args)}
	}
	long := strings.Repeat("word ", 20_000)
	for _, tt := range []struct {
		name   string
		events []string
		shown  string
		want   runtime.Response
	}{
		{"text", []string{delta(`"role":"assistant","content":""`), piece("Hel"), piece("lo"), ends("stop"), done}, "Hello", hello},
		{"usage", []string{piece("Hello"), ends("stop"), counts, done}, "Hello",
			runtime.Response{Content: "Hello", Finish: "stop", Usage: runtime.Usage{Input: 9, Output: 4, Total: 13, CacheRead: 5, Reasoning: 3}}},
		{"usage with the last choice", []string{piece("Hello"), `data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9.0,"completion_tokens":"4","prompt_cache_hit_tokens":5}}` + "\n\n", done}, "Hello",
			runtime.Response{Content: "Hello", Finish: "stop", Usage: runtime.Usage{Input: 9, Output: 4, Total: 13, CacheRead: 5}}},
		{"no end mark after the finish", []string{piece("Hello"), ends("stop")}, "Hello", hello},
		{"no finish before the end mark", []string{piece("Hello"), done}, "Hello", runtime.Response{Content: "Hello"}},
		{"no blank line at the end", []string{piece("Hello"), ends("stop"), "data: [DONE]"}, "Hello", hello},
		{"events after the end mark", []string{piece("Hello"), ends("stop"), done, piece("!"), done}, "Hello", hello},
		{"CRLF", []string{strings.ReplaceAll(piece("Hello")+ends("stop")+done, "\n", "\r\n")}, "Hello", hello},
		{"no space", []string{strings.ReplaceAll(piece("Hello")+ends("stop")+done, "data: ", "data:")}, "Hello", hello},
		{"no blank lines", []string{strings.ReplaceAll(piece("Hel")+piece("lo")+ends("stop"), "\n\n", "\n"), "\n", done}, "Hello", hello},
		{"comments", []string{strings.Repeat(": OPENROUTER PROCESSING\n\n", 1000), piece("Hello"), ends("stop"), done}, "Hello", hello},
		{"types of events", []string{"event: message\nid: 7\nretry: 3\n" + piece("Hello"), ends("stop"), done}, "Hello", hello},
		{"byte by byte", strings.Split(piece("Hello")+ends("stop")+done, ""), "Hello", hello},
		{"a character in two writes", []string{"data: {\"choices\":[{\"delta\":{\"content\":\"\xf0\x9f", "\x98\x80\"}}]}\n\n", ends("stop"), done}, "😀", runtime.Response{Content: "😀", Finish: "stop"}},
		{"control characters stay for the caller", []string{piece("a\x1b[31mb"), ends("stop"), done}, "a\x1b[31mb", runtime.Response{Content: "a\x1b[31mb", Finish: "stop"}},
		{"a long event", []string{piece(long), ends("stop"), done}, long, runtime.Response{Content: long, Finish: "stop"}},
		{"another choice", []string{piece("Hello"), `data: {"choices":[{"index":1,"delta":{"content":"no"}}]}` + "\n\n", ends("stop"), done}, "Hello", hello},
		{"odd types", []string{`data: {"id":5,"created":1.5,"choices":[{"index":"0","delta":{"content":[{"type":"text","text":"Hello"}]},"finish_reason":null}]}` + "\n\n", ends("stop"), done}, "Hello", hello},
		{"reasoning", []string{delta(`"reasoning_content":"hm","content":null`), delta(`"reasoning":"m"`), delta(`"reasoning":"!","reasoning_content":"!"`), piece("Hello"), ends("stop"), done}, "<think>hmm!<text>Hello",
			runtime.Response{Content: "Hello", Reasoning: "hmm!", Finish: "stop"}},
		{"refusal", []string{delta(`"refusal":"I "`), delta(`"refusal":"refuse"`), ends("stop"), done}, "", runtime.Response{Refusal: "I refuse", Finish: "stop"}},
		{"cut by the length", []string{piece("Hello"), ends("length"), done}, "Hello", runtime.Response{Content: "Hello", Finish: "length"}},

		{"a call", []string{callPiece(`"index":0,"id":"c","type":"function"`, "f", ""), callPiece(`"index":0`, "", `{"a":`), callPiece(`"index":0`, "", `1}`), ends("tool_calls"), done},
			`<call 0 f>{"a":1}`, call(f("c", `{"a":1}`))},
		{"a call without arguments", []string{callPiece(`"index":0,"id":"c"`, "f", ""), ends("tool_calls"), done}, `<call 0 f>`, call(f("c", ``))},
		{"calls side by side", []string{callPiece(`"index":0,"id":"c"`, "f", "{"), callPiece(`"index":1,"id":"d"`, "f", "["), callPiece(`"index":0`, "", "}"), callPiece(`"index":1`, "", "]"), ends("tool_calls"), done},
			`<call 0 f>{<call 1 f>[<0>}<1>]`, call(f("c", "{}"), f("d", "[]"))},
		{"calls without index", []string{callPiece(`"id":"c"`, "f", "{}"), callPiece(`"id":"d"`, "f", "["), callPiece("", "", "]"), ends("tool_calls"), done},
			`<call 0 f>{}<call 1 f>[]`, call(f("c", "{}"), f("d", "[]"))},
		{"calls without index and id", []string{callPiece("", "f", "{"), callPiece("", "", "}"), callPiece("", "f", "{}"), ends("tool_calls"), done},
			`<call 0 f>{}<call 1 f>{}`, call(f("", "{}"), f("", "{}"))},
		{"all calls have index 0", []string{callPiece(`"index":0,"id":"c"`, "f", "{}"), callPiece(`"index":0,"id":"d"`, "f", "{}"), ends("tool_calls"), done},
			`<call 0 f>{}<call 1 f>{}`, call(f("c", "{}"), f("d", "{}"))},
		{"the id in every piece", []string{callPiece(`"index":0,"id":"c"`, "f", "{"), callPiece(`"index":0,"id":"c"`, "f", "}"), ends("tool_calls"), done},
			`<call 0 f>{}`, call(f("c", "{}"))},
		{"the name in two pieces", []string{callPiece(`"index":0,"id":"c"`, "say", ""), callPiece(`"index":0`, "Hello", ""), callPiece(`"index":0`, "", "{}"), ends("tool_calls"), done},
			`<call 0 sayHello>{}`, call(runtime.Call{ID: "c", Name: "sayHello", Args: json.RawMessage("{}")})},
		{"arguments byte by byte", append(append([]string{callPiece(`"index":0,"id":"c"`, "f", "")}, pieceByPiece(`{"a":"é"}`)...), ends("tool_calls"), done),
			`<call 0 f>{"a":"é"}`, call(f("c", `{"a":"é"}`))},
		{"arguments as an object", []string{delta(`"tool_calls":[{"index":0,"id":7,"function":{"name":"f","arguments":{"a":1}}}]`), ends("tool_calls"), done}, `<call 0 f>{"a":1}`, call(f("7", `{"a":1}`))},
		{"extra content", []string{delta(`"tool_calls":[{"index":0,"id":"c","extra_content":{"google":{"thought_signature":"s"}},"function":{"name":"f","arguments":"{}"}}]`), ends("tool_calls"), done},
			`<call 0 f>{}`, call(runtime.Call{ID: "c", Name: "f", Args: json.RawMessage("{}"), Extra: json.RawMessage(`{"OpenAI":{"google":{"thought_signature":"s"}}}`)})},
		{"an old call", []string{delta(`"function_call":{"name":"f","arguments":""}`), delta(`"function_call":{"arguments":"{}"}`), ends("function_call"), done},
			`<call 0 f>{}`, runtime.Response{Calls: []runtime.Call{f("", "{}")}, Finish: "function_call"}},
		{"finish stop beside calls", []string{piece("wait"), callPiece(`"index":0,"id":"c"`, "f", "{}"), ends("stop"), done}, `wait<call 0 f>{}`,
			runtime.Response{Content: "wait", Calls: []runtime.Call{f("c", "{}")}, Finish: "stop"}},
		{"a server that does not stream", []string{`{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}`}, "Hello", hello},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, streams(tt.events...))
			got, shown, err := stream(t, s.model(t, Options{}), withTool())
			if err != nil || s.requests() != 1 {
				t.Fatalf("%v after %d requests", err, s.requests())
			}
			if d := cmp.Diff(&tt.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if d := cmp.Diff(tt.shown, shown); d != "" {
				t.Errorf("shown (-want +got)\n%s", d)
			}
		})
	}
}

func pieceByPiece(args string) []string {
	var out []string
	for _, c := range args {
		out = append(out, callPiece(`"index":0`, "", string(c)))
	}
	return out
}

func withTool() *runtime.Request {
	r := hello()
	r.Tools = []runtime.Contract{{Name: "f"}}
	return r
}

// A stream is never a short answer that looks complete, nor a call that does.
func TestFaultsOfStreams(t *testing.T) {
	good := []http.HandlerFunc{streams(piece("Hello"), ends("stop"), done)}
	first := piece("Hel")
	args := callPiece(`"index":0,"id":"c"`, "f", `{"a":1}`)
	for _, tt := range []struct {
		name     string
		step     http.HandlerFunc
		requests int // if the fault stays
		words    string
	}{
		{"cut after a piece", streams(first), 4, "ended before it was complete"},
		{"cut in arguments", streams(args), 4, "ended before it was complete"},
		{"cut in an event", streams(first, `data: {"choices":[{"del`), 3, "not JSON"},
		{"a broken connection", broken(first, args), 4, "tried 4 times"},
		{"no events", streams(), 3, "the body is empty"},
		{"only the end mark", streams(done), 3, "no choices"},
		{"an error event", streams(first, "event: error\ndata: {\"message\":\"upstream died\"}\n\n"), 3, "upstream died"},
		{"an error in the middle", streams(first, `data: {"error":{"code":502,"message":"provider died"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`+"\n\n"), 3, "API error: 502 - provider died"},
		{"an error that stays", streams(first, `data: {"error":{"code":"invalid_api_key","message":"who?"}}`+"\n\n"), 1, "who?"},
		{"an error with status 200", responds(200, `{"error":{"message":"overloaded"}}`), 3, "overloaded"},
		{"JSON without choices", responds(200, `{"choices":[]}`), 3, "no choices"},
		{"not JSON", streams(first, "data: {oops}\n\n", done), 3, "not JSON"},
		{"a web page", responds(200, "<html>"), 1, "web page"},
		{"status 500", responds(500, ""), 4, "500"},
		{"status 400", responds(400, `{"error":{"message":"bad"}}`), 1, "400 - bad"},
		{"status 401", responds(401, `{"error":{"message":"bad"}}`), 1, "invalid API key"},
		{"a redirect", responds(302, "", "Location: http://127.0.0.1:1/"), 1, "redirects to"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.step)
			response, _, err := stream(t, s.model(t, Options{}), withTool())
			var e *runtime.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.words) || s.requests() != tt.requests {
				t.Errorf("%+v, %v after %d requests", response, err, s.requests())
			}
			noKey(t, err)
			if tt.requests == 1 {
				return
			}
			s = serve(t, append([]http.HandlerFunc{tt.step}, good...)...)
			response, shown, err := stream(t, s.model(t, Options{}), withTool())
			if err != nil || response.Content != "Hello" || len(response.Calls) > 0 || !strings.HasSuffix(shown, "Hello") || s.requests() != 2 {
				t.Errorf("repeated: %+v, shown %q, %v after %d requests", response, shown, err, s.requests())
			}
			if before, _, restarted := strings.Cut(shown, "<restart>"); restarted != (len(shown) > len("Hello")) {
				t.Errorf("shown %q, %q before a restart", shown, before)
			}
		})
	}
}

// broken sends events and breaks the connection.
func broken(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		streams(events...)(w, r)
		panic(http.ErrAbortHandler)
	}
}

func TestAnEndlessStreamEnds(t *testing.T) {
	for name, event := range map[string]string{
		"text":      piece(strings.Repeat("x", 100_000)),
		"reasoning": delta(`"reasoning":"` + strings.Repeat("x", 100_000) + `"`),
		"refusal":   delta(`"refusal":"` + strings.Repeat("x", 100_000) + `"`),
		"arguments": callPiece(`"index":0`, "f", strings.Repeat("x", 100_000)),
		"calls":     callPiece(`"id":"c"`, "f", "{}") + delta(`"tool_calls":[`+strings.Repeat(`{"id":"","function":{"name":"f","arguments":"{}"}},`, 5000)+`{}]`),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				for r.Context().Err() == nil {
					io.WriteString(w, event)
				}
			})
			_, err := s.model(t, Options{}).Stream(t.Context(), withTool(), func(runtime.Delta) error { return nil })
			if err == nil || !strings.Contains(err.Error(), "larger than 8 MiB") || s.requests() != 1 {
				t.Errorf("%v after %d requests", err, s.requests())
			}
		})
	}
}

// An answer that is held to a schema has another form at the provider.
func TestAStreamedAnswerWithASchemaIsRestored(t *testing.T) {
	s := serve(t, streams(piece(`{"re`), piece(`sult":[1,2]}`), ends("stop"), done))
	r := hello()
	r.Output = runtime.Output{Name: "List", Schema: json.RawMessage(`{"type":"array","items":{"type":"integer"}}`)}
	got, shown, err := stream(t, s.model(t, Options{}), r)
	if err != nil || got.Content != "[1,2]" || shown != "[1,2]" {
		t.Errorf("%+v, shown %q, %v", got, shown, err)
	}
}

// What the table says of a provider decides what it is asked for.
func TestStreamsOfProvidersThatCannotDoAll(t *testing.T) {
	table := models.Builtin().With(models.Provider{Name: "Plain", Dialect: models.Chat, Address: "http://127.0.0.1:1", NoStreamUsage: true})
	for _, tt := range []struct {
		provider string
		schema   string
		streamed bool
		usage    bool
	}{
		{"Groq", "", true, true},
		{"Groq", `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`, false, false},
		{"Plain", "", true, false},
		{"OpenAI", `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`, true, true},
	} {
		s := serve(t, reply{content: `{"a":1}`}.send)
		r := hello()
		r.Model, r.Output = "m", runtime.Output{Name: "A", Schema: json.RawMessage(tt.schema)}
		got, shown, err := stream(t, s.model(t, Options{Provider: tt.provider, Models: table}), r)
		if err != nil || got.Content != `{"a":1}` || shown != got.Content {
			t.Errorf("%s: %+v, shown %q, %v", tt.provider, got, shown, err)
		}
		if body := s.bodies[0]; strings.Contains(body, `"stream":true`) != tt.streamed || strings.Contains(body, "include_usage") != tt.usage {
			t.Errorf("%s was sent %s", tt.provider, body)
		}
	}
}

func TestAStreamAsksForWhatItNeeds(t *testing.T) {
	s := serve(t, streams(piece("Hello"), ends("stop"), done), says("Hello"))
	m := s.model(t, Options{})
	if _, _, err := stream(t, m, withTool()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Generate(t.Context(), withTool()); err != nil {
		t.Fatal(err)
	}
	var bodies [2]map[string]any
	for i := range bodies {
		if err := json.Unmarshal([]byte(s.bodies[i]), &bodies[i]); err != nil {
			t.Fatal(err)
		}
	}
	if bodies[0]["stream"] != true {
		t.Error(s.bodies[0])
	}
	delete(bodies[0], "stream")
	delete(bodies[1], "stream")
	delete(bodies[0], "stream_options")
	if d := cmp.Diff(bodies[1], bodies[0]); d != "" {
		t.Errorf("(-whole +stream)\n%s", d)
	}
}

func TestAStreamOfAModelThatCannotBeUsed(t *testing.T) {
	s := serve(t, streams(piece("Hello"), ends("stop"), done))
	r := withTool()
	r.Model = "gpt-6-sol"
	if _, _, err := stream(t, s.model(t, Options{Functions: true}), r); err == nil || !strings.Contains(err.Error(), "cannot be used") || s.requests() != 0 {
		t.Errorf("%v after %d requests", err, s.requests())
	}
}

package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// serveResponses is serve for the Responses API.
func serveResponses(t *testing.T, steps ...http.HandlerFunc) *stub {
	t.Helper()
	return serveAt(t, "/v1/responses", steps...)
}

const (
	reasoningItem = `{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Think."}],"encrypted_content":"b3Bh"}`
	callItem      = `{"id":"fc_1","type":"function_call","call_id":"call_a","name":"add","arguments":"{\"a\":1}","status":"completed"}`
	messageItem   = `{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"Three","annotations":[]}]}`
	usageOfIt     = `"usage":{"input_tokens":30,"input_tokens_details":{"cached_tokens":20},"output_tokens":9,"output_tokens_details":{"reasoning_tokens":4},"total_tokens":39}`
)

// completed returns a response with items; the status is a word, and more members may
// follow it.
func completed(status string, items ...string) string {
	return fmt.Sprintf(`{"id":"resp_1","object":"response","status":%s,"output":[%s],%s}`, status, strings.Join(items, ","), usageOfIt)
}

// events returns a stream of events, each with its type.
func events(list ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, data := range list {
			fmt.Fprintf(w, "event: ignored\ndata: %s\n\n", data)
			w.(http.Flusher).Flush()
		}
	}
}

func TestResponsesAreReadAndSentAgain(t *testing.T) {
	usage := runtime.Usage{Input: 30, CacheRead: 20, Output: 9, Reasoning: 4, Total: 39}
	wholeCall := &runtime.Response{
		Calls: []runtime.Call{{ID: "call_a", Name: "add", Args: json.RawMessage(`{"a":1}`)}}, Finish: "tool_calls", Usage: usage,
		Reasoning: "Think.", Extra: json.RawMessage(`{"OpenAI":[` + reasoningItem + `,` + callItem + `]}`),
	}
	for _, stream := range []bool{false, true} {
		t.Run(fmt.Sprint("stream=", stream), func(t *testing.T) {
			s := serveResponses(t, responds(200, completed(`"completed"`, reasoningItem, callItem)))
			if stream {
				s.steps = []http.HandlerFunc{events(
					`{"type":"response.created","response":{"status":"in_progress"}}`,
					`{"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"Think."}`,
					`{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","name":"add","call_id":"call_a"}}`,
					`{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"a\""}`,
					`{"type":"response.function_call_arguments.delta","output_index":1,"delta":":1}"}`,
					`{"type":"response.completed","response":`+completed(`"completed"`, reasoningItem, callItem)+`}`,
				)}
			}
			m := s.model(t, Options{})
			r := hello()
			r.Tools = []runtime.Contract{{Name: "add", Description: "Adds", Input: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}}}`)}}
			var pieces []runtime.Delta
			generate := func() (*runtime.Response, error) { return m.generateResponses(t.Context(), r) }
			if stream {
				generate = func() (*runtime.Response, error) {
					return m.streamResponses(t.Context(), r, func(d runtime.Delta) error {
						pieces = append(pieces, d)
						return nil
					})
				}
			}
			got, err := generate()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(wholeCall, got); diff != "" {
				t.Error(diff)
			}
			if want := []runtime.Delta{
				{Kind: runtime.DeltaReasoning, Text: "Think."}, {Kind: runtime.DeltaCall, Name: "add"},
				{Kind: runtime.DeltaArguments, Text: `{"a"`}, {Kind: runtime.DeltaArguments, Text: `:1}`},
			}; stream && !cmp.Equal(want, pieces) {
				t.Error(cmp.Diff(want, pieces))
			}

			// The run has given the call another id.
			got.Calls[0].ID = "call_b"
			result, err := runtime.ToolMessage("add", "call_b", "3")
			if err != nil {
				t.Fatal(err)
			}
			r.Instruction = "Be short."
			r.Messages = append(r.Messages, runtime.Message{Role: runtime.RoleAssistant, Calls: got.Calls, Extra: got.Extra}, result)
			s.steps = []http.HandlerFunc{responds(200, completed(`"completed"`, messageItem))}
			if stream {
				s.steps = []http.HandlerFunc{events(
					`{"type":"response.output_text.delta","output_index":0,"delta":"Th"}`, `{"type":"response.output_text.delta","output_index":0,"delta":"ree"}`,
					`{"type":"response.completed","response":`+completed(`"completed"`, messageItem)+`}`,
				)}
			}
			if got, err = generate(); err != nil || got.Content != "Three" || got.Finish != "stop" || got.Extra != nil {
				t.Errorf("%+v, %v", got, err)
			}
			want := fmt.Sprintf(`{
				"model": "gpt-4o-mini", "instructions": "Be short.", "store": false, "include": ["reasoning.encrypted_content"],
				"tools": [{"type": "function", "name": "add", "description": "Adds", "strict": false,
					"parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}],
				"input": [
					{"type": "message", "role": "user", "content": "Hello"},
					%s, %s, {"type": "function_call_output", "call_id": "call_b", "output": "3"}]%s}`,
				reasoningItem, strings.Replace(callItem, "call_a", "call_b", 1), map[bool]string{true: `, "stream": true`}[stream])
			sameJSON(t, want, s.bodies[1])
		})
	}
}

// sameJSON compares two JSON texts by their values.
func sameJSON(t *testing.T, want, got string) {
	t.Helper()
	var a, b any
	if err := errors.Join(json.Unmarshal([]byte(want), &a), json.Unmarshal([]byte(got), &b)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
}

func TestResponsesTakeAConversationOfAnotherModel(t *testing.T) {
	s := serveResponses(t, responds(200, completed(`"completed"`, messageItem)))
	r := hello()
	r.Messages[0].Attachments = []runtime.Attachment{{Name: "a.png", MediaType: "image/png", Data: []byte("x")}, {Name: "b.pdf", MediaType: "application/pdf", Data: []byte("y")}, {Name: "c.md", MediaType: "text/plain", Data: []byte("# Hi")}}
	r.Messages = append(r.Messages,
		runtime.Message{Role: runtime.RoleAssistant, Content: "Wait", Calls: []runtime.Call{{ID: "1", Name: "add", Args: json.RawMessage(`{}`)}}, Extra: json.RawMessage(`{"Google":[{"a":1}]}`)},
		runtime.Message{Role: runtime.RoleTool, CallID: "1", ToolName: "add", Content: ""},
	)
	zero := 0.5
	r.Temperature, r.MaxTokens = &zero, 100
	r.Output = runtime.Output{Name: "answer", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`)}
	if _, err := s.model(t, Options{}).generateResponses(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	sameJSON(t, `{
		"model": "gpt-4o-mini", "store": false, "include": ["reasoning.encrypted_content"], "temperature": 0.5, "max_output_tokens": 100,
		"text": {"format": {"type": "json_schema", "name": "answer", "strict": true,
			"schema": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false}}},
		"input": [
			{"type": "message", "role": "user", "content": [
				{"type": "input_image", "image_url": "data:image/png;base64,eA=="},
				{"type": "input_file", "filename": "b.pdf", "file_data": "data:application/pdf;base64,eQ=="},
				{"type": "input_text", "text": "The file c.md:\n\n# Hi"},
				{"type": "input_text", "text": "Hello"}]},
			{"type": "message", "role": "assistant", "content": "Wait"},
			{"type": "function_call", "call_id": "1", "name": "add", "arguments": "{}"},
			{"type": "function_call_output", "call_id": "1", "output": ""}]}`, s.bodies[0])
	r.Messages[0].Attachments = []runtime.Attachment{{Name: "a.mp3", MediaType: "audio/mpeg", Data: []byte("ID3")}}
	_, err := s.model(t, Options{}).generateResponses(t.Context(), r)
	if !errors.Is(err, &runtime.Error{Kind: runtime.KindValidation}) || !strings.Contains(err.Error(), `a.mp3 cannot be sent: the Responses API takes no files of type "audio/mpeg"`) {
		t.Errorf("sound: %v", err)
	}
}

// TestFaultsOfResponses has the faults of a model in this dialect: each is the right
// answer or one error.
func TestFaultsOfResponses(t *testing.T) {
	refusal := `{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"No."}]}`
	fail := func(e string) string { return `{"status":"failed","error":` + e + `,"output":[]}` }
	event := func(kind, response string) string {
		return fmt.Sprintf(`{"type":"response.%s","response":%s}`, kind, response)
	}
	tests := []struct {
		name     string
		whole    http.HandlerFunc
		stream   http.HandlerFunc
		want     string // finish, content and refusal
		kind     runtime.ErrorKind
		err      string
		requests int
	}{
		{
			name:  "cut off at the limit",
			whole: responds(200, completed(`"incomplete","incomplete_details":{"reason":"max_output_tokens"}`, messageItem)), want: "length Three ",
			stream: events(event("incomplete", completed(`"incomplete","incomplete_details":{"reason":"max_output_tokens"}`, messageItem))), requests: 1,
		},
		{
			name:  "filtered",
			whole: responds(200, completed(`"incomplete","incomplete_details":{"reason":"content_filter"}`)), want: "content_filter  ",
			stream: events(event("incomplete", completed(`"incomplete","incomplete_details":{"reason":"content_filter"}`))), requests: 1,
		},
		{
			name: "refused", whole: responds(200, completed(`"completed"`, refusal)), want: "stop  No.",
			stream: events(event("completed", completed(`"completed"`, refusal))), requests: 1,
		},
		{
			name:  "failed",
			whole: responds(200, fail(`{"code":"server_error","message":"oh "}`)), stream: events(event("failed", fail(`{"code":"server_error","message":"oh "}`))),
			kind: runtime.KindLLMAPI, err: "oh", requests: 3,
		},
		{
			name:  "too long",
			whole: responds(400, `{"error":{"code":"context_length_exceeded","message":"too long"}}`), kind: runtime.KindContextOverflow, err: "too long", requests: 1,
			stream: responds(400, `{"error":{"code":"context_length_exceeded","message":"too long"}}`),
		},
		{
			name: "an error event", stream: events(`{"type":"error","code":"server_error","message":"oh no"}`), kind: runtime.KindLLMAPI, err: "oh no", requests: 3,
			whole: responds(200, `{"error":{"code":"server_error","message":"oh no"}}`),
		},
		{
			name: "still running", whole: responds(200, completed(`"in_progress"`)), stream: events(event("completed", completed(`"in_progress"`))),
			kind: runtime.KindLLMAPI, err: "has not been completed", requests: 3,
		},
		{
			name: "no end", whole: responds(200, `{"status":`), stream: events(`{"type":"response.output_text.delta","delta":"Th"}`),
			kind: runtime.KindLLMAPI, requests: 3,
		},
		{
			name: "no JSON", whole: responds(200, `<html>`), stream: events(`<html>`), kind: runtime.KindLLMAPI, err: "web page", requests: 1,
		},
		{
			name: "an item of another kind", whole: responds(200, completed(`"completed"`, `{"type":"web_search_call"}`, messageItem)), want: "stop Three ",
			stream: events(event("completed", completed(`"completed"`, `{"type":"web_search_call"}`, messageItem))), requests: 1,
		},
		{
			name: "a broken item", whole: responds(200, completed(`"completed"`, `[]`)), stream: events(event("completed", completed(`"completed"`, `[]`))),
			kind: runtime.KindLLMAPI, err: "cannot be read", requests: 3,
		},
	}
	for _, test := range tests {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/stream=%t", test.name, stream), func(t *testing.T) {
				step := test.whole
				if stream {
					step = test.stream
				}
				s := serveResponses(t, step)
				m := s.model(t, Options{})
				var got *runtime.Response
				var err error
				if stream {
					got, err = m.streamResponses(t.Context(), hello(), func(runtime.Delta) error { return nil })
				} else {
					got, err = m.generateResponses(t.Context(), hello())
				}
				var e *runtime.Error
				switch {
				case test.kind == "" && err != nil:
					t.Error(err)
				case test.kind == "":
					if text := got.Finish + " " + got.Content + " " + got.Refusal; text != test.want {
						t.Errorf("%q, want %q", text, test.want)
					}
				case !errors.As(err, &e) || e.Kind != test.kind || !strings.Contains(err.Error(), test.err):
					t.Errorf("%+v, %v, want %s %q", got, err, test.kind, test.err)
				}
				if n := s.requests(); n != test.requests && !(test.name == "no end") {
					t.Errorf("%d requests, want %d", n, test.requests)
				}
			})
		}
	}
}

// TestAStreamedAnswerWithASchemaIsOnePiece has an answer that is unwrapped at its end.
func TestAStreamedAnswerWithASchemaIsOnePiece(t *testing.T) {
	const item = `{"type":"message","content":[{"type":"output_text","text":"{\"result\":7}"}]}`
	s := serveResponses(t, events(
		`{"type":"response.output_text.delta","output_index":0,"delta":"{\"result\":7}"}`,
		`{"type":"response.completed","response":`+completed(`"completed"`, item)+`}`,
	))
	r := hello()
	r.Output = runtime.Output{Name: "n", Schema: json.RawMessage(`{"type":"integer"}`)}
	var pieces []string
	got, err := s.model(t, Options{}).streamResponses(t.Context(), r, func(d runtime.Delta) error {
		pieces = append(pieces, d.Text)
		return nil
	})
	if err != nil || got.Content != "7" || !cmp.Equal(pieces, []string{"7"}) {
		t.Errorf("%+v, %q, %v", got, pieces, err)
	}
}

func TestSomeModelsAreServedByTheResponsesAPIAlone(t *testing.T) {
	s := serveResponses(t, responds(200, completed(`"completed"`, messageItem)))
	m := s.model(t, Options{})
	m.provider = &models.Provider{Name: "OpenAI", Models: []models.Model{{ID: "gpt-4o-mini", OnlyResponses: true}}}
	if got, err := m.Generate(t.Context(), hello()); err != nil || got.Content != "Three" {
		t.Errorf("%+v, %v", got, err)
	}
	s.steps = []http.HandlerFunc{events(`{"type":"response.completed","response":` + completed(`"completed"`, messageItem) + `}`)}
	r := hello()
	r.Model = "OpenAI/gpt-4o-mini"
	if got, err := m.Stream(t.Context(), r, func(runtime.Delta) error { return nil }); err != nil || got.Content != "Three" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestToolsOfAModelThatReasonsGoToTheResponsesAPI(t *testing.T) {
	m, err := New(Options{APIKey: testKey})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		model  string
		tools  bool
		legacy bool
		want   bool
	}{
		{"gpt-6-luna", true, false, true}, {"OpenAI/gpt-6-luna", true, false, true}, {"gpt-6-luna", false, false, false}, {"gpt-6-luna", true, true, false},
		{"gpt-5.2", true, false, false}, {"gpt-5-pro", false, false, true}, {"unknown", true, false, false},
	} {
		m.legacy = tt.legacy
		r := &runtime.Request{Model: tt.model}
		if tt.tools {
			r.Tools = []runtime.Contract{{Name: "t"}}
		}
		if got := m.needsResponses(r); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

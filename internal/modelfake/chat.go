package modelfake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// object writes v as JSON.
func object(v any) string {
	text, err := plainjson.Marshal(v)
	if err != nil {
		panic("modelfake: " + err.Error()) // what a test wrote
	}
	return string(text)
}

type fields = map[string]any

// pieces splits a text as a stream does.
func pieces(text string) (list []string) {
	runes := []rune(text)
	n := max(3, len(runes)/50+1)
	for len(runes) > 0 {
		m := min(n, len(runes))
		list = append(list, string(runes[:m]))
		runes = runes[m:]
	}
	return list
}

// Chat is chat completions. The bodies are those of
// https://platform.openai.com/docs/api-reference/chat/object and
// https://platform.openai.com/docs/api-reference/chat-streaming, the errors those of
// https://platform.openai.com/docs/guides/error-codes.
func Chat() *Dialect {
	return &Dialect{
		Name: "chat completions", Provider: "OpenAI", Model: "gpt-4o-mini", Done: "[DONE]",
		Whole: chatWhole, Events: chatEvents, Error: openAIError, Refusals: chatRefusals,
		EventError: `{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}`,
		Nothings: []string{
			`{"choices":[]}`, `{"choices":null}`, `{"id":"chatcmpl-1"}`, `{"choices":[{"index":0}]}`, `{"choices":[{"message":null}]}`, `{"choices":[{"message":"hi"}]}`,
		},
	}
}

const chatUsage = `{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,"prompt_tokens_details":{"cached_tokens":5,"audio_tokens":0},` +
	`"completion_tokens_details":{"reasoning_tokens":3,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}`

// orNull is a text, or null for an empty one.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func chatFinish(reply Reply) string {
	switch {
	case reply.Finish == Filtered:
		return "content_filter"
	case reply.Finish != Complete: // "length" is also the name there
		return string(reply.Finish)
	case len(reply.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func chatCall(c Call) fields {
	return fields{"id": c.ID, "type": "function", "function": fields{"name": c.Name, "arguments": c.Args}}
}

func chatWhole(reply Reply) string {
	message := fields{"role": "assistant", "content": orNull(reply.Text), "refusal": orNull(reply.Refusal), "annotations": []any{}}
	if reply.Reasoning != "" {
		message["reasoning_content"] = reply.Reasoning
	}
	var calls []any
	for _, c := range reply.Calls {
		calls = append(calls, chatCall(c))
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object(fields{
		"id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", "object": "chat.completion", "created": 1741569952, "model": "gpt-4o-mini-2024-07-18",
		"choices": []any{fields{"index": 0, "message": message, "logprobs": nil, "finish_reason": chatFinish(reply)}},
		"usage":   json.RawMessage(cmp.Or(reply.Usage, chatUsage)), "service_tier": "default", "system_fingerprint": "fp_44709d6fcb",
	})
}

func chatEvents(reply Reply) (list []string) {
	chunk := func(choices []any, usage any) {
		list = append(list, object(fields{
			"id": "chatcmpl-123", "object": "chat.completion.chunk", "created": 1694268190, "model": "gpt-4o-mini-2024-07-18", "system_fingerprint": "fp_44709d6fcb",
			"choices": choices, "usage": usage,
		}))
	}
	delta := func(delta fields, finish any) {
		chunk([]any{fields{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}}, nil)
	}
	delta(fields{"role": "assistant", "content": "", "refusal": nil}, nil)
	for name, text := range map[string]string{"reasoning_content": reply.Reasoning, "refusal": reply.Refusal} {
		for _, piece := range pieces(text) {
			delta(fields{name: piece}, nil)
		}
	}
	for _, piece := range pieces(reply.Text) {
		delta(fields{"content": piece}, nil)
	}
	for i, c := range reply.Calls {
		begin := chatCall(Call{c.ID, c.Name, ""})
		begin["index"] = i
		delta(fields{"tool_calls": []any{begin}}, nil)
		for _, piece := range pieces(c.Args) {
			delta(fields{"tool_calls": []any{fields{"index": i, "function": fields{"arguments": piece}}}}, nil)
		}
	}
	delta(fields{}, chatFinish(reply))
	chunk([]any{}, json.RawMessage(cmp.Or(reply.Usage, chatUsage)))
	return list
}

// openAIError is an error of both APIs of OpenAI.
func openAIError(kind ErrorKind, message string) (int, string) {
	type form struct {
		status     int
		kind, code string
	}
	f := map[ErrorKind]form{
		BadRequest: {400, "invalid_request_error", ""}, BadKey: {401, "invalid_request_error", "invalid_api_key"}, NoPermission: {403, "invalid_request_error", ""},
		NoModel: {404, "invalid_request_error", "model_not_found"}, NoMoney: {429, "insufficient_quota", "insufficient_quota"},
		TooLong: {400, "invalid_request_error", "context_length_exceeded"}, FilteredRequest: {400, "invalid_request_error", "content_policy_violation"},
		RateLimited: {429, "tokens", "rate_limit_exceeded"}, Overloaded: {503, "server_error", ""}, Internal: {500, "server_error", ""},
	}[kind]
	return f.status, object(fields{"error": fields{"message": message, "type": f.kind, "param": nil, "code": orNull(f.code)}})
}

// Calls are what a conversation has open: each call has one result, before anything else.
type openCalls struct {
	open, seen map[string]bool
	problems   []string
}

func newOpenCalls() *openCalls { return &openCalls{open: map[string]bool{}, seen: map[string]bool{}} }

func (c *openCalls) fail(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

func (c *openCalls) call(id, name, args string) {
	var values map[string]any
	if err := json.Unmarshal([]byte(args), &values); err != nil || values == nil {
		c.fail("the arguments %.100q are no object", args)
	}
	if c.seen[id] || id == "" || name == "" || len(name) > 64 {
		c.fail("the call %.100q of %.100q", id, name)
	}
	c.open[id], c.seen[id] = true, true
}

func (c *openCalls) result(id string) {
	if !c.open[id] {
		c.fail("a result of %q, which is no open call", id)
	}
	delete(c.open, id)
}

func (c *openCalls) message() {
	if len(c.open) > 0 {
		c.fail("calls without a result: %v", c.open)
	}
}

// openAIHeaders returns what is wrong with the headers of a request.
func openAIHeaders(r *http.Request, path, key string) (list []string) {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, path) || r.URL.RawQuery != "" ||
		r.Header.Get("Content-Type") != "application/json" || key != "" && r.Header.Get("Authorization") != "Bearer "+key {
		list = append(list, fmt.Sprintf("%s %s with %v", r.Method, r.URL, r.Header))
	}
	return list
}

// chatRefusals has what strict servers require: that each call has an id of its own,
// arguments that are a JSON object, and exactly one result.
func chatRefusals(r *http.Request, key string, body []byte) []string {
	var request struct {
		Model    string
		Messages []struct {
			Role    string
			Content any
			ID      string `json:"tool_call_id"`
			Calls   []struct {
				ID, Type string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return []string{err.Error()}
	}
	calls := newOpenCalls()
	if request.Model == "" || len(request.Messages) == 0 {
		calls.fail("model and messages are required")
	}
	for i, m := range request.Messages {
		switch m.Role {
		case "tool":
			calls.result(m.ID)
			continue
		case "system", "developer", "user", "assistant":
			calls.message()
		default:
			calls.fail("messages[%d]: role %q", i, m.Role)
		}
		if m.Content == nil && len(m.Calls) == 0 {
			calls.fail("messages[%d]: no content", i)
		}
		for _, c := range m.Calls {
			if c.Type != "function" {
				calls.fail("messages[%d]: a call of type %q", i, c.Type)
			}
			calls.call(c.ID, c.Function.Name, c.Function.Arguments)
		}
	}
	calls.message()
	return append(openAIHeaders(r, "/chat/completions", key), calls.problems...)
}

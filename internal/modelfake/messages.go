package modelfake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// Messages is the Messages API of Anthropic. The bodies are those of
// https://platform.claude.com/docs/en/api/messages and
// https://platform.claude.com/docs/en/build-with-claude/streaming, the errors those of
// https://platform.claude.com/docs/en/api/errors. Its stream has all events of the message and
// of the blocks text, thinking and tool_use.
func Messages() *Dialect {
	return &Dialect{
		Name: "Messages API", Provider: "Anthropic", Model: "claude-opus-4-6", NamedEvents: true,
		Whole: messagesWhole, Events: messagesEvents, Error: messagesError, Refusals: messagesRefusals,
		EventError: `{"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}`,
		Nothings:   []string{`{"type":"message","role":"assistant"}`, `{"type":"message","content":null}`, `{"type":"message","content":"hi"}`, `{"choices":[{"message":{"content":"hi"}}]}`},
	}
}

const messagesUsage = `{"input_tokens":472,"cache_creation_input_tokens":0,"cache_read_input_tokens":5,"output_tokens":89}`

// messagesBlocks returns the blocks of a reply.
func messagesBlocks(reply Reply) []fields {
	blocks := []fields{}
	if reply.Reasoning != "" {
		blocks = append(blocks, fields{"type": "thinking", "thinking": reply.Reasoning, "signature": "sigEqQBCgIYAhIM"})
	}
	if text := reply.Text + reply.Refusal; text != "" {
		blocks = append(blocks, fields{"type": "text", "text": text})
	}
	for _, c := range reply.Calls {
		input := json.RawMessage(cmp.Or(c.Args, "{}"))
		if !json.Valid(input) {
			input = json.RawMessage(object(c.Args))
		}
		blocks = append(blocks, fields{"type": "tool_use", "id": c.ID, "name": c.Name, "input": input})
	}
	return blocks
}

func messagesStop(reply Reply) any {
	switch {
	case reply.Refusal != "" || reply.Finish == Filtered:
		return "refusal"
	case reply.Finish == Length:
		return "max_tokens"
	case reply.Finish != Complete:
		return reply.Finish
	case len(reply.Calls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

func messagesWhole(reply Reply) string {
	return object(fields{
		"id": "msg_013Zva2CMHLNnXjNJJKqJ2EF", "type": "message", "role": "assistant", "model": "claude-opus-4-6", "content": messagesBlocks(reply),
		"stop_reason": messagesStop(reply), "stop_sequence": nil, "usage": json.RawMessage(cmp.Or(reply.Usage, messagesUsage)),
	})
}

func messagesEvents(reply Reply) (list []string) {
	usage := json.RawMessage(cmp.Or(reply.Usage, messagesUsage))
	event := func(kind string, f fields) {
		f["type"] = kind
		list = append(list, object(f))
	}
	event("message_start", fields{"message": fields{
		"id": "msg_014p7gG3wDgGV9EUtLvnow3U", "type": "message", "role": "assistant", "model": "claude-opus-4-6", "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}})
	for i, b := range messagesBlocks(reply) {
		grow := func(kind, name, text string) {
			for _, piece := range pieces(text) {
				event("content_block_delta", fields{"index": i, "delta": fields{"type": kind, name: piece}})
			}
		}
		switch b["type"] {
		case "thinking":
			event("content_block_start", fields{"index": i, "content_block": fields{"type": "thinking", "thinking": "", "signature": ""}})
			grow("thinking_delta", "thinking", reply.Reasoning)
			event("content_block_delta", fields{"index": i, "delta": fields{"type": "signature_delta", "signature": b["signature"]}})
		case "text":
			event("content_block_start", fields{"index": i, "content_block": fields{"type": "text", "text": ""}})
			event("ping", fields{})
			grow("text_delta", "text", b["text"].(string))
		default:
			call := reply.Calls[len(reply.Calls)-(len(messagesBlocks(reply))-i)]
			event("content_block_start", fields{"index": i, "content_block": fields{"type": "tool_use", "id": call.ID, "name": call.Name, "input": fields{}}})
			event("content_block_delta", fields{"index": i, "delta": fields{"type": "input_json_delta", "partial_json": ""}})
			grow("input_json_delta", "partial_json", call.Args)
		}
		event("content_block_stop", fields{"index": i})
	}
	event("message_delta", fields{"delta": fields{"stop_reason": messagesStop(reply), "stop_sequence": nil}, "usage": usage})
	event("message_stop", fields{})
	return list
}

func messagesError(kind ErrorKind, message string) (int, string) {
	type form struct {
		status int
		kind   string
	}
	f := map[ErrorKind]form{
		BadRequest: {400, "invalid_request_error"}, BadKey: {401, "authentication_error"}, NoPermission: {403, "permission_error"}, NoModel: {404, "not_found_error"},
		NoMoney: {402, "billing_error"}, TooLong: {400, "invalid_request_error"}, FilteredRequest: {400, "invalid_request_error"},
		RateLimited: {429, "rate_limit_error"}, Overloaded: {529, "overloaded_error"}, Internal: {500, "api_error"},
	}[kind]
	return f.status, object(fields{"type": "error", "error": fields{"type": f.kind, "message": message}, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy"})
}

// A messagesBlock is a part of a request.
type messagesBlock struct {
	Type      string
	Text      *string
	ID        string
	Name      string
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage // of a result
	Input     map[string]any
	Signature *string
	Cache     *struct{} `json:"cache_control"`
}

// messagesRefusals has the rules of https://platform.claude.com/docs/en/api/messages and
// of its errors.
func messagesRefusals(r *http.Request, key string, body []byte) (list []string) {
	fail := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if r.Method != "POST" || !strings.HasSuffix(r.URL.Path, "/v1/messages") || r.Header.Get("X-Api-Key") != key ||
		r.Header.Get("Anthropic-Version") != "2023-06-01" || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Authorization") != "" {
		fail("%s %s with %v", r.Method, r.URL, r.Header)
	}
	var in struct {
		Model     string
		MaxTokens int `json:"max_tokens"`
		System    []messagesBlock
		Messages  []struct {
			Role    string
			Content []messagesBlock
		}
		Tools []struct {
			Name  string
			Input struct{ Type string } `json:"input_schema"`
			Cache *struct{}             `json:"cache_control"`
		}
		Choice struct{ Type, Name string } `json:"tool_choice"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return append(list, err.Error())
	}
	if in.Model == "" || in.MaxTokens < 1 || len(in.Messages) == 0 {
		fail("model, max_tokens and messages are required")
	}
	marks := 0
	blocks := in.System
	tools := map[string]bool{}
	for _, tool := range in.Tools {
		if tools[tool.Name] || !regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`).MatchString(tool.Name) || tool.Input.Type != "object" {
			fail("tools: %q", tool.Name)
		}
		tools[tool.Name] = true
		if tool.Cache != nil {
			marks++
		}
	}
	if in.Choice.Type != "" && len(tools) == 0 || in.Choice.Type == "tool" && !tools[in.Choice.Name] {
		fail("tool_choice without the tool")
	}
	open := map[string]bool{} // calls without results
	for i, m := range in.Messages {
		if want := [2]string{"user", "assistant"}[i%2]; m.Role != want {
			fail("messages.%d: role %s, want %s", i, m.Role, want)
		}
		if len(m.Content) == 0 {
			fail("messages.%d: no content", i)
		}
		results := true
		for _, b := range m.Content {
			blocks = append(blocks, b)
			var inner []messagesBlock
			json.Unmarshal(b.Content, &inner) // a document has none
			blocks = append(blocks, inner...)
			switch b.Type {
			case "tool_use":
				if m.Role != "assistant" || len(tools) == 0 || b.Name == "" || b.Input == nil || open[b.ID] || !regexp.MustCompile(`^[a-zA-Z0-9_-]+$`).MatchString(b.ID) {
					fail("messages.%d: tool_use %q of %q", i, b.ID, b.Name)
				}
			case "tool_result":
				if m.Role != "user" || !open[b.ToolUseID] || !results {
					fail("messages.%d: unexpected tool_result of %q", i, b.ToolUseID)
				}
				delete(open, b.ToolUseID)
			case "thinking":
				if m.Role != "assistant" || b.Signature == nil || !strings.HasPrefix(*b.Signature, "sig") {
					fail("messages.%d: Invalid signature in thinking block", i)
				}
			case "redacted_thinking":
				if m.Role != "assistant" {
					fail("messages.%d: redacted thinking", i)
				}
			}
			results = results && b.Type == "tool_result"
		}
		for id := range open {
			fail("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s", i, id)
		}
		for _, b := range m.Content {
			if b.Type == "tool_use" {
				open[b.ID] = true
			}
		}
	}
	if n := len(in.Messages); n > 0 && in.Messages[n-1].Role != "user" {
		fail("prefill: the last message is not of the user")
	}
	for _, b := range blocks {
		if b.Type == "text" && (b.Text == nil || strings.TrimSpace(*b.Text) == "") {
			fail("text content blocks must contain non-whitespace text")
		}
		if b.Cache != nil {
			marks++
			if b.Type == "thinking" || b.Type == "redacted_thinking" {
				fail("cache_control of %s", b.Type)
			}
		}
	}
	if marks > 4 {
		fail("%d blocks with cache_control", marks)
	}
	return list
}

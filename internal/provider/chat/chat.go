// Package chat writes requests for chat completions in the types of go-openai:
// for package runtime/openai, which sends them, and for gramc compile, which
// prints them.
package chat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/provider"
)

// Request returns r as go-openai takes it, with room for more messages: the
// instruction is the only message, and the limit of the response is
// max_completion_tokens. The tools are left to [Tools], the temperature to
// [Additions].
func Request(r *provider.Request, room int) openai.ChatCompletionRequest {
	req := openai.ChatCompletionRequest{
		Model: r.Model, MaxCompletionTokens: int(r.MaxTokens),
		Messages: make([]openai.ChatCompletionMessage, 0, room+1),
	}
	if r.Instruction != "" {
		req.Messages = append(req.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: r.Instruction})
	}
	if len(r.Answer) > 0 {
		req.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
				Name: cmp.Or(r.AnswerName, "answer"), Schema: r.Answer, Strict: !r.AnswerLoose,
			},
		}
	}
	return req
}

// Tools returns tools as go-openai takes them.
func Tools(tools []provider.Tool) []openai.Tool {
	out := make([]openai.Tool, len(tools))
	for i, t := range tools {
		out[i] = openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: t.Name, Description: t.Description, Strict: t.Strict, Parameters: t.Input,
		}}
	}
	return out
}

// Body returns the JSON of a request without the messages of a user, for people
// to read: "<", ">" and "&" are not escaped.
func Body(r *provider.Request) json.RawMessage {
	req := Request(r, 0)
	req.Tools = Tools(r.Tools)
	body, err := json.Marshal(req)
	if err == nil {
		body, err = (&Additions{Temperature: r.Temperature}).To(body)
	}
	if err != nil {
		panic("chat: " + err.Error()) // strings, and schemas that are JSON
	}
	// An escaped backslash is listed so that what follows it is not read as an escape.
	return json.RawMessage(strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(body)))
}

// Additions are the parts of a request that are not left to the types of
// go-openai. They are added to the JSON that it writes.
type Additions struct {
	// Temperature is exact. The field of go-openai is a float32 that is left
	// out when it is 0, and that its client refuses beside some model names.
	// "" means that the provider chooses.
	Temperature json.Number
	// Tools is a list of tools as go-openai writes it, once for all requests of
	// a run. Writing a list again with each request takes more time than all
	// messages of a short conversation.
	Tools json.RawMessage
	// Contents are those of messages that have more than a text.
	Contents []Content
	// Extras are the extra_content of tool calls, such as the thought
	// signatures that Gemini requires to see again. openai.ToolCall has no
	// field for them.
	Extras []Extra
}

// A Content is the content of one message as a list of parts.
type Content struct {
	Message int // index into "messages"
	Parts   json.RawMessage
}

// An Extra is the extra_content of one tool call.
type Extra struct {
	Message, Call int // indexes into "messages" and its "tool_calls"
	Content       json.RawMessage
}

// To returns body, a request as go-openai writes it, with the additions as its
// last members. It may change body.
func (a *Additions) To(body []byte) ([]byte, error) {
	if len(a.Extras)+len(a.Contents) > 0 {
		var request map[string]json.RawMessage
		if err := json.Unmarshal(body, &request); err != nil {
			return nil, err
		}
		messages, err := a.extend(request["messages"])
		if err != nil {
			return nil, err
		}
		request["messages"] = messages
		if body, err = plainjson.Marshal(request); err != nil {
			return nil, err
		}
	}
	body = body[:len(body)-len("}")]
	if a.Temperature != "" {
		body = append(append(body, `,"temperature":`...), a.Temperature...)
	}
	if len(a.Tools) > 0 {
		body = append(append(body, `,"tools":`...), a.Tools...)
	}
	return append(body, '}'), nil
}

// Size returns how many bytes [Additions.To] adds at most, without the extras and
// the contents.
func (a *Additions) Size() int {
	return len(`,"temperature":,"tools":`) + len(a.Temperature) + len(a.Tools)
}

// extend adds the contents and the extras to a list of messages.
func (a *Additions) extend(text json.RawMessage) (json.RawMessage, error) {
	var messages []map[string]json.RawMessage
	if err := json.Unmarshal(text, &messages); err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	for _, c := range a.Contents {
		messages[c.Message]["content"] = c.Parts
	}
	for _, e := range a.Extras {
		message := messages[e.Message]
		var calls []map[string]json.RawMessage
		if err := json.Unmarshal(message["tool_calls"], &calls); err != nil {
			return nil, fmt.Errorf("tool calls: %w", err)
		}
		calls[e.Call]["extra_content"] = e.Content
		changed, err := plainjson.Marshal(calls)
		if err != nil {
			return nil, err
		}
		message["tool_calls"] = changed
	}
	return plainjson.Marshal(messages)
}

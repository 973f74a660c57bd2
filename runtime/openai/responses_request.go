package openai

import (
	"encoding/json"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// responsesRequest returns the request of p as the Responses API takes it. Nothing is stored there:
// reasoning comes back encrypted, and is sent again with its message.
// (https://platform.openai.com/docs/api-reference/responses/create)
func (m *Model) responsesRequest(p *plan) (_ *openai.CreateResponseRequest, err error) {
	r := p.request
	req := &openai.CreateResponseRequest{
		Model: strings.TrimPrefix(r.Model, m.provider.Name+"/"), Instructions: r.Instruction, MaxOutputTokens: r.MaxTokens,
		Store: new(bool), Include: []openai.ResponseInclude{openai.ResponseIncludeReasoningEncryptedContent},
	}
	if r.Temperature != nil {
		t := float32(*r.Temperature)
		req.Temperature = &t
	}
	if !r.Output.IsText() {
		f := schemaFormat(r.Output)
		req.Text = &openai.ResponseTextConfig{Format: &openai.ResponseTextFormat{
			Type: "json_schema", Name: provider.Name(r.Output.Name, provider.OpenAI), Schema: f.schema, Strict: f.strict,
		}}
	}
	for _, t := range p.tools.Encoded.list {
		req.Tools = append(req.Tools, responsesTool(t.Function))
	}
	input := make([]any, 0, len(r.Messages))
	for i := range r.Messages {
		if input, err = m.appendRequestItems(input, &r.Messages[i]); err != nil {
			return nil, err
		}
	}
	req.Input = input
	return req, nil
}

// responsesTool returns a tool. It always says whether it is strict, since the
// Responses API takes tools that do not say for strict ones.
func responsesTool(f *openai.FunctionDefinition) openai.ResponseTool {
	return openai.ResponseTool{Type: openai.ToolTypeFunction, Parameters: map[string]any{
		"name": f.Name, "description": f.Description, "parameters": f.Parameters, "strict": f.Strict,
	}}
}

// A functionCallItem is a call of a tool in a conversation.
type functionCallItem struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// appendRequestItems adds the items of a message: those that the API gave, if it did.
func (m *Model) appendRequestItems(input []any, msg *runtime.Message) ([]any, error) {
	switch msg.Role {
	case runtime.RoleTool:
		return append(input, openai.ResponseFunctionCallOutput{Type: "function_call_output", CallID: msg.CallID, Output: msg.Content}), nil
	case runtime.RoleUser:
		content, err := requestMessageContent(msg)
		return append(input, openai.ResponseInputMessage{Type: "message", Role: "user", Content: content}), err
	}
	if given := m.givenItems(msg); given != nil {
		return append(input, given...), nil
	}
	if msg.Content != "" || len(msg.Calls) == 0 {
		input = append(input, openai.ResponseInputMessage{Type: "message", Role: "assistant", Content: msg.Content})
	}
	for i := range msg.Calls {
		call := m.functionCall(&msg.Calls[i])
		input = append(input, functionCallItem{"function_call", msg.Calls[i].ID, call.Name, call.Arguments})
	}
	return input, nil
}

// requestMessageContent returns what is attached to a message of the user, and its text
// after that.
func requestMessageContent(msg *runtime.Message) (any, error) {
	if !hasAttachments(*msg) {
		return msg.Content, nil
	}
	var parts []any
	for i := range msg.Attachments {
		part, err := requestInputPart(&msg.Attachments[i])
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if msg.Content != "" {
		parts = append(parts, openai.ResponseInputText{Type: "input_text", Text: msg.Content})
	}
	return parts, nil
}

// requestInputPart returns an attachment as the Responses API takes it: images and PDF, and any
// other text as text
// (https://developers.openai.com/api/docs/guides/file-inputs).
func requestInputPart(a *runtime.Attachment) (any, error) {
	kind, _, _ := strings.Cut(a.MediaType, "/")
	switch {
	case kind == "image":
		return openai.ResponseInputImage{Type: "input_image", ImageURL: attachmentURL(a)}, nil
	case a.MediaType == "application/pdf":
		return openai.ResponseInputFile{Type: "input_file", Filename: a.Name, FileData: attachmentURL(a)}, nil
	case kind == "text":
		return openai.ResponseInputText{Type: "input_text", Text: a.Text()}, nil
	}
	return nil, runtime.Errorf(runtime.KindValidation,
		"%s cannot be sent: the Responses API takes no files of type %q, but images, PDF and text", a.Name, a.MediaType)
}

// givenItems returns the items that the API gave for a message, with the ids that
// its calls have in the conversation; nil if there are none, or other calls.
func (m *Model) givenItems(msg *runtime.Message) []any {
	var extra map[string][]json.RawMessage
	if json.Unmarshal(msg.Extra, &extra) != nil || len(extra[m.provider.Name]) == 0 {
		return nil
	}
	var items []any
	calls := 0
	for _, text := range extra[m.provider.Name] {
		var item map[string]json.RawMessage
		if json.Unmarshal(text, &item) != nil {
			return nil
		}
		if string(item["type"]) == `"function_call"` {
			if calls == len(msg.Calls) {
				return nil
			}
			item["call_id"] = plainjson.String(msg.Calls[calls].ID)
			calls++
		}
		items = append(items, item)
	}
	if calls != len(msg.Calls) {
		return nil
	}
	return items
}

package telemetry

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"go.opentelemetry.io/otel/attribute"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/runtime"
)

// The attributes of the conventions that spans and metrics have. No version after 1.41.0 of the
// package semconv has them.
const (
	operationName      = attribute.Key("gen_ai.operation.name")
	providerName       = attribute.Key("gen_ai.provider.name")
	requestModel       = attribute.Key("gen_ai.request.model")
	requestTemperature = attribute.Key("gen_ai.request.temperature")
	requestMaxTokens   = attribute.Key("gen_ai.request.max_tokens")
	requestStream      = attribute.Key("gen_ai.request.stream")
	outputType         = attribute.Key("gen_ai.output.type")
	finishReasons      = attribute.Key("gen_ai.response.finish_reasons")
	timeToFirstChunk   = attribute.Key("gen_ai.response.time_to_first_chunk")
	inputTokens        = attribute.Key("gen_ai.usage.input_tokens")
	outputTokens       = attribute.Key("gen_ai.usage.output_tokens")
	cacheReadTokens    = attribute.Key("gen_ai.usage.cache_read.input_tokens")
	cacheWriteTokens   = attribute.Key("gen_ai.usage.cache_creation.input_tokens")
	reasoningTokens    = attribute.Key("gen_ai.usage.reasoning.output_tokens")
	tokenType          = attribute.Key("gen_ai.token.type")
	agentName          = attribute.Key("gen_ai.agent.name")
	testCaseName       = attribute.Key("test.case.name")
	agentDescription   = attribute.Key("gen_ai.agent.description")
	conversationID     = attribute.Key("gen_ai.conversation.id")
	toolName           = attribute.Key("gen_ai.tool.name")
	toolDescription    = attribute.Key("gen_ai.tool.description")
	toolType           = attribute.Key("gen_ai.tool.type")
	toolCallID         = attribute.Key("gen_ai.tool.call.id")
	errorType          = attribute.Key("error.type")
	resendCount        = attribute.Key("http.request.resend_count")

	// These have content, and are sent only if it is asked for.
	systemInstructions = attribute.Key("gen_ai.system_instructions")
	inputMessages      = attribute.Key("gen_ai.input.messages")
	outputMessages     = attribute.Key("gen_ai.output.messages")
	toolDefinitions    = attribute.Key("gen_ai.tool.definitions")
	callArguments      = attribute.Key("gen_ai.tool.call.arguments")
	callResult         = attribute.Key("gen_ai.tool.call.result")
)

// Limits on content, in bytes.
const (
	maxText     = 16 << 10  // of one text
	maxMessages = 256 << 10 // of the texts of one attribute; the last ones are kept
)

// A message and its parts, in the schema of the conventions.
type (
	message struct {
		Role   string `json:"role"`
		Parts  []part `json:"parts"`
		Finish string `json:"finish_reason,omitempty"` // of a response
	}
	part struct {
		Type      string          `json:"type"`
		Content   string          `json:"content,omitempty"`
		ID        string          `json:"id,omitempty"` // of a call, with the next three
		Name      string          `json:"name,omitempty"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
		Response  string          `json:"response,omitempty"`
		MediaType string          `json:"mime_type,omitempty"` // of an attachment
	}
	definition struct {
		Type        string          `json:"type"`
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	}
)

func instructionsOf(text string) string {
	if text == "" {
		return "[]"
	}
	return asJSON([]part{{Type: "text", Content: cut(text)}})
}

func definitionsOf(tools []runtime.Contract) string {
	list := []definition{}
	for i := range tools {
		list = append(list, definition{"function", tools[i].Name, cut(tools[i].Description), cutJSON(tools[i].Input)})
	}
	return asJSON(list)
}

// messagesOf returns the messages of a request, without the oldest if they are too long.
func messagesOf(conversation []runtime.Message) string {
	list, size := []message{}, 0
	for i := len(conversation) - 1; i >= 0; i-- {
		m := messageOf(&conversation[i])
		for _, p := range m.Parts {
			size += len(p.Content) + len(p.Arguments) + len(p.Response)
		}
		if size > maxMessages {
			break
		}
		list = append(list, m)
	}
	slices.Reverse(list)
	return asJSON(list)
}

func messageOf(m *runtime.Message) message {
	out := message{Role: string(m.Role), Parts: []part{}}
	if m.Role == runtime.RoleTool {
		out.Parts = append(out.Parts, part{Type: "tool_call_response", ID: m.CallID, Response: cut(m.Content)})
		return out
	}
	if m.Content != "" {
		out.Parts = append(out.Parts, part{Type: "text", Content: cut(m.Content)})
	}
	for i := range m.Attachments {
		out.Parts = append(out.Parts, part{Type: "attachment", Name: m.Attachments[i].Name, MediaType: m.Attachments[i].MediaType})
	}
	out.Parts = append(out.Parts, callParts(m.Calls)...)
	return out
}

// responseOf returns the message that a response is.
func responseOf(r *runtime.Response) string {
	m := message{Role: "assistant", Parts: []part{}, Finish: cmp.Or(r.Finish, "stop")}
	for _, p := range []part{{Type: "reasoning", Content: cut(r.Reasoning)}, {Type: "text", Content: cut(r.Content)}, {Type: "refusal", Content: cut(r.Refusal)}} {
		if p.Content != "" {
			m.Parts = append(m.Parts, p)
		}
	}
	m.Parts = append(m.Parts, callParts(r.Calls)...)
	return asJSON([]message{m})
}

func callParts(calls []runtime.Call) (parts []part) {
	for i := range calls {
		parts = append(parts, part{Type: "tool_call", ID: calls[i].ID, Name: calls[i].Name, Arguments: cutJSON(calls[i].Args)})
	}
	return parts
}

// cut shortens a long text.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", excerpt.Bytes(text, maxText), len(text))
}

// cutJSON returns a value as it is, or as a text if it is too long or no JSON.
func cutJSON(value json.RawMessage) json.RawMessage {
	if len(value) == 0 || len(value) <= maxText && json.Valid(value) {
		return value
	}
	return json.RawMessage(asJSON(cut(string(value))))
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic("telemetry: " + err.Error()) // every value here has a JSON form
	}
	return string(text)
}

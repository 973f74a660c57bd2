package openai

import (
	"encoding/json"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/runtime"
)

// go-openai has no place for the extra fields of a tool call. They are written
// as a marker, for which [splice] puts in the exact bytes. No text of the user
// can look like a marker: inside a JSON string its quotes would be escaped, and
// the body holds nothing but strings, markers and go-openai's own keys.
const (
	extraType   = "gramc:extra"
	extraMarker = `"type":"` + extraType + `"`
)

// empty stands for no text: go-openai leaves an empty content out, and servers
// refuse a message without one.
const empty = "(empty)"

// wire turns r into what go-openai sends, and notes in x what has to be
// spliced in.
func (m *Model) wire(r *runtime.Request, x *exchange) (openai.ChatCompletionRequest, error) {
	req := openai.ChatCompletionRequest{Model: strings.TrimPrefix(r.Model, m.provider.name+"/")}
	req.Messages = make([]openai.ChatCompletionMessage, 0, len(r.Messages)+1)
	if r.Instruction != "" {
		req.Messages = append(req.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: r.Instruction})
	}
	if m.legacy {
		req.Messages = appendLegacy(req.Messages, r.Messages)
	} else {
		for i := range r.Messages {
			req.Messages = append(req.Messages, wireMessage(&r.Messages[i], x))
		}
	}
	if len(r.Tools) == 0 {
		return req, nil
	}
	tools, err := m.renderTools(r.Tools)
	if err != nil {
		return req, err
	}
	req.ToolChoice = toolsHere
	x.inserts = append(x.inserts, insert{toolsMarker, tools})
	return req, nil
}

func wireMessage(msg *runtime.Message, x *exchange) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{Role: string(msg.Role), Content: msg.Content}
	if msg.Role == runtime.RoleTool {
		out.Name, out.ToolCallID = msg.ToolName, msg.CallID
	}
	if len(msg.Calls) > 0 {
		out.ToolCalls = make([]openai.ToolCall, len(msg.Calls))
	} else if out.Content == "" {
		out.Content = empty
	}
	for i := range msg.Calls {
		c := &msg.Calls[i]
		out.ToolCalls[i] = openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction, Function: *wireCall(c)}
		if len(c.Extra) > 0 && json.Valid(c.Extra) {
			out.ToolCalls[i].Type = extraType
			x.inserts = append(x.inserts, insert{extraMarker, append([]byte(`"type":"function","extra_content":`), c.Extra...)})
		}
	}
	return out
}

func wireCall(c *runtime.Call) *openai.FunctionCall {
	f := &openai.FunctionCall{Name: c.Name, Arguments: string(c.Args)}
	if f.Arguments == "" {
		f.Arguments = "{}"
	}
	return f
}

// appendLegacy writes the conversation in the old format, where a message
// holds at most one call: each call is repeated right before its result.
func appendLegacy(out []openai.ChatCompletionMessage, messages []runtime.Message) []openai.ChatCompletionMessage {
	var asked *runtime.Message // the assistant message whose results follow
	said := true               // its content went out
	flush := func() {
		if !said {
			out = append(out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant, Content: asked.Content, FunctionCall: wireCall(&asked.Calls[0])})
			said = true
		}
	}
	for i := range messages {
		msg := &messages[i]
		switch {
		case msg.Role == runtime.RoleTool:
			if c := callOf(asked, msg.CallID); c != nil {
				call := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant, FunctionCall: wireCall(c)}
				if !said {
					call.Content, said = asked.Content, true
				}
				out = append(out, call)
			}
			out = append(out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleFunction, Name: msg.ToolName, Content: orEmpty(msg.Content)})
		case len(msg.Calls) > 0:
			flush()
			asked, said = msg, false
		default:
			flush()
			asked = nil
			out = append(out, openai.ChatCompletionMessage{Role: string(msg.Role), Content: orEmpty(msg.Content)})
		}
	}
	flush()
	return out
}

func callOf(msg *runtime.Message, id string) *runtime.Call {
	if msg == nil {
		return nil
	}
	for i := range msg.Calls {
		if msg.Calls[i].ID == id {
			return &msg.Calls[i]
		}
	}
	return nil
}

func orEmpty(text string) string {
	if text == "" {
		return empty
	}
	return text
}

package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/runtime"
)

// The messages of a request are written here and not by go-openai, which drops
// empty content and has no place for the extra fields of a call. Its request
// has none, and [splice] puts them there. No text of the user can look like
// the marker: what go-openai writes holds none of it.
const messagesMarker = `"messages":null`

// empty stands for no text: servers refuse a message without one.
const empty = "(empty)"

type message struct {
	Role         string    `json:"role"`
	Content      string    `json:"content,omitempty"`
	Name         string    `json:"name,omitempty"`
	ToolCallID   string    `json:"tool_call_id,omitempty"`
	ToolCalls    []call    `json:"tool_calls,omitempty"`
	FunctionCall *calledBy `json:"function_call,omitempty"`
}

type call struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Extra    json.RawMessage `json:"extra_content,omitempty"`
	Function calledBy        `json:"function"`
}

// calledBy is the name and the arguments of a call.
type calledBy struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// wire turns r into what go-openai sends, and notes in x what has to be
// spliced in.
func (m *Model) wire(r *runtime.Request, x *exchange) (openai.ChatCompletionRequest, error) {
	req := openai.ChatCompletionRequest{Model: strings.TrimPrefix(r.Model, m.provider.name+"/")}
	messages := make([]message, 0, len(r.Messages)+1)
	if instruction := m.instruction(r); instruction != "" {
		messages = append(messages, message{Role: openai.ChatMessageRoleSystem, Content: instruction})
	}
	if m.legacy {
		messages = appendLegacy(messages, r.Messages)
	} else {
		for i := range r.Messages {
			messages = append(messages, wireMessage(&r.Messages[i]))
		}
	}
	m.rename(messages)
	x.inserts = append(x.inserts, insert{messagesMarker, append(render(messages), m.settings(r, req.Model)...)})
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

// render writes the "messages" of a request, key included.
func render(messages []message) []byte {
	var b bytes.Buffer
	b.WriteString(`"messages":`)
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(messages); err != nil {
		panic("openai: " + err.Error()) // strings, and JSON that is valid
	}
	return b.Bytes()
}

func wireMessage(msg *runtime.Message) message {
	out := message{Role: string(msg.Role), Content: msg.Content}
	if msg.Role == runtime.RoleTool {
		out.Name, out.ToolCallID = msg.ToolName, msg.CallID
	}
	if len(msg.Calls) == 0 {
		out.Content = orEmpty(out.Content)
		return out
	}
	out.ToolCalls = make([]call, len(msg.Calls))
	for i := range msg.Calls {
		c := &msg.Calls[i]
		out.ToolCalls[i] = call{ID: c.ID, Type: string(openai.ToolTypeFunction), Function: wireCall(c)}
		if json.Valid(c.Extra) {
			out.ToolCalls[i].Extra = c.Extra
		}
	}
	return out
}

func wireCall(c *runtime.Call) calledBy {
	f := calledBy{Name: c.Name, Arguments: string(c.Args)}
	if f.Arguments == "" {
		f.Arguments = "{}"
	}
	return f
}

// appendLegacy writes the conversation in the old format, where a message
// holds at most one call: each call is repeated right before its result.
func appendLegacy(out []message, messages []runtime.Message) []message {
	var asked *runtime.Message // the assistant message whose results follow
	said := true               // its content went out
	ask := func(c *runtime.Call) {
		called := wireCall(c)
		msg := message{Role: openai.ChatMessageRoleAssistant, FunctionCall: &called}
		if !said {
			msg.Content, said = asked.Content, true
		}
		out = append(out, msg)
	}
	flush := func() {
		if !said {
			ask(&asked.Calls[0])
		}
	}
	for i := range messages {
		msg := &messages[i]
		switch {
		case msg.Role == runtime.RoleTool:
			if c := callOf(asked, msg.CallID); c != nil {
				ask(c)
			}
			out = append(out, message{Role: openai.ChatMessageRoleFunction, Name: msg.ToolName, Content: orEmpty(msg.Content)})
		case len(msg.Calls) > 0:
			flush()
			asked, said = msg, false
		default:
			flush()
			asked = nil
			out = append(out, message{Role: string(msg.Role), Content: orEmpty(msg.Content)})
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

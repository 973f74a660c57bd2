package openai

//lint:file-ignore SA1019 older servers know only functions

import (
	"cmp"
	"slices"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/runtime"
)

// addFunctionMessages adds a conversation in the old format. There a message has at
// most one call, so each call is repeated right before its result.
func (m *Model) addFunctionMessages(req *openai.ChatCompletionRequest, messages []runtime.Message) {
	var calling *runtime.Message // the assistant message whose results follow
	pending := false             // its content is not in req yet
	add := func(c *runtime.Call) {
		f := m.functionCall(c)
		out := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant, FunctionCall: &f}
		if pending {
			out.Content, pending = calling.Content, false
		}
		req.Messages = append(req.Messages, out)
	}
	flush := func() {
		if pending {
			add(&calling.Calls[0])
		}
	}
	for i := range messages {
		msg := &messages[i]
		out := openai.ChatCompletionMessage{Role: string(msg.Role), Content: cmp.Or(msg.Content, empty)}
		switch {
		case msg.Role == runtime.RoleTool:
			if c := callOf(calling, msg.CallID); c != nil {
				add(c)
			}
			out.Role, out.Name = openai.ChatMessageRoleFunction, m.toolName(msg.ToolName)
		case len(msg.Calls) > 0:
			flush()
			calling, pending = msg, true
			continue
		default:
			flush()
			calling = nil
		}
		req.Messages = append(req.Messages, out)
	}
	flush()
}

// callOf returns the call of msg with that id; nil if there is none.
func callOf(msg *runtime.Message, id string) *runtime.Call {
	if msg == nil {
		return nil
	}
	i := slices.IndexFunc(msg.Calls, func(c runtime.Call) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return &msg.Calls[i]
}

package openai

//lint:file-ignore SA1019 older servers know only functions

import (
	"cmp"
	"slices"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/runtime"
)

// addFunctions adds the tools and the conversation in the old format.
func (m *Model) addFunctions(p *plan) error {
	for _, t := range p.tools.Encoded.list {
		p.chat.Functions = append(p.chat.Functions, *t.Function)
	}
	if slices.ContainsFunc(p.request.Messages, hasAttachments) {
		return runtime.Errorf(runtime.KindValidation, "images and files cannot be sent in the old wire format of functions")
	}
	m.addFunctionMessages(&p.chat, p.request.Messages)
	return nil
}

// addFunctionMessages adds a conversation in the old format. There a message has at
// most one call, so each call has a message of its own, right before its result.
func (m *Model) addFunctionMessages(req *openai.ChatCompletionRequest, messages []runtime.Message) {
	messages = slices.Clone(messages)
	for len(messages) > 0 {
		msg := messages[0]
		messages = messages[1:]
		if len(msg.Calls) == 0 {
			req.Messages = append(req.Messages, m.functionMessage(&msg))
		}
		for i := range msg.Calls {
			f := m.functionCall(&msg.Calls[i])
			call := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant, FunctionCall: &f}
			if i == 0 {
				call.Content = msg.Content
			}
			req.Messages = append(req.Messages, call)
			result := slices.IndexFunc(messages, func(r runtime.Message) bool { return r.Role == runtime.RoleTool && r.CallID == msg.Calls[i].ID })
			if result >= 0 {
				req.Messages = append(req.Messages, m.functionMessage(&messages[result]))
				messages = slices.Delete(messages, result, result+1)
			}
		}
	}
}

// functionMessage returns a message without calls in the old format.
func (m *Model) functionMessage(msg *runtime.Message) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{Role: string(msg.Role), Content: cmp.Or(msg.Content, empty)}
	if msg.Role == runtime.RoleTool {
		out.Role, out.Name = openai.ChatMessageRoleFunction, m.toolName(msg.ToolName)
	}
	return out
}

func (m *Model) functionCall(c *runtime.Call) openai.FunctionCall {
	return openai.FunctionCall{Name: m.toolName(c.Name), Arguments: cmp.Or(string(c.Args), "{}")}
}

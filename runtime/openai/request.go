package openai

//lint:file-ignore SA1019 older servers and models know only max_tokens and functions

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/lowered"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/internal/provider/chat"
	"github.com/gram-lang/gramc/runtime"
)

// empty is the content of messages without text. Servers refuse a message
// without content, and go-openai omits empty content.
const empty = "(empty)"

// A plan is a request, and what its response has to be read with.
type plan struct {
	request *runtime.Request
	tools   *tools
	answer  *lowered.Answer // takes the answer as a tool; nil for every other form

	chat openai.ChatCompletionRequest
	add  chat.Additions // what the types of go-openai cannot express
}

// plan returns r as chat completions take it.
func (m *Model) plan(r *runtime.Request) (*plan, error) {
	p := &plan{request: r}
	var err error
	if p.tools, err = m.toolbox.Lower(r.Tools); err != nil {
		return nil, err
	}
	fixed := provider.Request{
		Model:       strings.TrimPrefix(r.Model, m.provider.Name+"/"),
		Instruction: r.Instruction,
		MaxTokens:   int64(r.MaxTokens),
	}
	switch {
	case r.Output.IsText():
	case m.takesSchemaFormat(r):
		f := schemaFormat(r.Output)
		fixed.Answer, fixed.AnswerName, fixed.AnswerLoose = f.schema, provider.Name(r.Output.Name, provider.OpenAI), !f.strict
	default:
		if p.answer = m.toolAnswer(p); p.answer == nil {
			fixed.Instruction = strings.TrimPrefix(r.Instruction+"\n\n"+provider.AskJSONAnswer(r.Output.Schema), "\n\n")
		}
	}
	p.chat = chat.Request(&fixed, len(r.Messages))
	if r.MaxTokens > 0 && !m.wantsCompletionTokens(p.chat.Model) {
		p.chat.MaxTokens, p.chat.MaxCompletionTokens = p.chat.MaxCompletionTokens, 0
	}
	if r.Temperature != nil {
		p.add.Temperature = json.Number(strconv.FormatFloat(*r.Temperature, 'f', -1, 64))
	}
	if m.legacy {
		return p, m.addFunctions(p)
	}
	if p.add.Tools = p.tools.Encoded.text; p.answer != nil {
		all, err := encodedTools(append(slices.Clip(p.tools.List), *p.answer.Tool))
		if err != nil {
			return nil, runtime.Errorf(runtime.KindConfiguration, "the tools cannot be sent: %w", err)
		}
		p.add.Tools = all.text
	}
	p.add.Extras = m.addMessages(&p.chat, r.Messages)
	p.add.Contents, err = attachmentContents(r.Messages, len(p.chat.Messages)-len(r.Messages))
	return p, err
}

// addMessages adds a conversation to req and returns the extras of its calls.
func (m *Model) addMessages(req *openai.ChatCompletionRequest, messages []runtime.Message) (extras []chat.Extra) {
	for i := range messages {
		msg := &messages[i]
		out := openai.ChatCompletionMessage{Role: string(msg.Role), Content: msg.Content}
		if msg.Role == runtime.RoleAssistant {
			out.ReasoningContent = m.reasoningBack(msg)
		}
		if msg.Role == runtime.RoleTool {
			out.Name, out.ToolCallID = m.toolName(msg.ToolName), msg.CallID
		}
		if len(msg.Calls) == 0 {
			out.Content = cmp.Or(msg.Content, empty)
		}
		out.ToolCalls = make([]openai.ToolCall, len(msg.Calls))
		for j := range msg.Calls {
			c := &msg.Calls[j]
			out.ToolCalls[j] = openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction, Function: m.functionCall(c)}
			if content := m.extraContent(c.Extra); content != nil {
				extras = append(extras, chat.Extra{Message: len(req.Messages), Call: j, Content: content})
			}
		}
		req.Messages = append(req.Messages, out)
	}
	return extras
}

// toolName returns the name of a tool as the provider takes it.
func (m *Model) toolName(name string) string {
	if name == "" {
		return ""
	}
	return provider.Name(name, m.target())
}

// toolList are tools as chat completions take them. They are never changed.
type toolList struct {
	list []openai.Tool
	text json.RawMessage // the list; nil if it is empty
}

type tools = lowered.Tools[toolList]

func newToolbox(p *models.Provider, legacy bool) *lowered.Toolbox[toolList] {
	strict := provider.Target("")
	if p.Strict && p.Dialect == models.Chat && !legacy {
		strict = provider.TargetOf(p, true)
	}
	return lowered.NewToolbox(provider.TargetOf(p, false), strict, encodedTools)
}

func encodedTools(list []provider.Tool) (out toolList, err error) {
	if out.list = chat.Tools(list); len(list) > 0 {
		out.text, err = json.Marshal(out.list)
	}
	return out, err
}

package openai

//lint:file-ignore SA1019 older servers and models know only max_tokens and functions

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/internal/provider/chat"
	"github.com/gram-lang/gramc/runtime"
)

// empty is the content of messages without text. Servers refuse a message
// without content, and go-openai omits empty content.
const empty = "(empty)"

// request returns r in the types of go-openai, and what these cannot express.
func (m *Model) request(r *runtime.Request) (openai.ChatCompletionRequest, chat.Additions, error) {
	var add chat.Additions
	tools, err := m.lowerTools(r.Tools)
	if err != nil {
		return openai.ChatCompletionRequest{}, add, err
	}
	fixed := provider.Request{
		Model:       strings.TrimPrefix(r.Model, m.provider.Name+"/"),
		Instruction: m.instruction(r),
		MaxTokens:   int64(r.MaxTokens),
	}
	if !r.Output.IsText() && m.takesSchemaFormat(r) {
		f := schemaFormat(r.Output)
		fixed.Answer, fixed.AnswerName, fixed.AnswerLoose = f.schema, provider.Name(r.Output.Name, provider.OpenAI), !f.strict
	}
	req := chat.Request(&fixed, len(r.Messages))
	if r.MaxTokens > 0 && !m.wantsCompletionTokens(req.Model) {
		req.MaxTokens, req.MaxCompletionTokens = req.MaxCompletionTokens, 0
	}
	if r.Temperature != nil {
		add.Temperature = json.Number(strconv.FormatFloat(*r.Temperature, 'f', -1, 64))
	}
	if m.legacy {
		for _, t := range tools.list {
			req.Functions = append(req.Functions, *t.Function)
		}
		if slices.ContainsFunc(r.Messages, hasAttachments) {
			return req, add, runtime.Errorf(runtime.KindValidation, "images and files cannot be sent in the old wire format of functions")
		}
		m.addFunctionMessages(&req, r.Messages)
	} else {
		add.Tools = tools.text
		add.Extras = m.addMessages(&req, r.Messages)
		if add.Contents, err = contents(r.Messages, len(req.Messages)-len(r.Messages)); err != nil {
			return req, add, err
		}
	}
	return req, add, nil
}

// addMessages adds a conversation to req and returns the extras of its calls.
func (m *Model) addMessages(req *openai.ChatCompletionRequest, messages []runtime.Message) (extras []chat.Extra) {
	for i := range messages {
		msg := &messages[i]
		out := openai.ChatCompletionMessage{Role: string(msg.Role), Content: msg.Content}
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

// loweredTools are tools as the provider takes them, and a copy of what they
// were lowered from.
type loweredTools struct {
	from []runtime.Contract
	list []openai.Tool   // never changed
	text json.RawMessage // the list; nil if it is empty
}

// lowerTools returns tools as the provider takes them. All requests of a run
// have the same tools: those of the last request are kept.
func (m *Model) lowerTools(tools []runtime.Contract) (*loweredTools, error) {
	if last := m.lowered.Load(); last != nil && slices.EqualFunc(last.from, tools, sameContract) {
		return last, nil
	}
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	names, collisions := provider.Names(names, m.target())
	if len(collisions) > 0 {
		return nil, runtime.Errorf(runtime.KindConfiguration, "%w", collisions[0])
	}
	l := &loweredTools{}
	lowered := make([]provider.Tool, len(tools))
	for i, t := range tools {
		schema, err := m.inputSchema(t)
		if err != nil {
			return nil, err
		}
		lowered[i] = provider.Tool{Name: names[i], Description: t.Description, Input: schema, Strict: m.hasStrictSchemas(t)}
		l.from = append(l.from, runtime.Contract{Name: t.Name, Description: t.Description, Strict: t.Strict, Input: bytes.Clone(t.Input)})
	}
	l.list = chat.Tools(lowered)
	if len(l.list) > 0 {
		var err error
		if l.text, err = json.Marshal(l.list); err != nil {
			return nil, runtime.Errorf(runtime.KindConfiguration, "the tools cannot be sent: %w", err)
		}
	}
	m.lowered.Store(l)
	return l, nil
}

func sameContract(a, b runtime.Contract) bool {
	return a.Name == b.Name && a.Description == b.Description && a.Strict == b.Strict && bytes.Equal(a.Input, b.Input)
}

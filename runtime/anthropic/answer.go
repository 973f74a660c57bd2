package anthropic

import (
	"encoding/json"
	"slices"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// An answer is how a model gives an answer that is not text.
type answer struct {
	tool    string // the tool that takes the answer; "" if the text of the response is the answer
	wrapped bool   // in an object, see [provider.Wrap]
}

// askAnswer adds the schema of the answer to a request: as the format of the response
// if the model and the API can hold to it, and otherwise as a tool.
func (p *plan) askAnswer(o runtime.Output, f facts) error {
	schema, wrapped := provider.Wrap(o.Schema)
	p.answer = &answer{wrapped: wrapped}
	if f.hasFormats() {
		if format, _ := provider.Lower(schema, provider.AnthropicStrict); format != nil {
			p.params.OutputConfig.Format = param.Override[anthropic.JSONOutputFormatParam](mustMarshal(struct {
				Type   string          `json:"type"`
				Schema json.RawMessage `json:"schema"`
			}{"json_schema", format}))
			return nil
		}
	}
	input, problems := provider.Lower(schema, provider.Anthropic)
	if input == nil {
		return runtime.Errorf(runtime.KindConfiguration, "the type of the answer cannot be sent: %s", problems[0])
	}
	var taken []string
	for _, t := range p.params.Tools {
		taken = append(taken, t.OfTool.Name)
	}
	final := provider.AnswerTool(input, taken...)
	p.answer.tool = final.Name
	alone := len(p.tools.list) == 0
	p.params.Tools = append(slices.Clip(p.params.Tools), tool(final.Name, final.Description, final.Input))
	p.params.ToolChoice = anthropic.ToolChoiceUnionParam{}
	if alone && f.takesForcedTool() {
		p.params.ToolChoice.OfTool = &anthropic.ToolChoiceToolParam{Name: p.answer.tool, DisableParallelToolUse: param.NewOpt(true)}
	}
	return nil
}

// inOnePiece reports whether the answer is not the text of the response as it comes.
func (a *answer) inOnePiece() bool { return a != nil && (a.tool != "" || a.wrapped) }

// take makes the answer the content of a response, in the form that the agent
// asked for. It reports whether the answer was that of a tool; other calls
// come first, and the model can answer when it has their results.
func (a *answer) take(r *runtime.Response) (called bool) {
	content := json.RawMessage(r.Content)
	if i := slices.IndexFunc(r.Calls, func(c runtime.Call) bool { return c.Name == a.tool }); a.tool != "" && i >= 0 {
		content, called = r.Calls[i].Args, true
		r.Calls = slices.DeleteFunc(r.Calls, func(c runtime.Call) bool { return c.Name == a.tool })
	}
	if len(r.Calls) > 0 {
		return called
	}
	r.Calls = nil
	if a.wrapped {
		content = provider.Unwrap(content)
	}
	r.Content = string(content)
	if called && r.Finish == "tool_calls" {
		r.Finish = "stop"
	}
	return called
}

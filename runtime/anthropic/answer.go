package anthropic

import (
	"encoding/json"
	"slices"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/gram-lang/gramc/internal/lowered"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// holdsFormat reports whether the API takes the schema of an answer beside the strict tools.
func (p *plan) holdsFormat(schema json.RawMessage) bool {
	strict := p.tools.Strict()
	return len(strict) == 0 || len(provider.CheckStrictTogether(strict, schema, provider.AnthropicStrict)) == 0
}

// askAnswer adds the schema of the answer to a request: as the format of the response
// if the model and the API can hold to it, and otherwise as a tool.
func (p *plan) askAnswer(o runtime.Output, f facts) error {
	schema, wrapped := provider.Wrap(o.Schema)
	p.answer = &lowered.Answer{Wrapped: wrapped}
	if f.hasFormats() {
		if format, _ := provider.LowerFormat(schema, provider.AnthropicStrict); format != nil && p.holdsFormat(schema) {
			p.params.OutputConfig.Format = param.Override[anthropic.JSONOutputFormatParam](mustMarshal(struct {
				Type   string          `json:"type"`
				Schema json.RawMessage `json:"schema"`
			}{"json_schema", format}))
			return nil
		}
	}
	var problems []provider.Problem
	if p.answer, problems = lowered.ToolAnswer(o, provider.Anthropic, p.toolNames()); p.answer == nil {
		return runtime.Errorf(runtime.KindConfiguration, "the type of the answer cannot be sent: %s", problems[0])
	}
	final := p.answer.Tool
	alone := len(p.tools.List) == 0
	p.params.Tools = append(slices.Clip(p.params.Tools), tool(final.Name, final.Description, final.Input))
	p.params.ToolChoice = anthropic.ToolChoiceUnionParam{}
	if alone && f.takesForcedTool() {
		p.params.ToolChoice.OfTool = &anthropic.ToolChoiceToolParam{Name: final.Name, DisableParallelToolUse: param.NewOpt(true)}
	}
	return nil
}

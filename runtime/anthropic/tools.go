package anthropic

import (
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/gram-lang/gramc/internal/lowered"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// tools are the tools of a run as the API takes them.
type tools = lowered.Tools[[]anthropic.ToolUnionParam]

type toolbox = lowered.Toolbox[[]anthropic.ToolUnionParam]

// newToolbox returns the toolbox of the models that take strict tools, or of those that do not.
func newToolbox(strict bool) *toolbox {
	target := provider.Target("")
	if strict {
		target = provider.AnthropicStrict
	}
	return lowered.NewToolbox(provider.Anthropic, target, func(list []provider.Tool) (out []anthropic.ToolUnionParam, _ error) {
		for _, t := range list {
			sent := tool(t.Name, t.Description, t.Input)
			if t.Strict {
				sent.OfTool.Strict = param.NewOpt(true)
			}
			out = append(out, sent)
		}
		return out, nil
	})
}

func tool(name, description string, schema json.RawMessage) anthropic.ToolUnionParam {
	t := &anthropic.ToolParam{Name: name, InputSchema: param.Override[anthropic.ToolInputSchemaParam](schema)}
	if description != "" {
		t.Description = param.NewOpt(description)
	}
	return anthropic.ToolUnionParam{OfTool: t}
}

// calledTools returns a tool for each name in the calls of a conversation: the API
// refuses calls of tools that the request does not have, even if there can be no more.
func calledTools(messages []runtime.Message) []anthropic.ToolUnionParam {
	var list []anthropic.ToolUnionParam
	seen := map[string]bool{}
	for i := range messages {
		for j := range messages[i].Calls {
			name := toolName(messages[i].Calls[j].Name)
			if !seen[name] {
				seen[name] = true
				list = append(list, tool(name, "", lowered.OpenInput))
			}
		}
	}
	return list
}

// toolName returns the name of a tool as the API takes it.
func toolName(name string) string { return provider.Name(name, provider.Anthropic) }

// toolNames returns the names of the tools of the request: with those that it only has
// because they were called.
func (p *plan) toolNames() (names []string) {
	for _, t := range p.params.Tools {
		names = append(names, t.OfTool.Name)
	}
	return names
}

package anthropic

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// A toolset is the tools of a run as the API takes them, and a copy of what they
// were made of. It is never changed.
type toolset struct {
	from []runtime.Contract
	list []anthropic.ToolUnionParam
	own  map[string]string // the names that were changed for the API, and their own
}

// toolset returns tools as the API takes them. All requests of a run have the same
// tools: those of the last request are kept.
func (m *Model) toolset(tools []runtime.Contract) (*toolset, error) {
	if last := m.tools.Load(); last != nil && slices.EqualFunc(last.from, tools, sameContract) {
		return last, nil
	}
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	names, collisions := provider.Names(names, provider.Anthropic)
	if len(collisions) > 0 {
		return nil, runtime.Errorf(runtime.KindConfiguration, "%w", collisions[0])
	}
	t := &toolset{own: map[string]string{}}
	for i, c := range tools {
		schema, err := inputSchema(c)
		if err != nil {
			return nil, err
		}
		t.list = append(t.list, tool(names[i], c.Description, schema))
		t.from = append(t.from, runtime.Contract{Name: c.Name, Description: c.Description, Input: bytes.Clone(c.Input)})
		if names[i] != c.Name {
			t.own[names[i]] = c.Name
		}
	}
	m.tools.Store(t)
	return t, nil
}

func sameContract(a, b runtime.Contract) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Input, b.Input)
}

// ownName returns the name that the agent has for a tool.
func (t *toolset) ownName(name string) string {
	if own, changed := t.own[name]; changed {
		return own
	}
	return name
}

func tool(name, description string, schema json.RawMessage) anthropic.ToolUnionParam {
	t := &anthropic.ToolParam{Name: name, InputSchema: param.Override[anthropic.ToolInputSchemaParam](schema)}
	if description != "" {
		t.Description = param.NewOpt(description)
	}
	return anthropic.ToolUnionParam{OfTool: t}
}

// openInput takes every object.
var openInput = json.RawMessage(`{"type":"object","properties":{}}`)

// inputSchema returns the schema of the arguments as the API takes it.
func inputSchema(c runtime.Contract) (json.RawMessage, error) {
	switch {
	case len(c.Input) == 0:
		return openInput, nil
	case !json.Valid(c.Input):
		return nil, runtime.Errorf(runtime.KindValidation, "the input schema of tool %q is not JSON", c.Name)
	}
	schema, problems := provider.Lower(c.Input, provider.Anthropic)
	for _, p := range problems {
		if p.Severity == provider.Error {
			return nil, runtime.Errorf(runtime.KindConfiguration, "the input schema of tool %q cannot be sent: %s", c.Name, p)
		}
	}
	return schema, nil
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
				list = append(list, tool(name, "", openInput))
			}
		}
	}
	return list
}

// toolName returns the name of a tool as the API takes it.
func toolName(name string) string { return provider.Name(name, provider.Anthropic) }

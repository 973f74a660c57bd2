package openai

import (
	"bytes"
	"encoding/json"
	"slices"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/runtime"
)

// The tools of an agent are the same in every request of a run, go-openai
// needs about ten allocations for each, and it would rewrite their schemas
// (white space, "<" as "\u003c"). They are therefore rendered once, and the
// request carries a tool_choice that marks where [splice] puts them. Its
// presence also keeps go-openai's check for models that cannot use tools.
const (
	toolsHere    = "gramc:tools"
	toolsMarker  = `"tool_choice":"` + toolsHere + `"`
	schemaHere   = "gramc:schema"
	schemaMarker = `"parameters":"` + schemaHere + `"`
)

// renderedTools is the text for some tools, and a copy of what it was made of.
type renderedTools struct {
	tools []runtime.Contract
	text  []byte
}

// renderTools returns the "tools" of a request, or the "functions" of the old
// format, key included.
func (m *Model) renderTools(tools []runtime.Contract) ([]byte, error) {
	if last := m.rendered.Load(); last != nil && slices.EqualFunc(last.tools, tools, sameTool) {
		return last.text, nil
	}
	r := &renderedTools{}
	functions := make([]openai.FunctionDefinition, len(tools))
	wrapped := make([]openai.Tool, len(tools))
	names, err := m.toolNames(tools)
	if err != nil {
		return nil, err
	}
	schemas := make([]json.RawMessage, len(tools))
	for i, t := range tools {
		if schemas[i], err = m.toolSchema(t); err != nil {
			return nil, err
		}
		functions[i] = openai.FunctionDefinition{
			Name: names[i], Description: t.Description, Strict: m.isStrict(t), Parameters: schemaHere,
		}
		wrapped[i] = openai.Tool{Type: openai.ToolTypeFunction, Function: &functions[i]}
		r.tools = append(r.tools, runtime.Contract{Name: t.Name, Description: t.Description, Strict: t.Strict, Input: bytes.Clone(t.Input)})
	}
	var list any = wrapped
	r.text = []byte(`"tools":`)
	if m.legacy {
		list = functions
		r.text = []byte(`"functions":`)
	}
	rest, err := json.Marshal(list)
	if err != nil {
		panic("openai: " + err.Error()) // nothing but strings
	}
	for _, schema := range schemas {
		before, after, _ := bytes.Cut(rest, []byte(schemaMarker))
		r.text = append(append(r.text, before...), `"parameters":`...)
		r.text = append(r.text, schema...)
		rest = after
	}
	r.text = append(r.text, rest...)
	m.rendered.Store(r)
	return r.text, nil
}

func sameTool(a, b runtime.Contract) bool {
	return a.Name == b.Name && a.Description == b.Description && a.Strict == b.Strict && bytes.Equal(a.Input, b.Input)
}

package openai

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// hasStrictSchemas reports whether the provider is asked to hold the model to the
// schema of a tool.
func (m *Model) hasStrictSchemas(t runtime.Contract) bool {
	return t.Strict && m.provider.Strict && !m.legacy && len(t.Input) > 0
}

// inputSchema returns the schema of the arguments as the provider takes it.
func (m *Model) inputSchema(t runtime.Contract) (json.RawMessage, error) {
	switch {
	case len(t.Input) == 0:
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	case !json.Valid(t.Input):
		return nil, runtime.Errorf(runtime.KindValidation, "the input schema of tool %q is not JSON", t.Name)
	}
	schema, problems := provider.Lower(t.Input, provider.TargetOf(m.provider, m.hasStrictSchemas(t)))
	for _, p := range problems {
		if p.Severity == provider.Error {
			return nil, runtime.Errorf(runtime.KindConfiguration, "the input schema of tool %q cannot be sent: %s", t.Name, p)
		}
	}
	return schema, nil
}

// A format is the schema of a response in the forms that it takes on its way.
type format struct {
	schema  json.RawMessage // as it is sent
	plain   json.RawMessage // before it was made strict
	strict  bool
	wrapped bool // in an object, see [provider.Wrap]
}

// schemaFormat returns the schema of a response: strict unless strict mode cannot
// express it.
func schemaFormat(o runtime.Output) format {
	var f format
	f.plain, f.wrapped = provider.Wrap(o.Schema)
	f.schema, _ = provider.Lower(f.plain, provider.OpenAIStrict)
	if f.strict = f.schema != nil; !f.strict {
		f.schema = f.plain
	}
	return f
}

// restore returns a response in the form that the caller asked for.
func (f format) restore(content json.RawMessage) json.RawMessage {
	if f.strict {
		content = provider.Restore(f.plain, content)
	}
	if f.wrapped {
		content = provider.Unwrap(content)
	}
	return content
}

// takesSchemaFormat reports whether a request can hold the schema of its response.
func (m *Model) takesSchemaFormat(r *runtime.Request) bool {
	return m.provider.Schema && !m.legacy && !(m.provider.SchemaAlone && len(r.Tools) > 0)
}

// instruction returns the system message: the instruction of the agent, and
// the schema of the response for a provider that takes it only as text.
func (m *Model) instruction(r *runtime.Request) string {
	if r.Output.IsText() || m.takesSchemaFormat(r) {
		return r.Instruction
	}
	asked := provider.AskJSONAnswer(r.Output.Schema)
	if r.Instruction == "" {
		return asked
	}
	return r.Instruction + "\n\n" + asked
}

// wantsCompletionTokens reports whether the limit of a response is called
// max_completion_tokens. At OpenAI that is the name for all models. It is the
// only one for the o series and from gpt-5 on, whatever server they are at, and
// go-openai refuses the other for them; other servers need not know it.
// (https://platform.openai.com/docs/api-reference/chat/create)
func (m *Model) wantsCompletionTokens(model string) bool {
	if m.provider.CompletionTokens && m.base == m.provider.ChatBase() {
		return true
	}
	newer, err := regexp.MatchString(`^(o[1-9]|gpt-([5-9]|[1-9][0-9]))`, model)
	return err == nil && newer
}

// restoreSchemas gives the tools in a response their own names again, and values the
// form that they have without strict mode.
func (m *Model) restoreSchemas(r *runtime.Request, response *runtime.Response) {
	for i := range response.Calls {
		call := &response.Calls[i]
		call.Extra = m.keptExtra(call.Extra)
		if t := m.tool(r, call.Name); t != nil {
			call.Name = t.Name
			if m.hasStrictSchemas(*t) {
				call.Args = provider.Restore(t.Input, call.Args)
			}
		}
	}
	if r.Output.IsText() || !m.takesSchemaFormat(r) || len(response.Calls) > 0 {
		return
	}
	content := json.RawMessage(strings.TrimSpace(response.Content))
	if !json.Valid(content) {
		return // the run reports it to the model
	}
	if restored := schemaFormat(r.Output).restore(content); string(restored) != string(content) {
		response.Content = string(restored)
	}
}

// tool returns the tool of a request that the provider knows by that name, nil if
// there is none.
func (m *Model) tool(r *runtime.Request, name string) *runtime.Contract {
	for i := range r.Tools {
		if m.toolName(r.Tools[i].Name) == name {
			return &r.Tools[i]
		}
	}
	return nil
}

// ownName returns the name of a tool in a request that the provider knows by that name.
func (m *Model) ownName(r *runtime.Request, name string) string {
	if t := m.tool(r, name); t != nil {
		return t.Name
	}
	return name
}

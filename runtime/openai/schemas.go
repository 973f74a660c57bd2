package openai

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/gram-lang/gramc/internal/lowered"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

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
	return m.provider.Schema && !m.legacy && !(m.provider.SchemaAlone && len(r.Tools) > 0) && m.facts(r).Schema != models.No
}

// facts returns what is known of the model of a request.
func (m *Model) facts(r *runtime.Request) models.Model {
	if known, ok := m.provider.Model(strings.TrimPrefix(r.Model, m.provider.Name+"/")); ok {
		return *known
	}
	return models.Model{}
}

// toolAnswer returns a tool that takes the answer, where the provider or the model cannot be
// held to its schema otherwise; nil if there can be no such tool.
func (m *Model) toolAnswer(p *plan) *lowered.Answer {
	if m.legacy || m.facts(p.request).Tools == models.No {
		return nil
	}
	answer, _ := lowered.ToolAnswer(p.request.Output, m.target(), p.tools.Names())
	return answer
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

// restore gives the tools in a response their own names again, and values the form that
// they have without strict mode.
func (m *Model) restore(p *plan, response *runtime.Response) {
	for i := range response.Calls {
		call := &response.Calls[i]
		call.Extra = m.keptExtra(call.Extra)
		if c := p.tools.Contract(call.Name); c != nil {
			call.Name = c.Name
			if m.toolbox.IsStrict(c) {
				call.Args = provider.Restore(c.Input, call.Args)
			}
		}
	}
	if m.provider.ReasoningBack && response.Reasoning != "" {
		response.Extra = m.keptReasoning(response.Reasoning)
	}
	r := p.request
	if p.answer.Take(response); r.Output.IsText() || !m.takesSchemaFormat(r) || len(response.Calls) > 0 {
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

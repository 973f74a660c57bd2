package gemini

import (
	"encoding/json"
	"strings"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// An answerForm is how a request asks for a response that fits a schema: with the
// schema itself, with a tool that takes the answer as its arguments, or in words.
type answerForm struct {
	json    bool            // the response is JSON, and nothing else
	schema  json.RawMessage // of it; nil if the API does not take it
	tool    *declaration    // takes the answer
	asked   string          // words for the instruction
	wrapped bool            // in an object, see [provider.Wrap]
}

// answerForm returns how the answer is asked for.
func (p *plan) answerForm() answerForm {
	if p.request.Output.IsText() {
		return answerForm{}
	}
	wrapped, changed := provider.Wrap(p.request.Output.Schema)
	lowered, _ := provider.Lower(wrapped, provider.Gemini)
	beside := len(p.tools.list) == 0 || p.family.SchemaBeside
	switch {
	case lowered != nil && p.family.Schema && beside:
		return answerForm{json: true, schema: lowered, wrapped: changed}
	case lowered != nil && !beside:
		tool := provider.AnswerTool(lowered, p.tools.names()...)
		return answerForm{tool: &declaration{tool.Name, tool.Description, tool.Input}, wrapped: changed}
	}
	return answerForm{
		json:  p.family.Schema && beside,
		asked: provider.AskJSONAnswer(p.request.Output.Schema),
	}
}

// takesAnswer reports whether a tool of a response is the one that takes the answer.
func (a *answerForm) takesAnswer(name string) bool { return a.tool != nil && a.tool.Name == name }

// restore returns the content of a response in the form that the run asked for.
func (a *answerForm) restore(response *runtime.Response) {
	if !a.wrapped || len(response.Calls) > 0 {
		return
	}
	if value := json.RawMessage(strings.TrimSpace(response.Content)); json.Valid(value) {
		response.Content = string(provider.Unwrap(value))
	}
}

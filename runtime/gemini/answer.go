package gemini

import (
	"encoding/json"

	"github.com/gram-lang/gramc/internal/lowered"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// An answerForm is how a request asks for a response that fits a schema: with the
// schema itself, with a tool that takes the answer as its arguments, or in words.
type answerForm struct {
	lowered.Answer
	json   bool            // the response is JSON, and nothing else
	schema json.RawMessage // of it; nil if the API does not take it
	asked  string          // words for the instruction
}

// answerForm returns how the answer is asked for.
func (p *plan) answerForm() answerForm {
	o := p.request.Output
	if o.IsText() {
		return answerForm{}
	}
	beside := len(p.tools.List) == 0 || p.family.SchemaBeside
	if !beside {
		if answer, _ := lowered.ToolAnswer(o, provider.Gemini, p.tools.Names()); answer != nil {
			return answerForm{Answer: *answer}
		}
	}
	form := answerForm{json: p.family.Schema && beside}
	if form.json {
		wrapped, changed := provider.Wrap(o.Schema)
		if form.schema, _ = provider.Lower(wrapped, provider.Gemini); form.schema != nil {
			form.Wrapped = changed
			return form
		}
	}
	form.asked = provider.AskJSONAnswer(o.Schema)
	return form
}

// restore returns the content of a response in the form that the run asked for.
func (a *answerForm) restore(response *runtime.Response) {
	if len(response.Calls) == 0 {
		response.Content = a.Unwrap(response.Content)
	}
}

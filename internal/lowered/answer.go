package lowered

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// An Answer is how a model gives an answer that is not text.
type Answer struct {
	Tool    *provider.Tool // takes the answer; nil if the text of the response is the answer
	Wrapped bool           // in an object, see [provider.Wrap]
}

// ToolAnswer returns the answer of a tool beside those of a request, lowered for a target.
// The problems are why it cannot be sent.
func ToolAnswer(o runtime.Output, t provider.Target, taken []string) (*Answer, []provider.Problem) {
	schema, wrapped := provider.Wrap(o.Schema)
	input, problems := provider.Lower(schema, t)
	if input == nil {
		return nil, problems
	}
	tool := provider.AnswerTool(input, taken...)
	return &Answer{Tool: &tool, Wrapped: wrapped}, nil
}

// InOnePiece reports whether the answer is not the text of the response as it comes.
func (a *Answer) InOnePiece() bool { return a != nil && (a.Tool != nil || a.Wrapped) }

// Takes reports whether a call is that of the tool that takes the answer.
func (a *Answer) Takes(call string) bool { return a != nil && a.Tool != nil && a.Tool.Name == call }

// Take makes the answer the content of a response, in the form that the agent
// asked for. It reports whether the answer was that of the tool; other calls
// come first, and the model can answer when it has their results.
func (a *Answer) Take(r *runtime.Response) (called bool) {
	if a == nil {
		return false
	}
	content := json.RawMessage(r.Content)
	if i := slices.IndexFunc(r.Calls, func(c runtime.Call) bool { return a.Takes(c.Name) }); i >= 0 {
		content, called = r.Calls[i].Args, true
		r.Calls = slices.DeleteFunc(r.Calls, func(c runtime.Call) bool { return a.Takes(c.Name) })
	}
	if len(r.Calls) > 0 {
		return called
	}
	r.Calls = nil
	r.Content = a.Unwrap(string(content))
	if called && r.Finish == "tool_calls" {
		r.Finish = "stop"
	}
	return called
}

// Unwrap returns the text of an answer in the form that the agent asked for.
func (a *Answer) Unwrap(text string) string {
	if value := json.RawMessage(strings.TrimSpace(text)); a != nil && a.Wrapped && json.Valid(value) {
		return string(provider.Unwrap(value))
	}
	return text
}

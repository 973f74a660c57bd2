package runtime

import (
	"context"
	"encoding/json"
)

// A Model responds to requests. It can be shared between runs.
type Model interface {
	// Name returns the name for people and logs, such as "OpenAI".
	Name() string
	// Generate returns the response to r. It must neither change r nor keep it
	// after it returns. Errors that are not an [*Error] count as [KindLLMAPI].
	Generate(ctx context.Context, r *Request) (*Response, error)
}

// A Request is everything that a model sees.
type Request struct {
	Model       string // the provider's id of the model, such as "gpt-4o-mini"
	Instruction string
	Messages    []Message
	Tools       []Contract // empty: the model must respond with text
	Temperature *float64   // nil leaves it to the provider
	MaxTokens   int        // limit of the response; 0 leaves it to the provider
	Output      Output     // the content of a response without calls
}

// An Output is the JSON that a response should have. The zero Output means text.
// A model does not guarantee it. If its provider requires another form of the
// schema, the model converts the response back to this one.
type Output struct {
	Name   string          // of the type, for the provider
	Schema json.RawMessage // JSON Schema of the content; empty means any text
}

// IsText reports whether any text is allowed.
func (o Output) IsText() bool { return len(o.Schema) == 0 }

// A Response has text, calls or both.
type Response struct {
	Content string
	Calls   []Call
	Refusal string // why the model declines, in its own words
	Finish  string // why the model stopped: "stop", "length", "tool_calls"…
	Usage   Usage
}

// Usage counts tokens. Zero means unknown.
type Usage struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
	Total  int64 `json:"total"`
}

// Add returns the sum of both counts. It is limited to the largest int64, and
// negative counts are unknown.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input:  addCount(u.Input, v.Input),
		Output: addCount(u.Output, v.Output),
		Total:  addCount(u.Total, v.Total),
	}
}

func addCount(a, b int64) int64 {
	a, b = max(a, 0), max(b, 0)
	if sum := a + b; sum >= 0 {
		return sum
	}
	return 1<<63 - 1
}

package runtime

import (
	"context"
	"encoding/json"
)

// A Model answers requests. It may be shared between runs.
type Model interface {
	// Name returns the name for people and logs, such as "OpenAI".
	Name() string
	// Generate returns the answer to r. It must neither change r nor keep it
	// after it returns. Errors that are not an [*Error] count as LLMAPIError.
	Generate(ctx context.Context, r *Request) (*Response, error)
}

// A Request is all that a model gets to see.
type Request struct {
	Model       string // the provider's id of the model, such as "gpt-4o-mini"
	Instruction string
	Messages    []Message
	Tools       []Contract // none: the model must answer with text
	Temperature *float64   // nil leaves it to the provider
	MaxTokens   int        // the most that the answer may be long; 0 leaves it to the provider
	Output      Output     // what an answer without calls has to be
}

// An Output is the JSON that a model is to answer with. The zero Output asks
// for text. A model does what it can to keep it, and promises nothing. One
// whose provider wants the schema in another form answers in this one all the
// same.
type Output struct {
	Name   string          // of the type, for the provider
	Schema json.RawMessage // JSON Schema of the answer; empty means any text
}

// IsText reports whether any text will do.
func (o Output) IsText() bool { return len(o.Schema) == 0 }

// A Response is one answer of a model: text, or calls, or both.
type Response struct {
	Content string
	Calls   []Call
	Refusal string // why the model declines, in its words
	Finish  string // the provider's reason: "stop", "length", "tool_calls"…
	Usage   Usage
}

// Usage counts tokens. Zero means unknown.
type Usage struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
	Total  int64 `json:"total"`
}

// Add returns the sum of both counts; it stops at the largest number instead
// of overflowing, and takes negative counts for unknown.
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

package runtime

import (
	"context"
	"encoding/json"
	"time"
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

	// Again is called before the model sends the request once more, with the attempts
	// until then. Its error ends the request, and is returned. It may be nil.
	Again func(Attempts) error `json:"-"`
}

// SendAgain calls Again if there is one.
func (r *Request) SendAgain(a Attempts) error {
	if r.Again == nil {
		return nil
	}
	return r.Again(a)
}

// Attempts counts how often a request was sent.
type Attempts struct {
	Sent int // with the last one; 0 means that it is not known
	Lost int // of them: the provider may have charged them, and no Usage has them
}

// Add returns the sum of both counts.
func (a Attempts) Add(b Attempts) Attempts {
	return Attempts{Sent: a.Sent + b.Sent, Lost: a.Lost + b.Lost}
}

// A Streamer is a [Model] that delivers a response while it is generated.
type Streamer interface {
	Model
	// Stream is Generate that calls yield with each piece of the response, in
	// order and before it returns the whole. A response that ends too early is
	// an error. An error of yield ends the request and is returned as it is.
	Stream(ctx context.Context, r *Request, yield func(Delta) error) (*Response, error)
}

// Stream sends r to m as [Streamer.Stream] does. A model that is no Streamer
// delivers its response in one piece.
func Stream(ctx context.Context, m Model, r *Request, yield func(Delta) error) (*Response, error) {
	if s, ok := m.(Streamer); ok {
		return s.Stream(ctx, r, yield)
	}
	response, err := m.Generate(ctx, r)
	if err != nil || response == nil || response.Content == "" {
		return response, err
	}
	return response, yield(Delta{Kind: DeltaText, Text: response.Content})
}

// A DeltaKind is what a [Delta] is a piece of.
type DeltaKind uint8

// The kinds of deltas, and the fields that they set.
const (
	DeltaText      DeltaKind = iota + 1 // Text: more of the content
	DeltaReasoning                      // Text: more of the reasoning
	DeltaCall                           // Call, Name: a call of a tool begins
	DeltaArguments                      // Call, Text: more of the arguments of a call
	DeltaRestart                        // the request is sent again; the pieces so far are void
	DeltaWait                           // Why, Wait: no piece; the request has failed and is sent again after Wait
)

// A Delta is a piece of a response.
type Delta struct {
	Kind DeltaKind
	Text string
	Call int    // index of the call in the response
	Name string // of the tool
	Wait time.Duration
	Why  string // the failure, for people
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

	// Attempts are those of the request; zero means one.
	Attempts Attempts

	Reasoning string          // how the model came to it, for people; may be a summary
	Extra     json.RawMessage // of the message; see [Message]
}

// Usage counts tokens. Zero means unknown.
type Usage struct {
	Input  int64 `json:"input"`  // including those of the cache
	Output int64 `json:"output"` // including reasoning
	Total  int64 `json:"total"`

	CacheRead  int64 `json:"cache_read,omitzero"`  // of Input: read from the provider's cache
	CacheWrite int64 `json:"cache_write,omitzero"` // of Input: written to the provider's cache
	Reasoning  int64 `json:"reasoning,omitzero"`   // of Output
}

// Add returns the sum of both counts. It is limited to the largest int64, and
// negative counts are unknown.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input:  addCount(u.Input, v.Input),
		Output: addCount(u.Output, v.Output),
		Total:  addCount(u.Total, v.Total),

		CacheRead:  addCount(u.CacheRead, v.CacheRead),
		CacheWrite: addCount(u.CacheWrite, v.CacheWrite),
		Reasoning:  addCount(u.Reasoning, v.Reasoning),
	}
}

func addCount(a, b int64) int64 {
	a, b = max(a, 0), max(b, 0)
	if sum := a + b; sum >= 0 {
		return sum
	}
	return 1<<63 - 1
}

package runtime

import (
	"bytes"
	"context"
	"slices"
	"sync"
)

// A Script is a [Model] that gives fixed responses in order, and repeats the last
// one from then on. It is for tests and examples, and may be shared.
type Script struct {
	steps []Response

	mu       sync.Mutex
	requests []Request
}

// NewScript returns a Script with those responses.
func NewScript(steps ...Response) *Script {
	return &Script{steps: slices.Clone(steps)}
}

// Name returns "script".
func (s *Script) Name() string { return "script" }

// Generate records a copy of r and returns the next response.
func (s *Script) Generate(ctx context.Context, r *Request) (*Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.steps) == 0 {
		return nil, Errorf(KindLLMAPI, "the script has no responses")
	}
	step := s.steps[min(len(s.requests), len(s.steps)-1)]
	step.Calls = cloneCalls(step.Calls)
	s.requests = append(s.requests, r.clone())
	return &step, nil
}

// Requests returns the requests so far, oldest first.
func (s *Script) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (r *Request) clone() Request {
	c := *r
	c.Messages = slices.Clone(r.Messages)
	for i := range c.Messages {
		c.Messages[i].Calls = cloneCalls(c.Messages[i].Calls)
	}
	if r.Temperature != nil {
		t := *r.Temperature
		c.Temperature = &t
	}
	c.Output.Schema = bytes.Clone(r.Output.Schema)
	c.Tools = slices.Clone(r.Tools)
	for i := range c.Tools {
		c.Tools[i].Input = bytes.Clone(c.Tools[i].Input)
		c.Tools[i].Output = bytes.Clone(c.Tools[i].Output)
	}
	return c
}

func cloneCalls(calls []Call) []Call {
	calls = slices.Clone(calls)
	for i := range calls {
		calls[i].Args = bytes.Clone(calls[i].Args)
		calls[i].Extra = bytes.Clone(calls[i].Extra)
	}
	return calls
}

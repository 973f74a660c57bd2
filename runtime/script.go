package runtime

import (
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
	step.Calls = slices.Clone(step.Calls)
	copied := *r
	copied.Messages, copied.Tools = slices.Clone(r.Messages), slices.Clone(r.Tools)
	s.requests = append(s.requests, copied)
	return &step, nil
}

// Requests returns the requests so far, oldest first.
func (s *Script) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

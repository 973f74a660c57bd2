package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/runtime"
)

// A world is what a test puts in the place of models and tools. Tools may be called
// side by side.
type world struct {
	mu        sync.Mutex
	responses []*scenario.Response // of the turn; those left
	requests  int                  // of the turn
	results   []*scenario.Result   // so far, newest last
	faults    []pending            // so far
	problems  []string             // of the turn: what the test does not say
}

// A pending is a fault, and how often it is still to happen.
type pending struct {
	*scenario.Fault
	times int
}

// unused returns the faults of a sort that have not happened once.
func (w *world) unused(is func(*scenario.Fault) bool) (list []*scenario.Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.faults {
		if f.times == f.Times && is(f.Fault) {
			list = append(list, f.Fault)
		}
	}
	return list
}

// begin begins a turn.
func (w *world) begin(t *scenario.Turn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.responses, w.requests, w.problems = t.Model, 0, nil
	w.results = append(w.results, t.Results...)
	w.faults = slices.DeleteFunc(w.faults, func(f pending) bool { return f.Request > 0 })
	for _, f := range t.Faults {
		w.faults = append(w.faults, pending{f, f.Times})
	}
}

// left returns the first response of the turn that nobody asked for, nil for none.
func (w *world) left() *scenario.Response {
	if len(w.responses) == 0 {
		return nil
	}
	return w.responses[0]
}

// fault returns what goes wrong now, nil for nothing.
func (w *world) fault(is func(*scenario.Fault) bool) *scenario.Fault {
	for i := range w.faults {
		if f := &w.faults[i]; f.times > 0 && is(f.Fault) {
			f.times--
			return f.Fault
		}
	}
	return nil
}

// A script is the model whose responses stand in the test.
type script struct{ world *world }

func (*script) Name() string { return "script" }

func (s *script) Generate(ctx context.Context, _ *runtime.Request) (*runtime.Response, error) {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(s.world.responses) == 0 {
		return nil, runtime.Errorf(runtime.KindReplay, "the test has no response to request %d of this message: add a [:Model …] step", s.world.requests)
	}
	step := s.world.responses[0]
	s.world.responses = s.world.responses[1:]
	m := &runtime.Response{
		Content: step.Text, Refusal: step.Refuses, Finish: step.Finish,
		Usage: runtime.Usage{Output: step.Tokens, Total: step.Tokens},
	}
	for i, c := range step.Calls {
		m.Calls = append(m.Calls, runtime.Call{ID: fmt.Sprintf("call_%d_%d", s.world.requests, i+1), Name: c.Tool, Args: c.Args})
	}
	switch {
	case m.Finish != "":
	case len(m.Calls) > 0:
		m.Finish = "tool_calls"
	default:
		m.Finish = "stop"
	}
	return m, nil
}

// A faulty model fails where the test says so.
type faulty struct {
	runtime.Model
	world *world
}

func (m *faulty) Generate(ctx context.Context, q *runtime.Request) (*runtime.Response, error) {
	m.world.mu.Lock()
	m.world.requests++
	now := m.world.requests
	f := m.world.fault(func(f *scenario.Fault) bool { return f.Request > 0 && f.Request == now })
	m.world.mu.Unlock()
	if f == nil {
		return m.Model.Generate(ctx, q)
	}
	message := func(usual string) string {
		if f.Message != "" {
			return f.Message
		}
		return usual
	}
	switch f.Fails {
	case "refusal":
		return &runtime.Response{Refusal: message("I cannot help with that."), Finish: "stop"}, nil
	case "filter":
		return &runtime.Response{Finish: "content_filter"}, nil
	case "overflow":
		return nil, runtime.Errorf(runtime.KindContextOverflow, "%s", message("the conversation is too long for the model"))
	case "rateLimit":
		return nil, runtime.Errorf(runtime.KindRateLimit, "%s", message("the provider wants fewer requests"))
	case "overloaded":
		return nil, runtime.Errorf(runtime.KindOverloaded, "%s", message("the provider has no room for requests"))
	case "error":
		return nil, runtime.Errorf(runtime.KindLLMAPI, "%s", message("the model gave no usable response"))
	}
	response, err := m.Model.Generate(ctx, q) // cutOff
	if err != nil || response == nil {
		return response, err
	}
	cut := *response
	cut.Content, cut.Finish = firstHalf(response.Content), "length"
	return &cut, nil
}

func firstHalf(text string) string {
	characters := []rune(text)
	return string(characters[:(len(characters)+1)/2])
}

// library returns the tools of an agent as the test has them: those of a library, whose
// results the test may replace, and for the others none but these results.
func (w *world) library(l runtime.Library, contracts []runtime.Contract) (runtime.Library, error) {
	for i := range contracts {
		name := contracts[i].Name
		if _, there := l.Lookup(name); there {
			continue
		}
		t, err := runtime.NewTool(runtime.ToolConfig{Name: name, Adopt: true, Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return nil, w.noResult(name)
		}})
		if err == nil {
			l, err = l.Add(name, t)
		}
		if err != nil {
			return l, err
		}
	}
	return l.Handled(w.handler), nil
}

// noResult notes that the test does not say what a call returns.
func (w *world) noResult(tool string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	problem := fmt.Sprintf("%s was called, and the test has neither a library nor a [:Result …] for it", tool)
	if !slices.Contains(w.problems, problem) {
		w.problems = append(w.problems, problem)
	}
	return &runtime.ToolError{Kind: runtime.ToolExecution, Message: "the tool does nothing in this test"}
}

func (w *world) handler(tool string, run runtime.Handler) runtime.Handler {
	return func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		w.mu.Lock()
		f := w.fault(func(f *scenario.Fault) bool { return f.Tool == tool })
		var result *scenario.Result
		for _, r := range slices.Backward(w.results) {
			if r.Tool == tool && fits(r.With, args) == "" {
				result = r
				break
			}
		}
		w.mu.Unlock()
		switch {
		case f != nil && f.Returns != nil:
			return f.Returns, nil
		case f != nil:
			return nil, toolFault(f)
		case result != nil:
			return result.Is, nil
		}
		return run(ctx, args)
	}
}

func toolFault(f *scenario.Fault) error {
	failed := &runtime.ToolError{Kind: runtime.ToolExecution, Message: "the tool failed"}
	switch f.Fails {
	case "timeout":
		failed = &runtime.ToolError{Kind: runtime.ToolTimeout, Message: "timed out after " + runtime.DefaultToolTimeout.String() + runtime.UnknownEffect}
	case "denied":
		failed = &runtime.ToolError{Kind: runtime.ToolAuthorization, Message: "not allowed"}
	}
	if f.Message != "" {
		failed.Message = f.Message
	}
	return failed
}

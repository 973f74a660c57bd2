package openai

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/runtime"
)

// A chunk is the part of an event of a streamed chat completion that is used. It is
// decoded leniently.
type chunk struct {
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Index count `json:"index"`
		Delta struct {
			Content          text        `json:"content"`
			Reasoning        text        `json:"reasoning"`         // OpenRouter, Groq, Ollama
			ReasoningContent text        `json:"reasoning_content"` // DeepSeek, vLLM
			Refusal          text        `json:"refusal"`
			FunctionCall     *function   `json:"function_call"`
			ToolCalls        []chunkCall `json:"tool_calls"`
		} `json:"delta"`
		Finish text `json:"finish_reason"`
	} `json:"choices"`
	Usage *usage `json:"usage"`
}

// A chunkCall is a piece of a tool call.
type chunkCall struct {
	Index    *count          `json:"index"`
	ID       text            `json:"id"`
	Function function        `json:"function"`
	Extra    json.RawMessage `json:"extra_content"`
}

// An assembly is a response of which some pieces have arrived.
type assembly struct {
	*plan
	yield modelhttp.Yield

	content, reasoning, refusal strings.Builder

	calls  []*partialCall
	finish string
	usage  runtime.Usage
	size   int // bytes that are kept
}

// A partialCall is a call of which some pieces have arrived.
type partialCall struct {
	index    count // as the server counts, -1 without a number
	id, name string
	args     strings.Builder
	extra    json.RawMessage
	yielded  bool // the name
}

// begun reports whether there is anything in the response.
func (s *assembly) begun() bool {
	return s.content.Len() > 0 || s.refusal.Len() > 0 || len(s.calls) > 0
}

// add adds a chunk and yields its pieces.
func (s *assembly) add(c *chunk) error {
	if c.Usage != nil {
		s.usage = c.Usage.convert()
	}
	if len(c.Choices) == 0 || c.Choices[0].Index != 0 {
		return nil
	}
	choice := &c.Choices[0]
	if choice.Finish != "" {
		s.finish = string(choice.Finish)
	}
	d := &choice.Delta
	if d.ReasoningContent == "" {
		d.ReasoningContent = d.Reasoning // some servers send both
	}
	if err := s.text(&s.reasoning, runtime.DeltaReasoning, d.ReasoningContent); err != nil {
		return err
	}
	if err := s.text(&s.content, runtime.DeltaText, d.Content); err != nil {
		return err
	}
	s.refusal.WriteString(string(d.Refusal))
	if f := d.FunctionCall; f != nil && len(d.ToolCalls) == 0 {
		d.ToolCalls = []chunkCall{{Index: new(count), Function: *f}}
	}
	for i := range d.ToolCalls {
		if err := s.call(&d.ToolCalls[i]); err != nil {
			return err
		}
	}
	return s.keep(len(d.Refusal))
}

// keep counts bytes that are kept.
func (s *assembly) keep(n int) error {
	if s.size += n; s.size > modelhttp.MaxResponse {
		return modelhttp.LargeFault()
	}
	return nil
}

// text adds a piece of text.
func (s *assembly) text(to *strings.Builder, kind runtime.DeltaKind, piece text) error {
	if piece == "" {
		return nil
	}
	to.WriteString(string(piece))
	if err := s.keep(len(piece)); err != nil {
		return err
	}
	if kind == runtime.DeltaText && !s.request.Output.IsText() {
		return nil
	}
	return s.yield(runtime.Delta{Kind: kind, Text: string(piece)})
}

// call adds a piece of a call.
func (s *assembly) call(c *chunkCall) error {
	i := s.find(c)
	call := s.calls[i]
	if call.id == "" {
		call.id = string(c.ID)
	}
	if name := string(c.Function.Name); call.args.Len() == 0 && name != call.name { // else the whole name is repeated
		call.name += name
	}
	if len(c.Extra) > 0 && string(c.Extra) != "null" {
		call.extra = c.Extra
	}
	if err := s.keep(len(c.ID) + len(c.Function.Name) + len(c.Extra) + len(c.Function.Arguments)); err != nil {
		return err
	}
	args := string(c.Function.Arguments)
	if args == "" {
		return nil
	}
	call.args.WriteString(args)
	if err := s.yieldName(i); err != nil || s.answer != nil {
		return err
	}
	return s.yield(runtime.Delta{Kind: runtime.DeltaArguments, Call: i, Text: args})
}

// find returns the index of the call that a piece belongs to, which may be new. A
// piece has an index or at least an id; otherwise one with a name begins a call when
// the previous one is complete.
func (s *assembly) find(c *chunkCall) int {
	last := len(s.calls) - 1
	known := -1
	switch {
	case c.Index != nil:
		known = s.lastCall(func(p *partialCall) bool { return p.index == *c.Index })
		if known >= 0 && c.ID != "" && s.calls[known].id != "" && string(c.ID) != s.calls[known].id && c.Function.Name != "" {
			known = -1 // all calls have index 0
		}
	case c.ID != "":
		known = s.lastCall(func(p *partialCall) bool { return p.id == string(c.ID) })
	case last >= 0 && (c.Function.Name == "" || !json.Valid([]byte(s.calls[last].args.String()))):
		known = last
	}
	if known >= 0 {
		return known
	}
	call := &partialCall{index: -1}
	if c.Index != nil {
		call.index = *c.Index
	}
	s.calls = append(s.calls, call)
	s.size += 100 // for the call itself
	return len(s.calls) - 1
}

// lastCall returns the index of the last call that matches, -1 without one.
func (s *assembly) lastCall(matches func(*partialCall) bool) int {
	for i, c := range slices.Backward(s.calls) {
		if matches(c) {
			return i
		}
	}
	return -1
}

// yieldName yields that a call begins, once its name is whole. An answer that may come by a
// call follows in one piece, as do other calls then.
func (s *assembly) yieldName(i int) error {
	call := s.calls[i]
	if call.yielded || s.answer != nil {
		return nil
	}
	call.yielded = true
	return s.yield(runtime.Delta{Kind: runtime.DeltaCall, Call: i, Name: s.tools.Own(call.name)})
}

// response returns the whole.
func (s *assembly) response() (*runtime.Response, error) {
	out := &runtime.Response{
		Content: s.content.String(), Reasoning: s.reasoning.String(), Refusal: s.refusal.String(),
		Finish: s.finish, Usage: s.usage,
	}
	for i, c := range s.calls {
		if err := s.yieldName(i); err != nil {
			return nil, err
		}
		out.Calls = append(out.Calls, runtime.Call{ID: c.id, Name: c.name, Args: json.RawMessage(c.args.String()), Extra: c.extra})
	}
	return out, nil
}

package anthropic

import (
	"encoding/json"
	"slices"

	"github.com/anthropics/anthropic-sdk-go"

	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/runtime"
)

// Pieces are a response on its way to the caller.
type pieces struct {
	yield    modelhttp.Yield
	tools    *tools
	quiet    bool // the answer follows in one piece
	calls    int
	reasoned bool
}

// begin yields the beginning of a block. It returns the index of the call.
func (p *pieces) begin(b *block) (call int, err error) {
	switch {
	case b.Type == "tool_use" && !p.quiet:
		p.calls++
		return p.calls - 1, p.yield(runtime.Delta{Kind: runtime.DeltaCall, Call: p.calls - 1, Name: p.tools.Own(b.name)})
	case b.Type == "thinking" && p.reasoned:
		return 0, p.yield(runtime.Delta{Kind: runtime.DeltaReasoning, Text: "\n\n"})
	}
	return 0, nil
}

func (p *pieces) text(text string) error {
	if text == "" || p.quiet {
		return nil
	}
	return p.yield(runtime.Delta{Kind: runtime.DeltaText, Text: text})
}

func (p *pieces) reasoning(text string) error {
	if text == "" {
		return nil
	}
	p.reasoned = true
	return p.yield(runtime.Delta{Kind: runtime.DeltaReasoning, Text: text})
}

func (p *pieces) arguments(call int, text string) error {
	if text == "" || p.quiet {
		return nil
	}
	return p.yield(runtime.Delta{Kind: runtime.DeltaArguments, Call: call, Text: text})
}

// all yields blocks that came as a whole.
func (p *pieces) all(blocks []block) error {
	for i := range blocks {
		b := &blocks[i]
		call, err := p.begin(b)
		if err == nil {
			err = p.reasoning(b.Thinking)
		}
		if err == nil {
			err = p.text(b.Text)
		}
		if err == nil {
			err = p.arguments(call, string(b.input))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// An assembly is a reply that comes in events
// (https://platform.claude.com/docs/en/build-with-claude/streaming).
type assembly struct {
	reply
	out  *pieces
	open []*openBlock // by index
	size int
}

// An openBlock is a block that grows. Its parts are joined when it is complete: that
// of a long answer has a million.
type openBlock struct {
	block
	index int    // of the call
	text  []byte // of its type: text, thinking or arguments
	sign  []byte
}

// add adds an event. It reports whether the reply is complete.
func (a *assembly) add(e *anthropic.MessageStreamEventUnion) (done bool, err error) {
	switch e.Type {
	case "message_start":
		a.usage = e.Message.Usage
	case "content_block_start":
		return false, a.start(e)
	case "content_block_delta":
		if e.Index < 0 || e.Index >= int64(len(a.open)) {
			return false, runtime.Errorf(runtime.KindLLMAPI, "API error: the stream adds to a part of the response that it did not begin")
		}
		return false, a.grow(a.open[e.Index], e)
	case "message_delta":
		a.stop, a.refusal = e.Delta.StopReason, e.Delta.StopDetails.Explanation
		a.count(&e.Usage)
	case "message_stop":
		a.close()
		return true, nil
	}
	return false, nil
}

func (a *assembly) start(e *anthropic.MessageStreamEventUnion) (err error) {
	c := &e.ContentBlock
	b := &openBlock{block: block{
		Type: c.Type, Data: c.Data, id: c.ID, name: c.Name, raw: json.RawMessage(c.RawJSON()),
	}, text: []byte(c.Text + c.Thinking), sign: []byte(c.Signature)}
	if err := a.grew(len(b.raw)); err != nil {
		return err
	}
	a.open = append(a.open, b)
	if b.index, err = a.out.begin(&b.block); err != nil {
		return err
	}
	switch b.Type {
	case "text":
		return a.out.text(c.Text)
	case "thinking":
		return a.out.reasoning(c.Thinking)
	case "tool_use":
		if input := c.JSON.Input.Raw(); input != "{}" && input != "null" {
			b.text = []byte(input)
			return a.out.arguments(b.index, input)
		}
	}
	return nil
}

func (a *assembly) grow(b *openBlock, e *anthropic.MessageStreamEventUnion) error {
	d := &e.Delta
	if err := a.grew(len(d.Text) + len(d.Thinking) + len(d.PartialJSON) + len(d.Signature)); err != nil {
		return err
	}
	switch {
	case d.Type == "text_delta" && b.Type == "text":
		b.text = append(b.text, d.Text...)
		return a.out.text(d.Text)
	case d.Type == "thinking_delta" && b.Type == "thinking":
		b.text = append(b.text, d.Thinking...)
		return a.out.reasoning(d.Thinking)
	case d.Type == "signature_delta" && b.Type == "thinking":
		b.sign = append(b.sign, d.Signature...)
	case d.Type == "input_json_delta" && b.Type == "tool_use":
		b.text = append(b.text, d.PartialJSON...)
		return a.out.arguments(b.index, d.PartialJSON)
	}
	return nil
}

// grew counts bytes of the reply.
func (a *assembly) grew(n int) error {
	if a.size += n; a.size > modelhttp.MaxResponse {
		return modelhttp.LargeFault()
	}
	return nil
}

// count replaces the counts that an event has: they are of the whole message.
func (a *assembly) count(u *anthropic.MessageDeltaUsage) {
	a.usage.OutputTokens = u.OutputTokens
	if u.JSON.InputTokens.Valid() {
		a.usage.InputTokens = u.InputTokens
	}
	if u.JSON.CacheReadInputTokens.Valid() {
		a.usage.CacheReadInputTokens = u.CacheReadInputTokens
	}
	if u.JSON.CacheCreationInputTokens.Valid() {
		a.usage.CacheCreationInputTokens = u.CacheCreationInputTokens
	}
	if u.JSON.OutputTokensDetails.Valid() {
		a.usage.OutputTokensDetails = u.OutputTokensDetails
	}
}

// close makes the blocks of the reply.
func (a *assembly) close() {
	a.blocks = slices.Grow(a.blocks, len(a.open))
	for _, b := range a.open {
		switch b.Type {
		case "text":
			b.Text = string(b.text)
		case "thinking":
			b.Thinking, b.Signature = string(b.text), string(b.sign)
		case "tool_use":
			if b.input = b.text; len(b.input) == 0 {
				b.input = json.RawMessage("{}")
			}
		}
		a.blocks = append(a.blocks, b.block)
	}
}

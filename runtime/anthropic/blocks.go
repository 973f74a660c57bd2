package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// A block is a part of a response. Its JSON is what the conversation keeps of it:
// that of a call is only its place, since the calls are in the message.
type block struct {
	Type      string `json:"type"`
	Text      string `json:"text,omitempty"`
	Thinking  string `json:"thinking,omitempty"`
	Signature string `json:"signature,omitempty"` // of thinking
	Data      string `json:"data,omitempty"`      // of redacted thinking

	id, name string          // of a call
	input    json.RawMessage // of a call, as the model wrote it
	raw      json.RawMessage // of a type that is not known here
}

// A reply is a response of the API.
type reply struct {
	blocks  []block
	stop    anthropic.StopReason
	refusal string // why the model declines
	usage   anthropic.Usage
}

// replyOf returns a message that came as a whole.
func replyOf(m *anthropic.Message) *reply {
	r := &reply{stop: m.StopReason, refusal: m.StopDetails.Explanation, usage: m.Usage}
	for i := range m.Content {
		c := &m.Content[i]
		r.blocks = append(r.blocks, block{
			Type: c.Type, Text: c.Text, Thinking: c.Thinking, Signature: c.Signature, Data: c.Data,
			id: c.ID, name: c.Name, input: c.Input, raw: json.RawMessage(c.RawJSON()),
		})
	}
	return r
}

// extra returns what a conversation keeps of blocks; nil if a text and then calls
// are all there is.
func extra(provider string, blocks []block) json.RawMessage {
	var list []json.RawMessage
	needed, calls := false, false
	for _, b := range blocks {
		kept := b.raw
		switch b.Type {
		case "text":
			needed = needed || calls
		case "tool_use":
			calls = true
		default:
			needed = true
		}
		switch b.Type {
		case "text", "tool_use", "thinking", "redacted_thinking":
			kept = mustMarshal(b)
		}
		list = append(list, kept)
	}
	if !needed {
		return nil
	}
	return mustMarshal(map[string][]json.RawMessage{provider: list})
}

func mustMarshal(v any) json.RawMessage {
	text, err := plainjson.Marshal(v)
	if err != nil {
		panic("anthropic: " + err.Error()) // strings, and JSON that was decoded
	}
	return text
}

// blocksOf returns the blocks that a message was made of; nil if they are unknown,
// or no longer those of its text and its calls.
func blocksOf(provider string, m *runtime.Message) []block {
	var kept map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(m.Extra, &kept) != nil || json.Unmarshal(kept[provider], &list) != nil {
		return nil
	}
	var text strings.Builder
	calls := 0
	blocks := make([]block, len(list))
	for i, raw := range list {
		if json.Unmarshal(raw, &blocks[i]) != nil {
			return nil
		}
		blocks[i].raw = raw
		text.WriteString(blocks[i].Text)
		if blocks[i].Type == "tool_use" {
			calls++
		}
	}
	if text.String() != m.Content || calls != len(m.Calls) {
		return nil
	}
	return blocks
}

// response returns the response of a run.
func (p *plan) response(r *reply) *runtime.Response {
	out := &runtime.Response{Finish: finish(r.stop), Usage: usage(&r.usage)}
	var thoughts []string
	for i := range r.blocks {
		b := &r.blocks[i]
		switch b.Type {
		case "text":
			out.Content += b.Text
		case "thinking":
			if b.Thinking != "" {
				thoughts = append(thoughts, b.Thinking)
			}
		case "tool_use":
			out.Calls = append(out.Calls, runtime.Call{ID: b.id, Name: p.tools.Own(b.name), Args: b.input})
		}
	}
	out.Reasoning = strings.Join(thoughts, "\n\n")
	switch {
	case r.stop == anthropic.StopReasonRefusal: // what it says until then is not an answer
		out.Refusal, out.Content, out.Calls = refusal(r.refusal, out.Content), "", nil
		return out
	case r.stop == anthropic.StopReasonModelContextWindowExceeded && (!isBlank(out.Content) || out.Calls != nil):
		out.Finish = "length"
	}
	if p.answer.Take(out) {
		return out
	}
	out.Extra = extra(p.provider, r.blocks)
	return out
}

// refusal returns the reason of a refusal.
func refusal(reasons ...string) string {
	for _, reason := range reasons {
		if !isBlank(reason) {
			return reason
		}
	}
	return "it gives no reason"
}

// finish returns the name that a run has for a reason to stop
// (https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons).
func finish(stop anthropic.StopReason) string {
	switch stop {
	case anthropic.StopReasonEndTurn, anthropic.StopReasonStopSequence:
		return "stop"
	case anthropic.StopReasonToolUse:
		return "tool_calls"
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonPauseTurn:
		return "length"
	}
	return string(stop)
}

// usage returns the counts of a response. The API does not count what it reads from
// its cache and writes to it as input_tokens.
func usage(u *anthropic.Usage) runtime.Usage {
	read, write, output := max(u.CacheReadInputTokens, 0), max(u.CacheCreationInputTokens, 0), max(u.OutputTokens, 0)
	out := runtime.Usage{Input: max(u.InputTokens, 0), CacheRead: read, CacheWrite: write, Output: output}
	out = out.Add(runtime.Usage{Input: read}).Add(runtime.Usage{Input: write, Reasoning: max(u.OutputTokensDetails.ThinkingTokens, 0)})
	return out.Add(runtime.Usage{Total: out.Input}).Add(runtime.Usage{Total: output})
}

package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"

	"github.com/gram-lang/gramc/runtime"
)

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

// response returns the response of a run.
func (p *plan) response(r *reply) *runtime.Response {
	out := &runtime.Response{Finish: responseFinish(r.stop), Usage: responseUsage(&r.usage)}
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
		out.Refusal, out.Content, out.Calls = responseRefusal(r.refusal, out.Content), "", nil
		return out
	case r.stop == anthropic.StopReasonModelContextWindowExceeded && (!isBlank(out.Content) || out.Calls != nil):
		out.Finish = "length"
	}
	if p.answer.Take(out) {
		return out
	}
	out.Extra = blocksExtra(p.provider, r.blocks)
	return out
}

// responseRefusal returns the reason of a refusal.
func responseRefusal(reasons ...string) string {
	for _, reason := range reasons {
		if !isBlank(reason) {
			return reason
		}
	}
	return "it gives no reason"
}

// responseFinish returns the name that a run has for a reason to stop
// (https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons).
func responseFinish(stop anthropic.StopReason) string {
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

// responseUsage returns the counts of a response. The API does not count what it reads from
// its cache and writes to it as input_tokens.
func responseUsage(u *anthropic.Usage) runtime.Usage {
	read, write, output := max(u.CacheReadInputTokens, 0), max(u.CacheCreationInputTokens, 0), max(u.OutputTokens, 0)
	out := runtime.Usage{Input: max(u.InputTokens, 0), CacheRead: read, CacheWrite: write, Output: output}
	out = out.Add(runtime.Usage{Input: read}).Add(runtime.Usage{Input: write, Reasoning: max(u.OutputTokensDetails.ThinkingTokens, 0)})
	return out.Add(runtime.Usage{Total: out.Input}).Add(runtime.Usage{Total: output})
}

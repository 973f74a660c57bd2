package openai

import (
	"encoding/json"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// convertResponse returns a chat completion, which has a choice, as a response. The
// extras are the extra_content of its tool calls.
func convertResponse(in *openai.ChatCompletionResponse, extras []json.RawMessage) *runtime.Response {
	message := &in.Choices[0].Message
	out := &runtime.Response{
		Content: message.Content, Refusal: message.Refusal, Finish: string(in.Choices[0].FinishReason),
		Reasoning: message.ReasoningContent, Usage: convertUsage(&in.Usage),
	}
	for _, part := range message.MultiContent {
		out.Content += part.Text
	}
	if f := message.FunctionCall; f != nil && f.Name != "" && len(message.ToolCalls) == 0 {
		out.Calls = []runtime.Call{{Name: f.Name, Args: json.RawMessage(f.Arguments)}}
	}
	for i, c := range message.ToolCalls {
		call := runtime.Call{ID: c.ID, Name: c.Function.Name, Args: json.RawMessage(c.Function.Arguments)}
		if i < len(extras) {
			call.Extra = extras[i]
		}
		out.Calls = append(out.Calls, call)
	}
	return out
}

func convertUsage(u *openai.Usage) runtime.Usage {
	counts := usage{Input: count(u.PromptTokens), Output: count(u.CompletionTokens), Total: count(u.TotalTokens)}
	if d := u.PromptTokensDetails; d != nil {
		counts.InputDetails.Cached = count(d.CachedTokens)
	}
	if d := u.CompletionTokensDetails; d != nil {
		counts.OutputDetails.Reasoning = count(d.ReasoningTokens)
	}
	return counts.convert()
}

// convert returns the counts; negative ones are unknown.
func (u *usage) convert() runtime.Usage {
	out := runtime.Usage{
		Input: int64(max(u.Input, 0)), Output: int64(max(u.Output, 0)), Total: int64(max(u.Total, 0)),
		CacheRead: int64(max(u.InputDetails.Cached, u.CacheHit, 0)), Reasoning: int64(max(u.OutputDetails.Reasoning, 0)),
	}
	if out.Total == 0 {
		out.Total = runtime.Usage{Total: out.Input}.Add(runtime.Usage{Total: out.Output}).Total
	}
	return out
}

// keptExtra returns the extra_content of a call as a conversation keeps it: under the
// name of the provider, which alone gets it again.
func (m *Model) keptExtra(content json.RawMessage) json.RawMessage {
	if len(content) == 0 || !json.Valid(content) {
		return nil
	}
	kept, err := plainjson.Marshal(map[string]json.RawMessage{m.provider.Name: content})
	if err != nil {
		return nil
	}
	return kept
}

// A keptMessage is what a conversation keeps of a response, for the provider that gave it.
type keptMessage struct {
	Reasoning string `json:"reasoning_content"`
}

// keptReasoning returns the reasoning before a response as a conversation keeps it.
func (m *Model) keptReasoning(text string) json.RawMessage {
	kept, err := plainjson.Marshal(map[string]keptMessage{m.provider.Name: {text}})
	if err != nil {
		panic("openai: " + err.Error()) // strings
	}
	return kept
}

// reasoningBack returns the reasoning that the provider has given with a message and wants
// to see again, "" if there is none.
func (m *Model) reasoningBack(msg *runtime.Message) string {
	var of map[string]keptMessage
	if !m.provider.ReasoningBack || len(msg.Extra) == 0 || json.Unmarshal(msg.Extra, &of) != nil {
		return ""
	}
	return of[m.provider.Name].Reasoning
}

// extraContent returns the extra_content of a call that the provider has given it, nil
// if there is none.
func (m *Model) extraContent(kept json.RawMessage) json.RawMessage {
	var of map[string]json.RawMessage
	if len(kept) == 0 || json.Unmarshal(kept, &of) != nil {
		return nil
	}
	return of[m.provider.Name]
}

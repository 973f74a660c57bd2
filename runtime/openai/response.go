package openai

import (
	"bytes"
	"encoding/json"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/runtime"
)

// An answerError says what an answer lacks: "has no message".
type answerError string

func (e answerError) Error() string { return "the answer " + string(e) }

// convert turns an answer into a Response. The body is what resp was decoded
// from.
func convert(resp *openai.ChatCompletionResponse, body []byte) (*runtime.Response, error) {
	if len(resp.Choices) == 0 {
		return nil, answerError("has no choices")
	}
	choice := &resp.Choices[0]
	msg := &choice.Message
	out := &runtime.Response{
		Content: msg.Content,
		Refusal: msg.Refusal,
		Finish:  string(choice.FinishReason),
		Usage:   usage(&resp.Usage),
	}
	for i := range msg.MultiContent {
		out.Content += msg.MultiContent[i].Text
	}
	if len(msg.ToolCalls) > 0 {
		out.Calls = make([]runtime.Call, len(msg.ToolCalls))
		for i := range msg.ToolCalls {
			c := &msg.ToolCalls[i]
			out.Calls[i] = runtime.Call{ID: c.ID, Name: c.Function.Name, Args: json.RawMessage(c.Function.Arguments)}
		}
		addExtras(out.Calls, body)
	} else if f := msg.FunctionCall; f != nil && f.Name != "" {
		out.Calls = []runtime.Call{{Name: f.Name, Args: json.RawMessage(f.Arguments)}}
	}
	if out.Content == "" && out.Refusal == "" && out.Calls == nil && !hasMessage(body) {
		return nil, answerError("has no message")
	}
	return out, nil
}

// usage never believes a negative count.
func usage(u *openai.Usage) runtime.Usage {
	out := runtime.Usage{Input: int64(max(u.PromptTokens, 0)), Output: int64(max(u.CompletionTokens, 0)), Total: int64(max(u.TotalTokens, 0))}
	if out.Total == 0 {
		out.Total = runtime.Usage{Total: out.Input}.Add(runtime.Usage{Total: out.Output}).Total
	}
	return out
}

// addExtras keeps what go-openai drops and Google wants to see again: its
// thought signatures.
func addExtras(calls []runtime.Call, body []byte) {
	if !bytes.Contains(body, []byte(`"extra_content"`)) {
		return
	}
	var raw struct {
		Choices []struct {
			Message struct {
				ToolCalls []struct {
					Extra json.RawMessage `json:"extra_content"`
				} `json:"tool_calls"`
			} `json:"message"`
		} `json:"choices"`
	}
	if json.Unmarshal(body, &raw) != nil || len(raw.Choices) == 0 {
		return
	}
	extras := raw.Choices[0].Message.ToolCalls
	for i := range min(len(extras), len(calls)) {
		if e := extras[i].Extra; string(e) != "null" {
			calls[i].Extra = e
		}
	}
}

func hasMessage(body []byte) bool {
	var raw struct {
		Choices []struct {
			Message map[string]json.RawMessage `json:"message"`
		} `json:"choices"`
	}
	return json.Unmarshal(body, &raw) == nil && len(raw.Choices) > 0 && raw.Choices[0].Message != nil
}

package openai

import (
	"encoding/json"
	"math"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// decodeLoosely reads an answer whose fields are not all of the type that
// go-openai wants: counts written as floats, arguments as an object instead of
// text, content as a list of words. Only what [convert] needs is read.
func decodeLoosely(body []byte) (openai.ChatCompletionResponse, error) {
	var raw struct {
		Choices []struct {
			Message looseMessage    `json:"message"`
			Finish  json.RawMessage `json:"finish_reason"`
		} `json:"choices"`
		Usage json.RawMessage `json:"usage"`
	}
	var resp openai.ChatCompletionResponse
	if err := json.Unmarshal(body, &raw); err != nil {
		return resp, err
	}
	for i := range raw.Choices {
		resp.Choices = append(resp.Choices, openai.ChatCompletionChoice{
			Message:      raw.Choices[i].Message.strict(),
			FinishReason: openai.FinishReason(plain(raw.Choices[i].Finish)),
		})
	}
	var counts struct {
		Input  json.RawMessage `json:"prompt_tokens"`
		Output json.RawMessage `json:"completion_tokens"`
		Total  json.RawMessage `json:"total_tokens"`
	}
	if json.Unmarshal(raw.Usage, &counts) == nil {
		resp.Usage = openai.Usage{PromptTokens: count(counts.Input), CompletionTokens: count(counts.Output), TotalTokens: count(counts.Total)}
	}
	return resp, nil
}

type looseMessage struct {
	Content      json.RawMessage `json:"content"`
	Refusal      json.RawMessage `json:"refusal"`
	FunctionCall *looseFunction  `json:"function_call"`
	ToolCalls    []struct {
		ID       json.RawMessage `json:"id"`
		Function looseFunction   `json:"function"`
	} `json:"tool_calls"`
}

type looseFunction struct {
	Name      json.RawMessage `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

func (m *looseMessage) strict() openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{Content: joined(m.Content), Refusal: plain(m.Refusal)}
	if m.FunctionCall != nil {
		f := m.FunctionCall.strict()
		out.FunctionCall = &f
	}
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		out.ToolCalls = append(out.ToolCalls, openai.ToolCall{ID: plain(c.ID), Function: c.Function.strict()})
	}
	return out
}

func (f *looseFunction) strict() openai.FunctionCall {
	return openai.FunctionCall{Name: plain(f.Name), Arguments: plain(f.Arguments)}
}

// joined returns content, which may be text or a list of parts.
func joined(raw json.RawMessage) string {
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return plain(raw)
	}
	var out strings.Builder
	for _, p := range parts {
		var part struct {
			Text json.RawMessage `json:"text"`
		}
		if json.Unmarshal(p, &part) == nil {
			out.WriteString(plain(part.Text))
		} else {
			out.WriteString(plain(p))
		}
	}
	return out.String()
}

// count reads a number of tokens, however it is written; 0 means unknown.
func count(raw json.RawMessage) int {
	var n json.Number
	if json.Unmarshal(raw, &n) != nil { // also takes "12"
		return 0
	}
	if i, err := n.Int64(); err == nil {
		return int(i)
	}
	f, _ := n.Float64() // 1e400 becomes infinite
	switch {
	case f >= math.MaxInt:
		return math.MaxInt
	case f > 0:
		return int(f)
	}
	return 0
}

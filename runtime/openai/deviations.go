package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// Servers deviate from what go-openai decodes. Each of these deviations is
// accepted; the tests have them all.
//
//	deviation                                     server                       reference
//	content is a list of parts                    Mistral, reasoning models    microsoft/agent-framework#6978
//	arguments are an object instead of a string   llama.cpp                    ggml-org/llama.cpp#20198
//	the id of a tool call is a number             NVIDIA NIM, LM Studio        anomalyco/opencode#19947
//	                                              MiniMax                      Kilo-Org/kilocode#5816
//	a tool call has no type                       vLLM, Ollama                 mistralai/mistral-vibe#552
//	function_call instead of tool_calls           servers older than tools     API until 2023
//	created is a fraction                         SambaNova                    envoyproxy/ai-gateway#962
//	token counts are fractions                    easyllm                      philschmid/easyllm#42
//	usage is null                                 Foundry Local                microsoft/foundry-local#173
//	tool calls have extra_content                 Google, Gemini 3             ai.google.dev/gemini-api/docs/openai
//	blank lines before the JSON                   DeepSeek under load          api-docs.deepseek.com/faq
//	status 200 with an error, or without choices  OpenRouter, 9Router          Aider-AI/aider#3550, decolua/9router#2727
//	the error is in a list                        Google                       generativelanguage.googleapis.com
//
// Of streams:
//
//	deviation                                     server                       reference
//	an error among the events, status 200         OpenRouter                   openrouter.ai/docs/api/reference/streaming
//	comments before the first event               OpenRouter                   openrouter.ai/docs/api/reference/streaming
//	all calls have index 0                        Google                       generativelanguage.googleapis.com
//	calls have no index, or no id                 Ollama, llama.cpp, vLLM      older versions
//	"reasoning" for "reasoning_content"           OpenRouter, Groq, Ollama     openrouter.ai/docs/guides/best-practices/reasoning-tokens
//	no stream: one JSON body                      proxies                      –
//	no [DONE] after the finish reason             proxies                      –
//	usage in every event                          xAI                          docs.x.ai
//
// What go-openai cannot decode is rewritten by [rewrite], which is more lenient
// than the table needs. Errors are read by internal/modelhttp, extra_content
// by [deviationExtras].

// A responseError says what a response lacks: "has no message".
type responseError string

func (e responseError) Error() string { return "the response " + string(e) }

// deviationIsComplete reports whether c was decoded from a body with a message.
// go-openai decodes null, or nothing, as an empty message.
func deviationIsComplete(c *openai.ChatCompletionResponse) bool {
	if len(c.Choices) == 0 {
		return false
	}
	m := &c.Choices[0].Message
	return m.Role != "" || m.Content != "" || m.Refusal != "" || m.MultiContent != nil || m.ToolCalls != nil || m.FunctionCall != nil
}

// A completion is the part of a chat completion that is used. It is decoded
// leniently and encoded as go-openai decodes it.
type completion struct {
	Choices []struct {
		Message *struct {
			Content      text      `json:"content"`
			Reasoning    text      `json:"reasoning_content,omitempty"`
			Refusal      text      `json:"refusal,omitempty"`
			FunctionCall *function `json:"function_call,omitempty"`
			ToolCalls    []struct {
				ID       text            `json:"id"`
				Function function        `json:"function"`
				Extra    json.RawMessage `json:"extra_content,omitempty"`
			} `json:"tool_calls,omitempty"`
		} `json:"message"`
		Finish text `json:"finish_reason"`
	} `json:"choices"`
	Usage usage `json:"usage"`
}

type usage struct {
	Input        count `json:"prompt_tokens"`
	Output       count `json:"completion_tokens"`
	Total        count `json:"total_tokens"`
	CacheHit     count `json:"prompt_cache_hit_tokens,omitzero"` // DeepSeek
	InputDetails struct {
		Cached count `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	OutputDetails struct {
		Reasoning count `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

type function struct {
	Name      text `json:"name"`
	Arguments text `json:"arguments"`
}

// decodeDeviating decodes text to v, but for values of a wrong type.
func decodeDeviating(text []byte, v any) error {
	var mistyped *json.UnmarshalTypeError
	if err := json.Unmarshal(text, v); err != nil && !errors.As(err, &mistyped) {
		return err // after a mistyped one, the package goes on
	}
	return nil
}

// rewriteDeviations decodes body leniently, and the result of that with go-openai.
func rewriteDeviations(body []byte) (*openai.ChatCompletionResponse, error) {
	var c completion
	var mistyped *json.UnmarshalTypeError
	err := json.Unmarshal(body, &c) // goes on after a value of the wrong type
	switch {
	case err != nil && !errors.As(err, &mistyped):
		return nil, err
	case len(c.Choices) == 0:
		return nil, responseError("has no choices")
	case c.Choices[0].Message == nil, mistyped != nil && strings.HasSuffix(mistyped.Field, "message"):
		return nil, responseError("has no message")
	}
	text, err := json.Marshal(&c)
	if err != nil {
		return nil, err
	}
	out := &openai.ChatCompletionResponse{}
	return out, json.Unmarshal(text, out)
}

// deviationExtras returns the extra_content of the tool calls in body, a chat
// completion; nil where a call has none.
func deviationExtras(body []byte) []json.RawMessage {
	if !bytes.Contains(body, []byte(`"extra_content"`)) {
		return nil
	}
	var c completion
	if json.Unmarshal(body, &c) != nil || len(c.Choices) == 0 || c.Choices[0].Message == nil {
		return nil
	}
	var extras []json.RawMessage
	for _, call := range c.Choices[0].Message.ToolCalls {
		if string(call.Extra) == "null" {
			call.Extra = nil
		}
		extras = append(extras, call.Extra)
	}
	return extras
}

// A text is decoded from a JSON string, from the texts of a list of parts, or
// from any other value as its JSON. null is the empty text.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(data []byte) error {
	if data[0] == '"' && bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data) { // most are
		*t = text(data[1 : len(data)-1])
		return nil
	}
	var parts []json.RawMessage
	if data[0] != '[' || json.Unmarshal(data, &parts) != nil {
		*t = text(plainjson.Text(data))
		return nil
	}
	var out strings.Builder
	for _, p := range parts {
		var part struct {
			Text json.RawMessage `json:"text"`
		}
		if json.Unmarshal(p, &part) == nil {
			p = part.Text
		}
		out.WriteString(plainjson.Text(p))
	}
	*t = text(out.String())
	return nil
}

// A count is a number of tokens, decoded from any JSON number or a string with
// one. Anything else is 0, which means unknown.
type count int

// UnmarshalJSON implements json.Unmarshaler.
func (c *count) UnmarshalJSON(data []byte) error {
	if i, err := strconv.Atoi(string(data)); err == nil { // most are
		*c = count(max(i, 0))
		return nil
	}
	var n json.Number
	if json.Unmarshal(data, &n) != nil { // also takes "12"
		return nil
	}
	f, _ := n.Float64() // 1e400 becomes infinite
	switch i, err := n.Int64(); {
	case err == nil && i <= math.MaxInt:
		*c = count(max(i, 0))
	case f >= math.MaxInt:
		*c = math.MaxInt
	case f > 0:
		*c = count(f)
	}
	return nil
}

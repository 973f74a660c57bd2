package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/runtime"
)

// An answerError says what an answer lacks: "has no message".
type answerError string

func (e answerError) Error() string { return "the answer " + string(e) }

// A completion is what is read of a chat completion. The types of go-openai
// are not used for it: they are strict where servers are not (counts written
// as floats, arguments as an object, content as a list), and they drop the
// thought signatures that Google wants to see again.
type completion struct {
	Choices []struct {
		Message *struct {
			Content      text      `json:"content"`
			Refusal      text      `json:"refusal"`
			FunctionCall *function `json:"function_call"`
			ToolCalls    []struct {
				ID       text            `json:"id"`
				Function function        `json:"function"`
				Extra    json.RawMessage `json:"extra_content"`
			} `json:"tool_calls"`
		} `json:"message"`
		Finish text `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Input  count `json:"prompt_tokens"`
		Output count `json:"completion_tokens"`
		Total  count `json:"total_tokens"`
	} `json:"usage"`
}

type function struct {
	Name      text `json:"name"`
	Arguments text `json:"arguments"`
}

// decode reads the answer of a server.
func decode(body []byte) (*runtime.Response, error) {
	var in completion
	var mistyped *json.UnmarshalTypeError // the rest is read all the same
	if err := json.Unmarshal(body, &in); err != nil && !errors.As(err, &mistyped) {
		return nil, err
	}
	if len(in.Choices) == 0 {
		return nil, answerError("has no choices")
	}
	message := in.Choices[0].Message
	if message == nil || mistyped != nil && strings.HasSuffix(mistyped.Field, "message") {
		return nil, answerError("has no message")
	}
	out := &runtime.Response{
		Content: string(message.Content), Refusal: string(message.Refusal), Finish: string(in.Choices[0].Finish),
		Usage: runtime.Usage{Input: int64(in.Usage.Input), Output: int64(in.Usage.Output), Total: int64(in.Usage.Total)},
	}
	if out.Usage.Total == 0 {
		out.Usage.Total = runtime.Usage{Total: out.Usage.Input}.Add(runtime.Usage{Total: out.Usage.Output}).Total
	}
	if n := len(message.ToolCalls); n > 0 {
		out.Calls = make([]runtime.Call, n)
	} else if f := message.FunctionCall; f != nil && f.Name != "" {
		out.Calls = []runtime.Call{{Name: string(f.Name), Args: json.RawMessage(f.Arguments)}}
	}
	for i, c := range message.ToolCalls {
		out.Calls[i] = runtime.Call{ID: string(c.ID), Name: string(c.Function.Name), Args: json.RawMessage(c.Function.Arguments)}
		if string(c.Extra) != "null" {
			out.Calls[i].Extra = c.Extra
		}
	}
	return out, nil
}

// A text is a JSON string, the texts of a list of parts, or any other value as
// it stands; null is no text.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(data []byte) error {
	if data[0] == '"' && bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data) {
		*t = text(data[1 : len(data)-1]) // most texts are nothing but their characters
		return nil
	}
	var parts []json.RawMessage
	if data[0] != '[' || json.Unmarshal(data, &parts) != nil {
		*t = text(plain(data))
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
		out.WriteString(plain(p))
	}
	*t = text(out.String())
	return nil
}

// A count is a number of tokens, however it is written; what is no count is 0,
// which means unknown.
type count int64

// UnmarshalJSON implements json.Unmarshaler.
func (c *count) UnmarshalJSON(data []byte) error {
	if i, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		*c = count(max(i, 0))
		return nil
	}
	var n json.Number
	if json.Unmarshal(data, &n) != nil { // also takes "12"
		return nil
	}
	f, _ := n.Float64() // 1e400 becomes infinite
	switch {
	case f >= math.MaxInt64:
		*c = math.MaxInt64
	case f > 0:
		*c = count(f)
	}
	return nil
}

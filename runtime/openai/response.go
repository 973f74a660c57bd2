package openai

import (
	"encoding/json"
	"errors"
	"math"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

// An answerError says what an answer lacks: "has no message".
type answerError string

func (e answerError) Error() string { return "the answer " + string(e) }

// A completion is what is read of a chat completion, with texts of type T and
// counts of type C. The types of go-openai are not used for it: they drop the
// thought signatures that Google wants to see again, and they are strict where
// servers are not (counts written as floats, arguments as an object, content
// as a list).
type completion[T ~string, C ~int64] struct {
	Choices []struct {
		Message *struct {
			Content      T            `json:"content"`
			Refusal      T            `json:"refusal"`
			FunctionCall *function[T] `json:"function_call"`
			ToolCalls    []struct {
				ID       T               `json:"id"`
				Function function[T]     `json:"function"`
				Extra    json.RawMessage `json:"extra_content"`
			} `json:"tool_calls"`
		} `json:"message"`
		Finish T `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Input  C `json:"prompt_tokens"`
		Output C `json:"completion_tokens"`
		Total  C `json:"total_tokens"`
	} `json:"usage"`
}

type function[T ~string] struct {
	Name      T `json:"name"`
	Arguments T `json:"arguments"`
}

// decode reads the answer of a server: as the documentation has it, and where
// that fails for a type, more loosely.
func decode(body []byte) (*runtime.Response, error) {
	var strict completion[string, int64]
	var mistyped *json.UnmarshalTypeError
	err := json.Unmarshal(body, &strict)
	switch {
	case err == nil:
		return convert(&strict)
	case !errors.As(err, &mistyped):
		return nil, err
	}
	var loose completion[text, count]
	if err := json.Unmarshal(body, &loose); errors.As(err, &mistyped) && strings.HasSuffix(mistyped.Field, "message") {
		return nil, answerError("has no message")
	}
	return convert(&loose)
}

func convert[T ~string, C ~int64](in *completion[T, C]) (*runtime.Response, error) {
	if len(in.Choices) == 0 {
		return nil, answerError("has no choices")
	}
	message := in.Choices[0].Message
	if message == nil {
		return nil, answerError("has no message")
	}
	out := &runtime.Response{
		Content: string(message.Content), Refusal: string(message.Refusal), Finish: string(in.Choices[0].Finish),
		Usage: runtime.Usage{Input: max(int64(in.Usage.Input), 0), Output: max(int64(in.Usage.Output), 0), Total: max(int64(in.Usage.Total), 0)},
	}
	if out.Usage.Total == 0 {
		out.Usage.Total = runtime.Usage{Total: out.Usage.Input}.Add(runtime.Usage{Total: out.Usage.Output}).Total
	}
	if n := len(message.ToolCalls); n > 0 {
		out.Calls = make([]runtime.Call, n)
	} else if f := message.FunctionCall; f != nil && f.Name != "" {
		out.Calls = []runtime.Call{{Name: string(f.Name), Args: json.RawMessage(f.Arguments)}}
	}
	for i := range message.ToolCalls {
		c := &message.ToolCalls[i]
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
	var n json.Number
	if json.Unmarshal(data, &n) != nil { // also takes "12"
		return nil
	}
	if i, err := n.Int64(); err == nil {
		*c = count(i)
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

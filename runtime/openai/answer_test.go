package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

// callsOf responds with calls, each a name and its arguments; streamed or not.
func callsOf(stream bool, calls ...[2]string) string {
	var list []map[string]any
	for i, c := range calls {
		list = append(list, map[string]any{"index": i, "id": c[0], "type": "function", "function": map[string]string{"name": c[0], "arguments": c[1]}})
	}
	text, err := json.Marshal(map[string]any{"tool_calls": list, "role": "assistant"})
	if err != nil {
		panic(err)
	}
	if stream {
		return delta(strings.TrimSuffix(strings.TrimPrefix(string(text), "{"), "}"))
	}
	return `{"choices":[{"message":` + string(text) + `,"finish_reason":"tool_calls"}]}`
}

// Where the provider cannot hold the text of the model to a schema, alone or beside tools,
// a tool takes the answer.
func TestAToolTakesTheAnswer(t *testing.T) {
	list := json.RawMessage(`{"type":"array","items":{"type":"string"}}`)
	for _, tt := range []struct {
		name, provider, model string
		tools                 []runtime.Contract
		calls                 [][2]string
		content               string
		left                  []string // other calls
	}{
		{"alone", "DeepSeek", "deepseek-chat", nil, [][2]string{{"answer", `{"result":["a"]}`}}, `["a"]`, nil},
		{"beside tools", "Groq", "llama", []runtime.Contract{{Name: "t", Description: "d"}}, [][2]string{{"answer", `{"result":["a"]}`}}, `["a"]`, nil},
		{"its name is taken", "DeepSeek", "x", []runtime.Contract{{Name: "answer", Description: "d"}}, [][2]string{{"final_answer", `{"result":[]}`}}, `[]`, nil},
		{"other calls come first", "DeepSeek", "x", []runtime.Contract{{Name: "t", Description: "d"}}, [][2]string{{"answer", `{"result":["early"]}`}, {"t", `{}`}}, "", []string{"t"}},
		{"a model that takes no schema", "OpenAI", "gpt-4", nil, [][2]string{{"answer", `{"result":["a"]}`}}, `["a"]`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, responds(200, callsOf(false, tt.calls...)), streams(callsOf(true, tt.calls...), ends("tool_calls"), "[DONE]"))
			m := s.model(t, Options{Provider: tt.provider})
			r := hello()
			r.Model, r.Tools, r.Output = tt.model, tt.tools, runtime.Output{Name: "list", Schema: list}
			whole, err := m.Generate(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			streamed, shown, err := stream(t, m, r)
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range []*runtime.Response{whole, streamed} {
				var left []string
				for _, c := range got.Calls {
					left = append(left, c.Name)
				}
				if got.Content != tt.content || strings.Join(left, " ") != strings.Join(tt.left, " ") {
					t.Errorf("got %q and the calls %v", got.Content, left)
				}
			}
			if strings.Contains(shown, "answer") || !strings.Contains(shown, tt.content) {
				t.Errorf("shown: %s", shown)
			}
			for _, body := range s.bodies {
				if strings.Contains(body, "response_format") || strings.Contains(body, "fit this JSON Schema") || !strings.Contains(body, `"properties":{"result":`) {
					t.Errorf("sent %s", body)
				}
			}
		})
	}
	s := serve(t, says(`["a"]`))
	r := hello()
	r.Output = runtime.Output{Name: "list", Schema: list}
	if got, err := s.model(t, Options{Provider: "DeepSeek", Functions: true}).Generate(t.Context(), r); err != nil || got.Content != `["a"]` || !strings.Contains(s.bodies[0], "fit this JSON Schema") {
		t.Errorf("with functions: %v, %v, sent %s", got, err, s.bodies[0])
	}
}

// DeepSeek refuses a call that it made, without the reasoning before it. Others do not get
// it.
func TestReasoningGoesBackWhereItMust(t *testing.T) {
	const call = `{"choices":[{"message":{"reasoning_content":"Look it up.","tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`
	s := serve(t, responds(200, call), streams(delta(`"reasoning_content":"Look "`), delta(`"reasoning_content":"it up."`), callPiece(`"index":0,"id":"a"`, "t", "{}"), ends("tool_calls"), "[DONE]"), says("done"), says("done"), says("done"))
	m := s.model(t, Options{Provider: "DeepSeek"})
	r := hello()
	r.Tools = []runtime.Contract{{Name: "t", Description: "d"}}
	whole, err := m.Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	streamed, _, err := stream(t, m, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []*runtime.Response{whole, streamed} {
		if string(got.Extra) != `{"DeepSeek":{"reasoning_content":"Look it up."}}` {
			t.Errorf("kept %s", got.Extra)
		}
		back := *r
		answer := runtime.AssistantMessage("", got.Calls)
		answer.Extra = got.Extra
		back.Messages = append(back.Messages, answer, runtime.Message{Role: runtime.RoleTool, CallID: got.Calls[0].ID, ToolName: "t", Content: "ok"})
		if _, err := m.Generate(t.Context(), &back); err != nil {
			t.Fatal(err)
		}
		if body := s.bodies[len(s.bodies)-1]; !strings.Contains(body, `"reasoning_content":"Look it up."`) {
			t.Errorf("sent %s", body)
		}
		r.Messages = back.Messages
	}
	if _, err := s.model(t, Options{Provider: "Mistral"}).Generate(t.Context(), r); err != nil || strings.Contains(s.bodies[len(s.bodies)-1], "reasoning_content") {
		t.Errorf("%v, sent %s", err, s.bodies[len(s.bodies)-1])
	}
}

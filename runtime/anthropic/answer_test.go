package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/anthropic"
)

const (
	cityType  = `{"type":"object","properties":{"city":{"type":"string"},"size":{"type":"integer","minimum":0}},"required":["city"]}`
	listType  = `{"type":"array","items":{"type":"string"}}`
	mapType   = `{"type":"object","additionalProperties":{"type":"string"}}`
	answering = `"tool_choice":{"name":"answer","disable_parallel_tool_use":true,"type":"tool"}`
)

func TestAnswers(t *testing.T) {
	lookUp := []runtime.Contract{{Name: "lookUp"}, {Name: "answer"}}
	tests := []struct {
		name, model, schema string
		tools               []runtime.Contract
		response            step
		sent                []string
		want                string
	}{
		{"format", "claude-sonnet-4-5", cityType, nil, message("end_turn", `[{"type":"text","text":"{\"city\":\"Oslo\"}"}]`),
			[]string{`"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"city":{"type":"string"},"size":{"type":"integer"}},"required":["city"],"additionalProperties":false}}}`}, `{"city":"Oslo"}`},
		{"format in an object", "claude-opus-5", listType, lookUp, message("end_turn", `[{"type":"thinking","thinking":"Hm","signature":"sigA"},{"type":"text","text":"{\"result\":[\"a\"]}"}]`),
			[]string{`"schema":{"type":"object","properties":{"result":{"type":"array","items":{"type":"string"}}},"required":["result"],"additionalProperties":false}`}, `["a"]`},
		{"older model", "claude-opus-4-1", cityType, nil, message("tool_use", `[{"type":"text","text":"Here:"},{"type":"tool_use","id":"toolu_1","name":"answer","input":{"city":"Oslo"}}]`),
			[]string{answering, `"name":"answer"`, `"minimum":0`}, `{"city":"Oslo"}`},
		{"older model, list", "claude-3-haiku-20240307", listType, nil, message("tool_use", `[{"type":"tool_use","id":"toolu_1","name":"answer","input":{"result":["a"]}}]`),
			[]string{answering, `"required":["result"]`}, `["a"]`},
		{"older model with tools", "claude-opus-4-1", cityType, lookUp, message("tool_use", `[{"type":"tool_use","id":"toolu_1","name":"final_answer","input":{"city":"Oslo"}}]`),
			[]string{`"name":"final_answer"`, `"name":"lookUp"`}, `{"city":"Oslo"}`},
		{"map", "claude-opus-5", mapType, nil, message("tool_use", `[{"type":"thinking","thinking":"Hm","signature":"sigA"},{"type":"tool_use","id":"toolu_1","name":"answer","input":{"a":"b"}}]`),
			[]string{`"name":"answer"`}, `{"a":"b"}`},
		{"text instead of the tool", "claude-opus-5", mapType, nil, message("end_turn", `[{"type":"text","text":"{\"a\": \"b\"}"}]`), nil, `{"a": "b"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			both(t, func(t *testing.T, send func(*anthropic.Model, *runtime.Request) (*runtime.Response, error)) {
				f := serve(t, tt.response)
				r := hello()
				r.Model, r.Tools, r.Output = tt.model, tt.tools, runtime.Output{Name: "a", Schema: json.RawMessage(tt.schema)}
				got, err := send(f.model(t, anthropic.Options{}), r)
				if err != nil || got.Content != tt.want || got.Calls != nil || got.Finish != "stop" {
					t.Fatalf("%+v, %v", got, err)
				}
				for _, words := range tt.sent {
					if !strings.Contains(f.bodies[0], words) {
						t.Errorf("sent %s\nwithout %s", f.bodies[0], words)
					}
				}
				if forced := strings.Contains(f.bodies[0], "tool_choice"); forced != (len(tt.sent) > 0 && tt.sent[0] == answering) {
					t.Errorf("forced: %v in %s", forced, f.bodies[0])
				}
				// The answer is text in the conversation, whatever it came as.
				r.Messages = append(r.Messages, assistant(got.Content, string(got.Extra), got.Calls...), runtime.UserMessage("Again"))
				if _, err := send(f.model(t, anthropic.Options{}), r); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Calls of other tools come before the answer.
func TestAnswerBesideCalls(t *testing.T) {
	f := serve(t, message("tool_use", `[{"type":"thinking","thinking":"Hm","signature":"sigA"},{"type":"tool_use","id":"toolu_1","name":"answer","input":{"a":"b"}},{"type":"tool_use","id":"toolu_2","name":"lookUp","input":{"c":1}}]`))
	r := hello()
	r.Model, r.Tools, r.Output = "claude-opus-5", []runtime.Contract{{Name: "lookUp"}}, runtime.Output{Schema: json.RawMessage(mapType)}
	got, err := f.model(t, anthropic.Options{}).Generate(t.Context(), r)
	if err != nil || len(got.Calls) != 1 || got.Calls[0].Name != "lookUp" || got.Finish != "tool_calls" || got.Extra != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAnswerThatCannotBeSent(t *testing.T) {
	r := hello()
	r.Model, r.Output = "claude-opus-4-1", runtime.Output{Schema: json.RawMessage(`{"type":"object","properties":{"größe":{"type":"string"}}}`)}
	wantRefused(t, r, runtime.KindConfiguration, "the type of the answer cannot be sent: /properties/größe: Anthropic takes names")
}

package offline

import (
	"encoding/json"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

func TestAnswersWithASchema(t *testing.T) {
	const report = `{"type":"object","properties":{"degrees":{"type":"number"},"unit":{"enum":["c","f"],"default":"c"}},"required":["degrees","unit"]}`
	called := func(results ...string) []runtime.Message {
		messages := []runtime.Message{runtime.UserMessage("get the weather, 21 f")}
		for _, result := range results {
			messages = append(messages, runtime.AssistantMessage("", []runtime.Call{{ID: "x", Name: "get"}}),
				runtime.Message{Role: runtime.RoleTool, ToolName: "get", CallID: "x", Content: result})
		}
		return messages
	}
	tests := []struct {
		schema   string
		messages []runtime.Message
		want     string
	}{
		{report, called("cold"), `{"degrees":21,"unit":"f"}`},
		{report, called(`{"degrees":3,"unit":"c"}`), `{"degrees":3,"unit":"c"}`},
		{report, called(`{"degrees":3,"unit":"c"}`, `{"degrees":"?"}`), `{"degrees":3,"unit":"c"}`},
		{`{"type":"array","items":{"type":"integer"},"minItems":2}`, called("cold"), `[21,2]`},
		{`{"type":"integer"}`, called("17"), `17`},
		{`{"type":"object","not":{}}`, called("cold"), "[offline] get answered: cold\nthe offline rules find no value for the schema"},
		{`{`, called("cold"), "[offline] get answered: cold\nthe output schema is broken: schema: not JSON at byte 1: the text ends where a key in double quotes is expected"},
	}
	for _, tt := range tests {
		r := &runtime.Request{
			Messages: tt.messages, Tools: []runtime.Contract{{Name: "get", Input: json.RawMessage(`{"type":"object"}`)}},
			Output: runtime.Output{Name: "o", Schema: json.RawMessage(tt.schema)},
		}
		if resp := generate(t, r); resp.Content != tt.want || len(resp.Calls) > 0 {
			t.Errorf("%s: got %q, want %q", tt.schema, resp.Content, tt.want)
		}
	}
}

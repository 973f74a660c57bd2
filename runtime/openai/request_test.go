package openai

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/runtime"
)

// sent returns the body of the one request that r makes.
func sent(t *testing.T, o Options, r *runtime.Request) string {
	t.Helper()
	s := serve(t, says("ok"))
	if _, err := s.model(t, o).Generate(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return s.bodies[0]
}

func wantJSON(t *testing.T, got, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(w, g); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func conversation() *runtime.Request {
	return &runtime.Request{
		Model:       "gpt-4o-mini",
		Instruction: "Greet.",
		Messages: []runtime.Message{
			runtime.UserMessage("Hello"),
			runtime.AssistantMessage("Calling", []runtime.Call{
				{ID: "c1", Name: "sayHello", Args: json.RawMessage(`{"personName":"Ada"}`)},
				{ID: "c2", Name: "now"},
			}),
			{Role: runtime.RoleTool, Content: "Hello, Ada!", CallID: "c1", ToolName: "sayHello"},
			{Role: runtime.RoleTool, CallID: "c2", ToolName: "now"},
		},
		Tools: []runtime.Contract{
			{Name: "sayHello", Description: "Greets", Input: json.RawMessage(`{"type":"object"}`)},
			{Name: "now", Description: "Tells the time"},
		},
	}
}

func TestConversationOnTheWire(t *testing.T) {
	wantJSON(t, sent(t, Options{}, conversation()), `{
		"model": "gpt-4o-mini", "stream": false,
		"messages": [
			{"role": "system", "content": "Greet."},
			{"role": "user", "content": "Hello"},
			{"role": "assistant", "content": "Calling", "tool_calls": [
				{"id": "c1", "type": "function", "function": {"name": "sayHello", "arguments": "{\"personName\":\"Ada\"}"}},
				{"id": "c2", "type": "function", "function": {"name": "now", "arguments": "{}"}}]},
			{"role": "tool", "content": "Hello, Ada!", "name": "sayHello", "tool_call_id": "c1"},
			{"role": "tool", "content": "(empty)", "name": "now", "tool_call_id": "c2"}],
		"tools": [
			{"type": "function", "function": {"name": "sayHello", "description": "Greets", "parameters": {"type": "object", "properties": {}}}},
			{"type": "function", "function": {"name": "now", "description": "Tells the time", "parameters": {"type": "object", "properties": {}}}}]}`)
}

func TestConversationInTheOldFormat(t *testing.T) {
	wantJSON(t, sent(t, Options{Functions: true}, conversation()), `{
		"model": "gpt-4o-mini", "stream": false,
		"messages": [
			{"role": "system", "content": "Greet."},
			{"role": "user", "content": "Hello"},
			{"role": "assistant", "content": "Calling", "function_call": {"name": "sayHello", "arguments": "{\"personName\":\"Ada\"}"}},
			{"role": "function", "content": "Hello, Ada!", "name": "sayHello"},
			{"role": "assistant", "function_call": {"name": "now", "arguments": "{}"}},
			{"role": "function", "content": "(empty)", "name": "now"}],
		"functions": [
			{"name": "sayHello", "description": "Greets", "parameters": {"type": "object", "properties": {}}},
			{"name": "now", "description": "Tells the time", "parameters": {"type": "object", "properties": {}}}]}`)
}

func TestOldFormatKeepsACallWithoutResult(t *testing.T) {
	r := hello()
	r.Messages = append(r.Messages,
		runtime.AssistantMessage("", []runtime.Call{{ID: "c", Name: "f", Args: json.RawMessage(`{}`)}}),
		runtime.UserMessage("never mind"),
		runtime.Message{Role: runtime.RoleTool, ToolName: "g", CallID: "gone", Content: "late"})
	wantJSON(t, sent(t, Options{Functions: true}, r), `{
		"model": "gpt-4o-mini", "stream": false,
		"messages": [
			{"role": "user", "content": "Hello"},
			{"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}},
			{"role": "user", "content": "never mind"},
			{"role": "function", "content": "late", "name": "g"}]}`)
}

func TestNoToolsNoToolsKey(t *testing.T) {
	for _, functions := range []bool{false, true} {
		body := sent(t, Options{Functions: functions}, hello())
		for _, key := range []string{"tools", "functions", "temperature", "max_tokens", "top_p", "system"} {
			if strings.Contains(body, `"`+key+`"`) {
				t.Errorf("%s is in %s", key, body)
			}
		}
	}
}

// Only whitespace and escapes of a schema change: its keys keep their order and
// its numbers their digits.
func TestSchemasGoOutUnchanged(t *testing.T) {
	schemas := []string{
		`{ "type": "object",  "properties": {}, "description": "a < b & c > d \u2028  é" }`,
		`{"type":"object","properties":{"n":{"const":1.0,"default":1e2}}}`,
	}
	r := hello()
	for _, s := range schemas {
		r.Tools = append(r.Tools, runtime.Contract{Name: "f", Description: "d", Input: json.RawMessage(s)})
	}
	for _, functions := range []bool{false, true} {
		body := sent(t, Options{Functions: functions}, r)
		for _, s := range schemas {
			var compact, escaped bytes.Buffer
			if err := json.Compact(&compact, []byte(s)); err != nil {
				t.Fatal(err)
			}
			json.HTMLEscape(&escaped, compact.Bytes())
			if !strings.Contains(body, `"parameters":`+escaped.String()+`}`) {
				t.Errorf("schema %s is not in %s", s, body)
			}
		}
	}
}

func TestChangedToolsAreLoweredAgain(t *testing.T) {
	s := serve(t, says("ok"))
	m := s.model(t, Options{})
	r := hello()
	r.Tools = []runtime.Contract{{Name: "f", Description: "d", Input: json.RawMessage(`{"a":1,"type":"object"}`)}}
	for i, change := range []func(t *runtime.Contract){
		func(*runtime.Contract) {},
		func(t *runtime.Contract) { t.Input[5] = '2' }, // in place
		func(t *runtime.Contract) { t.Description = "e" },
		func(t *runtime.Contract) { t.Name = "g" },
		func(t *runtime.Contract) { t.Input = nil },
	} {
		change(&r.Tools[0])
		if _, err := m.Generate(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if i > 0 && s.bodies[i] == s.bodies[i-1] {
			t.Errorf("change %d is not in %s", i, s.bodies[i])
		}
	}
}

func TestBrokenSchemaIsNotSent(t *testing.T) {
	s := serve(t, says("ok"))
	r := hello()
	r.Tools = []runtime.Contract{{Name: "broken", Input: json.RawMessage(`{"a":`)}}
	_, err := s.model(t, Options{}).Generate(t.Context(), r)
	if err == nil || !strings.Contains(err.Error(), `"broken"`) || s.requests() != 0 {
		t.Errorf("error %v after %d requests", err, s.requests())
	}
}

func TestThoughtSignaturesComeBackByteForByte(t *testing.T) {
	const extra = `{"google":{"thought_signature":"a<b>&c==","n":1.0}}`
	s := serve(t, responds(200, `{"choices":[{"message":{"tool_calls":[
		{"id":"c0","type":"function","function":{"name":"f","arguments":"{}"}},
		{"extra_content":`+extra+`,"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}},
		{"extra_content":null,"id":"c2","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}`), says("done"))
	m := s.model(t, Options{Provider: "Google"})
	r := hello()
	r.Tools = []runtime.Contract{{Name: "f", Input: json.RawMessage(`{"type":"object"}`)}}
	resp, err := m.Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(resp.Calls[1].Extra); got != `{"Google":`+extra+`}` || resp.Calls[0].Extra != nil || resp.Calls[2].Extra != nil {
		t.Fatalf("calls %+v", resp.Calls)
	}
	r.Messages = append(r.Messages, runtime.AssistantMessage("", resp.Calls))
	if _, err := m.Generate(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	var sent struct {
		Messages []struct {
			Calls []struct {
				ID    string          `json:"id"`
				Extra json.RawMessage `json:"extra_content"`
			} `json:"tool_calls"`
		} `json:"messages"`
	}
	if err := json.Unmarshal([]byte(s.bodies[1]), &sent); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", extra, ""} {
		if c := sent.Messages[1].Calls[i]; string(c.Extra) != want || c.ID != resp.Calls[i].ID {
			t.Errorf("call %d is %s with %s, want %s", i, c.ID, c.Extra, want)
		}
	}
}

func TestSignaturesOfAnotherProviderAreNotSent(t *testing.T) {
	r := hello()
	r.Messages = append(r.Messages, runtime.AssistantMessage("", []runtime.Call{
		{ID: "c", Name: "f", Args: json.RawMessage("{}"), Extra: json.RawMessage(`{"Google":{"google":{"thought_signature":"s"}}}`)},
	}))
	if body := sent(t, Options{}, r); strings.Contains(body, "extra_content") || strings.Contains(body, "thought_signature") {
		t.Errorf("sent %s", body)
	}
}

func TestProviderPrefixOfTheModelIsDropped(t *testing.T) {
	r := hello()
	r.Model = "OpenAI/gpt-4o-mini"
	if body := sent(t, Options{}, r); !strings.Contains(body, `"model":"gpt-4o-mini"`) {
		t.Errorf("sent %s", body)
	}
}

package openai

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

// sentBy is sent by a provider, at a server of the test.
func sentBy(t *testing.T, provider string, r *runtime.Request) string {
	t.Helper()
	return sent(t, Options{Provider: provider}, r)
}

func contract(name, input string) runtime.Contract {
	return runtime.Contract{Name: name, Description: "d", Input: json.RawMessage(input)}
}

func TestSettings(t *testing.T) {
	zero, some, exact := 0.0, 0.25, 0.1234567890123
	tests := []struct {
		provider, model string
		temperature     *float64
		most            int
		want            string // besides model, messages and stream
	}{
		{"OpenAI", "gpt-4o-mini", nil, 0, `{}`},
		{"OpenAI", "gpt-4o-mini", &zero, 0, `{"temperature":0}`},
		{"OpenAI", "gpt-4o-mini", &some, 500, `{"temperature":0.25,"max_tokens":500}`},
		{"OpenAI", "gpt-5.1-mini", nil, 500, `{"max_completion_tokens":500}`},
		{"OpenAI", "gpt-6", nil, 500, `{"max_completion_tokens":500}`},
		{"OpenAI", "OpenAI/o3-mini", &some, 500, `{"temperature":0.25,"max_completion_tokens":500}`},
		{"Google", "o3-mini", &exact, 500, `{"temperature":0.1234567890123,"max_completion_tokens":500}`},
		{"OpenAI", "olmo-2", nil, 500, `{"max_tokens":500}`},
		{"OpenAI", "gpt-oss-20b", nil, 500, `{"max_tokens":500}`},
		{"Anthropic", "claude", &some, 500, `{"temperature":0.25,"max_tokens":500}`},
	}
	for _, tt := range tests {
		r := hello()
		r.Model, r.Temperature, r.MaxTokens = tt.model, tt.temperature, tt.most
		var body map[string]any
		if err := json.Unmarshal([]byte(sentBy(t, tt.provider, r)), &body); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"model", "messages", "stream"} {
			if _, ok := body[key]; !ok {
				t.Errorf("%s: no %s", tt.model, key)
			}
			delete(body, key)
		}
		got, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		wantJSON(t, string(got), tt.want)
	}
	m, err := New(Options{APIKey: testKey})
	if err != nil {
		t.Fatal(err)
	}
	if !m.wantsCompletionTokens("gpt-4o-mini") {
		t.Error("OpenAI itself is sent max_tokens")
	}
}

const weather = `{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"],"default":"c"}},"required":["city"]}`

func TestStrictTools(t *testing.T) {
	r := hello()
	r.Tools = []runtime.Contract{contract("weather", weather), contract("other", weather)}
	r.Tools[0].Strict = true
	const strict = `{"name":"weather","description":"d","strict":true,"parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":["string","null"],"description":"(default: \"c\")","enum":["c","f",null]}},"required":["city","unit"],"additionalProperties":false}}`
	if got := sentBy(t, "OpenAI", r); !strings.Contains(got, strict) || strings.Count(got, weather) != 1 {
		t.Errorf("sent %s", got)
	}
	for _, provider := range []string{"Anthropic", "Google"} {
		if got := sentBy(t, provider, r); strings.Contains(got, "strict") || strings.Count(got, weather) != 2 {
			t.Errorf("%s: sent %s", provider, got)
		}
	}
}

func TestStrictArgumentsComeBackWithoutNulls(t *testing.T) {
	s := serve(t, responds(200, `{"choices":[{"message":{"tool_calls":[
		{"id":"a","type":"function","function":{"name":"weather","arguments":"{\"city\": \"Oslo\",\"unit\":null}"}},
		{"id":"b","type":"function","function":{"name":"other","arguments":"{\"city\": \"Oslo\",\"unit\":null}"}},
		{"id":"c","type":"function","function":{"name":"weather","arguments":"{\"city\":"}}]}}]}`))
	r := hello()
	r.Tools = []runtime.Contract{contract("weather", weather), contract("other", weather)}
	r.Tools[0].Strict = true
	resp, err := s.model(t, Options{}).Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`{"city":"Oslo"}`, `{"city": "Oslo","unit":null}`, `{"city":`} {
		if got := string(resp.Calls[i].Args); got != want {
			t.Errorf("call %d has %s, want %s", i, got, want)
		}
	}
}

func TestNamesThatProvidersRefuse(t *testing.T) {
	s := serve(t, responds(200, `{"choices":[{"message":{"tool_calls":[
		{"id":"a","type":"function","function":{"name":"files_read","arguments":"{}"}},
		{"id":"b","type":"function","function":{"name":"gone_too","arguments":"{}"}}]}}]}`))
	r := hello()
	r.Tools = []runtime.Contract{contract("files.read", `{"type":"object","properties":{}}`)}
	r.Messages = append(r.Messages,
		runtime.AssistantMessage("", []runtime.Call{{ID: "x", Name: "files.read"}, {ID: "y", Name: "gone.too"}}),
		runtime.Message{Role: runtime.RoleTool, CallID: "x", ToolName: "files.read", Content: "files.read"},
		runtime.Message{Role: runtime.RoleTool, CallID: "y", ToolName: "gone.too", Content: "ok"})
	for _, legacy := range []bool{false, true} {
		resp, err := s.model(t, Options{Functions: legacy}).Generate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Calls[0].Name != "files.read" || resp.Calls[1].Name != "gone_too" {
			t.Errorf("calls %+v", resp.Calls)
		}
	}
	for _, body := range s.bodies {
		if strings.Count(body, `"files_read"`) != 3 || strings.Count(body, `"gone_too"`) != 2 || strings.Count(body, "files.read") != 1 {
			t.Errorf("sent %s", body)
		}
	}
}

func TestWhatProvidersRefuseIsNotSent(t *testing.T) {
	const object = `{"type":"object","properties":{}}`
	const recursive = `{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"array","items":{"$ref":"#/$defs/T"}}}}`
	const counts = `{"type":"object","properties":{"n":{"type":"object","additionalProperties":{"type":"integer"}}}}`
	tests := []struct {
		provider string
		tools    []runtime.Contract
		want     string
	}{
		{"OpenAI", []runtime.Contract{contract("a.b", object), contract("a_b", object)},
			`the tools "a.b" and "a_b" would both be "a_b" for OpenAI; rename one of them`},
		{"OpenAI", []runtime.Contract{{Name: "f", Strict: true, Input: json.RawMessage(counts)}},
			`the input schema of tool "f" cannot be sent: /properties/n: OpenAI strict has no maps; use an array of {key, value}`},
		{"Google", []runtime.Contract{contract("f", recursive)},
			`the input schema of tool "f" cannot be sent: /$defs/T/items/$ref: Gemini takes no type that contains itself; use a text, or a fixed number of levels`},
		{"Anthropic", []runtime.Contract{contract("f", `{"type":"object","properties":{"größe":{"type":"string"}}}`)},
			`the input schema of tool "f" cannot be sent: /properties/größe: Anthropic takes names of 1 to 64 letters, digits and any of "_.-" for arguments; rename "größe"`},
	}
	for _, tt := range tests {
		s := serve(t, says("ok"))
		r := hello()
		r.Tools = tt.tools
		_, err := s.model(t, Options{Provider: tt.provider}).Generate(t.Context(), r)
		var e *runtime.Error
		if !errors.As(err, &e) || e.Kind != runtime.KindConfiguration || e.Error() != tt.want || s.requests() != 0 {
			t.Errorf("after %d requests: %v\nwant %s", s.requests(), err, tt.want)
		}
	}
}

func TestOutput(t *testing.T) {
	const report = `{"type":"object","properties":{"degrees":{"type":"number"},"note":{"type":"string","default":"none"}},"required":["degrees"]}`
	tests := []struct {
		provider, schema, says string
		want                   string // in the body
		content                string
	}{
		{"OpenAI", report, `{"degrees":1.50,"note":null}`,
			`"response_format":{"type":"json_schema","json_schema":{"name":"Weather_Report","schema":{"type":"object","properties":{"degrees":{"type":"number"},"note":{"type":["string","null"],"description":"(default: \"none\")"}},"required":["degrees","note"],"additionalProperties":false},"strict":true}}`,
			`{"degrees":1.50}`},
		{"Google", `{"type":"array","items":{"type":"string"}}`, ` {"result": ["a"]} `,
			`"schema":{"type":"object","properties":{"result":{"type":"array","items":{"type":"string"}}},"required":["result"],"additionalProperties":false},"strict":true}}`,
			`["a"]`},
		{"OpenAI", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"a":null}`,
			`"schema":{"type":"object","additionalProperties":{"type":"integer"}},"strict":false}}`, `{"a":null}`},
		{"OpenAI", `{"type":"array","items":{}}`, `{"result":[null]}`,
			`"schema":{"type":"object","properties":{"result":{"type":"array","items":{}}},"required":["result"],"additionalProperties":false},"strict":false}}`, `[null]`},
		{"OpenAI", report, `no JSON`, `"strict":true`, `no JSON`},
		{"Anthropic", report, `{"degrees":1,"note":null}`,
			`"tools":[{"function":{"name":"answer","description":"Takes the final answer. Call it once, with nothing else, when you have the answer; do not answer in text.","parameters":{"type":"object"`,
			`{"degrees":1,"note":null}`},
	}
	for _, tt := range tests {
		s := serve(t, says(tt.says))
		r := hello()
		r.Instruction = "Be brief."
		r.Output = runtime.Output{Name: "Weather Report", Schema: json.RawMessage(tt.schema)}
		resp, err := s.model(t, Options{Provider: tt.provider}).Generate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(s.bodies[0], tt.want) || strings.Contains(s.bodies[0], "response_format") == (tt.provider == "Anthropic") {
			t.Errorf("sent %s\nwant %s", s.bodies[0], tt.want)
		}
		if resp.Content != tt.content {
			t.Errorf("%s is %s, want %s", tt.says, resp.Content, tt.content)
		}
	}
}

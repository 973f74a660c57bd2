package gemini

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

const person = `{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false}`

// An answer is asked for in the way that the model takes, beside tools or not.
func TestAnswersWithASchema(t *testing.T) {
	const whole, wrapped = `"responseMimeType":"application/json","responseSchema":{"type":"object","properties":{"name":`, `"responseSchema":{"type":"object","properties":{"result":{"type":"array"`
	ada := says(`{"name":"Ada","age":36}`)
	for _, test := range []struct {
		name, model, schema string
		tools               bool
		steps               []step
		want, answer        string // a pattern of the first request; the answer
	}{
		{"alone", "gemini-2.5-flash", person, false, []step{ada}, regexp.QuoteMeta(whole), `{"name":"Ada","age":36}`},
		{"an array", "gemini-2.5-flash", `{"type":"array","items":{"type":"string"}}`, false, []step{says(`{"result":["a"]}`)}, regexp.QuoteMeta(wrapped), `["a"]`},
		{"beside tools", "gemini-3-pro-preview", person, true, []step{ada}, regexp.QuoteMeta(whole), `{"name":"Ada","age":36}`},
		{"by a tool", "gemini-2.5-pro", person, true,
			[]step{parts("STOP", `{"functionCall":{"name":"note","args":{}}}`), parts("STOP", `{"functionCall":{"name":"answer","args":{"name":"Ada","age":36}}}`)},
			`{"name":"answer","description":"Takes the final answer[^"]*","parameters":{"type":"object","properties":{"name":{`, `{"name":"Ada","age":36}`},
		{"an array by a tool", "gemini-2.5-pro", `{"type":"array","items":{"type":"string"}}`, true,
			[]step{parts("STOP", `{"functionCall":{"name":"answer","args":{"result":["a"]}}}`)}, `"name":"answer"`, `["a"]`},
		{"as text in spite of the tool", "gemini-2.5-pro", person, true, []step{ada}, `"name":"answer"`, `{"name":"Ada","age":36}`},
		{"beside other calls", "gemini-2.5-pro", person, true,
			[]step{parts("STOP", `{"functionCall":{"id":"1","name":"answer","args":{"name":"?","age":0}},"thoughtSignature":"YQ=="}`, `{"functionCall":{"id":"2","name":"note","args":{}}}`), ada},
			`"name":"answer"`, `{"name":"Ada","age":36}`},
		{"repaired", "gemini-2.5-pro", person, true,
			[]step{parts("STOP", `{"functionCall":{"id":"1","name":"answer","args":{"name":"Ada"}},"thoughtSignature":"YQ=="}`), ada}, `"name":"answer"`, `{"name":"Ada","age":36}`},
		{"a map, which Gemini has not", "gemini-2.5-pro", `{"type":"object","additionalProperties":{"type":"string"}}`, true, []step{says(`{"a":"b"}`)},
			`answer with JSON alone, without words around it\. It must fit this JSON Schema: {\\"type`, `{"a":"b"}`},
		{"a map without tools", "gemini-2.5-pro", `{"type":"object","additionalProperties":{"type":"string"}}`, false, []step{says(`{"a":"b"}`)},
			`answer with JSON alone.*"responseMimeType":"application/json","thinkingConfig"`, `{"a":"b"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			both(t, func(t *testing.T, stream bool) {
				f := newFake(t, test.steps...)
				r := newTrial(t, test.model)
				r.agent.Returns = json.RawMessage(test.schema)
				if !test.tools {
					r.agent.Tools = nil
				}
				answer, _, err := r.run(t, f.model(Options{}), stream, nil)
				if err != nil {
					t.Fatal(err)
				}
				if sent := f.sent(); len(sent) != len(test.steps) || !regexp.MustCompile(test.want).MatchString(sent[0]) {
					t.Errorf("%d requests; the first is\n%s\nwant %s", len(sent), sent[0], test.want)
				}
				if answer.Content != test.answer {
					t.Errorf("answer %s, want %s", answer.Content, test.answer)
				}
			})
		})
	}
}

// What gramc compile --target gemini prints is what a run sends.
func TestTheRequestIsThatOfTheCompiler(t *testing.T) {
	f := newFake(t, says("Hi"))
	temperature := 0.30000000000000004
	r := newTrial(t, "gemini-2.0-flash")
	r.agent.Temperature, r.agent.MaxTokens = &temperature, 7
	if _, _, err := r.run(t, f.model(Options{}), false, nil); err != nil {
		t.Fatal(err)
	}
	fixed := provider.Request{Model: r.agent.Model.ID, Instruction: r.agent.Instruction, Temperature: "0.30000000000000004", MaxTokens: 7}
	for _, tool := range r.agent.Tools {
		input, problems := provider.Lower(tool.Input, provider.Gemini)
		if input == nil {
			t.Fatal(problems)
		}
		fixed.Tools = append(fixed.Tools, provider.Tool{Name: tool.Name, Description: tool.Description, Input: input})
	}
	want := strings.TrimSuffix(string(fixed.Body(provider.Gemini)), "}") + `,"contents":[{"role":"user","parts":[{"text":"What is the weather?"}]}]}`
	if got := f.sent()[0]; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestStrictToolsAreDecodedUnderConstraints(t *testing.T) {
	f := newFake(t, says("Hi"))
	r := newTrial(t, "gemini-2.5-flash")
	r.agent.Tools[1].Strict = true
	if _, _, err := r.run(t, f.model(Options{}), false, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := f.sent()[0], `"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}}`; !strings.Contains(got, want) {
		t.Errorf("%s has no %s", got, want)
	}
}

// Names that Gemini does not take are replaced on the way there and back.
func TestNamesOfTools(t *testing.T) {
	f := newFake(t, parts("STOP", `{"functionCall":{"name":"_2nd_tool","args":{}}}`))
	request := &runtime.Request{
		Model: "gemini-2.5-flash", Messages: []runtime.Message{runtime.UserMessage("hi")},
		Tools: []runtime.Contract{{Name: "2nd tool", Description: "d"}},
	}
	response, err := f.model(Options{}).Generate(t.Context(), request)
	if err != nil || len(response.Calls) != 1 || response.Calls[0].Name != "2nd tool" {
		t.Fatalf("response %+v, %v", response, err)
	}
	request.Tools = append(request.Tools, runtime.Contract{Name: "2nd:tool", Description: "d"})
	_, err = f.model(Options{}).Generate(t.Context(), request)
	refused{runtime.KindConfiguration, "would both be"}.check(t, err)
	request.Tools = []runtime.Contract{{Name: "f", Input: json.RawMessage(`{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string"}}}}`)}}
	_, err = f.model(Options{}).Generate(t.Context(), request)
	refused{runtime.KindConfiguration, `the input schema of tool "f" cannot be sent: /properties/m: Gemini has no maps`}.check(t, err)
}

func TestModelIDs(t *testing.T) {
	f := newFake(t, says("Hi"))
	for _, id := range []string{"gemini-2.5-flash", "Google/gemini-2.5-flash", "models/gemini-2.5-flash"} {
		if _, err := f.model(Options{}).Generate(t.Context(), &runtime.Request{Model: id, Messages: []runtime.Message{runtime.UserMessage("hi")}}); err != nil {
			t.Error(err)
		}
	}
	m := f.model(Options{})
	for id, want := range map[string]string{"gemini-3": "/models/gemini-3:x", "tunedModels/a b": "/tunedModels/a%20b:x", "../../x?y": "/models/..%2F..%2Fx%3Fy:x"} {
		if got := m.address(id, "x"); got != f.URL+"/v1beta"+want {
			t.Errorf("%s: %s", id, got)
		}
	}
}

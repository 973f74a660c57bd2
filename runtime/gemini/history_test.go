package gemini

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

// contents returns the messages of the last request that f was sent.
func (f *fake) contents(t *testing.T) string {
	t.Helper()
	all := f.sent()
	var body struct {
		Contents json.RawMessage `json:"contents"`
	}
	if err := json.Unmarshal([]byte(all[len(all)-1]), &body); err != nil {
		t.Fatal(err)
	}
	return string(body.Contents)
}

func toolMessage(name, id, text string) runtime.Message {
	return runtime.Message{Role: runtime.RoleTool, ToolName: name, CallID: id, Content: text}
}

// A conversation can come from another model, or the run can have changed its calls.
func TestConversations(t *testing.T) {
	calls := []runtime.Call{{ID: "a", Name: "lookup", Args: json.RawMessage(`{"city":"Ulm"}`)}, {ID: "b", Name: "note", Args: json.RawMessage(`{}`)}}
	results := []runtime.Message{toolMessage("lookup", "a", "rain"), toolMessage("note", "b", "kept")}
	kept := func(model string) json.RawMessage {
		return json.RawMessage(`{"Google":{"model":"` + model + `","parts":[{"text":"I "},{"functionCall":{"name":"lookup","args":{"city":"Ulm"},"id":"x"},"thoughtSignature":"c2ln"},{"functionCall":{"name":"note","args":{}}}]}}`)
	}
	const plainResults = `{"role":"user","parts":[{"functionResponse":{"name":"lookup","response":{"output":"rain"}}},{"functionResponse":{"name":"note","response":{"output":"kept"}}}]}`
	for _, test := range []struct {
		name, model string
		message     runtime.Message
		want        string
	}{
		{"of another provider", "gemini-3-flash-preview", runtime.Message{Calls: calls, Extra: json.RawMessage(`{"Anthropic":[{"type":"thinking"}]}`)},
			`{"role":"model","parts":[{"functionCall":{"name":"lookup","args":{"city":"Ulm"}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"name":"note","args":{}}}]},` + plainResults},
		{"of another provider, for a model without signatures", "gemini-2.5-flash", runtime.Message{Content: "I look", Calls: calls},
			`{"role":"model","parts":[{"text":"I look"},{"functionCall":{"name":"lookup","args":{"city":"Ulm"}}},{"functionCall":{"name":"note","args":{}}}]},` + plainResults},
		{"of an older Gemini", "gemini-3-flash-preview", runtime.Message{Content: "I ", Calls: calls, Extra: kept("gemini-2.5-flash")},
			`{"role":"model","parts":[{"text":"I "},{"functionCall":{"name":"lookup","args":{"city":"Ulm"}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"name":"note","args":{}}}]},` + plainResults},
		{"with an id that was changed", "gemini-3-flash-preview", runtime.Message{Content: "I ", Calls: calls, Extra: kept("gemini-3-flash-preview")},
			`{"role":"model","parts":[{"text":"I "},{"functionCall":{"id":"a","name":"lookup","args":{"city":"Ulm"}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"note","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"lookup","response":{"output":"rain"}}},{"functionResponse":{"name":"note","response":{"output":"kept"}}}]}`},
		{"with a text that was changed", "gemini-3-flash-preview", runtime.Message{Content: "You ", Calls: calls, Extra: kept("gemini-3-flash-preview")},
			`{"role":"model","parts":[{"text":"You "},{"functionCall":{"name":"lookup","args":{"city":"Ulm"}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"name":"note","args":{}}}]},` + plainResults},
		{"with Extra that is broken", "gemini-2.5-flash", runtime.Message{Calls: calls, Extra: json.RawMessage(`{"Google":[1]}`)},
			`{"role":"model","parts":[{"functionCall":{"name":"lookup","args":{"city":"Ulm"}}},{"functionCall":{"name":"note","args":{}}}]},` + plainResults},
		{"with an empty message", "gemini-2.5-flash", runtime.Message{}, `{"role":"model","parts":[{"text":"(empty)"}]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(t, says("done"))
			test.message.Role = runtime.RoleAssistant
			messages := []runtime.Message{runtime.UserMessage("hi"), test.message}
			if len(test.message.Calls) > 0 {
				messages = append(messages, results...)
			}
			if _, err := f.model(Options{}).Generate(t.Context(), &runtime.Request{Model: test.model, Messages: messages}); err != nil {
				t.Fatal(err)
			}
			if got, want := f.contents(t), `[{"role":"user","parts":[{"text":"hi"}]},`+test.want+`]`; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestThoughtsAreNotSentBackUnlessSigned(t *testing.T) {
	f := newFake(t, parts("STOP", `{"text":"hm","thought":true}`, `{"text":"so","thought":true,"thoughtSignature":"YQ=="}`, `{"text":"Hi"}`, `{"text":"!","thoughtSignature":"Yg=="}`), says("done"))
	m := f.model(Options{})
	request := &runtime.Request{Model: "gemini-3-pro-preview", Messages: []runtime.Message{runtime.UserMessage("hi")}}
	response, err := m.Generate(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	answer := runtime.AssistantMessage(response.Content, nil)
	answer.Extra = response.Extra
	request.Messages = append(request.Messages, answer, runtime.UserMessage("go on"))
	if _, err := m.Generate(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	const want = `{"role":"model","parts":[{"text":"so","thought":true,"thoughtSignature":"YQ=="},{"text":"Hi"},{"text":"!","thoughtSignature":"Yg=="}]}`
	if got := f.contents(t); !strings.Contains(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAttachments(t *testing.T) {
	f := newFake(t, says("A cat."))
	message := runtime.UserMessage("What is this?")
	message.Attachments = []runtime.Attachment{{Name: "cat.png", MediaType: "image/png", Data: []byte("\x89PNG")}, {Name: "a.pdf", MediaType: "application/pdf", Data: []byte("%PDF")}, {Name: "src/a.go", MediaType: "text/plain", Data: []byte("package a")}}
	request := &runtime.Request{Model: "gemini-2.5-flash", Messages: []runtime.Message{message}}
	if _, err := f.model(Options{}).Generate(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	const want = `[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}},{"inlineData":{"mimeType":"application/pdf","data":"JVBERg=="}},{"text":"The file src/a.go:\n\npackage a"},{"text":"What is this?"}]}]`
	if got := f.contents(t); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	message.Attachments[0].MediaType = "application/zip"
	_, err := f.model(Options{}).Generate(t.Context(), request)
	refused{runtime.KindValidation, `cat.png cannot be sent: Gemini takes no files of type "application/zip"`}.check(t, err)
}

func TestAModelWithoutInstructionsGetsThemFromTheUser(t *testing.T) {
	f := newFake(t, says("Hi"))
	_, err := f.model(Options{}).Generate(t.Context(), &runtime.Request{
		Model: "Google/gemma-3-27b-it", Instruction: "Be brief.", Messages: []runtime.Message{runtime.UserMessage("hi")},
		Output: runtime.Output{Name: "n", Schema: json.RawMessage(`{"type":"integer"}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.sent()[0]; !strings.HasPrefix(got, `{"contents":[{"role":"user","parts":[{"text":"Be brief.\n\nWhen you answer, answer with JSON alone`) || !strings.HasSuffix(got, `},{"text":"hi"}]}]}`) {
		t.Errorf("request %s", got)
	}
}
func TestTheResultOfAFailedCallIsAnError(t *testing.T) {
	f := newFake(t, says("done"))
	failed := toolMessage("lookup", "a", "Error: no such city")
	failed.Failed = true
	_, err := f.model(Options{}).Generate(t.Context(), &runtime.Request{Model: "gemini-2.5-flash", Messages: []runtime.Message{
		runtime.UserMessage("hi"), runtime.AssistantMessage("", []runtime.Call{{ID: "a", Name: "lookup", Args: json.RawMessage(`{}`)}}), failed,
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.contents(t), `"response":{"error":"Error: no such city"}`; !strings.Contains(got, want) {
		t.Errorf("%s has no %s", got, want)
	}
}

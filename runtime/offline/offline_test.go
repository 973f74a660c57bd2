package offline

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/runtime"
)

func sayHello() runtime.Contract {
	return runtime.Contract{
		Name:        "sayHello",
		Description: "Returns a friendly greeting message for the given name",
		Input:       json.RawMessage(`{"type":"object","properties":{"personName":{"type":"string","default":"world"}},"required":[]}`),
	}
}

func tool(name, description string) runtime.Contract {
	return runtime.Contract{Name: name, Description: description, Input: json.RawMessage(`{"type":"object","properties":{}}`)}
}

func generate(t *testing.T, r *runtime.Request) *runtime.Response {
	t.Helper()
	resp, err := New().Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := New().Generate(t.Context(), r)
	if d := cmp.Diff(resp, again); d != "" {
		t.Errorf("not deterministic:\n%s", d)
	}
	return resp
}

// converse answers calls with results in turn until there is text, and returns
// the names of the tools called and the text.
func converse(t *testing.T, r *runtime.Request, results ...string) (called []string, text string) {
	t.Helper()
	for i := 0; ; i++ {
		resp := generate(t, r)
		if len(resp.Calls) == 0 {
			return called, resp.Content
		}
		if i == len(results) || len(resp.Calls) != 1 {
			t.Fatalf("call %d: %+v", i, resp.Calls)
		}
		c := resp.Calls[0]
		called = append(called, c.Name)
		m, err := runtime.ToolMessage(c.Name, c.ID, results[i])
		if err != nil {
			t.Fatal(err)
		}
		r.Messages = append(r.Messages, runtime.AssistantMessage("", resp.Calls), m)
	}
}

func TestHelloAgent(t *testing.T) {
	r := &runtime.Request{Tools: []runtime.Contract{sayHello()}, Messages: []runtime.Message{runtime.UserMessage("Hello, I am Ada")}}
	resp := generate(t, r)
	want := &runtime.Response{Finish: "tool_calls", Calls: []runtime.Call{{ID: "offline_1", Name: "sayHello", Args: json.RawMessage(`{"personName":"Ada"}`)}}}
	if d := cmp.Diff(want, resp); d != "" {
		t.Fatalf("(-want +got)\n%s", d)
	}
	_, text := converse(t, r, "Hello, Ada! Nice to meet you.")
	if want := "[offline] sayHello answered: Hello, Ada! Nice to meet you."; text != want {
		t.Errorf("got %q, want %q", text, want)
	}
	r.Messages = append(r.Messages, runtime.AssistantMessage(text, nil), runtime.UserMessage("And again"))
	if c := generate(t, r).Calls; len(c) != 1 || c[0].ID != "offline_2" || string(c[0].Args) != `{"personName":"Ada"}` {
		t.Errorf("second turn: %+v", c)
	}
}

func TestWithoutTools(t *testing.T) {
	for said, want := range map[string]string{
		"  Hello ": "[offline] No model was called. You said: Hello",
		"":         "[offline] No model was called. You said: ",
	} {
		resp := generate(t, &runtime.Request{Messages: []runtime.Message{runtime.UserMessage(said)}})
		if resp.Content != want || resp.Finish != "stop" || resp.Calls != nil {
			t.Errorf("%q: %+v", said, resp)
		}
	}
	if resp := generate(t, &runtime.Request{Tools: []runtime.Contract{sayHello()}}); resp.Calls != nil {
		t.Errorf("nobody spoke: %+v", resp)
	}
}

func TestResults(t *testing.T) {
	for result, want := range map[string]string{
		"plain text":          "f answered: plain text",
		`"a \"JSON\" string"`: `f answered: a "JSON" string`,
		`{"a":1}`:             `f answered: {"a":1}`,
		"":                    "f answered nothing.",
		"Error: no such file": "f failed: no such file",
	} {
		r := &runtime.Request{Tools: []runtime.Contract{tool("f", "")}, Messages: []runtime.Message{runtime.UserMessage("go")}}
		if _, text := converse(t, r, result); text != "[offline] "+want {
			t.Errorf("%q: %q", result, text)
		}
	}
}

func TestWhichTools(t *testing.T) {
	tools := []runtime.Contract{
		tool("lookup", "Finds a page in the encyclopedia"),
		tool("getWeather", "Tells the current weather of a city"),
		tool("say", "Speaks"),
		tool("sayHello", "Greets a person"),
		tool("sum_up", "Makes a text shorter"),
	}
	for said, want := range map[string][]string{
		"sayHello":                     {"sayHello"},
		"please Say Hello to them":     {"sayHello"},
		"SUM UP it":                    {"sum_up"},
		"say hello, then lookup Paris": {"lookup", "sayHello"},
		"say something":                {"say"},
		"will the weather be nice?":    {"lookup"}, // the first
	} {
		r := &runtime.Request{Tools: tools, Messages: []runtime.Message{runtime.UserMessage(said)}}
		results := make([]string, len(want))
		called, _ := converse(t, r, results...)
		if d := cmp.Diff(want, called); d != "" {
			t.Errorf("%q (-want +got)\n%s", said, d)
		}
	}
}

func TestAfterAnErrorTheNextToolIsCalled(t *testing.T) {
	r := &runtime.Request{Tools: []runtime.Contract{tool("f", ""), tool("g", "")}, Messages: []runtime.Message{runtime.UserMessage("f and g")}}
	called, text := converse(t, r, "Error: broken", "fine")
	if want := "[offline] f failed: broken\ng answered: fine"; text != want || len(called) != 2 {
		t.Errorf("called %v, answer %q, want %q", called, text, want)
	}
}

func TestImpossibleArgumentsAreNotSent(t *testing.T) {
	for _, schema := range []string{`{"type":"object","not":{}}`, `{"type":"array"}`, `{"type":5}`, `{`} {
		r := &runtime.Request{Tools: []runtime.Contract{{Name: "f", Input: json.RawMessage(schema)}}, Messages: []runtime.Message{runtime.UserMessage("go")}}
		resp := generate(t, r)
		if len(resp.Calls) != 0 || len(resp.Content) < 30 || resp.Content[:29] != "[offline] f was not called: i" && resp.Content[:29] != "[offline] f was not called: t" {
			t.Errorf("%s: %+v", schema, resp)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New().Generate(ctx, &runtime.Request{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if New().Name() != "offline" {
		t.Error(New().Name())
	}
}

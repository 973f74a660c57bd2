package lowered

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// counting encodes tools as their number, and counts how often.
func counting(times *int) func([]provider.Tool) (int, error) {
	return func(list []provider.Tool) (int, error) {
		*times++
		return len(list), nil
	}
}

const dayInput = `{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}`

func TestToolsAreLoweredOnceForARun(t *testing.T) {
	encoded := 0
	box := NewToolbox(provider.OpenAI, "", counting(&encoded))
	tools := []runtime.Contract{{Name: "öffnen", Description: "Opens", Input: json.RawMessage(dayInput)}, {Name: "free"}}
	first, err := box.Lower(tools)
	if err != nil || first.Encoded != 2 || len(first.List) != 2 {
		t.Fatalf("%+v, %v", first, err)
	}
	safe := first.Names()[0]
	if safe == "öffnen" || first.Own(safe) != "öffnen" || first.Contract(safe).Description != "Opens" || first.Contract("none") != nil || first.Own("none") != "none" {
		t.Errorf("the name for the provider is %q, and means %q", safe, first.Own(safe))
	}
	if string(first.List[1].Input) != string(OpenInput) {
		t.Errorf("a tool without a schema has %s", first.List[1].Input)
	}
	again, err := box.Lower([]runtime.Contract{tools[0], tools[1]})
	if err != nil || again != first || encoded != 1 {
		t.Errorf("equal tools are lowered again: %v, %d times", err, encoded)
	}
	tools[0].Input[len(dayInput)-4] = 'x' // the caller's own; the copy is compared
	if other, err := box.Lower(tools); err != nil || other == first || encoded != 2 {
		t.Errorf("changed tools are not lowered again: %v, %d times", err, encoded)
	}
}

func TestStrictToolsHaveATargetOfTheirOwn(t *testing.T) {
	tools := []runtime.Contract{{Name: "a", Strict: true, Input: json.RawMessage(dayInput)}, {Name: "b", Input: json.RawMessage(dayInput)}, {Name: "c", Strict: true}}
	for strict, want := range map[provider.Target]string{provider.OpenAIStrict: "a", "": ""} {
		times := 0
		got, err := NewToolbox(provider.OpenAI, strict, counting(&times)).Lower(tools)
		if err != nil {
			t.Fatal(err)
		}
		names := ""
		for _, tool := range got.List {
			if tool.Strict {
				names += tool.Name
			}
			if closed := strings.Contains(string(tool.Input), `"additionalProperties":false`); closed != tool.Strict {
				t.Errorf("%q: the schema of %s is %s", strict, tool.Name, tool.Input)
			}
		}
		if names != want || len(got.Strict()) != len(want) {
			t.Errorf("%q: strict are %q, %s", strict, names, got.Strict())
		}
	}
}

func TestToolsThatCannotBeSent(t *testing.T) {
	schema := json.RawMessage(dayInput)
	for _, tt := range []struct {
		tools  []runtime.Contract
		encode error
		kind   runtime.ErrorKind
		want   string
	}{
		{[]runtime.Contract{{Name: "a b", Input: schema}, {Name: "a_b", Input: schema}}, nil, runtime.KindConfiguration, "a_b"},
		{[]runtime.Contract{{Name: "a", Input: json.RawMessage("{")}}, nil, runtime.KindValidation, `the input schema of tool "a" is not JSON`},
		{[]runtime.Contract{{Name: "a", Input: schema}}, errors.New("too many"), runtime.KindConfiguration, "the tools cannot be sent: too many"},
	} {
		_, err := NewToolbox(provider.OpenAI, "", func([]provider.Tool) (int, error) { return 0, tt.encode }).Lower(tt.tools)
		if !errors.Is(err, &runtime.Error{Kind: tt.kind}) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

func TestAnswersOfATool(t *testing.T) {
	a, problems := ToolAnswer(runtime.Output{Name: "n", Schema: json.RawMessage(`{"type":"integer"}`)}, provider.Anthropic, []string{"answer"})
	if a == nil || a.Tool.Name != "final_answer" || !a.Wrapped || !a.InOnePiece() || !a.Takes("final_answer") || a.Takes("answer") {
		t.Fatalf("%+v, %v", a, problems)
	}
	call := func(name, args string) runtime.Call { return runtime.Call{Name: name, Args: json.RawMessage(args)} }
	for _, tt := range []struct {
		name     string
		response runtime.Response
		called   bool
		calls    int
		content  string
		finish   string
	}{
		{"the tool", runtime.Response{Calls: []runtime.Call{call("final_answer", `{"result": 5}`)}, Finish: "tool_calls"}, true, 0, "5", "stop"},
		{"other calls come first", runtime.Response{Content: "wait", Calls: []runtime.Call{call("final_answer", `{"result": 5}`), call("find", `{}`)}, Finish: "tool_calls"}, true, 1, "wait", "tool_calls"},
		{"text", runtime.Response{Content: ` {"result": 5} `, Finish: "stop"}, false, 0, "5", "stop"},
		{"no JSON", runtime.Response{Content: "five", Finish: "length"}, false, 0, "five", "length"},
	} {
		r := tt.response
		if called := a.Take(&r); called != tt.called || len(r.Calls) != tt.calls || r.Content != tt.content || r.Finish != tt.finish {
			t.Errorf("%s: %v, %+v", tt.name, called, r)
		}
	}
	var none *Answer
	r := runtime.Response{Content: "text", Calls: []runtime.Call{call("find", `{}`)}}
	if none.Take(&r) || none.InOnePiece() || none.Takes("answer") || none.Unwrap(`{"result":5}`) != `{"result":5}` || len(r.Calls) != 1 {
		t.Errorf("an answer that is text is changed: %+v", r)
	}
}

package interp_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

func TestWithOtherOptions(t *testing.T) {
	tool, err := runtime.NewTool(runtime.ToolConfig{Name: "t", Adopt: true, Approval: runtime.Approval{Default: runtime.Ask},
		Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`"done"`), nil }})
	if err != nil {
		t.Fatal(err)
	}
	lib, err := runtime.Library{}.Add("t", tool)
	if err != nil {
		t.Fatal(err)
	}
	agent := &interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"},
		Tools: []runtime.Contract{{Name: "t", Description: "d", Input: json.RawMessage(`{"type":"object"}`)}}}
	account := interp.NewAccount(interp.Budget{})
	script := runtime.NewScript(
		runtime.Response{Calls: []runtime.Call{{ID: "1", Name: "t", Args: json.RawMessage("{}")}}}, runtime.Response{Content: "one", Finish: "stop"},
		runtime.Response{Calls: []runtime.Call{{ID: "1", Name: "t", Args: json.RawMessage("{}")}}}, runtime.Response{Content: "two", Finish: "stop"},
	)
	bound, err := interp.Bind(agent, lib, script, &interp.Options{Account: account})
	if err != nil {
		t.Fatal(err)
	}
	for _, allowed := range []bool{true, false} {
		asked := 0
		with := bound.With(&interp.Options{Account: interp.NewAccount(interp.Budget{Requests: 1}), Approve: func(context.Context, *interp.ApprovalRequest) (bool, error) {
			asked++
			return allowed, nil
		}})
		answer, err := with.Run(t.Context(), "hi", nil)
		if err != nil || asked != 1 || (answer.ToolsUsed[0].Err == nil) != allowed {
			t.Errorf("%+v, %v: asked %d times", answer, err, asked)
		}
	}
	if spent := account.Spent(); spent.Requests != 4 { // it is that of the models
		t.Errorf("%+v", spent)
	}
}

package interp_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/tools/builtin"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A scripted model stands in for a real one: it calls the tool once and then
// answers.
func ExampleBind() {
	agent := &interp.Agent{
		Name:        "hello",
		Model:       compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"},
		Instruction: "Greet the user with sayHello.",
		Tools: []runtime.Contract{{
			Name:        "sayHello",
			Description: "Returns a friendly greeting",
			Input:       json.RawMessage(`{"type":"object","properties":{"personName":{"type":"string"}},"required":[]}`),
		}},
	}
	model := runtime.NewScript(
		runtime.Response{Calls: []runtime.Call{{ID: "1", Name: "sayHello", Args: json.RawMessage(`{"personName":"Ada"}`)}}},
		runtime.Response{Content: "Done."},
	)
	bound, err := interp.Bind(agent, builtin.Library(), model, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	response, err := bound.Run(context.Background(), "I am Ada", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(response.ToolsUsed[0].Result))
	fmt.Println(response.Content)
	// Output:
	// "Hello, Ada! Nice to meet you."
	// Done.
}

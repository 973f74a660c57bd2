package offline_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/offline"
)

func Example() {
	m := offline.New()
	r := &runtime.Request{
		Messages: []runtime.Message{runtime.UserMessage("Hello, I am Ada")},
		Tools: []runtime.Contract{{
			Name:        "sayHello",
			Description: "Returns a friendly greeting message for the given name",
			Input:       json.RawMessage(`{"type":"object","properties":{"personName":{"type":"string","default":"world"}}}`),
		}},
	}
	first, _ := m.Generate(context.Background(), r)
	call := first.Calls[0]
	fmt.Printf("%s %s\n", call.Name, call.Args)

	result, _ := runtime.ToolMessage(call.Name, call.ID, "Hello, Ada! Nice to meet you.")
	r.Messages = append(r.Messages, runtime.AssistantMessage("", first.Calls), result)
	last, _ := m.Generate(context.Background(), r)
	fmt.Println(last.Content)
	// Output:
	// sayHello {"personName":"Ada"}
	// [offline] sayHello answered: Hello, Ada! Nice to meet you.
}

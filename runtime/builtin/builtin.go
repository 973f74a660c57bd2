package builtin

import (
	"context"
	"encoding/json"

	"github.com/gram-lang/gramc/runtime"
)

// Library returns a library with
//
//   - sayHello, which greets the person named in personName, or the world. It
//     takes its description and its schema from the agent that uses it.
func Library() runtime.Library {
	var lib runtime.Library
	for _, c := range []runtime.ToolConfig{
		{Name: "sayHello", Adopt: true, Execute: sayHello},
	} {
		t, err := runtime.NewTool(c)
		if err == nil {
			lib, err = lib.Add(c.Name, t)
		}
		if err != nil {
			panic("builtin: " + err.Error())
		}
	}
	return lib
}

func sayHello(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
	var in struct {
		PersonName *string `json:"personName"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	name := "world"
	if in.PersonName != nil {
		name = *in.PersonName
	}
	return json.Marshal("Hello, " + name + "! Nice to meet you.")
}

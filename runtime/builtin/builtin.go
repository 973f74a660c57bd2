package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// Library returns a library with
//
//   - sayHello, which greets the person named in its argument personName, or
//     name, or in its only text; without parameters, the world. It takes its
//     description and its schema from the agent that uses it, if that has such
//     a parameter, or none, and wants a text back.
func Library() runtime.Library {
	var lib runtime.Library
	for _, c := range []runtime.ToolConfig{
		{Name: "sayHello", Adopt: true, Accept: greets, Execute: sayHello},
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

// greets refuses the contracts that sayHello cannot keep.
func greets(c runtime.Contract) error {
	type schema struct {
		Type       string
		Properties map[string]struct{ Type string }
	}
	var in, out schema
	if err := json.Unmarshal(c.Input, &in); err != nil {
		return err
	}
	var texts []string
	for name, p := range in.Properties {
		if p.Type == "string" {
			texts = append(texts, name)
		}
	}
	named := slices.Contains(texts, "personName") || slices.Contains(texts, "name") || len(texts) == 1
	if len(in.Properties) > 0 && !named {
		return errors.New("sayHello greets the person that a Text parameter names; call it personName")
	}
	if len(c.Output) == 0 {
		return nil
	}
	if err := json.Unmarshal(c.Output, &out); err != nil {
		return err
	}
	if out.Type != "" && out.Type != "string" {
		return fmt.Errorf("sayHello returns a String, and the agent wants type %q", out.Type)
	}
	return nil
}

func sayHello(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
	var in map[string]any
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	return plainjson.String("Hello, " + person(in) + "! Nice to meet you."), nil
}

// person returns the name of the person to greet.
func person(args map[string]any) string {
	for _, key := range append([]string{"personName", "name"}, slices.Sorted(maps.Keys(args))...) {
		if name, ok := args[key].(string); ok {
			return name
		}
	}
	return "world"
}

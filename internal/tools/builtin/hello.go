package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gram-lang/gramc/runtime"
)

// helloGreets refuses the contracts that sayHello cannot keep.
func helloGreets(c runtime.Contract) error {
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

func sayHello(_ context.Context, args arguments) (any, error) {
	return "Hello, " + helloPerson(args) + "! Nice to meet you.", nil
}

// helloPerson returns the name of the person to greet.
func helloPerson(args arguments) string {
	for _, key := range append([]string{"personName", "name"}, slices.Sorted(maps.Keys(args))...) {
		if name, ok := args[key].(string); ok {
			return name
		}
	}
	return "world"
}

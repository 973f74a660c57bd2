package runtime_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

func TestAnExampleOfTheResultsMustFit(t *testing.T) {
	clock, err := runtime.NewTool(runtime.ToolConfig{
		Name: "clock", Adopt: true, Example: json.RawMessage(`{"result":0.5}`),
		Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	lib, err := runtime.Library{}.Add("clock", clock)
	if err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]string{
		``: "",
		`{"type":"string","description":"the result as text"}`: "",
		`{"type":"object"}`: "",
		`{"type":"object","properties":{"result":{"type":"number"}},"required":["result"]}`: "",
		`{"type":"number"}`: `the tool returns what the agent does not take, such as {"result":0.5}: expected a number, found an object`,
		`{"type":"object","properties":{"result":{"type":"integer"}},"required":["result"]}`: `the tool returns what the agent does not take, such as {"result":0.5}: /result: expected an integer, found the number 0.5`,
		`{"type":"object","required":["value"]}`:                                             `the tool returns what the agent does not take, such as {"result":0.5}: /value: missing required field "value"`,
		`{"type":"nothing"}`:                                                                 `schema: /type: expected one of "array", "boolean", "integer", "null", "number", "object", "string", found the string "nothing"`,
	} {
		got := ""
		contract := runtime.Contract{Name: "clock", Description: "d", Input: json.RawMessage(`{"type":"object"}`), Output: json.RawMessage(output)}
		if _, err := lib.Bind([]runtime.Contract{contract}, nil); err != nil {
			got = strings.TrimPrefix(err.Error(), `tool "clock": schema-mismatch: `)
		}
		if got != want {
			t.Errorf("%s:\n got %q\nwant %q", output, got, want)
		}
	}
}

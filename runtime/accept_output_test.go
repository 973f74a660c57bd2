package runtime_test

import (
	"encoding/json"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

func TestAcceptOutputComparesAnExample(t *testing.T) {
	accept := runtime.AcceptOutput(json.RawMessage(`{"result":0.5}`))
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
		if err := accept(runtime.Contract{Output: json.RawMessage(output)}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s:\n got %q\nwant %q", output, got, want)
		}
	}
}

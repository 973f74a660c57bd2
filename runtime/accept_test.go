package runtime

import (
	"encoding/json"
	"testing"
)

func TestAcceptInputRefusesOtherArguments(t *testing.T) {
	accept := AcceptInput(json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"A path"}},"required":["path"]}`))
	for input, want := range map[string]string{
		`{"type":"object","properties":{"path":{"title":"Path","type":"string"}},"required":["path"]}`: "",
		`{"type":"object","properties":{"path":{"type":"integer"}},"required":["path"]}`:               `the agent wants another input schema than the library has: /properties/path/type: want "integer", have "string"`,
		`{"type":"object","properties":{"path":{"type":"string"}},"required":[]}`:                      `the agent wants another input schema than the library has: /required: want [], have ["path"]`,
	} {
		got := ""
		if err := accept(Contract{Input: json.RawMessage(input)}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", input, got, want)
		}
	}
}

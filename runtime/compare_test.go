package runtime_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

func TestEqualSchemasSayTheSame(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{`{"enum":["a","b","c"]}`, `{"enum":["c","a","b"]}`, true},
		{`{"enum":["a","b"]}`, `{"enum":["a"]}`, false},
		{`{"enum":["a"]}`, `{"enum":["a","b"]}`, false},
		{`{"enum":["a","b"]}`, `{"enum":["a","c"]}`, false},
		{`{"enum":[1,"1"]}`, `{"enum":["1",1.0]}`, true},
		{`{"required":["a","b"]}`, `{"required":["b","a"]}`, true},
		{`{"required":["a"]}`, `{"required":["a","b"]}`, false},
		{`{"required":[]}`, `{}`, true},
		{`{"properties":{}}`, `{}`, true},
		{`{"properties":{"x":{}}}`, `{}`, false},
		{`{"items":{}}`, `{}`, true},
		{`{"items":{"type":"string"}}`, `{}`, false},
		{`{"additionalProperties":true}`, `{}`, true},
		{`{"additionalProperties":false}`, `{}`, false},
		{`{"default":[1,2]}`, `{"default":[2,1]}`, false},
		{`{"default":null}`, `{}`, false},
		{`{"minimum":1.0}`, `{"minimum":1}`, true},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"}]}`, false},
		{`{"title":"T","description":"d","$id":"i"}`, `{}`, true},
	} {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if runtime.EqualSchema(json.RawMessage(pair[0]), json.RawMessage(pair[1])) != tt.same {
				t.Errorf("%s and %s: want %t", pair[0], pair[1], tt.same)
			}
		}
	}
}

// A tool fits a contract whose enum has the same values in another order.
func TestAnEnumBindsInAnyOrder(t *testing.T) {
	type query struct {
		Unit string `json:"unit" jsonschema:"enum=celsius,enum=fahrenheit"`
	}
	lib, err := runtime.AddFunc(runtime.Library{}, "weather", "Reports the weather",
		func(context.Context, query) (string, error) { return "", nil })
	if err != nil {
		t.Fatal(err)
	}
	contract := runtime.Contract{
		Name: "weather", Description: "Reports the weather", Output: json.RawMessage(`{"type":"string"}`),
		Input: json.RawMessage(`{"type":"object","properties":{"unit":{"type":"string","enum":["fahrenheit","celsius"]}},"required":["unit"]}`),
	}
	if _, err := lib.Bind([]runtime.Contract{contract}, nil); err != nil {
		t.Error(err)
	}
	contract.Input = json.RawMessage(`{"type":"object","properties":{"unit":{"type":"string","enum":["fahrenheit","kelvin"]}},"required":["unit"]}`)
	if _, err := lib.Bind([]runtime.Contract{contract}, nil); err == nil {
		t.Error("a contract with another enum is bound")
	}
}

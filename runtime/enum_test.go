package runtime_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

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

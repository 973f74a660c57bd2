package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/runtime"
)

// The contract comes from a gram file, the function from the program; they
// meet by name when a run starts.
func Example() {
	type forecast struct {
		City string `json:"city"`
		Days int    `json:"days" jsonschema:"default=1"`
	}
	lib, err := runtime.AddFunc(runtime.Library{}, "weather", "Tells the weather",
		func(_ context.Context, in forecast) (string, error) {
			return fmt.Sprintf("%d sunny days in %s", in.Days, in.City), nil
		})
	if err != nil {
		panic(err)
	}
	contract := runtime.Contract{
		Name:        "weather",
		Description: "Tells the weather",
		Input: json.RawMessage(`{"type": "object", "required": ["city"],
			"properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 1}}}`),
	}
	tools, err := lib.Bind([]runtime.Contract{contract}, nil)
	if err != nil {
		panic(err)
	}
	result, err := tools[0].Invoke(context.Background(), json.RawMessage(`{"city":"Ulm"}`), 0)
	fmt.Println(string(result), err)
	_, err = tools[0].Invoke(context.Background(), json.RawMessage(`{"days":"two"}`), 0)
	fmt.Println(err)
	// Output:
	// "1 sunny days in Ulm" <nil>
	// invalid arguments: /city: missing required field "city"; /days: expected an integer, found the string "two"
}

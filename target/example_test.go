package target_test

import (
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/target"
)

func Example() {
	schema := json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","default":3}},"required":["city"]}`)
	lowered, _ := target.Lower(schema, target.OpenAIStrict)
	fmt.Println(string(lowered))
	args := json.RawMessage(`{"city":"Oslo","days":null}`) // what a model gives for it
	fmt.Println(string(target.Restore(schema, args)))

	_, problems := target.Lower(json.RawMessage(`{"type":"object","properties":{"counts":{"type":"object","additionalProperties":{"type":"integer"}}}}`), target.OpenAIStrict)
	fmt.Println(problems[0])
	// Output:
	// {"type":"object","properties":{"city":{"type":"string"},"days":{"type":["integer","null"],"description":"(default: 3)"}},"required":["city","days"],"additionalProperties":false}
	// {"city":"Oslo"}
	// /properties/counts: OpenAI strict has no maps; use an array of {key, value}
}

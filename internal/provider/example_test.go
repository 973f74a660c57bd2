package provider_test

import (
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/internal/provider"
)

func Example() {
	schema := json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","default":3}},"required":["city"]}`)
	lowered, _ := provider.Lower(schema, provider.OpenAIStrict)
	fmt.Println(string(lowered))
	args := json.RawMessage(`{"city":"Oslo","days":null}`) // what a model gives for it
	fmt.Println(string(provider.Restore(schema, args)))

	_, problems := provider.Lower(json.RawMessage(`{"type":"object","properties":{"counts":{"type":"object","additionalProperties":{"type":"integer"}}}}`), provider.OpenAIStrict)
	fmt.Println(problems[0])
	// Output:
	// {"type":"object","properties":{"city":{"type":"string"},"days":{"type":["integer","null"],"description":"(default: 3)"}},"required":["city","days"],"additionalProperties":false}
	// {"city":"Oslo"}
	// /properties/counts: OpenAI strict has no maps; use an array of {key, value}
}

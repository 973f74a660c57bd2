package builtin

import (
	"context"
	"encoding/json"

	"github.com/gram-lang/gramc/internal/calc"
)

var calculator = builtinDefinition{
	description: "Evaluates mathematical expressions",
	input: `{
  "type": "object",
  "properties": {
    "expression": { "type": "string", "description": "Math expression like '2 + 2'" }
  },
  "required": ["expression"]
}`,
	output: `{
  "type": "object",
  "properties": {
    "result": { "type": "number" }
  }
}`,
	example: `{"result":0.5}`,
	do:      calculate,
}

func calculate(_ context.Context, args arguments) (any, error) {
	value, err := calc.Eval(args.text("expression"))
	if err != nil {
		return nil, err
	}
	return struct {
		Result json.Number `json:"result"`
	}{json.Number(value)}, nil
}

package web

import (
	"context"
	"encoding/json"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// A builtin is a tool that has its own schemas, and the description of the agent.
type builtin struct{ name, description, input, output string }

func (b builtin) tool(run runtime.Handler) (runtime.Tool, error) {
	return runtime.NewTool(runtime.ToolConfig{
		Name:             b.name,
		Description:      b.description,
		AdoptDescription: true,
		Input:            json.RawMessage(b.input),
		Output:           json.RawMessage(b.output),
		Concurrent:       true,
		Repeat:           runtime.RepeatSafe,
		Execute:          run,
	})
}

// refuse reports that the tool cannot be made as it is configured.
func (b builtin) refuse(err error) (runtime.Tool, error) {
	return runtime.Tool{}, runtime.Errorf(runtime.KindConfiguration, "%s: %w", b.name, err)
}

// builtinHandler returns the handler of a function that takes its arguments decoded,
// and whose result is written as JSON.
func builtinHandler[In any](run func(context.Context, In) (any, error)) runtime.Handler {
	return func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		var in In
		if err := json.Unmarshal(args, &in); err != nil {
			return nil, err
		}
		result, err := run(ctx, in)
		if err != nil {
			return nil, err
		}
		return plainjson.Marshal(result)
	}
}

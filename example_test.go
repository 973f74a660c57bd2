package gramc_test

import (
	"context"
	"fmt"

	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/offline"
)

const clerk = `[clerk:Agent {instruction: "Add numbers with the tool.", model: "OpenAI/gpt-4o-mini"} |
  [add:Tool {description: "Adds two numbers"} | (a::Int)==>(b::Int)==>(::Int)]]`

// Embed an agent in a Go program: parse it, give it a library, run it.
func Example() {
	file, problems := grammar.Parse("clerk.gram", clerk)
	agent, more := interp.Load(file, "clerk", interp.ModeAuto)
	if err := append(problems, more...).Err(); err != nil {
		fmt.Println(err)
		return
	}
	type numbers struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	lib, err := runtime.AddFunc(runtime.Library{}, "add", "Adds two numbers",
		func(_ context.Context, in numbers) (int, error) { return in.A + in.B, nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := interp.Run(context.Background(), agent, "add 20 and 22", nil, lib, offline.New(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Content)
	// Output: [offline] add answered: 42
}

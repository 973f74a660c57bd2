package compile_test

import (
	"fmt"
	"os"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

func Example() {
	file, problems := grammar.Parse("hello.gram", `
[hello:Agent {
  instruction: "You are a friendly assistant.",
  model: "OpenAI/gpt-5.4-mini"
} |
  [sayHello:Tool {description: "Greets somebody"} |
    (personName::Text {default:"world"})==>(::String)]
]`)
	program, more := compile.File(file, nil)
	if err := append(problems, more...).Err(); err != nil {
		fmt.Println(err)
		return
	}
	agent := program.Agents[0]
	fmt.Println(agent.Name, agent.Model)
	fmt.Println(agent.Tools[0].Name, agent.Tools[0].TypeSignature)
	fmt.Println(string(agent.Tools[0].Schema()))
	// Output:
	// hello OpenAI/gpt-5.4-mini
	// sayHello (personName::Text {default:"world"})==>(::String)
	// {"type":"object","properties":{"personName":{"type":"string","default":"world"}},"required":[]}
}

func ExampleCheck() {
	file, _ := grammar.Parse("hello.gram", `[greet:Tool {description: "Greets"} | (name::Txt)==>(::String)]`)
	if err := diag.Fprint(os.Stdout, compile.Check(file, nil), nil); err != nil {
		panic(err)
	}
	// Output:
	// hello.gram:1:46: error[unknown-type]: unknown type "Txt"; did you mean Text?
	//     1 | [greet:Tool {description: "Greets"} | (name::Txt)==>(::String)]
	//       |                                              ^^^
	//   fix: write Text
}

// Agents and tools are patterns, and every query is a loop: these are the tools
// with an Int parameter.
func ExampleLowerSignature() {
	file, _ := grammar.Parse("tools.gram", `
		[greet:Tool {description: "Greets"} | (name::Text)==>(::String)]
		[a:Agent {instruction: "i", model: "OpenAI/m"} | [add:Tool {description: "Adds"} | (x::Int)==>(y::Int)==>(::Int)]]`)
	for node := range ast.Preorder(file) {
		pattern, ok := node.(*ast.Pattern)
		if !ok {
			continue
		}
		tool, ok := ast.AsTool(pattern)
		if !ok {
			continue
		}
		signature, _ := types.LowerSignature(tool.Signature())
		if slices.ContainsFunc(signature.Params, func(p *types.Param) bool { return p.Type.Kind == types.KindInteger }) {
			fmt.Println(tool.Name())
		}
	}
	// Output: add
}

package compile_test

import (
	"fmt"
	"os"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

func Example() {
	file, problems := grammar.Parse("hello.gram", `
[hello:Agent {
  instruction: "You are a friendly assistant.",
  model: "OpenAI/gpt-4o-mini"
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
	// hello OpenAI/gpt-4o-mini
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

package format_test

import (
	"fmt"

	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
)

func ExampleFile() {
	const text = `[greet:Tool{description:"Greets"}| // politely
(name :: Text {default:"world"}) ==> (::String)]`
	file, _ := grammar.Parse("greet.gram", text)
	fmt.Print(format.File(file, nil))
	// Output:
	// [greet:Tool {description: "Greets"} | // politely
	//   (name::Text {default: "world"})==>(::String)
	// ]
}

// Command wrong does not compile, and the README shows what the Go compiler says.
package main

import (
	"context"
	"fmt"

	"github.com/gram-lang/gramc/runtime"
)

type copies struct {
	ISBN   string `json:"isbn"`
	Copies int    `json:"copies" jsonschema:"minimum=1,default=1"`
}

func price(_ context.Context, in copies) float64 { return 9 * float64(in.Copies) }

func main() {
	lib, err := runtime.AddFunc(runtime.Library{}, "price", "Tells what copies of a book cost", price)
	fmt.Println(lib.Names(), err)
}

// Command wrong does not compile, and the README shows what the Go compiler says.
package main

import (
	"context"

	"github.com/gram-lang/gramc"
)

type order struct {
	ISBN   string
	Copies int
}

func price(_ context.Context, in order) float64 { return 9 * float64(in.Copies) }

func main() {
	gramc.Func("price", price)
}

package main

import (
	"context"
	"fmt"
	"github.com/gram-lang/gramc"
)

type search struct{ Word string }
type order struct {
	ISBN   string
	Copies int
}
type reservation struct{ ISBN, Customer string }

func find(_ context.Context, in search) ([]string, error)       { return []string{"978-1"}, nil }
func price(_ context.Context, in order) (float64, error)        { return 9 * float64(in.Copies), nil }
func reserve(_ context.Context, in reservation) (string, error) { return "kept: " + in.ISBN, nil }

func main() {
	tools := []gramc.Tool{gramc.Func("findBook", find), gramc.Func("price", price), gramc.Func("reserve", reserve)}
	answer, err := gramc.Run(context.Background(), "examples/bookshop.gram",
		`What is the price of 3 copies of "978-1"?`, &gramc.Options{Tools: tools, Model: gramc.Offline()})
	fmt.Println(answer, err)
}

package gramc_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/offline"
)

//go:embed examples/bookshop.gram
var bookshop string

var shelf = map[string]string{"Tides": "978-1", "A Field Guide to Mosses": "978-2"}

type search struct {
	Word string `json:"word"`
}

func findBook(_ context.Context, in search) ([]string, error) {
	var isbns []string
	for title, isbn := range shelf {
		if strings.Contains(strings.ToLower(title), strings.ToLower(in.Word)) {
			isbns = append(isbns, isbn)
		}
	}
	return isbns, nil
}

type copies struct {
	ISBN   string `json:"isbn"`
	Copies int    `json:"copies" jsonschema:"minimum=1,default=1"`
}

func price(_ context.Context, in copies) (float64, error) {
	if in.ISBN != "978-1" {
		return 0, errors.New("there is no such book")
	}
	return 9 * float64(in.Copies), nil
}

type reservation struct {
	ISBN     string `json:"isbn"`
	Customer string `json:"customer"`
}

func reserve(_ context.Context, in reservation) (string, error) {
	return in.ISBN + " is kept for " + in.Customer, nil
}

// Embed an agent in a Go program: parse it, give it a library, run it.
func Example() {
	file, problems := grammar.Parse("bookshop.gram", bookshop)
	agent, more := interp.Load(file, "bookseller", interp.ModeAuto)
	if err := append(problems, more...).Err(); err != nil {
		fmt.Println(err)
		return
	}
	lib, err := runtime.AddFunc(runtime.Library{}, "findBook", "Finds books by a word of their title", findBook)
	if err == nil {
		lib, err = runtime.AddFunc(lib, "price", "Tells what copies of a book cost", price)
	}
	if err == nil {
		lib, err = runtime.AddFunc(lib, "reserve", "Keeps a book for a customer", reserve)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	message := `What is the price of 3 copies of "978-1"?`
	bound, err := interp.Bind(agent, lib, offline.New(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := bound.Run(context.Background(), message, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Content)
	// Output: [offline] price answered: 27
}

// A function whose arguments are not those of the file is told before the first
// request.
func Example_otherArguments() {
	file, _ := grammar.Parse("bookshop.gram", bookshop)
	agent, _ := interp.Load(file, "bookseller", interp.ModeAuto)
	type copies struct {
		ISBN   string  `json:"isbn"`
		Copies float64 `json:"copies" jsonschema:"minimum=1,default=1"`
	}
	lib, err := runtime.AddFunc(runtime.Library{}, "price", "Tells what copies of a book cost",
		func(_ context.Context, in copies) (float64, error) { return 9, nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = lib.Bind(agent.Tools[1:2], nil)
	fmt.Println(err)
	// Output: tool "price": schema-mismatch: the agent wants another input schema than the library has: /properties/copies/type: want "integer", have "number"
}

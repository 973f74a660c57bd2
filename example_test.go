package gramc_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc"
)

// Run an agent: without Options.Model, the requests go to the provider that
// the agent names.
func Example() {
	answer, err := gramc.Run(context.Background(), "examples/hello.gram", "Hello, I am Ada", &gramc.Options{Model: gramc.Offline()})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(answer)
	// Output: [offline] sayHello answered: Hello, Ada! Nice to meet you.
}

//go:embed examples/bookshop.gram
var bookshop string

var books = map[string]string{"Tides": "978-1", "A Field Guide to Mosses": "978-2"}

type search struct {
	Word string `json:"word"`
}

func findBook(_ context.Context, in search) ([]string, error) {
	var isbns []string
	for title, isbn := range books {
		if strings.Contains(strings.ToLower(title), strings.ToLower(in.Word)) {
			isbns = append(isbns, isbn)
		}
	}
	return isbns, nil
}

type copies struct {
	ISBN   string `json:"isbn"`
	Copies int    `json:"copies"`
}

func price(_ context.Context, in copies) (float64, error) {
	if in.ISBN != "978-1" {
		return 0, errors.New("no such book")
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

// Give an agent three Go functions. Their plain types fit the signatures of
// the file, which also has a minimum and a default.
func ExampleParse() {
	ctx := context.Background()
	agent, err := gramc.Parse(ctx, "bookshop.gram", bookshop, &gramc.Options{
		Model: gramc.Offline(),
		Tools: []gramc.Tool{
			gramc.Func("findBook", findBook),
			gramc.Func("price", price),
			gramc.Func("reserve", reserve),
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	response, err := agent.Run(ctx, `What is the price of 3 copies of "978-1"?`, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Content)
	// Output: [offline] price answered: 27
}

// A function whose arguments are not those of the file is refused before the
// first request.
func ExampleFunc() {
	type copies struct {
		ISBN   string `json:"isbn"`
		Copies string `json:"copies"`
	}
	_, err := gramc.Parse(context.Background(), "bookshop.gram", bookshop, &gramc.Options{
		Model: gramc.Offline(),
		Tools: []gramc.Tool{
			gramc.Func("findBook", findBook),
			gramc.Func("price", func(_ context.Context, in copies) (float64, error) { return 9, nil }),
			gramc.Func("reserve", reserve),
		},
	})
	fmt.Println(err)
	// Output: tool "price": schema-mismatch: the tool does not take every call of the agent: /properties/copies: integer is not allowed
}

package main

import (
	"context"
	"fmt"
	"github.com/gram-lang/gramc"
)

func main() {
	answer, err := gramc.Run(context.Background(), "examples/hello.gram", "Hello, I am Ada", &gramc.Options{Model: gramc.Offline()})
	fmt.Println(answer, err)
}

//go:build unix

package command_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/internal/tools/command"
)

func Example() {
	word, _, _ := template.Parse("{word}", true)
	tool, err := command.New(command.Config{
		Name:        "repeat",
		Description: "Repeats a word",
		Input:       json.RawMessage(`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`),
		Program:     "/usr/bin/printf",
		Arguments:   []template.Template{template.OfText("%s %s"), word, word},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := tool.Invoke(context.Background(), json.RawMessage(`{"word":"tick; tock"}`), 0)
	fmt.Println(string(result), err)
	// Output: "tick; tock tick; tock" <nil>
}

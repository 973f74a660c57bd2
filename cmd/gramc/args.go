package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/runtime"
)

func (c *cli) argsCommand() *cobra.Command {
	var tool string
	cmd := command("args {-e SIGNATURE | FILE} JSON", nil, func(cmd *cobra.Command, words []string) error {
		if len(words) == 0 {
			return errors.New("the arguments are missing; give them as JSON")
		}
		last := len(words) - 1
		files, text := words[:last], words[last]
		if len(files) == 0 && !cmd.Flags().Changed("expression") {
			return errors.New("a signature is missing; give it with -e, or name a file before the arguments")
		}
		if err := oneFile(cmd, files); err != nil {
			return err
		}
		in, err := c.input(cmd, files)
		if err != nil {
			return err
		}
		tools, err := c.schemaTools(in, tool)
		if err != nil {
			return err
		}
		if len(tools) > 1 {
			return fmt.Errorf("there are several tools in %s; pick one with --tool: %s", files[0], schemaToolNames(tools))
		}
		if text == stdinName {
			if text, err = c.readStdin(); err != nil {
				return err
			}
		}
		return c.checkArgs(tools[0].Schema(), []byte(text))
	})
	addExpressionFlag(cmd, "the type signature of the tool")
	cmd.Flags().StringVar(&tool, "tool", "", "the tool of the file")
	c.addStrictFlags(cmd)
	return cmd
}

// checkArgs prints the arguments with their defaults, or what is wrong.
func (c *cli) checkArgs(schemaText, args json.RawMessage) error {
	if len(bytes.TrimSpace(args)) == 0 { // as models write no arguments
		args = json.RawMessage("{}")
	}
	schema, err := runtime.CompileSchema(schemaText)
	if err != nil {
		return &exit{exitProblems, fmt.Errorf("args: %w", err)}
	}
	args, err = schema.CompleteArgs(args)
	var wrong *runtime.ValidationError
	if errors.As(err, &wrong) {
		for i, p := range wrong.Problems {
			if i == diag.MaxPerList {
				c.note(fmt.Sprintf("args: and %d more", len(wrong.Problems)-i))
				break
			}
			c.note(fmt.Sprintf("args: error[%s]: %s", p.Code, cleanLine(p.String())))
		}
		return exitSilently(exitProblems)
	}
	if err != nil {
		return &exit{exitProblems, fmt.Errorf("args: %w", err)}
	}
	return c.writeData(append(args, '\n'))
}

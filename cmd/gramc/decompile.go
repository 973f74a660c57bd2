package main

import (
	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
)

func (c *cli) decompileCommand() *cobra.Command {
	var output string
	cmd := command("decompile FILE", oneFile, func(cmd *cobra.Command, files []string) error {
		in, err := c.input(cmd, files)
		if err != nil {
			return err
		}
		text, err := c.readInput(in.name)
		if err != nil {
			return err
		}
		program, err := compile.ReadProgram(in.name, []byte(text), &compile.Options{Models: c.models()})
		if err != nil {
			return &exit{exitProblems, err}
		}
		return c.writeGram(output, ast.Print(compile.Decompile(program)))
	})
	addOutputFlag(cmd, &output, "standard output")
	return cmd
}

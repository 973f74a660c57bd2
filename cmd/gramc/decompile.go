package main

import (
	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
)

func (c *cli) decompileCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "decompile [FILE]",
		Short: "Convert a compiled program back to gram",
		Long: `decompile writes the output of compile as gram, which compiles to the same
program except for source positions. A tool that several agents share is defined
next to them. Comments and unused definitions are not in a program.`,
		Example: `  gramc decompile agent.json -o agent.gram`,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, files []string) error {
			in, err := c.inputInto(cmd, files, output)
			if err != nil {
				return err
			}
			text, err := c.read(in.name)
			if err != nil {
				return err
			}
			program, err := compile.ReadProgram(in.name, []byte(text))
			if err != nil {
				return &exit{exitProblems, err}
			}
			return c.writeGram(output, ast.Print(compile.Decompile(program)))
		},
	}
	addOutput(cmd, &output)
	return cmd
}

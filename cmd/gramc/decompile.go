package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
)

func (c *cli) decompileCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "decompile [FILE]",
		Short: "Write a compiled program as gram again",
		Long: `decompile reads what compile wrote and writes it as gram, which compiles to the
same program, save for the places in it. A tool that several agents share stands
beside them. Comments, and what an agent does not need, are not in a program.`,
		Example: `  gramc decompile agent.json -o agent.gram`,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, files []string) error {
			inputs, err := c.inputs(cmd, files)
			if err != nil {
				return err
			}
			name := inputs[0].name
			if err := mustDiffer(name, output); err != nil {
				return err
			}
			text, err := c.read(name)
			if err != nil {
				return err
			}
			program, err := compile.ReadProgram(name, []byte(text))
			if err != nil {
				return &exit{exitProblems, err}
			}
			return c.writeResult(output, []byte(layOut(ast.Print(compile.Decompile(program)))))
		},
	}
	addOutput(cmd, &output)
	return cmd
}

// layOut returns gram text, made by us and without mistakes, in the one style.
func layOut(text string) string {
	file, problems := grammar.Parse("", text)
	if err := problems.Err(); err != nil {
		panic("gramc: " + err.Error())
	}
	return format.File(file, nil)
}

// addOutput adds the flag -o.
func addOutput(cmd *cobra.Command, output *string) {
	cmd.Flags().StringVarP(output, "output", "o", "", "write to this file instead of standard output")
}

// writeResult writes what a command makes to the file of -o or to standard
// output.
func (c *cli) writeResult(output string, data []byte) error {
	if output == "" || output == stdinName {
		_, err := c.out.Write(data)
		return err
	}
	if err := writeFile(output, data); err != nil {
		return &exit{exitUsage, fmt.Errorf("%s: %w", output, bare(err))}
	}
	return nil
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/importer"
)

func (c *cli) importCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "import [FILE]",
		Short: "Make gram of tool definitions that exist elsewhere",
		Long: `import reads tool definitions in JSON and writes them as gram tools: the tools
of a chat API in any of its forms, the answer of an MCP server to tools/list,
one definition or a list of them, one a line too, and OpenAPI documents of
version 3, also in YAML, each operation a tool.

The schema that gramc makes of a tool is the one that went in. What gram cannot
say is told, with its place in the JSON text, and noted in a comment before the
tool; then the exit code is 1, and the gram text is written all the same.`,
		Example: `  gramc import tools.json -o tools.gram
  gramc import openapi.json | gramc check -`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, files []string) error {
			in, err := c.inputInto(cmd, files, output)
			if err != nil {
				return err
			}
			return c.importFile(in.name, output)
		},
	}
	addOutput(cmd, &output)
	return cmd
}

// importFile writes what a file defines as gram text.
func (c *cli) importFile(name, output string) error {
	text, err := c.read(name)
	var problems diag.List
	if err != nil {
		_, problems, err = unreadable(name, err)
		if err != nil {
			return err
		}
	} else {
		text, problems = importer.Import(name, text)
	}
	if err := c.show(problems, diag.Warning); err != nil {
		return err
	}
	if text == "" && problems.HasErrors() {
		return told(exitProblems)
	}
	if err := c.writeGram(output, text); err != nil {
		return err
	}
	if problems.HasErrors() {
		return told(exitProblems)
	}
	return nil
}

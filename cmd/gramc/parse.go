package main

import (
	"bytes"
	"errors"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

func (c *cli) parseCommand() *cobra.Command {
	var how strictness
	var asTree, asJSON, byReference bool
	cmd := &cobra.Command{
		Use:   "parse [FILE]",
		Short: "Print a gram file as JSON or as a syntax tree",
		Long: `parse reads any gram file and prints its patterns in the canonical JSON of gram:
an array of {"subject": {"identity", "labels", "properties"}, "elements": […]}.
With --tree it prints the syntax tree instead, comments included, as
tree-sitter-gram does: one s-expression on one line.

With --reference it parses by the reference grammar that the language page
shows, which stops at the first mistake. Both parsers accept the same files.

It checks only the syntax. A file with syntax errors is not printed.`,
		Example: `  gramc parse agent.gram
  gramc parse --tree agent.gram
  gramc parse -e '(a:Person {name: "Ada"})-[:KNOWS]->(b)'`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, files []string) error {
			if asTree && asJSON {
				return errors.New("--tree and --json are two forms of one file; choose one")
			}
			inputs, err := c.inputs(cmd, files)
			if err != nil {
				return err
			}
			file, problems, err := c.parse(inputs[0])
			if err != nil {
				return err
			}
			if byReference {
				file, problems = grammar.Reference(inputs[0].name, file.Source.Text())
			}
			if file != nil {
				problems = append(problems, how.notPortable(file)...)
			}
			problems.Sort()
			if err := c.show(problems, diag.Warning); err != nil {
				return err
			}
			if problems.HasErrors() {
				return exitSilently(exitProblems)
			}
			if asTree {
				return ast.WriteTree(c.out, file)
			}
			var text bytes.Buffer
			if err := ast.WriteJSON(&text, file); err != nil {
				return err
			}
			return c.writeData(text.Bytes())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (the default)")
	cmd.Flags().BoolVar(&asTree, "tree", false, "print the syntax tree")
	cmd.Flags().BoolVar(&byReference, "reference", false, "parse by the reference grammar")
	addExpression(cmd, "parse this gram text instead of a file")
	how.addGramFlag(cmd)
	return cmd
}

// oneFile allows for at most one file.
func oneFile(_ *cobra.Command, files []string) error {
	if len(files) > 1 {
		return errors.New("only one file can be read at a time")
	}
	return nil
}

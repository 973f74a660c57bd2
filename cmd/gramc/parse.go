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
	var asTree, asJSON, byReference bool
	cmd := command("parse {-e TEXT | FILE}", oneFile, func(cmd *cobra.Command, files []string) error {
		if asTree && asJSON {
			return errors.New("--tree and --json are two forms of one file; choose one")
		}
		in, err := c.input(cmd, files)
		if err != nil {
			return err
		}
		file, problems, err := c.parseInput(in)
		if err != nil {
			return err
		}
		if byReference {
			file, problems = grammar.ParseReference(in.name, file.Source.Text())
		}
		if file != nil {
			problems = append(problems, c.notPortable(file)...)
		}
		problems.Sort()
		if err := c.report(problems, diag.Warning); err != nil {
			return err
		}
		if asTree {
			return ast.WriteTree(c.out, file)
		}
		var text bytes.Buffer
		if err := ast.WriteJSON(&text, file); err != nil {
			return err
		}
		return c.writeData(text.Bytes())
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (the default)")
	cmd.Flags().BoolVar(&asTree, "tree", false, "print the syntax tree")
	cmd.Flags().BoolVar(&byReference, "reference", false, "parse by the reference grammar")
	addExpressionFlag(cmd, "parse this gram text instead of a file")
	c.addStrictGramFlag(cmd)
	return cmd
}

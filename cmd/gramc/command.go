package main

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// helpTexts has a file for each command: a line that says what it does, the
// help, and after a line "Examples:" the examples.
//
//go:embed help/*.txt
var helpTexts embed.FS

// An action is what a command does with its arguments.
type action func(cmd *cobra.Command, words []string) error

// command returns a command with the help of its name.
func command(use string, arguments cobra.PositionalArgs, do action) *cobra.Command {
	name, _, _ := strings.Cut(use, " ")
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic("gramc: " + err.Error())
	}
	help, examples, _ := strings.Cut(strings.TrimSpace(string(text)), "\n\nExamples:\n")
	short, long, _ := strings.Cut(help, "\n\n")
	return &cobra.Command{Use: use, Short: short, Long: long, Example: examples, Args: arguments, RunE: do}
}

// oneFile allows for at most one file.
func oneFile(_ *cobra.Command, files []string) error {
	if len(files) > 1 {
		return errors.New("only one file can be read at a time")
	}
	return nil
}

// addExpression adds the flag -e.
func addExpression(cmd *cobra.Command, what string) {
	cmd.Flags().StringP("expression", "e", "", what)
}

// addOutput adds the flag -o.
func addOutput(cmd *cobra.Command, output *string, instead string) {
	cmd.Flags().StringVarP(output, "output", "o", "", "write to this file instead of "+instead)
}

// addLibrary adds the flag --library.
func addLibrary(cmd *cobra.Command, names *[]string, what string) {
	cmd.Flags().StringArrayVar(names, "library", nil, what)
	if err := cmd.MarkFlagFilename("library", "gram"); err != nil {
		panic("gramc: " + err.Error())
	}
}

// A choice is the value of a flag that is one of a few words.
type choice struct {
	value string
	of    string // the words, separated by commas
}

// add adds the flag with its words as completions.
func (c *choice) add(cmd *cobra.Command, flag, what string) {
	cmd.Flags().Var(c, flag, what)
	complete(cmd, flag, c.of)
}

// complete lets the shell complete a flag with one of a few words.
func complete(cmd *cobra.Command, flag, words string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(strings.Split(words, ","), cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("gramc: " + err.Error())
	}
}

// String returns the word.
func (c *choice) String() string { return c.value }

// Set takes a word of the choice.
func (c *choice) Set(word string) error {
	if !slices.Contains(strings.Split(c.of, ","), word) {
		return fmt.Errorf("it is one of %s", strings.ReplaceAll(c.of, ",", ", "))
	}
	c.value = word
	return nil
}

// Type returns the words as help shows them.
func (c *choice) Type() string { return strings.ReplaceAll(c.of, ",", "|") }

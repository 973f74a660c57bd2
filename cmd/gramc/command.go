package main

import (
	"embed"
	"errors"
	"fmt"
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

// theFile requires one file.
func theFile(_ *cobra.Command, files []string) error {
	if len(files) != 1 {
		return fmt.Errorf("name one file; there are %d", len(files))
	}
	return nil
}

// noArguments refuses all arguments.
func noArguments(_ *cobra.Command, words []string) error {
	if len(words) > 0 {
		return fmt.Errorf("%q is too much: the command takes no arguments", words[0])
	}
	return nil
}

// oneFile allows for at most one file.
func oneFile(_ *cobra.Command, files []string) error {
	if len(files) > 1 {
		return errors.New("only one file can be read at a time")
	}
	return nil
}

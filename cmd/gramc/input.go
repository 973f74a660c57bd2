package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/workspace"
)

// stdinName is what standard input is called on the command line and in
// messages.
const stdinName = "-"

// expressionName is what the text of -e is called in messages.
const expressionName = "-e"

// An input is a gram text that a command line names.
type input struct {
	name       string
	expression bool
	text       string // of an expression; else it is in the file
}

// toStdout reports whether the changed text of an input goes to standard output,
// since it has no file.
func (in input) toStdout() bool { return in.expression || isStdin(in.name) }

// inputs returns what a command reads: the files named, or the expression
// instead.
func (c *cli) inputs(cmd *cobra.Command, files []string) ([]input, error) {
	if expression := cmd.Flags().Lookup("expression"); expression != nil && expression.Changed {
		if len(files) > 0 {
			return nil, fmt.Errorf("-e replaces the file, but %q is given too", files[0])
		}
		return []input{{expressionName, true, expression.Value.String()}}, nil
	}
	if len(files) == 0 {
		return nil, errors.New(`no file is named; "-" reads standard input`)
	}
	list := make([]input, len(files))
	for i, file := range files {
		list[i].name = file
	}
	return list, nil
}

// input is inputs for a command that reads one file.
func (c *cli) input(cmd *cobra.Command, files []string) (input, error) {
	inputs, err := c.inputs(cmd, files)
	if err != nil {
		return input{}, err
	}
	return inputs[0], nil
}

// expandInputs replaces folders by the files in them.
func expandInputs(inputs []input) (files []input, unreadable []error) {
	var names []string
	for _, in := range inputs {
		if in.expression {
			return inputs, nil
		}
		names = append(names, in.name)
	}
	names, unreadable = workspace.FindFiles(names, nil)
	for _, name := range names {
		files = append(files, input{name: name})
	}
	return files, unreadable
}

// parseInput reads and parses an input. The error is that of reading.
func (c *cli) parseInput(in input) (*ast.File, diag.List, error) {
	text := in.text
	if !in.expression {
		var err error
		if text, err = c.readInput(in.name); err != nil {
			return nil, nil, err
		}
	}
	file, problems := grammar.Parse(in.name, text)
	return file, problems, nil
}

// loadInput reads an input and what it imports. The error says that the input
// cannot be read.
func (c *cli) loadInput(in input) (*workspace.Unit, error) {
	file, problems, err := c.parseInput(in)
	if err != nil {
		return nil, err
	}
	u := c.workspace.Add(file.Source.Name(), file, problems)
	for _, imported := range u.Imports() {
		c.filesRead.Store(imported.Path(), true)
	}
	return u, nil
}

// loadSoundInput loads an input and shows what is wrong with it, and the errors of
// what it imports. Errors end the command.
func (c *cli) loadSoundInput(in input) (*workspace.Unit, error) {
	u, err := c.loadInput(in)
	if err != nil {
		return nil, err
	}
	return u, c.report(c.examineAll(u), diag.Warning)
}

// readInput returns the whole text of a regular file or of standard input. Other
// kinds of files might never end, or never begin.
func (c *cli) readInput(name string) (string, error) {
	if isStdin(name) {
		return c.readStdin()
	}
	text, err := workspace.ReadFile(name)
	var special *workspace.NotRegular
	if errors.As(err, &special) {
		err = fmt.Errorf(`%w; "-" reads standard input`, err)
	}
	if err != nil {
		return "", unusableInput(name, err)
	}
	c.filesRead.Store(name, true)
	return text, nil
}

// isStdin reports whether a file is standard input.
func isStdin(name string) bool {
	return slices.Contains([]string{stdinName, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}, name)
}

func (c *cli) readStdin() (string, error) {
	if c.stdinRead.Swap(true) {
		return "", &exit{exitUsage, errors.New("standard input can be read only once")}
	}
	text, err := workspace.ReadAll(c.in, 0)
	if err != nil {
		return "", unusableInput("standard input", err)
	}
	return text, nil
}

// unusableInput is the error of a file that cannot be read or written.
func unusableInput(name string, err error) error {
	return &exit{exitUsage, fmt.Errorf("%s: %w", name, bareInputError(err))}
}

// bareInputError returns an error without the path and the operation.
func bareInputError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

var errNotRegular = errors.New("is no regular file")

// openRegular opens a regular file. Others, such as a named pipe, could wait forever.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return os.Open(name)
}

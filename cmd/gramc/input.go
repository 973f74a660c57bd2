package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

// maxInput is the size in bytes of the largest file that is read.
const maxInput = grammar.MaxSize

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

// toStdout reports whether the text of an input, when it is changed, goes to
// standard output: there is no file that it could be written to.
func (in input) toStdout() bool { return in.expression || isStdin(in.name) }

// addExpression adds the flag -e.
func addExpression(cmd *cobra.Command, what string) {
	cmd.Flags().StringP("expression", "e", "", what)
}

// inputs returns what a command is to read: the files named, the expression
// instead, or without both standard input, unless that is a person.
func (c *cli) inputs(cmd *cobra.Command, files []string) ([]input, error) {
	if expression := cmd.Flags().Lookup("expression"); expression != nil && expression.Changed {
		if len(files) > 0 {
			return nil, fmt.Errorf("-e stands instead of a file, but there is %q too", files[0])
		}
		return []input{{expressionName, true, expression.Value.String()}}, nil
	}
	if len(files) == 0 {
		if isTerminal(c.in) {
			return nil, errors.New(`no file is named; "-" reads standard input`)
		}
		files = []string{stdinName}
	}
	list := make([]input, len(files))
	for i, file := range files {
		list[i].name = file
	}
	return list, nil
}

// parse reads and parses an input. The error says that it cannot be read.
func (c *cli) parse(in input) (*ast.File, diag.List, error) {
	if in.expression {
		file, problems := grammar.Parse(in.name, in.text)
		return file, problems, nil
	}
	text, err := c.read(in.name)
	if err != nil {
		return unreadable(in.name, err)
	}
	file, problems := grammar.Parse(in.name, text)
	return file, problems, nil
}

// A tooLarge says that something has more than maxInput bytes.
type tooLarge struct{ size int64 } // 0 when nobody knows

func (e *tooLarge) Error() string {
	if e.size == 0 {
		return fmt.Sprintf("more than the %d bytes that are read at most", maxInput)
	}
	return fmt.Sprintf("a file of %d bytes; at most %d are read", e.size, maxInput)
}

// unreadable makes a diagnostic of a file that is too large, as the parser
// would if it saw it. Other errors stay what they are.
func unreadable(name string, err error) (*ast.File, diag.List, error) {
	var large *tooLarge
	if !errors.As(err, &large) {
		return nil, nil, err
	}
	file, problems := grammar.Parse(name, "")
	problems.Errorf(file.Span(), diag.CodeTooLarge, "%v", large)
	return file, problems, nil
}

// read returns the whole text of a regular file or of standard input. Other
// kinds of files might never end, or never begin.
func (c *cli) read(name string) (string, error) {
	if isStdin(name) {
		return c.readStdin()
	}
	text, err := readFile(name)
	if err != nil {
		return "", &exit{exitUsage, fmt.Errorf("%s: %w", name, bare(err))}
	}
	return text, nil
}

// isStdin reports whether a file is standard input.
func isStdin(name string) bool {
	return slices.Contains([]string{stdinName, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}, name)
}

func (c *cli) readStdin() (string, error) {
	if c.stdinRead {
		return "", &exit{exitUsage, errors.New("standard input can be read only once")}
	}
	c.stdinRead = true
	text, err := readAll(c.in, 0)
	if err != nil {
		return "", &exit{exitUsage, fmt.Errorf("standard input: %w", bare(err))}
	}
	return text, nil
}

func readFile(name string) (string, error) {
	if info, err := os.Stat(name); err != nil {
		return "", err
	} else if err := mustBeRegular(info); err != nil { // before open, which may do something to a device
		return "", err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		err = mustBeRegular(info) // it may be another file by now
	}
	if err != nil {
		return "", err
	}
	return readAll(f, info.Size())
}

func mustBeRegular(info fs.FileInfo) error {
	kind := "a special file"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return errors.New("is a directory; name the files in it")
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return fmt.Errorf(`is %s, and only regular files are read; "-" reads standard input`, kind)
}

// readAll reads up to maxInput bytes, of which it expects size.
func readAll(r io.Reader, size int64) (string, error) {
	if size > maxInput {
		return "", &tooLarge{size}
	}
	var b strings.Builder
	b.Grow(int(size))
	n, err := io.Copy(&b, io.LimitReader(r, maxInput+1))
	if err == nil && n > maxInput {
		err = &tooLarge{}
	}
	return b.String(), err
}

// bare returns an error without the path and the operation, which the reader
// knows.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

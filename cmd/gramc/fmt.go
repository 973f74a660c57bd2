package main

import (
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/migrate"
)

// A fmtRunner is one call of fmt.
type fmtRunner struct {
	*cli
	check, diff, portable bool

	changed int // files
	code    int
}

func (c *cli) fmtCommand() *cobra.Command {
	f := &fmtRunner{cli: c}
	cmd := command("fmt {-e TEXT | FILE|FOLDER...}", nil, func(cmd *cobra.Command, files []string) error {
		inputs, err := c.inputs(cmd, files)
		if err != nil {
			return err
		}
		return f.run(inputs)
	})
	addExpressionFlag(cmd, "format this gram text instead of a file")
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing; name the files that are not formatted, and exit with 1 if there are any")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "write nothing; show what would change")
	cmd.Flags().BoolVar(&f.portable, "portable", false, "rewrite lists of fields to portable gram")
	return cmd
}

func (f *fmtRunner) run(named []input) error {
	inputs, unreadable := expandInputs(named)
	inputs = slices.DeleteFunc(inputs, func(in input) bool { return !slices.Contains(named, in) && isLink(in.name) })
	for _, err := range unreadable {
		f.failed(exitUsage, err)
	}
	for done := range parallelInOrder(inputs, f.format) {
		if err := f.deliver(done); err != nil {
			return err
		}
	}
	if !f.check && !f.diff && isTerminal(f.err) {
		f.note(fmt.Sprintf("%s, %d changed", counted(len(inputs), "file"), f.changed))
	}
	if f.check && f.changed > 0 {
		f.code = max(f.code, exitProblems)
	}
	if f.code == exitFine {
		return nil
	}
	return exitSilently(f.code)
}

// failed reports an error that does not end the command, but gives it an exit
// code.
func (f *fmtRunner) failed(code int, err error) {
	f.complain(err.Error())
	f.code = max(f.code, code)
}

// isLink reports whether a file is a symbolic link. The targets of links in a
// folder are not rewritten: they may be anywhere.
func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// A formatted is an input with its formatted text.
type formatted struct {
	input
	err      error     // it could not be read
	problems diag.List // to be reported
	old, new string
}

// format formats an input and writes nothing, so that it can run for several at
// once.
func (f *fmtRunner) format(in input) *formatted {
	file, problems, err := f.parseInput(in)
	if err != nil || problems.HasErrors() {
		return &formatted{input: in, err: err, problems: problems}
	}
	done := &formatted{input: in, old: file.Source.Text()}
	if f.portable {
		rewritten, left := migrate.Fields(file)
		for _, l := range left {
			done.problems.Warnf(l.Span, diag.CodeNotPortable, "the fields stay as they are: %s", l.Reason)
		}
		if file, problems = grammar.Parse(in.name, rewritten); problems.HasErrors() {
			panic("gramc: portable: " + problems.Err().Error())
		}
	}
	done.new = format.File(file, nil)
	return done
}

// deliver reports the problems of an input, and writes its text, shows the
// change, or names the file. The error is that of writing to standard output.
func (f *fmtRunner) deliver(done *formatted) error {
	if done.err != nil {
		f.failed(exitUsage, done.err)
		return nil
	}
	if err := f.show(done.problems, diag.Warning); err != nil {
		return err
	}
	if done.problems.HasErrors() {
		f.code = max(f.code, exitProblems)
		return nil
	}
	changed := done.old != done.new
	if changed {
		f.changed++
	}
	var err error
	switch {
	case f.diff:
		err = f.writeText(string(diff.Diff(done.name+".orig", []byte(done.old), done.name, []byte(done.new))))
	case f.check && changed:
		_, err = fmt.Fprintln(f.out, cleanLine(done.name))
	case f.check:
	case done.toStdout():
		err = f.writeText(done.new)
	case changed && len(done.new) > grammar.MaxSize:
		f.failed(exitProblems, fmt.Errorf("%s: formatted, the file would have more than the %d bytes that are read at most", done.name, grammar.MaxSize))
	case changed:
		if err := writeFile(done.name, []byte(done.new)); err != nil {
			f.failed(exitUsage, err)
		}
	}
	return err
}

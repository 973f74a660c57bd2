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
	"github.com/gram-lang/gramc/internal/workspace"
)

func (c *cli) fmtCommand() *cobra.Command {
	f := &formatter{cli: c}
	cmd := &cobra.Command{
		Use:   "fmt [FILE|DIR...]",
		Short: "Format gram files",
		Long: `fmt formats gram files in place, in one style. It changes only whitespace:
values, names and arrows keep their spelling and order, fenced text every byte,
and comments their places. In a folder it formats the files that "gramc check"
finds. Text of standard input or of -e goes to standard output.

A file with syntax errors is reported and not changed. Files that need no change
are not written.

With --portable, parameters that list their fields in the older notation,
fields:[{name:"a", type:"Text"}], are rewritten to {a::Text}, which every gram
tool reads. What cannot be rewritten is reported and kept.`,
		Example: `  gramc fmt agents
  gramc fmt --check --diff .
  gramc fmt < agent.gram`,
		RunE: func(cmd *cobra.Command, files []string) error {
			inputs, err := c.inputs(cmd, files)
			if err != nil {
				return err
			}
			return f.run(cmd, inputs)
		},
	}
	addExpression(cmd, "format this gram text instead of a file")
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing; name the files that are not formatted, and exit with 1 if there are any")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "write nothing; show what would change")
	cmd.Flags().BoolVar(&f.portable, "portable", false, "rewrite lists of fields to portable gram")
	return cmd
}

// A formatter is one call of fmt.
type formatter struct {
	*cli
	check, diff, portable bool

	changed int // files
	code    int
}

func (f *formatter) run(cmd *cobra.Command, inputs []input) error {
	if !cmd.Flags().Changed("expression") {
		var unreadable []error
		named := slices.Clone(inputs)
		inputs, unreadable = expand(inputs)
		inputs = slices.DeleteFunc(inputs, func(in input) bool { return !slices.Contains(named, in) && isLink(in.name) })
		for _, err := range unreadable {
			f.complain(err.Error())
			f.worsen(exitUsage)
		}
	}
	for done := range each(inputs, f.format) {
		if err := f.finish(done); err != nil {
			return err
		}
	}
	if !f.check && !f.diff && isTerminal(f.err) {
		f.note(fmt.Sprintf("%s, %d changed", counted(len(inputs), "file"), f.changed))
	}
	if f.check && f.changed > 0 {
		f.worsen(exitProblems)
	}
	if f.code == exitFine {
		return nil
	}
	return exitSilently(f.code)
}

// isLink reports whether a file is a symbolic link. The targets of links in a
// folder are not rewritten: they may be anywhere.
func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// worsen makes the exit code at least code.
func (f *formatter) worsen(code int) { f.code = max(f.code, code) }

// A formatted is an input with its formatted text.
type formatted struct {
	input
	err      error     // it could not be read
	problems diag.List // to be reported
	old, new string
}

// format formats an input and writes nothing, so that it can run for several at
// once.
func (f *formatter) format(in input) *formatted {
	file, problems, err := f.parse(in)
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

// finish reports the problems of an input, and delivers its text. The error is
// that of writing to standard output.
func (f *formatter) finish(done *formatted) error {
	if done.err != nil {
		f.complain(done.err.Error())
		f.worsen(exitUsage)
		return nil
	}
	if err := f.show(done.problems, diag.Warning); err != nil {
		return err
	}
	if done.problems.HasErrors() {
		f.worsen(exitProblems)
		return nil
	}
	return f.deliver(done.input, done.old, done.new)
}

// deliver writes the formatted text, shows the change, or names the file.
func (f *formatter) deliver(in input, old, formatted string) error {
	if old != formatted {
		f.changed++
	}
	switch {
	case f.diff:
		_, err := f.out.Write(diff.Diff(in.name+".orig", []byte(old), in.name, []byte(formatted)))
		return err
	case f.check && old != formatted:
		_, err := fmt.Fprintln(f.out, cleanLine(in.name))
		return err
	case f.check:
	case in.toStdout():
		_, err := f.out.WriteString(formatted)
		return err
	case old == formatted:
	case len(formatted) > maxInput:
		f.complain(fmt.Sprintf("%s: formatted, the file would be %v", in.name, &workspace.TooLarge{Size: int64(len(formatted))}))
		f.worsen(exitProblems)
	default:
		if err := writeFile(in.name, []byte(formatted)); err != nil {
			f.complain(err.Error())
			f.worsen(exitUsage)
		}
	}
	return nil
}

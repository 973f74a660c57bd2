package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
)

func (c *cli) fmtCommand() *cobra.Command {
	f := &formatter{cli: c}
	cmd := &cobra.Command{
		Use:   "fmt [FILE|DIR...]",
		Short: "Lay gram files out in the one style",
		Long: `fmt lays gram files out in the one style, in place. It changes nothing but
blanks: values, names and arrows keep their spelling and their order, fences
every byte, comments their places. A folder stands for the *.gram files in it
and below it. The text of standard input or of -e goes to standard output.

A file with mistakes of syntax is told and stays as it is. Files that need no
change are not written.

With --portable, parameters that list their fields in the older notation,
fields:[{name:"a", type:"Text"}], are rewritten to the one that every gram tool
reads, {a::Text}. What cannot be rewritten is told and stays.`,
		Example: `  gramc fmt agents
  gramc fmt --check --diff .
  gramc fmt < agent.gram`,
		RunE: func(cmd *cobra.Command, files []string) error {
			inputs, err := c.inputs(cmd, files)
			if err != nil {
				return err
			}
			return f.run(inputs)
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

	seen, changed int // files
	code          int
}

func (f *formatter) run(inputs []input) error {
	for _, in := range inputs {
		for _, in := range f.expand(in) {
			if err := f.input(in); err != nil {
				return err
			}
		}
	}
	if !f.check && !f.diff && isTerminal(f.err) {
		f.note(fmt.Sprintf("%s, %d changed", counted(f.seen, "file"), f.changed))
	}
	if f.check && f.changed > 0 {
		f.worsen(exitProblems)
	}
	if f.code == exitFine {
		return nil
	}
	return told(f.code)
}

// worsen makes the exit code at least code.
func (f *formatter) worsen(code int) { f.code = max(f.code, code) }

// expand returns the input itself, or the files in it if it is a folder.
func (f *formatter) expand(in input) []input {
	if info, err := os.Stat(in.name); in.expression || err != nil || !info.IsDir() {
		return []input{in}
	}
	files, err := gramFiles(in.name)
	if err != nil {
		f.complain(err.Error())
		f.worsen(exitUsage)
	}
	list := make([]input, len(files))
	for i, file := range files {
		list[i].name = file
	}
	return list
}

// gramFiles returns the gram files in a folder and below it, in the order of
// their names. It passes over hidden files and folders and over symbolic links.
// With an error it returns the files that it found.
func gramFiles(root string) ([]string, error) {
	var files []string
	var errs []error
	root += string(filepath.Separator) // root itself may be a link
	walk := func(path string, entry fs.DirEntry, err error) error {
		hidden := path != root && strings.HasPrefix(filepath.Base(path), ".")
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", path, bare(err)))
		case entry.IsDir() && hidden:
			return fs.SkipDir
		case entry.Type().IsRegular() && !hidden && filepath.Ext(path) == ".gram":
			files = append(files, path)
		}
		return nil
	}
	err := filepath.WalkDir(root, walk)
	return files, errors.Join(append(errs, err)...)
}

// input formats one input. The error says that standard output or a file cannot
// be written.
func (f *formatter) input(in input) error {
	f.seen++
	file, problems, err := f.parse(in)
	if err != nil {
		f.complain(err.Error())
		f.worsen(exitUsage)
		return nil
	}
	if problems.HasErrors() {
		f.worsen(exitProblems)
		return f.show(problems, diag.Warning)
	}
	text := file.Source.Text()
	if f.portable {
		rewritten, left := format.Portable(file)
		var told diag.List
		for _, l := range left {
			told.Warnf(l.Span, diag.CodeNotPortable, "the fields stay as they are: %s", l.Reason)
		}
		if err := f.show(told, diag.Warning); err != nil {
			return err
		}
		file, problems = grammar.Parse(in.name, rewritten)
		if problems.HasErrors() {
			panic("gramc: portable: " + problems.Err().Error())
		}
	}
	return f.deliver(in, text, format.File(file, nil))
}

// deliver writes, shows or tells of the formatted text.
func (f *formatter) deliver(in input, old, formatted string) error {
	if old != formatted {
		f.changed++
	}
	switch inFile := !in.expression && !isStdin(in.name); {
	case f.diff:
		_, err := f.out.Write(diff.Diff(in.name+".orig", []byte(old), in.name, []byte(formatted)))
		return err
	case f.check && old != formatted:
		_, err := fmt.Fprintln(f.out, cleanLine(in.name))
		return err
	case f.check:
	case !inFile:
		_, err := f.out.WriteString(formatted)
		return err
	case old == formatted:
	case len(formatted) > maxInput:
		f.complain(fmt.Sprintf("%s: formatted, the file would be %v", in.name, &tooLarge{int64(len(formatted))}))
		f.worsen(exitProblems)
	default:
		if err := writeFile(in.name, []byte(formatted)); err != nil {
			f.complain(fmt.Sprintf("%s: %v", in.name, bare(err)))
			f.worsen(exitUsage)
		}
	}
	return nil
}

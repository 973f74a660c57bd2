package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/source"
)

// A libraryFile is a file of --library.
type libraryFile struct {
	*unit
	name      string
	problems  diag.List          // all of the file, of parsing too
	besides   diag.List          // of them, those that a check of the file alone does not tell
	libraries []*library.Library // nil when there are errors
}

// addLibrary adds the flag --library.
func addLibrary(cmd *cobra.Command, names *[]string, what string) {
	cmd.Flags().StringArrayVar(names, "library", nil, what)
	if err := cmd.MarkFlagFilename("library", "gram"); err != nil {
		panic("gramc: " + err.Error())
	}
}

// openLibraries reads and compiles the files of --library, in the order in which
// they were named, and runs nothing of them. The problems of a file say too
// which tools it takes from an earlier one. The error says that a file cannot be
// read.
func (c *cli) openLibraries(names []string, how *strictness) ([]*libraryFile, error) {
	files := make([]*libraryFile, 0, len(names))
	for _, name := range names {
		u, err := c.load(input{name: name})
		if err != nil {
			return nil, err
		}
		f := &libraryFile{unit: u, name: name, problems: withoutTwins(u.examineAll(how))}
		libraries, more := compile.Libraries(u.File, u.options(how))
		told := map[tellingOf]bool{}
		for _, d := range f.problems {
			told[telling(d)] = true
		}
		for _, d := range how.judge(more) {
			if !told[telling(d)] {
				f.besides = append(f.besides, d)
			}
		}
		f.problems = withoutTwins(append(f.problems, f.besides...))
		if !f.problems.HasErrors() {
			f.libraries = libraries
		}
		files = append(files, f)
	}
	for _, d := range how.judge(compile.Shadowed(allLibraries(files))) {
		i := slices.IndexFunc(files, func(f *libraryFile) bool { return f.Source == d.Span.File })
		files[i].besides = append(files[i].besides, d)
		files[i].problems = append(files[i].problems, d)
		files[i].problems.Sort()
	}
	return files, nil
}

// withoutTwins sorts a list and takes what it tells twice out of it.
func withoutTwins(list diag.List) diag.List {
	list.Sort()
	return slices.CompactFunc(list, func(a, b *diag.Diagnostic) bool { return telling(a) == telling(b) })
}

// A tellingOf is what makes a diagnostic another one.
type tellingOf struct {
	span    source.Span
	code    diag.Code
	message string
}

func telling(d *diag.Diagnostic) tellingOf { return tellingOf{d.Span, d.Code, d.Message} }

// allLibraries returns the libraries of files, in order: a later one comes
// before an earlier one.
func allLibraries(files []*libraryFile) []*library.Library {
	var all []*library.Library
	for _, f := range files {
		all = append(all, f.libraries...)
	}
	return all
}

// sound reports whether none of the files has errors.
func sound(files []*libraryFile) bool {
	return !slices.ContainsFunc(files, func(f *libraryFile) bool { return f.problems.HasErrors() })
}

// theirs takes the problems that stand in library files out of those of a file
// that was checked with them.
func theirs(problems diag.List, u *unit) (own, libraries diag.List) {
	for _, d := range problems {
		if d.Span.IsZero() || d.Span.File == u.Source || len(u.libraries) == 0 {
			own = append(own, d)
		} else {
			libraries = append(libraries, d)
		}
	}
	return own, libraries
}

// isInput reports whether a library file is one of the inputs.
func (f *libraryFile) isInput(inputs []input) bool {
	return slices.ContainsFunc(inputs, func(in input) bool {
		return !in.toStdout() && workspace.Resolve(in.name) == workspace.Resolve(f.name)
	})
}

// found returns what is to be told of a library file: what is wrong with it,
// unless it is an input and that is told there, and what agents found in it.
func (f *libraryFile) found(wired diag.List, isInput bool) diag.List {
	list := slices.Clone(f.problems)
	if isInput {
		list = slices.Clone(f.besides)
	}
	for _, d := range wired {
		if d.Span.File == f.Source {
			list = append(list, d)
		}
	}
	list = withoutTwins(list)
	for _, d := range list {
		for i := range d.Fixes {
			d.Fixes[i].Safe = false // --fix does not write this file
		}
	}
	return list
}

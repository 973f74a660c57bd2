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
	problems  diag.List          // all of the file, including those of parsing
	extra     diag.List          // of them, those that checking the file alone does not report
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
// they were named, and runs nothing. The problems of a file include the tools of
// earlier files that it replaces. The error is that of reading a file.
func (c *cli) openLibraries(names []string, how *strictness) ([]*libraryFile, error) {
	files := make([]*libraryFile, 0, len(names))
	for _, name := range names {
		u, err := c.load(input{name: name})
		if err != nil {
			return nil, err
		}
		f := &libraryFile{unit: u, name: name, problems: withoutDuplicates(u.examineAll(how))}
		libraries, more := compile.Libraries(u.File, u.options(how))
		reported := map[identity]bool{}
		for _, d := range f.problems {
			reported[identityOf(d)] = true
		}
		for _, d := range how.judge(more) {
			if !reported[identityOf(d)] {
				f.extra = append(f.extra, d)
			}
		}
		f.problems = withoutDuplicates(append(f.problems, f.extra...))
		if !f.problems.HasErrors() {
			f.libraries = libraries
		}
		files = append(files, f)
	}
	for _, d := range how.judge(compile.Shadowed(allLibraries(files))) {
		i := slices.IndexFunc(files, func(f *libraryFile) bool { return f.Source == d.Span.File })
		files[i].extra = append(files[i].extra, d)
		files[i].problems = append(files[i].problems, d)
		files[i].problems.Sort()
	}
	return files, nil
}

// withoutDuplicates sorts a list and removes duplicates.
func withoutDuplicates(list diag.List) diag.List {
	list.Sort()
	return slices.CompactFunc(list, func(a, b *diag.Diagnostic) bool { return identityOf(a) == identityOf(b) })
}

// An identity is the same for equal diagnostics.
type identity struct {
	span    source.Span
	code    diag.Code
	message string
}

func identityOf(d *diag.Diagnostic) identity { return identity{d.Span, d.Code, d.Message} }

// allLibraries returns the libraries of files, in order: later ones take
// precedence.
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

// split separates the problems in library files from those of the file that was
// checked with them.
func split(problems diag.List, u *unit) (own, libraries diag.List) {
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

// found returns what is to be reported of a library file: its own problems,
// unless it is an input and reported there, and those of agents in it.
func (f *libraryFile) found(ofAgents diag.List, isInput bool) diag.List {
	list := slices.Clone(f.problems)
	if isInput {
		list = slices.Clone(f.extra)
	}
	for _, d := range ofAgents {
		if d.Span.File == f.Source {
			list = append(list, d)
		}
	}
	list = withoutDuplicates(list)
	for _, d := range list {
		for i := range d.Fixes {
			d.Fixes[i].Safe = false // --fix does not write this file
		}
	}
	return list
}

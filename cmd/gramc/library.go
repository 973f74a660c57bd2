package main

import (
	"slices"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
)

// A libraryFile is a file of --library.
type libraryFile struct {
	*workspace.Unit
	name      string
	problems  diag.List          // all of the file, including those of parsing
	extra     diag.List          // of them, those that checking the file alone does not report
	libraries []*library.Library // nil when there are errors
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
		f := &libraryFile{Unit: u, name: name, problems: withoutDuplicates(how.examineAll(u))}
		libraries, more := compile.Libraries(u.File, how.options(u))
		f.extra = slices.DeleteFunc(how.judge(more), func(d *diag.Diagnostic) bool {
			return slices.ContainsFunc(f.problems, func(reported *diag.Diagnostic) bool { return same(d, reported) })
		})
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
	return slices.CompactFunc(list, same)
}

// same reports whether two diagnostics are equal.
func same(a, b *diag.Diagnostic) bool {
	return a.Span == b.Span && a.Code == b.Code && a.Message == b.Message
}

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

// is reports whether a library file is an input.
func (f *libraryFile) is(in input) bool {
	return !in.toStdout() && workspace.Resolve(in.name) == workspace.Resolve(f.name)
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
	return withoutSafeFixes(withoutDuplicates(list))
}

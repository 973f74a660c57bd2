package main

import (
	"path/filepath"
	"slices"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/process"
	"github.com/gram-lang/gramc/internal/workspace"
)

// A libraryFile is a file of --library.
type libraryFile struct {
	*workspace.Unit
	name      string
	own       diag.List          // what is wrong with the file alone
	problems  diag.List          // these, and what is wrong with it as a library
	libraries []*library.Library // nil when there are errors
}

// readLibraryFiles reads and compiles the files of --library, in the order in which
// they were named, and runs nothing. The problems of a file include the tools of
// earlier files that it replaces. The error is that of reading a file.
func (c *cli) readLibraryFiles(names []string) ([]*libraryFile, error) {
	files := make([]*libraryFile, 0, len(names))
	for _, name := range names {
		u, err := c.loadInput(input{name: name})
		if err != nil {
			return nil, err
		}
		f := &libraryFile{Unit: u, name: name, own: c.examineAll(u)}
		libraries, problems := compile.Libraries(u.File, c.checkOptions(u))
		f.problems = slices.Concat(f.own, c.judge(problems)).Unique()
		if !f.problems.HasErrors() {
			f.libraries = libraries
		}
		c.noteFilesRun(libraries)
		files = append(files, f)
	}
	for _, d := range c.judge(compile.ShadowedToolEntries(allLibraries(files))) {
		i := slices.IndexFunc(files, func(f *libraryFile) bool { return f.Source == d.Span.File })
		files[i].problems = append(files[i].problems, d).Unique()
	}
	return files, nil
}

// noteFilesRun notes the programs of libraries, and the files in their arguments, as
// files that are read. A variable of the file .env names none of them.
func (c *cli) noteFilesRun(libraries []*library.Library) {
	lookup := func(name string) string {
		value, _ := c.lookup(name)
		return value
	}
	resolve := func(base, name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(base, name)
	}
	for _, l := range libraries {
		base := filepath.Dir(l.Place.File)
		for _, e := range l.Entries {
			var run []library.Text
			var dir library.Text
			switch {
			case e.Command != nil:
				run, dir = e.Command.Run, e.Command.Dir
			case e.MCP != nil:
				run, dir = e.MCP.Command, e.MCP.Dir
			}
			folder := resolve(base, dir.Template.Expand(lookup))
			for i, t := range run {
				name := t.Template.Expand(lookup)
				if i > 0 {
					c.filesRead.Store(resolve(folder, name), true)
				} else if program, err := process.Find(name, base); err == nil {
					c.filesRead.Store(program, true)
				}
			}
		}
	}
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

// withoutErrors reports whether none of the files has errors.
func withoutErrors(files []*libraryFile) bool {
	return !slices.ContainsFunc(files, func(f *libraryFile) bool { return f.problems.HasErrors() })
}

// is reports whether a library file is an input.
func (f *libraryFile) is(in input) bool {
	return !in.toStdout() && workspace.Resolve(in.name) == workspace.Resolve(f.name)
}

// problemsToReport returns what is to be reported of a library file: its own problems,
// unless it is an input and reported there, and those of agents in it.
func (f *libraryFile) problemsToReport(ofAgents diag.List, isInput bool) diag.List {
	elsewhere := func(d *diag.Diagnostic) bool { return d.Span.File != f.Source }
	list := append(slices.DeleteFunc(slices.Clone(ofAgents), elsewhere), f.problems...).Unique()
	if isInput {
		list = slices.DeleteFunc(list, func(d *diag.Diagnostic) bool { return slices.ContainsFunc(f.own, d.Same) })
	}
	return withoutSafeFixes(list)
}

// readLibraries returns the libraries of files, and shows what is wrong with
// them. Errors among that end the command.
func (c *cli) readLibraries(names []string) ([]*library.Library, error) {
	files, err := c.readLibraryFiles(names)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := c.show(f.problems, diag.Warning); err != nil {
			return nil, err
		}
	}
	if !withoutErrors(files) {
		return nil, exitSilently(exitProblems)
	}
	return allLibraries(files), nil
}

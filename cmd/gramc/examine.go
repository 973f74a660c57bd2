package main

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/runtime/host"
)

// checkOptions returns how a file is checked, whose agents are to work with the
// libraries.
func (c *cli) checkOptions(u *workspace.Unit, libraries ...*library.Library) *compile.Options {
	return u.Options(compile.Options{Strict: c.strict, StrictGram: c.strictGram, Libraries: libraries, Models: c.models()})
}

// examine returns all problems of a file, those of parsing included.
func (c *cli) examine(u *workspace.Unit, libraries ...*library.Library) diag.List {
	return c.judge(workspace.ExamineUnit(u.File, u.Problems, c.checkOptions(u, libraries...)))
}

// examineAll is examine for a file, and for the errors of all that it imports.
func (c *cli) examineAll(u *workspace.Unit) diag.List {
	all := c.examine(u)
	for _, imported := range u.Imports() {
		all = append(all, onlyErrors(c.examine(imported))...)
	}
	return all
}

// judge turns warnings into errors if --strict is set.
func (c *cli) judge(problems diag.List) diag.List {
	for _, d := range problems {
		if c.strict && d.Severity == diag.Warning {
			d.Severity = diag.Error
		}
	}
	return problems
}

// notPortable returns what tree-sitter-gram refuses in f, if --strict-gram is set.
func (c *cli) notPortable(f *ast.File) diag.List {
	if !c.strictGram {
		return nil
	}
	all := compile.Check(f, &compile.Options{StrictGram: true})
	return slices.DeleteFunc(all, func(d *diag.Diagnostic) bool { return d.Code != diag.CodeNotPortable })
}

func isError(d *diag.Diagnostic) bool { return d.Severity == diag.Error }

func onlyErrors(list diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool { return !isError(d) })
}

// countProblems returns how many problems of a list count.
func countProblems(list diag.List, counts func(*diag.Diagnostic) bool) (n int) {
	for _, d := range list {
		if counts(d) {
			n++
		}
	}
	return n
}

// examineImported returns the errors of a file that was imported and not named: it is never
// written.
func (k *checker) examineImported(name string) diag.List {
	u, err := k.loadInput(input{name: name})
	if err != nil {
		return nil // reported at the import
	}
	own, _ := inFile(u, k.examine(u))
	return withoutSafeFixes(onlyErrors(own))
}

// withoutSafeFixes marks the fixes of files that --fix does not write.
func withoutSafeFixes(problems diag.List) diag.List {
	for _, d := range problems {
		for i := range d.Fixes {
			d.Fixes[i].Safe = false
		}
	}
	return problems
}

// examineWithLibraries returns the problems of a file, and those that its agents have in
// other files.
func (k *checker) examineWithLibraries(u *workspace.Unit) (own, elsewhere diag.List) {
	var libraries []*library.Library
	if !slices.ContainsFunc(k.libraries, func(f *libraryFile) bool { return f.libraries == nil }) {
		libraries = allLibraries(k.libraries)
	}
	return inFile(u, append(k.examine(u, libraries...), k.missing(u.File)...))
}

// inFile splits problems into those in a file and those in others.
func inFile(u *workspace.Unit, problems diag.List) (own, elsewhere diag.List) {
	for _, d := range problems {
		if d.Span.IsZero() || d.Span.File == u.Source {
			own = append(own, d)
		} else {
			elsewhere = append(elsewhere, d)
		}
	}
	return own, elsewhere
}

// missing returns what the libraries in a file need and this machine does not
// have, if that is asked for.
func (k *checker) missing(f *ast.File) (problems diag.List) {
	if k.host == nil || !slices.ContainsFunc(f.Patterns, library.IsLibrary) {
		return nil
	}
	libraries, _ := compile.Libraries(f, nil) // problems are reported by examine
	for _, m := range host.CheckEnvironment(libraries, k.host) {
		problems.Errorf(m.Entry.Span(m.Property), diag.CodeMissingEnvironment, "%s %q: %s", m.Entry.Kind, m.Entry.Name, m.Message)
	}
	return problems
}

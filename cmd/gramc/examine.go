package main

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
)

// checkOptions returns how a file is checked, whose agents are to work with the
// libraries.
func (c *cli) checkOptions(u *workspace.Unit, libraries ...*library.Library) *compile.Options {
	return u.Options(compile.Options{Strict: c.strict, StrictGram: c.strictGram, Libraries: libraries})
}

// examine returns all problems of a file, those of parsing included.
func (c *cli) examine(u *workspace.Unit, libraries ...*library.Library) diag.List {
	return c.judge(workspace.Examine(u.File, u.Problems, c.checkOptions(u, libraries...)))
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

package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
)

// A strictness is the flags for how strictly a file is checked.
type strictness struct {
	strict bool // warnings count as errors
	gram   bool // what tree-sitter-gram refuses is an error
}

func (s *strictness) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.strict, "strict", false, "report warnings as errors")
	s.addGramFlag(cmd)
}

func (s *strictness) addGramFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.gram, "strict-gram", false, "report extensions of gramc to gram as errors, such as arrays in arrays")
}

// options returns how a file is checked, whose agents are to work with the
// libraries.
func (s *strictness) options(u *workspace.Unit, libraries ...*library.Library) *compile.Options {
	return u.Options(compile.Options{Strict: s.strict, StrictGram: s.gram, Libraries: libraries})
}

// examine returns all problems of a file, those of parsing included.
func (s *strictness) examine(u *workspace.Unit, libraries ...*library.Library) diag.List {
	return s.judge(workspace.Examine(u.File, u.Problems, s.options(u, libraries...)))
}

// examineAll is examine for a file, and for the errors of all that it imports.
func (s *strictness) examineAll(u *workspace.Unit) diag.List {
	all := s.examine(u)
	for _, imported := range u.Imports() {
		all = append(all, onlyErrors(s.examine(imported))...)
	}
	return all
}

// judge turns warnings into errors if --strict is set.
func (s *strictness) judge(problems diag.List) diag.List {
	for _, d := range problems {
		if s.strict && d.Severity == diag.Warning {
			d.Severity = diag.Error
		}
	}
	return problems
}

// notPortable returns what tree-sitter-gram refuses in f, if --strict-gram is set.
func (s *strictness) notPortable(f *ast.File) diag.List {
	if !s.gram {
		return nil
	}
	all := compile.Check(f, &compile.Options{StrictGram: true})
	return slices.DeleteFunc(all, func(d *diag.Diagnostic) bool { return d.Code != diag.CodeNotPortable })
}

func isError(d *diag.Diagnostic) bool { return d.Severity == diag.Error }

func onlyErrors(list diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool { return !isError(d) })
}

// count returns how many problems of a list count.
func count(list diag.List, counts func(*diag.Diagnostic) bool) (n int) {
	for _, d := range list {
		if counts(d) {
			n++
		}
	}
	return n
}

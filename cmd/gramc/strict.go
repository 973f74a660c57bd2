package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
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

func (s *strictness) options() *compile.Options {
	return &compile.Options{Strict: s.strict, StrictGram: s.gram}
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
	all := compile.Check(f, s.options())
	return slices.DeleteFunc(all, func(d *diag.Diagnostic) bool { return d.Code != diag.CodeNotPortable })
}

func count(list diag.List, severity diag.Severity) int {
	n := 0
	for _, d := range list {
		if d.Severity == severity {
			n++
		}
	}
	return n
}

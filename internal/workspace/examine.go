package workspace

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
)

// Examine returns all problems of a parsed file, those of parsing included, in
// the order of the text. Options say what the file imports.
func Examine(f *ast.File, problems diag.List, o *compile.Options) diag.List {
	unreadable := slices.ContainsFunc(problems, func(d *diag.Diagnostic) bool { return d.Code == diag.CodeNotUTF8 })
	if len(problems) >= diag.MaxPerList || unreadable {
		return problems
	}
	all := append(slices.Clip(problems), compile.Check(f, o)...)
	all.Sort()
	return all
}

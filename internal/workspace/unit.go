package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/spell"
)

// maxFiles is how many files one file may import, directly or not. Each of them
// is checked with all that it imports itself.
const maxFiles = 1000

// maxQuoted is how many characters of a path messages quote.
const maxQuoted = 200

// A Unit is a parsed file with what it imports. It never changes after the
// workspace has returned it.
type Unit struct {
	*ast.File           // nil when it cannot be read
	Problems  diag.List // of parsing, and of imports that cannot be read

	workspace      *Workspace
	name, path     string // as it is shown, and the path without symbolic links
	parsed, linked sync.Once
	counted        sync.Once
	err            error // of reading it
	imports        []*Unit
	written        []string // the paths of the imports, as written
	missing        bool     // an import could not be followed
}

// Name returns the name by which the file was found first.
func (u *Unit) Name() string { return u.name }

// Path returns the absolute path of the file, without symbolic links.
func (u *Unit) Path() string { return u.path }

// Imports returns the files that u imports, directly or not, each once and
// without u.
func (u *Unit) Imports() []*Unit { return u.closure(func(*Unit) {}) }

// Trees returns the trees of Imports, as compile.Options take them.
func (u *Unit) Trees() []*ast.File {
	var trees []*ast.File
	for _, v := range u.Imports() {
		trees = append(trees, v.File)
	}
	return trees
}

// Complete reports whether all that u imports, directly or not, was found.
func (u *Unit) Complete() bool {
	return !u.missing && !slices.ContainsFunc(u.Imports(), func(v *Unit) bool { return v.missing })
}

// Options returns o with what the compiler must know of the imports of u.
func (u *Unit) Options(o compile.Options) *compile.Options {
	o.Incomplete = !u.Complete()
	o.Imported = u.Trees()
	o.ReachableFrom = make(map[string][]*ast.File, len(u.imports))
	for i, v := range u.imports {
		o.ReachableFrom[u.written[i]] = append([]*ast.File{v.File}, v.Trees()...)
	}
	o.Elsewhere = func(name string) (string, bool) { return u.workspace.Elsewhere(u.name, name) }
	return &o
}

// ExamineUnit returns all problems of a parsed file, those of parsing included, in
// the order of the text. Options say what the file imports.
func ExamineUnit(f *ast.File, problems diag.List, o *compile.Options) diag.List {
	if d := foreign(f, problems); d != nil {
		return diag.List{d}
	}
	unreadable := slices.ContainsFunc(problems, func(d *diag.Diagnostic) bool { return d.Code == diag.CodeNotUTF8 })
	if len(problems) >= diag.MaxPerList || unreadable {
		return problems
	}
	mistakes := make(diag.List, len(problems)) // copies, since their fixes are put in order
	for i, d := range problems {
		copied := *d
		copied.Fixes = slices.Clone(d.Fixes)
		mistakes[i] = &copied
	}
	mistakes.Sort()
	all := append(slices.Clip(mistakes), examineFixes(f, mistakes, o)...)
	doubtFixesOfErrors(all)
	all.Sort()
	return all
}

// closure is Imports. It calls before for u and each of its imports first.
func (u *Unit) closure(before func(*Unit)) []*Unit {
	before(u)
	seen := map[*Unit]bool{u: true}
	var all []*Unit
	for queue := []*Unit{u}; len(queue) > 0 && len(all) <= maxFiles; {
		next := queue[0]
		queue = queue[1:]
		for _, v := range next.imports {
			if seen[v] {
				continue
			}
			seen[v] = true
			before(v)
			if v.path == u.path {
				continue
			}
			all = append(all, v)
			queue = append(queue, v)
		}
	}
	return all
}

// maxNearFiles is how many files are suggested in place of one that is missing.
const maxNearFiles = 3

// similarUnitFile returns the name of a file in the same folder that is similar, "" for
// none.
func similarUnitFile(name string) string {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if base, ok := strings.CutSuffix(e.Name(), ".gram"); ok && e.Name() != filepath.Base(name) { // which may be a link to nothing
			names = append(names, base)
		}
	}
	if near := spell.Nearest(strings.TrimSuffix(filepath.Base(name), ".gram"), names); near != "" {
		return near + ".gram"
	}
	return ""
}

package main

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
)

// A unit is a parsed file with what it imports.
type unit struct {
	*ast.File
	problems diag.List // of parsing, and of imports that cannot be read
	imported []*workspace.File
	behind   map[string][]*ast.File // what each import makes known
	partial  bool                   // something that it imports could not be found
	projects *projects

	libraries []*library.Library // that its agents are to work with
}

// load reads an input and what it imports. The error says that the input
// cannot be read.
func (c *cli) load(in input) (*unit, error) {
	file, problems, err := c.parse(in)
	if err != nil {
		return nil, err
	}
	return c.projects.unit(file, problems), nil
}

// options returns how the unit is checked.
func (u *unit) options(how *strictness) *compile.Options {
	o := how.options()
	o.Incomplete = u.partial
	for _, f := range u.imported {
		o.Imported = append(o.Imported, f.File)
	}
	o.Behind = u.behind
	o.Libraries = u.libraries
	if u.projects != nil {
		o.Elsewhere = func(name string) (string, bool) { return u.projects.elsewhere(u.Source.Name(), name) }
	}
	return o
}

// examine returns all problems of the file, those of parsing included.
func (u *unit) examine(how *strictness) diag.List {
	return how.judge(workspace.Examine(u.File, u.problems, u.options(how)))
}

// examineAll is examine for the file and all that it imports.
func (u *unit) examineAll(how *strictness) diag.List {
	all := u.examine(how)
	for _, f := range u.imported {
		other := &unit{File: f.File, problems: f.Problems, imported: f.Closure(), partial: !f.Complete(), projects: u.projects}
		for _, d := range other.examine(how) {
			if d.Severity == diag.Error {
				all = append(all, d)
			}
		}
	}
	return all
}

// projects are the projects of the files of a command line. They may be shared
// between goroutines.
type projects struct {
	byRoot sync.Map // *opened by root folder
}

// An opened is a project, and what its files define.
type opened struct {
	*workspace.Project
	index   sync.Once
	defined map[string][]string // paths of files by the names of tools and types
}

// unit returns a parsed file with what it imports.
func (p *projects) unit(f *ast.File, problems diag.List) *unit {
	u := &unit{File: f, problems: problems, projects: p}
	if len(compile.Imports(f)) == 0 { // most files
		return u
	}
	linked := p.of(f.Source.Name()).Add(f.Source.Name(), f, problems)
	u.problems, u.imported, u.behind, u.partial = linked.Problems, linked.Closure(), linked.Behind(), !linked.Complete()
	return u
}

// of returns the project of a file.
func (p *projects) of(name string) *opened {
	root := workspace.RootOf(name)
	one, _ := p.byRoot.LoadOrStore(root, &opened{Project: workspace.New(root, workspace.Parse)})
	return one.(*opened)
}

// maxIndexed is how many files of a project are looked at for a name that a
// file does not know.
const maxIndexed = 2000

// elsewhere returns the path, as an import of file would write it, of a file
// of the project that defines a name.
func (p *projects) elsewhere(file, name string) (path string, found bool) {
	one := p.of(file)
	one.index.Do(func() { one.defined = p.definitions(one.Root()) })
	self, err := filepath.Abs(file)
	if err != nil {
		return "", false
	}
	for _, other := range one.defined[name] {
		if path, ok := workspace.ImportPath(self, other); ok && other != self {
			return path, true
		}
	}
	return "", false
}

// definitions returns the absolute paths of the files that define each name.
func (p *projects) definitions(root string) map[string][]string {
	defined := map[string][]string{}
	files, _ := workspace.Find([]string{root}, nil) // what cannot be read defines nothing
	for _, name := range files[:min(len(files), maxIndexed)] {
		info, err := os.Stat(name)
		if err != nil || info.Size() > maxIndexedSize {
			continue
		}
		f, _, err := workspace.Parse(name)
		if err != nil {
			continue
		}
		for _, shared := range compile.Resolve(f).Shared() {
			defined[shared] = append(defined[shared], name)
		}
	}
	return defined
}

// maxIndexedSize is the size of the largest file that is looked at for a name.
const maxIndexedSize = 1 << 20

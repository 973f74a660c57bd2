package workspace

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
)

// A Source gives a workspace its files: those of the disk, or those files as an
// editor shows them.
type Source interface {
	// Root returns the folder in which the imports of a file may lie.
	Root(name string) string
	// Parse returns the tree of a file and the problems of parsing it. Its errors
	// become diagnostics at the import; one that wraps ErrNotRead is no mistake of
	// the author.
	Parse(name string) (*ast.File, diag.List, error)
	// Defining yields the absolute paths of the files below a root that define a
	// tool or a type of a name.
	Defining(root, name string) iter.Seq[string]
	// Files returns the absolute paths of gram files below a root, in the order of
	// their names.
	Files(root string) []string
}

// ErrNotRead is the error of a Source for a file that it is not allowed to read.
var ErrNotRead = errors.New("not read")

// A Workspace resolves the imports of gram files. It reads each file at most
// once, and nothing outside of the root of the file that imports it. It may be
// shared between goroutines.
type Workspace struct {
	source   Source
	roots    sync.Map // string by folder
	projects sync.Map // *project by root
}

// Open returns the workspace of the files of a source. It reads nothing yet.
func Open(source Source) *Workspace { return &Workspace{source: source} }

// Load returns a file with everything that it imports. The error is that of
// reading the file itself.
func (w *Workspace) Load(name string) (*Unit, error) {
	p := w.project(name)
	u := p.parsed(name)
	if u.err != nil {
		return nil, u.err
	}
	p.linkAll(u)
	return u, nil
}

// Add returns a file that was parsed elsewhere, such as standard input, with
// what it imports. Its imports are relative to the folder of the name.
func (w *Workspace) Add(name string, f *ast.File, problems diag.List) *Unit {
	if len(compile.Imports(f)) == 0 { // most files
		return &Unit{File: f, Problems: problems, workspace: w, name: name}
	}
	p := w.project(name)
	u := &Unit{File: f, Problems: problems[:len(problems):len(problems)], workspace: w, name: name, path: Resolve(name)}
	p.linkAll(u)
	return u
}

// Root returns the folder in which the imports of a file may lie.
func (w *Workspace) Root(name string) string {
	folder := filepath.Dir(name)
	known, ok := w.roots.Load(folder)
	if !ok {
		known, _ = w.roots.LoadOrStore(folder, w.source.Root(name))
	}
	return known.(string)
}

func (w *Workspace) project(name string) *project {
	root := w.Root(name)
	known, ok := w.projects.Load(root)
	if !ok {
		known, _ = w.projects.LoadOrStore(root, &project{workspace: w, root: Resolve(root), units: map[string]*Unit{}})
	}
	return known.(*project)
}

// Elsewhere returns the path, as an import of a file would write it, of another
// file below the same root that defines a name.
func (w *Workspace) Elsewhere(file, name string) (path string, found bool) {
	self, err := filepath.Abs(file)
	if err != nil {
		return "", false
	}
	for other := range w.source.Defining(w.Root(file), name) {
		if other == self {
			continue
		}
		if path, ok := ImportPath(self, other); ok {
			return path, true
		}
	}
	return "", false
}

// RootOf returns the nearest folder around a folder that has .git in it, else
// the first of some others that the folder lies in, else the folder itself. All
// are absolute.
func RootOf(folder string, others ...string) string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for _, other := range others {
		if Within(other, folder) {
			return other
		}
	}
	return folder
}

// Resolve returns the absolute path of a file without symbolic links. What
// cannot be resolved stays as it is.
func Resolve(name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		absolute = name
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		return real
	}
	// The file may be missing, and its folder may be a link.
	if real, err := filepath.EvalSymlinks(filepath.Dir(absolute)); err == nil {
		return filepath.Join(real, filepath.Base(absolute))
	}
	return filepath.Clean(absolute)
}

// Within reports whether a path is a folder or lies below it. Both are clean.
func Within(folder, path string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(folder, string(filepath.Separator)))
}

// ImportPath returns the path by which one file imports another, both absolute.
func ImportPath(from, to string) (path string, ok bool) {
	relative, err := filepath.Rel(filepath.Dir(from), to)
	if err != nil {
		return "", false
	}
	return withDot(filepath.ToSlash(relative)), true
}

// withDot returns a relative path with ./ before it, unless it starts with ../.
func withDot(relative string) string {
	if strings.HasPrefix(relative, "../") {
		return relative
	}
	return "./" + relative
}

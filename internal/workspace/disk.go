package workspace

import (
	"iter"
	"os"
	"path/filepath"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

// A Disk is the Source of the files of the disk. It may be shared between
// goroutines.
type Disk struct {
	neighbours sync.Map // func() []*neighbour by root
}

// NewDisk returns the source of the files of the disk.
func NewDisk() *Disk { return &Disk{} }

// Root returns the nearest folder around a file that has .git in it, else the
// working folder if the file lies below it, else the folder of the file.
func (d *Disk) Root(name string) string {
	folder := filepath.Dir(Resolve(name))
	if work, err := os.Getwd(); err == nil {
		return RootOf(folder, Resolve(work))
	}
	return RootOf(folder)
}

// Parse reads and parses a file.
func (d *Disk) Parse(name string) (*ast.File, diag.List, error) {
	text, err := ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	f, problems := grammar.Parse(name, text)
	return f, problems, nil
}

// Files returns the paths of the files below a root that are searched.
func (d *Disk) Files(root string) []string {
	var paths []string
	for _, n := range d.neighboursIn(root).files {
		paths = append(paths, n.path)
	}
	return paths
}

// Defining yields the paths of the files below a root that define a name, in the
// order of their names. It reads a root once, and parses only files that contain
// the name, as long as few names are searched.
func (d *Disk) Defining(root, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		near := d.neighboursIn(root)
		for _, n := range near.files {
			if near.mayDefine(n, name) && n.defines()[name] && !yield(n.path) {
				return
			}
		}
	}
}

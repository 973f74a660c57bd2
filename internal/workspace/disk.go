package workspace

import (
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

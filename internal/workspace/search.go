package workspace

import (
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/grammar"
)

// The limits of a search for the file that defines a name: a message is better
// without its hint than late.
const (
	maxSearched   = 2000
	maxSearchTime = time.Second // for finding and reading the files
	// MaxSearchedSize is the size in bytes of the largest file that is searched.
	MaxSearchedSize = 1 << 20
	// MaxSearchedBytes is how many bytes of files are searched together.
	MaxSearchedBytes = 8 << 20
)

// A neighbour is a file that may define a name that another one does not know.
type neighbour struct {
	path, text string
	names      func() []string // the tools and types that it defines; parses it once
}

// Files returns the paths of the files below a root that are searched.
func (d *Disk) Files(root string) []string {
	var paths []string
	for _, n := range d.near(root) {
		paths = append(paths, n.path)
	}
	return paths
}

// Defining yields the paths of the files below a root that define a name, in the
// order of their names. It reads a root once, and parses only files that contain
// the name.
func (d *Disk) Defining(root, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range d.near(root) {
			if strings.Contains(n.text, name) && slices.Contains(n.names(), name) && !yield(n.path) {
				return
			}
		}
	}
}

// near returns the files below a root, which it reads once.
func (d *Disk) near(root string) []*neighbour {
	known, ok := d.neighbours.Load(root)
	if !ok {
		known, _ = d.neighbours.LoadOrStore(root, sync.OnceValue(func() []*neighbour { return readNeighbours(root) }))
	}
	return known.(func() []*neighbour)()
}

// readNeighbours reads the files below a root, as far as the limits allow. A file
// that does not fit any more is left out.
func readNeighbours(root string) []*neighbour {
	until := time.Now().Add(maxSearchTime)
	files, _ := Find([]string{Resolve(root)}, &FindOptions{Max: maxSearched, Until: until}) // a file that cannot be read defines nothing
	var list []*neighbour
	left := int64(MaxSearchedBytes)
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil || info.Size() > min(left, MaxSearchedSize) || time.Now().After(until) {
			continue
		}
		text, err := ReadFile(path)
		if err != nil {
			continue
		}
		left -= info.Size()
		list = append(list, &neighbour{path, text, sync.OnceValue(func() []string {
			f, _ := grammar.Parse(path, text)
			names := compile.Resolve(f).Shared()
			for i, name := range names {
				names[i] = strings.Clone(name) // so that the tree can go
			}
			return names
		})})
	}
	return list
}

package workspace

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"
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
	// maxCompared is how many bytes are compared with names before it is cheaper to
	// parse all files below a root.
	maxCompared = 128 << 20
)

// neighbours are the files below a root.
type neighbours struct {
	files    []*neighbour
	compared atomic.Int64 // bytes of texts in which names were searched
}

// A neighbour is a file that may define a name that another one does not know.
type neighbour struct {
	path, text string
	defines    func() map[string]bool // the names of its tools and types; parses it once
}

// mayDefine reports whether it is worth to parse a file for a name.
func (near *neighbours) mayDefine(n *neighbour, name string) bool {
	if near.compared.Load() > maxCompared {
		return true
	}
	near.compared.Add(int64(len(n.text)))
	return strings.Contains(n.text, name)
}

// neighboursIn returns the files below a root, which it reads once.
func (d *Disk) neighboursIn(root string) *neighbours {
	known, ok := d.neighbours.Load(root)
	if !ok {
		known, _ = d.neighbours.LoadOrStore(root, sync.OnceValue(func() *neighbours { return &neighbours{files: readNeighbours(root)} }))
	}
	return known.(func() *neighbours)()
}

// readNeighbours reads the files below a root, as far as the limits allow. A file
// that does not fit any more is left out.
func readNeighbours(root string) []*neighbour {
	until := time.Now().Add(maxSearchTime)
	files, _ := FindFiles([]string{Resolve(root)}, &FindOptions{Max: maxSearched, Until: until}) // a file that cannot be read defines nothing
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
		list = append(list, &neighbour{path, text, sync.OnceValue(func() map[string]bool {
			f, _ := grammar.Parse(path, text)
			names := map[string]bool{}
			for _, name := range compile.ResolveNames(f).Shared() {
				names[strings.Clone(name)] = true // so that the tree can go
			}
			return names
		})})
	}
	return list
}

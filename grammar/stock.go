package grammar

import "github.com/gram-lang/gramc/ast"

// A stock hands out the nodes of a tree, made many at a time, and the lists of
// them, each as long as it must be.
type stock struct {
	patterns   shelf[ast.Pattern]
	subjects   shelf[ast.Subject]
	names      shelf[ast.Name]
	labels     shelf[ast.Label]
	properties shelf[ast.Property]
	records    shelf[ast.Record]
	strings    shelf[ast.String]

	patternLists  pile[*ast.Pattern]
	labelLists    pile[*ast.Label]
	propertyLists pile[*ast.Property]
	valueLists    pile[ast.Value]
}

// A shelf holds nodes that nobody uses yet.
type shelf[T any] struct {
	left []T
	made int // how many nodes so far
}

// maxShelf is how many nodes are made at a time, in a file that has many.
const maxShelf = 64

// take returns a node. A quarter of the nodes is never used at most: an editor
// keeps the trees of many small files.
func (s *shelf[T]) take() *T {
	if len(s.left) == 0 {
		n := min(max(s.made/3, 2), maxShelf)
		s.made += n
		s.left = make([]T, n)
	}
	node := &s.left[0]
	s.left = s.left[1:]
	return node
}

// A pile holds the lists that are not complete yet, the innermost on top.
type pile[T any] struct {
	items []T
	left  []T // room for complete lists
}

// mark returns where a list starts that begins now.
func (p *pile[T]) mark() int { return len(p.items) }

func (p *pile[T]) add(item T) { p.items = append(p.items, item) }

// list returns what was added since the mark, nil when there is nothing, and
// takes it off the pile.
func (p *pile[T]) list(mark int) []T {
	n := len(p.items) - mark
	if n == 0 {
		return nil
	}
	if n > len(p.left) {
		p.left = make([]T, max(n, maxShelf/4))
	}
	list := p.left[:n:n]
	p.left = p.left[n:]
	copy(list, p.items[mark:])
	clear(p.items[mark:])
	p.items = p.items[:mark]
	return list
}

package grammar

import (
	"reflect"

	"github.com/gram-lang/gramc/ast"
)

// An arena allocates the nodes of a tree, many at a time, and the lists of them,
// each exactly as long as it is.
type arena struct {
	patterns   pool[ast.Pattern]
	arrows     pool[ast.Arrow]
	subjects   pool[ast.Subject]
	names      pool[ast.Name]
	labels     pool[ast.Label]
	properties pool[ast.Property]
	records    pool[ast.Record]
	strings    pool[ast.String]
	numbers    pool[ast.Number]

	patternLists  stack[*ast.Pattern]
	arrowLists    stack[*ast.Arrow]
	labelLists    stack[*ast.Label]
	propertyLists stack[*ast.Property]
	valueLists    stack[ast.Value]
}

// A pool holds nodes that are not in use yet.
type pool[T any] struct {
	left []T
	made int // how many nodes so far
}

// poolBytes is the most that is allocated at a time: a size that Go has room for
// without a remainder, less what Go adds to each piece of memory.
const poolBytes = 8<<10 - 8

// minPool is the fewest nodes that are allocated at a time.
const minPool = 4

// take returns a node. At most a third of the nodes stays unused, and less where the rest of
// the text is like its start: an editor keeps the trees of many small files.
func (p *pool[T]) take(c *cursor) *T {
	if len(p.left) == 0 {
		read, all := c.scan.pos, len(c.scan.text)
		n := max(minPool, min(p.made/2, p.made*(all-read)/read, poolBytes/int(reflect.TypeFor[T]().Size())))
		p.made += n
		p.left = make([]T, n)
	}
	node := &p.left[0]
	p.left = p.left[1:]
	return node
}

// A stack holds the lists that are not complete yet, the innermost on top.
type stack[T any] struct {
	items []T
	left  []T // room for complete lists
}

// minList is the least room for lists that is allocated at a time.
const minList = 16

// mark returns where the list starts that is added next.
func (s *stack[T]) mark() int { return len(s.items) }

func (s *stack[T]) add(item T) {
	if s.items == nil {
		s.items = make([]T, 0, minList)
	}
	s.items = append(s.items, item)
}

// list returns what was added since the mark, nil when there is nothing, and
// takes it off the stack.
func (s *stack[T]) list(mark int) []T {
	n := len(s.items) - mark
	if n == 0 {
		return nil
	}
	if n > len(s.left) {
		s.left = make([]T, max(n, minList))
	}
	list := s.left[:n:n]
	s.left = s.left[n:]
	copy(list, s.items[mark:])
	clear(s.items[mark:])
	s.items = s.items[:mark]
	return list
}

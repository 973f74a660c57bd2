package lsp

import (
	"iter"
	"sync"
	"sync/atomic"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

// A document is one version of the text of a file, open in the client or on
// disk. It is immutable, and parsed on demand.
type document struct {
	*positionMapper
	uri     string // as the client writes it
	key     string // see uriKey; the name of its source.File
	path    string // of the file, or see unsavedPath; "" when there is none
	open    bool   // the client shows it
	version int32  // as the client counts, 0 when it does not show it

	parsed   sync.Once
	tree     *ast.File
	problems diag.List // of parsing

	indexed   sync.Once
	names     *index // see index
	exporting sync.Once
	exported  []export // tools and types that others can use

	lowered atomic.Pointer[loweredLibraries] // its libraries, as they were last asked for

	basis atomic.Pointer[[]*ast.File] // its imports when something that depends on them was sent; see basisOf

	examining sync.Mutex
	examined  atomic.Pointer[examination] // the last one; reading it never waits
}

func newDocument(uri, text string, e encoding) *document {
	d := &document{positionMapper: newPositionMapper(text, e), uri: uri, key: uriKey(uri)}
	d.path, _ = uriPath(uri)
	return d
}

// isFile reports whether the document is a file, so that others can import it.
func (d *document) isFile() bool { return d.path == d.key }

// file returns the tree of the document, which is never nil, and the problems
// of parsing it.
func (d *document) file() (*ast.File, diag.List) {
	d.parsed.Do(func() { d.tree, d.problems = grammar.Parse(d.key, d.text) })
	return d.tree, d.problems
}

// ast returns the tree of the document.
func (d *document) ast() *ast.File {
	tree, _ := d.file()
	return tree
}

// comments yields the comments of the document, those of a node together.
func (d *document) comments() iter.Seq[*ast.Comment] {
	return func(yield func(*ast.Comment) bool) {
		for n := range ast.Preorder(d.ast()) {
			c := n.Comments()
			if c == nil {
				continue
			}
			for _, list := range [][]*ast.Comment{c.Before, c.Suffix, c.After} {
				for _, comment := range list {
					if !yield(comment) {
						return
					}
				}
			}
		}
	}
}

// source returns the source of the tree.
func (d *document) source() *source.File { return d.ast().Source }

// nodesAt returns the nodes around a position, the outermost first.
func (d *document) nodesAt(p protocol.Position) []ast.Node {
	return ast.PathTo(d.ast(), d.offset(p))
}

// location returns the location of a span of the document.
func (d *document) location(s source.Span) protocol.Location {
	return protocol.Location{URI: d.uri, Range: d.rangeOf(s)}
}

package lsp

import (
	"iter"
	"slices"
	"strings"
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
	path    string // of the file, or see unsavedWorkspacePath; "" when there is none
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

	basis atomic.Pointer[[]*ast.File] // its imports when something that depends on them was sent; see refreshBasis

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

// editsTo returns the edits that make text of the document: none, or one of
// the lines that differ.
func (d *document) editsTo(text string) []protocol.TextEdit {
	if text == d.text {
		return []protocol.TextEdit{}
	}
	start := 0
	for n := min(len(text), len(d.text)); start < n && text[start] == d.text[start]; {
		start++
	}
	start = strings.LastIndexByte(d.text[:start], '\n') + 1
	end := 0
	for n := min(len(text), len(d.text)) - start; end < n && text[len(text)-1-end] == d.text[len(d.text)-1-end]; {
		end++
	}
	tail := d.text[len(d.text)-end:]
	if i := strings.IndexByte(tail, '\n'); i >= 0 {
		end -= i + 1
	} else {
		end = 0
	}
	return []protocol.TextEdit{{Range: d.span(start, len(d.text)-end), NewText: text[start : len(text)-end]}}
}

// lineBreak returns how lines end in the document.
func (d *document) lineBreak() string {
	if n := strings.IndexByte(d.text, '\n'); n > 0 && d.text[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// isSpaced reports whether only whitespace precedes an offset on its line.
func (d *document) isSpaced(offset int) bool {
	line := d.text[:offset]
	return strings.TrimSpace(line[strings.LastIndexByte(line, '\n')+1:]) == ""
}

// indentOf returns the whitespace at the start of the line of an offset.
func (d *document) indentOf(offset int) string {
	line := d.text[strings.LastIndexByte(d.text[:offset], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// wholePattern returns a pattern as text of its own, laid out, with the comments that
// belong to it before it.
func (d *document) wholePattern(p *ast.Pattern) string {
	var b strings.Builder
	if c := p.Comments(); c != nil {
		for _, comment := range slices.Concat(c.Before, c.Suffix) {
			b.WriteString(comment.Text() + d.lineBreak())
		}
	}
	b.WriteString(p.Span().Text())
	return d.laidOut(b.String())
}

func (d *document) hasAgents() bool {
	return slices.ContainsFunc(d.ast().Patterns, func(p *ast.Pattern) bool { _, isAgent := ast.AsAgent(p); return isAgent })
}

// propertyPlace returns where a property is added to the record of a subject, at
// its end, and what is written around it, laid out as the others are.
func (d *document) propertyPlace(s *ast.Subject) (start, end int, before, after string) {
	r := s.Record
	switch {
	case r == nil:
		return s.Span().End, s.Span().End, " {", "}"
	case len(r.Properties) == 0:
		return r.Span().Start, r.Span().End, "{", "}"
	}
	last := r.Properties[len(r.Properties)-1].Span()
	between := " "
	if strings.Contains(d.text[r.Span().Start:r.Properties[0].Span().Start], "\n") {
		between = d.lineBreak() + d.indentOf(r.Properties[0].Span().Start)
	}
	return last.End, last.End, "," + between, ""
}

// commentAt returns the comment that holds an offset, nil when none does.
func (d *document) commentAt(offset int) *ast.Comment {
	for comment := range d.comments() {
		if comment.Span.Start <= offset && offset <= comment.Span.End {
			return comment
		}
	}
	return nil
}

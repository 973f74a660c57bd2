package ast

import (
	"strings"

	"github.com/gram-lang/gramc/source"
)

// A Comment is one comment, from its slashes to the end of its line.
type Comment struct {
	Span   source.Span
	Suffix bool // something else stands before it on its line
}

// Text returns the comment without its line end.
func (c *Comment) Text() string { return strings.TrimRight(c.Span.Text(), " \t\r") }

// Comments are the comments that belong to a node.
type Comments struct {
	Before []*Comment // on lines of their own, before the node
	Suffix []*Comment // after the node, on the line where it ends
	After  []*Comment // after everything else in the node: the end of a file or a list; after the last annotation, too
}

// AttachComments hands each comment to the node that it belongs to: a comment on a line
// of its own to the outermost node that starts after it, a comment after
// something to the outermost node that ends before it on its line, and what is
// left at the end to the innermost node that surrounds it. A comment between
// the annotations of a pattern and the pattern itself belongs to the last of
// the annotations, and one inside a node that has no room for comments, such as
// an arrow without brackets, stands before it. Comments must be in the order of
// the text. The file's span must be its whole text, so that every comment ends
// at exactly one node.
func AttachComments(f *File, comments []*Comment) {
	if len(comments) == 0 {
		return
	}
	(&commentAttacher{comments: comments}).visit(f)
}

type commentAttacher struct {
	comments []*Comment // not yet attached, in order
	last     Node       // the outermost node that ended last
}

// visit walks the tree in the order of the text. Before a node it attaches the
// comments that stand in front of it, at its end those still inside.
func (a *commentAttacher) visit(n Node) {
	span := n.Span()
	if _, whole := n.(*File); !whole {
		a.attach(span.Start, func() *[]*Comment { return &n.base().ownComments().Before })
	}
	if a.next(span.End) {
		if takesNoComments(n) {
			for a.next(span.End) {
				n.base().ownComments().Before = append(n.base().ownComments().Before, a.take())
			}
		} else {
			a.children(n)
		}
		a.attach(span.End, func() *[]*Comment { return &n.base().ownComments().After })
	}
	a.last = n
}

// attach adds the comments that start before an offset to a list, except for those
// that end the line of a node.
func (a *commentAttacher) attach(before int, to func() *[]*Comment) {
	for a.next(before) {
		if c := a.take(); !a.suffix(c) {
			list := to()
			*list = append(*list, c)
		}
	}
}

func (a *commentAttacher) children(n Node) {
	Walk(n, func(child Node) bool {
		if child == n {
			return true
		}
		if child.Span().Start < child.Span().End {
			a.visit(child)
		}
		if p, ok := n.(*Pattern); ok && len(p.Annotations) > 0 && child == Node(p.Annotations[len(p.Annotations)-1]) {
			a.after(child)
		}
		return false
	})
}

// takesNoComments reports whether a node has no room for comments: they could only stand
// between its signs.
func takesNoComments(n Node) bool {
	switch n := n.(type) {
	case *Tagged, *Range:
		return true
	case *Arrow:
		return n.Subject == nil
	}
	return false
}

// next reports whether a comment is left that starts before the offset.
func (a *commentAttacher) next(before int) bool {
	return len(a.comments) > 0 && a.comments[0].Span.Start < before
}

func (a *commentAttacher) take() *Comment {
	c := a.comments[0]
	a.comments = a.comments[1:]
	return c
}

// after attaches what directly follows the last annotation of a pattern.
func (a *commentAttacher) after(n Node) {
	for end := n.Span().End; len(a.comments) > 0; {
		c := a.comments[0].Span
		between := source.Span{File: c.File, Start: min(end, c.Start), End: c.Start}
		if strings.TrimLeft(between.Text(), " \t\r\n\v\f") != "" {
			return
		}
		end = c.End
		a.attach(end, func() *[]*Comment { return &n.base().ownComments().After })
	}
}

// suffix attaches c to the node that ended last, if nothing but the end of a
// list stands between them.
func (a *commentAttacher) suffix(c *Comment) bool {
	if !c.Suffix || a.last == nil {
		return false
	}
	between := source.Span{File: c.Span.File, Start: a.last.Span().End, End: c.Span.Start}
	if strings.ContainsAny(between.Text(), "\n[({|") {
		return false
	}
	a.last.base().ownComments().Suffix = append(a.last.base().ownComments().Suffix, c)
	return true
}

func (b *Base) ownComments() *Comments {
	if b.comments == nil {
		b.comments = &Comments{}
	}
	return b.comments
}

// Comments returns the comments that belong to the node, nil when it has none.
func (b *Base) Comments() *Comments { return b.comments }

package ast

import (
	"fmt"
	"iter"
)

// Walk calls f for n and, where f returns true, for everything below it, in
// the order of the text.
func Walk(n Node, f func(Node) bool) {
	if !f(n) {
		return
	}
	switch n := n.(type) {
	case *File:
		if n.Header != nil {
			Walk(n.Header, f)
		}
		walkList(n.Patterns, f)
	case *Pattern:
		n.walk(f)
	case *Subject:
		if n.Identity != nil {
			Walk(n.Identity, f)
		}
		walkList(n.Labels, f)
		if n.Record != nil {
			Walk(n.Record, f)
		}
	case *Label:
		Walk(n.Name, f)
	case *Arrow:
		if n.Subject != nil {
			Walk(n.Subject, f)
		}
	case *Annotation:
		n.walk(f)
	case *Record:
		walkList(n.Properties, f)
	case *Property:
		Walk(n.Key, f)
		if n.Value != nil {
			Walk(n.Value, f)
		}
	case *Array:
		walkList(n.Elements, f)
	case *Range:
		if n.Lower != nil {
			Walk(n.Lower, f)
		}
		if n.Upper != nil {
			Walk(n.Upper, f)
		}
	case *Name, *String, *Tagged, *Number, *Bool, *Symbol:
	default:
		panic(fmt.Sprintf("ast: walk of a %T", n))
	}
}

func walkList[N Node](list []N, f func(Node) bool) {
	for _, n := range list {
		Walk(n, f)
	}
}

func (p *Pattern) walk(f func(Node) bool) {
	walkList(p.Annotations, f)
	Walk(p.Subject, f)
	for i, e := range p.Elements {
		Walk(e, f)
		if i < len(p.Arrows) {
			Walk(p.Arrows[i], f)
		}
	}
}

func (a *Annotation) walk(f func(Node) bool) {
	if a.Subject != nil {
		Walk(a.Subject, f)
	}
	if a.Key != nil {
		Walk(a.Key, f)
	}
	if a.Value != nil {
		Walk(a.Value, f)
	}
}

// Preorder returns n and everything below it, in the order of the text.
func Preorder(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		ok := true
		Walk(n, func(n Node) bool {
			ok = ok && yield(n)
			return ok
		})
	}
}

// PathTo returns the nodes of a file around a byte offset, the outermost first.
// An offset between two nodes counts as the end of the first: a cursor after a
// name is on the name.
func PathTo(f *File, offset int) []Node {
	var path []Node
	Walk(f, func(n Node) bool {
		if s := n.Span(); offset < s.Start || offset > s.End {
			return false
		}
		if depth := len(path); depth > 0 && !inside(path[depth-1], n) { // a neighbour that starts here
			return false
		}
		path = append(path, n)
		return true
	})
	return path
}

// inside reports whether n lies in the span of outer.
func inside(outer, n Node) bool {
	return outer.Span().Start <= n.Span().Start && n.Span().End <= outer.Span().End
}

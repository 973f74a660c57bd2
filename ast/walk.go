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
		walkIf(n.Header, f)
		walkList(n.Patterns, f)
	case *Pattern:
		walkList(n.Annotations, f)
		Walk(n.Subject, f)
		for i, e := range n.Elements {
			Walk(e, f)
			if i < len(n.Arrows) {
				Walk(n.Arrows[i], f)
			}
		}
	case *Subject:
		walkIf(n.Identity, f)
		walkList(n.Labels, f)
		walkIf(n.Record, f)
	case *Label:
		Walk(n.Name, f)
	case *Arrow:
		walkIf(n.Subject, f)
	case *Annotation:
		walkIf(n.Subject, f)
		walkIf(n.Key, f)
		walkIf(n.Value, f)
	case *Record:
		walkList(n.Properties, f)
	case *Property:
		Walk(n.Key, f)
		walkIf(n.Value, f)
	case *Array:
		walkList(n.Elements, f)
	case *Range:
		walkIf(n.Lower, f)
		walkIf(n.Upper, f)
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

// walkIf walks a node that can be nil.
func walkIf[N interface {
	comparable
	Node
}](n N, f func(Node) bool) {
	var none N
	if n != none {
		Walk(n, f)
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
		if depth := len(path); depth > 0 && !walkInside(path[depth-1], n) { // a neighbour that starts here
			return false
		}
		path = append(path, n)
		return true
	})
	return path
}

// walkInside reports whether n lies in the span of outer.
func walkInside(outer, n Node) bool {
	return outer.Span().Start <= n.Span().Start && n.Span().End <= outer.Span().End
}

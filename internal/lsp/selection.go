package lsp

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// A selection is what a client has selected, and collects the actions for it.
type selection struct {
	*snapshot
	doc        *document
	start, end int
	only       []string
	path       []ast.Node // around start, the outermost first
	actions    []action
}

// wants reports whether the client asked for actions of a kind.
func (o *selection) wants(kind string) bool {
	return len(o.only) == 0 || slices.ContainsFunc(o.only, func(k string) bool {
		return kind == k || k == "" || strings.HasPrefix(kind, k+".")
	})
}

// offer adds an action, if the client wants such.
func (o *selection) offer(a codeAction, change func(c *changes)) {
	if o.wants(a.Kind) {
		o.actions = append(o.actions, action{a, change})
	}
}

// add offers a change that solves no problem.
func (o *selection) add(title, kind string, change func(c *changes)) {
	o.offer(codeAction{Title: title, Kind: kind}, change)
}

// top returns the pattern at the top of the file that the place is in, nil when
// it is in none.
func (o *selection) top() *ast.Pattern {
	if len(o.path) < 2 {
		return nil
	}
	p, _ := o.path[1].(*ast.Pattern)
	return p
}

// isWhole reports whether the pattern at the top parsed without mistakes: no
// other is refactored.
func (o *selection) isWhole() bool {
	p := o.top()
	return p != nil && p.Form != ast.FormBad && !o.isBroken(p)
}

// isBroken reports whether something in a pattern did not parse.
func (o *selection) isBroken(p *ast.Pattern) bool {
	_, problems := o.doc.file()
	return slices.ContainsFunc(problems, func(d *diag.Diagnostic) bool {
		return d.Span.Start <= p.Span().End && p.Span().Start <= d.Span.End
	})
}

// innermost returns the innermost pattern around the place that is no path, and
// the bracket around that; nil where there is none.
func (o *selection) innermost() (p, bracket *ast.Pattern) {
	for _, n := range o.path {
		next, ok := n.(*ast.Pattern)
		if !ok || next.Form == ast.FormPath {
			continue
		}
		if p != nil && p.Form == ast.FormBracket {
			bracket = p
		}
		p = next
	}
	return p, bracket
}

// isApart reports whether patterns can be added beside the pattern at the top
// and removed there. Where something else did not parse, it can be a part of
// that, unless it has its lines for itself.
func (o *selection) isApart() bool {
	if _, problems := o.doc.file(); len(problems) == 0 {
		return true
	}
	at := o.top().Span()
	line, _, _ := strings.Cut(o.doc.text[at.End:], "\n")
	line = strings.TrimSpace(line)
	return at.Start == strings.LastIndexByte(o.doc.text[:at.Start], '\n')+1 && (line == "" || strings.HasPrefix(line, "//"))
}

// files returns the trees of the document and of what it imports.
func (o *selection) files() []*ast.File {
	return append([]*ast.File{o.doc.ast()}, o.examineOptionsOf(o.doc).Imported...)
}

// isDefinedOnce reports whether the document knows one tool or type of a name,
// and no more.
func (o *selection) isDefinedOnce(name string) bool {
	found := 0
	for _, d := range o.visible(o.doc) {
		found += len(d.indexedDefinitions(toolKind, name)) + len(d.indexedDefinitions(typeKind, name))
	}
	return found == 1
}

// typedNode returns the node around the place, if it is a parameter, a result or
// a field, and the bracket around it.
func (o *selection) typedNode() (node, bracket *ast.Pattern) {
	node, bracket = o.innermost()
	if bracket == nil || node.Form != ast.FormNode || node.Broken || len(bracket.Subject.Labels) == 0 {
		return nil, nil
	}
	return node, bracket
}

// declaredProperty returns the innermost property that the place is in, if it
// declares a field.
func (o *selection) declaredProperty() (*ast.Property, bool) {
	for _, n := range slices.Backward(o.path) {
		if p, ok := n.(*ast.Property); ok {
			return p, p.Separator == "::"
		}
	}
	return nil, false
}

// inside reports whether the place is in a node that may be nil, and not at its
// edge.
func (o *selection) inside(r *ast.Record) bool {
	return r != nil && r.Span().Start < o.start && o.start < r.Span().End
}

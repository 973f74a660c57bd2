package format

import (
	"github.com/gram-lang/gramc/ast"
)

// comment prints a comment on a line of its own.
func (p *formatPrinter) comment(c *ast.Comment, blank bool) {
	p.passComment(c)
	p.addText(layoutOp{kind: opComment, blank: blank}, c.Span.Start, c.Span.Start+len(c.Text()))
}

// passComment notes that a comment is printed.
func (p *formatPrinter) passComment(c *ast.Comment) {
	if c.Span.Start < p.behind {
		p.bad = true // printed before, or out of order
	}
	p.behind = c.Span.End
	p.printed++
}

// commentsAtEnd prints comments at the end of the line.
func (p *formatPrinter) commentsAtEnd(comments ...*ast.Comment) {
	for _, c := range comments {
		p.passComment(c)
		p.addText(layoutOp{kind: opSuffix}, c.Span.Start, c.Span.Start+len(c.Text()))
	}
}

// commentsBefore prints the comments in front of a node that are not printed yet.
func (p *formatPrinter) commentsBefore(n ast.Node) {
	if !hasLeadingComments(n) {
		return
	}
	for i, b := range n.Comments().Before {
		if b.Span.End > p.behind {
			p.comment(b, i > 0 && p.blankBefore(b.Span.Start))
		}
	}
	if p.blankBefore(n.Span().Start) {
		p.step(opBlank)
	}
}

// openingComment prints the comment on the line of an opening bracket, which belongs
// to the node that comes next.
func (p *formatPrinter) openingComment(n ast.Node) {
	if hasLeadingComments(n) && n.Comments().Before[0].Suffix {
		p.commentsAtEnd(n.Comments().Before[0])
	}
}

// suffixComments prints the comments that end the line of a node.
func (p *formatPrinter) suffixComments(n ast.Node) { p.commentsAtEnd(comments(n).Suffix...) }

// closingComments prints the comments at the end of a node, before its last bracket.
// In a node that has nothing else, the first of them may follow the opening
// bracket.
func (p *formatPrinter) closingComments(n ast.Node, empty bool) {
	after := comments(n).After
	if len(after) == 0 {
		return
	}
	p.step(opIndent)
	for i, a := range after {
		switch {
		case a.Span.Start >= n.Span().End: // after an annotation
		case i == 0 && empty && a.Suffix:
			p.commentsAtEnd(a)
		default:
			p.comment(a, (i > 0 || !empty) && p.blankBefore(a.Span.Start))
		}
	}
	p.step(opDedent)
}

// comments returns the comments of a node.
func comments(n ast.Node) ast.Comments {
	if c := n.Comments(); c != nil {
		return *c
	}
	return ast.Comments{}
}

// hasLeadingComments reports whether comments stand before a node.
func hasLeadingComments(n ast.Node) bool { return len(comments(n).Before) > 0 }

// startWithComments returns where a node starts, with the comments in front of it.
func startWithComments(n ast.Node) int {
	if hasLeadingComments(n) {
		return n.Comments().Before[0].Span.Start
	}
	return n.Span().Start
}

// endWithComments returns where a node ends, with the comments after it.
func endWithComments(n ast.Node) int {
	if s := comments(n).Suffix; len(s) > 0 {
		return s[len(s)-1].Span.End
	}
	return n.Span().End
}

const whitespace = " \t\n\v\f\r"

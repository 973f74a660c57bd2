package format

import "github.com/gram-lang/gramc/ast"

func (p *formatPrinter) pattern(n *ast.Pattern) {
	p.commentsBefore(n)
	p.annotations(n)
	switch n.Form {
	case ast.FormBad:
		p.bad = true
	case ast.FormRef:
		p.subject(n.Subject)
	case ast.FormNode:
		p.enclosedPattern("(", n, n.Subject, ")")
	case ast.FormBracket:
		p.bracket(n)
	case ast.FormPath:
		p.path(n)
	}
	p.suffixComments(n)
}

// annotations prints the annotations of a pattern, each on a line if the author
// broke the line after the first.
func (p *formatPrinter) annotations(n *ast.Pattern) {
	if len(n.Annotations) == 0 {
		return
	}
	p.begin(p.breakAfter(n.Annotations[0].Span().End), false)
	for _, a := range n.Annotations {
		p.annotation(a)
		p.add(layoutOp{kind: opLine, space: true})
	}
	p.step(opEnd)
}

func (p *formatPrinter) annotation(a *ast.Annotation) {
	p.commentsBefore(a)
	if a.Identified {
		p.token("@@")
		p.subject(a.Subject)
		p.suffixComments(a.Subject)
	} else {
		p.token("@")
		p.patternName(a.Key)
		p.token("(")
		p.value(a.Value)
		p.closingComments(a, false)
		p.token(")")
	}
	p.suffixComments(a)
	for _, after := range comments(a).After {
		if after.Span.Start >= a.Span().End {
			p.comment(after, p.blankBefore(after.Span.Start))
		}
	}
}

// enclosedPattern prints the subject of a node, bracket or arrow between brackets.
func (p *formatPrinter) enclosedPattern(open string, n ast.Node, s *ast.Subject, closing string) {
	p.token(open)
	p.openingComment(s)
	p.subject(s)
	p.suffixComments(s)
	p.closingComments(n, s.Span().Start == s.Span().End)
	p.token(closing)
}

// bracket prints [subject | element, …].
func (p *formatPrinter) bracket(n *ast.Pattern) {
	if len(n.Elements) == 0 {
		p.enclosedPattern("[", n, n.Subject, "]")
		return
	}
	p.token("[")
	p.openingComment(n.Subject)
	p.subject(n.Subject)
	p.suffixComments(n.Subject)
	p.step(opSpace)
	p.token("|")
	formatValueList(p, n, endWithComments(n.Subject) > n.Subject.Span().End, true, n.Elements, "]", (*formatPrinter).pattern)
}

// subject prints name:Label {record}, without the comments after it.
func (p *formatPrinter) subject(s *ast.Subject) {
	p.commentsBefore(s)
	if s.Identity != nil {
		p.patternName(s.Identity)
	}
	for _, l := range s.Labels {
		p.commentsBefore(l)
		p.token(l.Separator)
		p.patternName(l.Name)
		p.suffixComments(l)
	}
	if s.Record != nil {
		if s.Identity != nil || len(s.Labels) > 0 {
			p.step(opSpace)
		}
		p.value(s.Record)
	}
}

func (p *formatPrinter) patternName(n *ast.Name) {
	p.commentsBefore(n)
	p.valueSpelling(n)
	p.suffixComments(n)
}

// path prints nodes with arrows between them. One arrow stays on the line of a node
// whose record is broken.
func (p *formatPrinter) path(n *ast.Pattern) {
	p.begin(p.breakAfter(n.Elements[0].Span().End), len(n.Arrows) == 1)
	p.pattern(n.Elements[0])
	p.step(opIndent)
	for i, a := range n.Arrows {
		p.step(opLine)
		p.arrow(a)
		p.pattern(n.Elements[i+1])
	}
	p.step(opDedent, opEnd)
}

func (p *formatPrinter) arrow(a *ast.Arrow) {
	p.commentsBefore(a)
	first, second := a.Halves()
	p.token(first)
	if a.Subject != nil {
		p.enclosedPattern("[", a, a.Subject, "]")
	}
	p.token(second)
	p.suffixComments(a)
}

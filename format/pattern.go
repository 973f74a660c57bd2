package format

import "github.com/gram-lang/gramc/ast"

func (p *printer) pattern(n *ast.Pattern) {
	p.before(n)
	p.annotations(n)
	switch n.Form {
	case ast.FormBad:
		p.bad = true
	case ast.FormRef:
		p.subject(n.Subject)
	case ast.FormNode:
		p.token("(")
		p.opening(n.Subject)
		p.subject(n.Subject)
		p.suffix(n.Subject)
		p.closing(n, n.Subject.Span().Start == n.Subject.Span().End)
		p.token(")")
	case ast.FormBracket:
		p.bracket(n)
	case ast.FormPath:
		p.path(n)
	}
	p.suffix(n)
}

// annotations prints the annotations of a pattern, each on a line if the author
// broke the line behind the first.
func (p *printer) annotations(n *ast.Pattern) {
	if len(n.Annotations) == 0 {
		return
	}
	p.begin(p.breakAfter(n.Annotations[0].Span().End), false)
	for _, a := range n.Annotations {
		p.annotation(a)
		p.add(op{kind: opLine, text: " "})
	}
	p.add(op{kind: opEnd})
}

func (p *printer) annotation(a *ast.Annotation) {
	p.before(a)
	if a.Identified {
		p.token("@@")
		p.subject(a.Subject)
		p.suffix(a.Subject)
	} else {
		p.token("@")
		p.name(a.Key)
		p.token("(")
		p.value(a.Value)
		p.closing(a, false)
		p.token(")")
	}
	p.suffix(a)
	if c := a.Comments(); c != nil {
		for _, after := range c.After {
			if after.Span.Start >= a.Span().End {
				p.comment(after, p.blankBefore(after.Span.Start))
			}
		}
	}
}

// bracket prints [subject | element, …].
func (p *printer) bracket(n *ast.Pattern) {
	p.token("[")
	p.opening(n.Subject)
	p.subject(n.Subject)
	if len(n.Elements) == 0 {
		p.suffix(n.Subject)
		p.closing(n, n.Subject.Span().Start == n.Subject.Span().End)
		p.token("]")
		return
	}
	p.suffix(n.Subject)
	p.add(op{kind: opSpace})
	p.token("|")
	first := n.Elements[0]
	p.begin(p.breaksBefore(start(first)) > 0 || end(n.Subject) > n.Subject.Span().End, false)
	p.opening(first)
	p.add(op{kind: opIndent})
	p.add(op{kind: opLine, text: " "})
	for i, e := range n.Elements {
		if i > 0 {
			p.comma(e)
		}
		p.pattern(e)
	}
	p.add(op{kind: opDedent})
	p.closing(n, false)
	p.add(op{kind: opLine})
	p.token("]")
	p.add(op{kind: opEnd})
}

// subject prints name:Label {record}, without the comments behind it.
func (p *printer) subject(s *ast.Subject) {
	p.before(s)
	if s.Identity != nil {
		p.name(s.Identity)
	}
	for _, l := range s.Labels {
		p.before(l)
		p.token(l.Separator)
		p.name(l.Name)
		p.suffix(l)
	}
	if s.Record != nil {
		if s.Identity != nil || len(s.Labels) > 0 {
			p.add(op{kind: opSpace})
		}
		p.value(s.Record)
	}
}

func (p *printer) name(n *ast.Name) {
	p.before(n)
	p.spelling(n)
	p.suffix(n)
}

// path prints nodes with arrows between them. One arrow stays behind a node
// whose record is broken.
func (p *printer) path(n *ast.Pattern) {
	p.begin(p.breakAfter(n.Elements[0].Span().End), len(n.Arrows) == 1)
	p.pattern(n.Elements[0])
	p.add(op{kind: opIndent})
	for i, a := range n.Arrows {
		p.add(op{kind: opLine})
		p.arrow(a)
		p.pattern(n.Elements[i+1])
	}
	p.add(op{kind: opDedent})
	p.add(op{kind: opEnd})
}

func (p *printer) arrow(a *ast.Arrow) {
	p.before(a)
	first, second := a.Halves()
	p.token(first)
	if a.Subject != nil {
		p.token("[")
		p.opening(a.Subject)
		p.subject(a.Subject)
		p.suffix(a.Subject)
		p.closing(a, a.Subject.Span().Start == a.Subject.Span().End)
		p.token("]")
	}
	p.token(second)
	p.suffix(a)
}

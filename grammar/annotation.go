package grammar

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
)

// annotatedPattern reads a top-level pattern with its annotations, nil when no pattern
// follows them.
func (c *cursor) annotatedPattern() *ast.Pattern {
	noted := c.noted
	var list []*ast.Annotation
	complete := true
	for complete && c.in(1<<tokAt|1<<tokAts) {
		c.fresh()
		a := &ast.Annotation{Identified: c.at(tokAts)}
		if a.Identified {
			c.identifiedAnnotation(a, list)
		} else {
			complete = c.keyedAnnotation(a)
		}
		list = append(list, a)
	}
	if !complete || !c.in(patterns) {
		if c.noted == noted {
			c.unexpected("@key(value) or @@name, then the pattern it annotates").offerFix(c.annotationFixes(list[len(list)-1])...)
		}
		c.skipToParseablePattern()
		return nil
	}
	c.fresh()
	var p *ast.Pattern
	if c.at(tokLeftBracket) {
		p = c.bracket()
	} else {
		p = c.path()
	}
	p.Annotations = list
	p.Base = ast.At(list[0].Span().To(p.Span()))
	return p
}

// keyedAnnotation reads @key(value) and reports whether all of it is there.
func (c *cursor) keyedAnnotation(a *ast.Annotation) bool {
	start := c.next().begin()
	if !c.in(1<<tokSymbol | 1<<tokBacktick) {
		return false
	}
	a.Key = c.name()
	if !c.accept(tokLeftParen) || c.at(tokRightParen) || c.atEnd() {
		return false
	}
	a.Value = c.value()
	if !c.accept(tokRightParen) {
		return false
	}
	a.Base = c.since(start)
	return true
}

// identifiedAnnotation reads @@name:Label, which stands before all other annotations.
func (c *cursor) identifiedAnnotation(a *ast.Annotation, before []*ast.Annotation) {
	sign := c.next()
	start := c.peek().begin()
	a.Subject = &ast.Subject{Identity: c.subjectIdentity(), Labels: c.subjectLabels()}
	a.Subject.Base = c.since(min(start, c.end()))
	a.Base = c.since(sign.begin())
	switch {
	case a.Subject.Identity == nil && a.Subject.Labels == nil:
		c.unexpected("a name or a label after @@")
	case c.at(tokLeftBrace):
		p, at := c.unexpected("the pattern that @@ annotates; a record goes inside that pattern"), c.peek().begin()
		p.fixWith(annotationRecordFix(c, at))
	}
	if len(before) > 0 {
		c.note(sign.begin(), sign.end(), "@@ stands once, before all other annotations").fixWith(fixAnnotationOrder(a, before[0]))
	}
}

// fixAnnotationOrder removes a @@ that does not stand before all other annotations,
// or moves it there. With a value, @@key(value), it was to be one @.
func fixAnnotationOrder(a, first *ast.Annotation) lazyFixes {
	return func(text string) []fix {
		start, end := a.Span().Start, a.Span().End
		if strings.HasPrefix(text[end:], "(") && a.Subject.Labels == nil {
			return []fix{{title: "write @", safe: true, edits: []edit{{start, start + len("@"), ""}}}}
		}
		if first.Identified {
			return []fix{changeFix("remove it", start, end, "")}
		}
		space := len(text[end:]) - len(strings.TrimLeft(text[end:], " \t"))
		to := first.Span().Start
		return []fix{{title: "move it to the front", safe: true, edits: []edit{
			{to, to, text[start:end] + " "},
			{start, end + space, ""},
		}}}
	}
}

// annotationFixes returns the fixes of what stands where the last annotation, or
// the pattern after it, goes wrong.
func (c *cursor) annotationFixes(last *ast.Annotation) []fix {
	t := c.peek()
	switch {
	case t.kind == tokDouble || t.kind == tokSingle: // @"key"
		return []fix{fixAsNameToken(t)}
	case c.previous().kind == tokLeftParen && t.kind == tokRightParen: // @key()
		return []fix{insertFix("true", t.begin())}
	case !last.Identified && last.Span().End > 0: // @key (a)
		if end := last.Key.Span().End; c.scan.text[end] != '(' {
			return []fix{insertFix("(true)", end)}
		}
	}
	return nil
}

// annotationRecordFix writes the record after @@name as annotations.
func annotationRecordFix(c *cursor, start int) lazyFixes {
	r := c.record()
	end := c.end()
	if len(r.Properties) == 0 {
		return func(string) []fix { return []fix{changeFix("remove the record", start, end, "")} }
	}
	return func(text string) []fix {
		var all []string
		for _, p := range r.Properties {
			if p.Value == nil || lexSymbolLength(p.Key.Raw) < len(p.Key.Raw) {
				return nil
			}
			value := p.Value.Span()
			all = append(all, "@"+p.Key.Raw+"("+text[value.Start:value.End]+")")
		}
		return []fix{changeFix("write annotations", start, end, strings.Join(all, " "))}
	}
}

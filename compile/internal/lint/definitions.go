package lint

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// This file holds the rules about names in any gram file: a name has one
// definition, a pattern is no element of itself, and what is referred to
// exists. Agents, tools and types have rules of their own.

// definers are the names of a file.
type definers struct {
	first map[string]definition // by name
	refs  []*ast.Pattern        // references that should be defined
}

// A definition is a place that says what a name is.
type definition struct {
	subject  *ast.Subject
	text     string // what the subject says, when it was asked for
	elements []*ast.Pattern
}

// definitions checks the names of a file.
func (c *Linter) definitions(f *ast.File) {
	d := &definers{first: map[string]definition{}}
	for _, p := range f.Patterns {
		c.define(d, p)
	}
	if len(d.refs) == 0 {
		return
	}
	named := map[string]bool{} // every name that stands anywhere but in a reference
	for _, p := range f.Patterns {
		for _, a := range p.Annotations {
			if a.Subject != nil && a.Subject.Identity != nil {
				named[a.Subject.Identity.Text] = true
			}
		}
		addNames(named, p)
	}
	for _, ref := range d.refs {
		if !named[ref.Identity()] {
			if len(c.Diags) > maxDiagnostics {
				break
			}
			c.Diags.Hintf(ref.Span(), diag.CodeUndefinedReference, "nothing in this file is named %s", report.Quote(ref.Identity()))
		}
	}
}

// addNames adds the names of p and below, those in agents, tools and types too.
func addNames(named map[string]bool, p *ast.Pattern) {
	if p.Form != ast.FormRef {
		named[p.Identity()] = true
	}
	for _, e := range p.Elements {
		addNames(named, e)
	}
	for _, a := range p.Arrows {
		if a.Subject != nil && a.Subject.Identity != nil {
			named[a.Subject.Identity.Text] = true
		}
	}
}

// define collects what p and what is below it define. Agents, tools and types
// have rules of their own, and so has all inside of them.
func (c *Linter) define(d *definers, p *ast.Pattern) {
	switch {
	case c.HasOwnRules(p):
		return
	case p.Form == ast.FormBad:
	case p.Form == ast.FormRef:
		d.refs = append(d.refs, p)
	case p.Form == ast.FormBracket, definesName(p.Subject):
		c.defineOnce(d, p.Subject, p.Elements)
		c.selfDefinition(p)
	}
	for i, e := range p.Elements {
		c.define(d, e)
		if i < len(p.Arrows) && p.Arrows[i].Subject != nil && definesName(p.Arrows[i].Subject) {
			c.defineOnce(d, p.Arrows[i].Subject, nil)
		}
	}
}

// definesName reports whether a node or an arrow defines its name. One with a type,
// ::Text, is a parameter.
func definesName(s *ast.Subject) bool {
	for _, l := range s.Labels {
		if l.Separator == "::" {
			return false
		}
	}
	return len(s.Labels) > 0 || s.Record != nil
}

// defineOnce notes a definition, or reports that there is one already.
func (c *Linter) defineOnce(d *definers, s *ast.Subject, elements []*ast.Pattern) {
	if s.Identity == nil {
		return
	}
	name := s.Identity.Text
	first, defined := d.first[name]
	if !defined {
		d.first[name] = definition{subject: s, elements: elements}
		return
	}
	if first.text == "" {
		first.text = definitionMeaning(first.subject)
		d.first[name] = first
	}
	if definitionMeaning(s) != first.text || writtenDefinition(elements) != writtenDefinition(first.elements) {
		found := c.Diags.Warnf(s.Identity.Span(), diag.CodeDuplicateDefinition, "%s is defined differently elsewhere in this file", report.Quote(name))
		report.Relate(found, first.subject.Identity.Span(), "first here")
		return
	}
	found := c.Diags.Hintf(s.Identity.Span(), diag.CodeDuplicateDefinition, "%s is defined twice in the same words", report.Quote(name))
	report.Relate(found, first.subject.Identity.Span(), "first here")
	if definesName(s) && !s.Identity.Span().IsZero() && len(elements) == 0 {
		rest := source.Span{File: s.Span().File, Start: s.Identity.Span().End, End: s.Span().End}
		found.Fix("refer to it by its name alone", rest, "")
	}
}

// writtenDefinition returns the text of some elements.
func writtenDefinition(elements []*ast.Pattern) string {
	if len(elements) == 0 {
		return ""
	}
	all := elements[0].Span().To(elements[len(elements)-1].Span())
	if all.Start > all.End {
		return ""
	}
	return all.Text()
}

// definitionMeaning returns what a subject says of its name, however it is written.
func definitionMeaning(s *ast.Subject) string {
	var labels []string
	for _, l := range s.Labels {
		labels = append(labels, l.Name.Text)
	}
	slices.Sort(labels)
	parts := slices.Compact(labels)
	if s.Record != nil && len(s.Record.Properties) > 0 {
		parts = append(parts, ast.Print(s.Record))
	}
	return strings.Join(parts, "\x00") + "."
}

// selfDefinition reports a pattern that names itself among its elements.
func (c *Linter) selfDefinition(p *ast.Pattern) {
	for i, e := range p.Elements {
		if e.Form != ast.FormRef || e.Identity() != p.Identity() {
			continue
		}
		d := c.Diags.Warnf(e.Span(), diag.CodeSelfReference, "%s is an element of itself", report.Quote(p.Identity()))
		s := e.Span()
		switch {
		case len(p.Elements) == 1:
			s.Start = p.Subject.Span().End
		case i == 0:
			s.End = p.Elements[1].Span().Start
		default:
			s.Start = p.Elements[i-1].Span().End
		}
		if !p.Span().IsZero() && s.Start < s.End {
			d.Fix("remove it", s, "")
		}
	}
}

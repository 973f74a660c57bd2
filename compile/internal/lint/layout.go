package lint

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// This file warns of whitespace, line ends and comments that gram allows and that
// nobody expects. A node that was made in code has no layout.

// whitespaceLayout reports the layout between two parts that belong together, from
// one offset of a span to another: whitespace can go, a comment is the author's.
func (c *Linter) whitespaceLayout(s source.Span, from, to int, message string) {
	between := source.Span{File: s.File, Start: s.Start + from, End: s.Start + to}
	if text := strings.TrimSpace(between.Text()); text != "" && !strings.HasPrefix(text, "//") {
		return // it did not parse
	}
	if strings.Contains(between.Text(), "//") {
		c.Diags.Hintf(between, diag.CodeOddLayout, "%s; there is a comment between", message)
		return
	}
	d := c.Diags.Warnf(between, diag.CodeOddLayout, "%s; nothing should stand between", message)
	d.Fix("join them", between, "").MarkSafe()
}

// tagLayout reports a tag that does not touch its text: the two look like two
// values.
func (c *Linter) tagLayout(v *ast.Tagged) {
	text := v.Span().Text()
	if quoted := len(v.Raw) - len(v.Tag); len(text) > len(v.Raw) && len(v.Raw) > 0 {
		c.whitespaceLayout(v.Span(), len(v.Tag), len(text)-quoted, "the tag "+report.Clip(v.Tag)+" and the text behind it are one value")
	}
}

// fenceLayout reports a comment on the line that opens a fence.
func (c *Linter) fenceLayout(s source.Span, raw string) {
	head, _, _ := strings.Cut(raw, "\n")
	if n := strings.Index(head, "//"); n >= 0 && !s.IsZero() {
		c.Diags.Hintf(source.Span{File: s.File, Start: s.Start + n, End: s.Start + len(strings.TrimRight(head, "\r"))},
			diag.CodeOddLayout, "a comment, and no part of the text")
	}
}

// labelLayout reports a comment between a colon and its label.
func (c *Linter) labelLayout(l *ast.Label) {
	if l.Span().IsZero() {
		return
	}
	if from, to := len(l.Separator), l.Name.Span().Start-l.Span().Start; to > from && strings.Contains(l.Span().Text()[from:to], "//") {
		c.whitespaceLayout(l.Span(), from, to, "the label "+report.Clip(l.Name.Text)+" belongs to the colon")
	}
}

// arrowLayout reports an arrow in two halves.
func (c *Linter) arrowLayout(a *ast.Arrow) {
	text := a.Span().Text()
	n := len(text) - len(strings.TrimLeft(text, "<-=~>"))
	if a.Subject != nil || n == len(text) {
		return
	}
	c.whitespaceLayout(a.Span(), n, len(strings.TrimRight(text, "-=~>")), "the two halves make one arrow")
}

// dashesLayout reports a line of nothing but two dashes: it looks like a
// divider and joins what it should divide.
func (c *Linter) dashesLayout(p *ast.Pattern) {
	for i, a := range p.Arrows {
		s := a.Span()
		if a.Subject != nil || a.Direction != ast.Undirected || s.IsZero() {
			continue
		}
		between := source.Span{File: s.File, Start: p.Elements[i].Span().End, End: p.Elements[i+1].Span().Start}
		if between.Start > s.Start || between.End < s.End {
			continue
		}
		before, after, _ := strings.Cut(between.Text(), s.Text())
		if !strings.Contains(before, "\n") || !strings.Contains(after, "\n") {
			continue
		}
		d := c.Diags.Warnf(s, diag.CodeOddLayout, "this line joins the node above it with the one below")
		d.Fix("make it a comment", s, "//")
		if strings.TrimSpace(before+after) == "" {
			d.Fix("write it on one line", between, s.Text())
		}
	}
}

// quoteLayout reports a text in quotes that goes on after its line: its
// content, body, ends at n.
func (c *Linter) quoteLayout(s source.Span, body string, n int) {
	start := s.End - 1 - len(body) + len(strings.TrimSuffix(body[:n], "\r"))
	if s.IsZero() || start < s.Start {
		return
	}
	rest := source.Span{File: s.File, Start: start, End: s.End - 1}
	d := c.Diags.Warnf(rest, diag.CodeOddLayout, "the text ends with its line; the quote that closes it stands on a later one")
	d.Fix("close it on its line", rest, "")
	if strings.TrimSpace(rest.Text()) == "" {
		d.MarkSafe()
	}
}

// carriageReturnsLayout reports comments that go on behind a carriage return: some
// editors show a new line there.
func (c *Linter) carriageReturnsLayout(f *ast.File) {
	if f.Source == nil || strings.Count(f.Source.Text(), "\r") == strings.Count(f.Source.Text(), "\r\n") {
		return
	}
	for n := range ast.Preorder(f) {
		comments := n.Comments()
		if comments == nil {
			continue
		}
		for _, list := range [][]*ast.Comment{comments.Before, comments.Suffix, comments.After} {
			for _, comment := range list {
				c.carriageReturnLayout(comment)
			}
		}
	}
}

func (c *Linter) carriageReturnLayout(comment *ast.Comment) {
	text := comment.Text()
	at := strings.IndexByte(text, '\r')
	if at < 0 {
		return
	}
	s := comment.Span
	s.Start, s.End = s.Start+at, s.Start+at+1
	d := c.Diags.Warnf(s, diag.CodeOddLayout, "a carriage return does not end a comment; what follows is part of it")
	d.Fix("end the line here", s, "\n")
}

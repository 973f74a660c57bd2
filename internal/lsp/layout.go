package lsp

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
)

// This file holds what the refactorings share: to take patterns out of a text,
// and to write them elsewhere.

// lineBreak returns how lines end in the document.
func (d *document) lineBreak() string {
	if n := strings.IndexByte(d.text, '\n'); n > 0 && d.text[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// isSpaced reports whether only whitespace precedes an offset on its line.
func (d *document) isSpaced(offset int) bool {
	line := d.text[:offset]
	return strings.TrimSpace(line[strings.LastIndexByte(line, '\n')+1:]) == ""
}

// indentOf returns the whitespace at the start of the line of an offset.
func (d *document) indentOf(offset int) string {
	line := d.text[strings.LastIndexByte(d.text[:offset], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// wholePattern returns a pattern as text of its own, laid out, with the comments that
// belong to it before it.
func (d *document) wholePattern(p *ast.Pattern) string {
	var b strings.Builder
	if c := p.Comments(); c != nil {
		for _, comment := range slices.Concat(c.Before, c.Suffix) {
			b.WriteString(comment.Text() + d.lineBreak())
		}
	}
	b.WriteString(p.Span().Text())
	return d.laid(b.String())
}

// laid returns a text laid out, without a line end behind it.
func (d *document) laid(text string) string {
	file, _ := grammar.Parse("", text+d.lineBreak())
	return strings.TrimRight(format.File(file, nil), whitespace)
}

// indentText puts an indent before each line of a text but the first. The inside of
// texts stays.
func indentText(text, by string) string {
	return respace(text, func(space string) string { return strings.ReplaceAll(space, "\n", "\n"+by) })
}

// withBreaks ends the lines of a text otherwise. The inside of texts stays.
func withBreaks(text, lineBreak string) string {
	return respace(text, func(space string) string {
		return strings.ReplaceAll(strings.ReplaceAll(space, "\r\n", "\n"), "\n", lineBreak)
	})
}

// respace changes the whitespace of a text that is not inside of texts.
func respace(text string, f func(space string) string) string {
	var b strings.Builder
	scan := grammar.NewScanner(text)
	for last := 0; ; {
		t := scan.Next()
		b.WriteString(f(text[last:t.Start]) + text[t.Start:t.End])
		if last = t.End; t.Kind == grammar.EndToken {
			return b.String()
		}
	}
}

// hasComments reports whether there are comments inside of a node.
func hasComments(n ast.Node) bool {
	return strings.Contains(n.Span().Text(), "//") && slices.ContainsFunc(slices.Collect(ast.Preorder(n)), func(child ast.Node) bool {
		c := child.Comments()
		return c != nil && (child != n || len(c.After) > 0)
	})
}

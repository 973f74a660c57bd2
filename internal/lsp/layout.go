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

// laidOut returns a text laid out, without a line end behind it.
func (d *document) laidOut(text string) string {
	file, _ := grammar.Parse("", text+d.lineBreak())
	return strings.TrimRight(format.File(file, nil), whitespace)
}

// indentText puts an indent before each line of a text but the first. The inside of
// texts stays.
func indentText(text, by string) string {
	return respace(text, func(space string) string { return strings.ReplaceAll(space, "\n", "\n"+by) })
}

// withLineBreaks ends the lines of a text otherwise. The inside of texts stays.
func withLineBreaks(text, lineBreak string) string {
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

// indentAt returns the indent of a line that starts at an offset, with rest as
// its first word.
func (d *document) indentAt(start int, rest string) string {
	around := d.contextAt(start).top()
	if around == nil {
		if lineStartsArrow(rest) {
			return strings.Repeat(" ", indentWidth)
		}
		return ""
	}
	indent := d.indentOf(around.start)
	switch {
	case rest != "" && strings.IndexByte("]})", rest[0]) >= 0:
		return indent
	case lineStartsArrow(rest):
		return indent + strings.Repeat(" ", 2*indentWidth)
	}
	return indent + strings.Repeat(" ", indentWidth)
}

// lineStartsArrow reports whether a line goes on with a path: --> or <==, but no
// number.
func lineStartsArrow(rest string) bool {
	rest = strings.TrimPrefix(rest, "<")
	return len(rest) > 1 && strings.IndexByte("-=~", rest[0]) >= 0 && strings.IndexByte("-=~[>", rest[1]) >= 0
}

func skipWhitespace(text string, i int) int {
	for i < len(text) && strings.IndexByte(whitespace, text[i]) >= 0 {
		i++
	}
	return i
}

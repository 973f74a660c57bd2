package grammar

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A fix is one way to fix a problem, before it is tied to a file.
type fix struct {
	title string
	safe  bool // the only fix that anyone would choose
	edits []edit
}

type edit struct {
	start, end int
	text       string
}

// lazyFixes makes the fixes of a problem from the text of the file when the problem
// is reported, since most never are.
type lazyFixes func(text string) []fix

// changeFix is the fix that replaces what stands between two offsets.
func changeFix(title string, start, end int, text string) fix {
	return fix{title: title, edits: []edit{{start, end, text}}}
}

// asSafe marks a fix as the only one that anyone would choose.
func (f fix) asSafe() fix {
	f.safe = true
	return f
}

// offerFix adds fixes, the best first.
func (p *problem) offerFix(fixes ...fix) *problem {
	p.lazyFixes = func(string) []fix { return fixes }
	return p
}

// fixWith sets how the fixes are made.
func (p *problem) fixWith(fixes lazyFixes) { p.lazyFixes = fixes }

// diagFixes returns the fixes of a problem.
func (p *problem) diagFixes(src *source.File) []diag.Fix {
	var list []diag.Fix
	for i, f := range p.fixes {
		made := diag.Fix{Title: f.title, Safe: f.safe && i == 0}
		for _, e := range f.edits {
			made.Edits = append(made.Edits, diag.Edit{Span: src.Span(e.start, e.end), NewText: e.text})
		}
		list = append(list, made)
	}
	return list
}

// insertFix is the fix that writes text at an offset.
func insertFix(text string, at int) fix {
	return changeFix("add "+strings.TrimSpace(text), at, at, text)
}

// fixAsName returns text as an identifier.
func fixAsName(text string) string { return ast.Print(ast.NewName(text)) }

// fixAsNameToken is the fix that writes a text in quotes as an identifier.
func fixAsNameToken(t token) fix {
	text, _ := unquoteText(t.text)
	f := writeFix(t.begin(), t.end(), fixAsName(text))
	f.safe = len(text) <= 40 && !strings.ContainsAny(text, "`.,;!?")
	return f
}

// fixAsKey returns text as a key.
func fixAsKey(text string) string {
	if lexSymbolLength(text) == len(text) && text != "" {
		return text
	}
	return ast.Print(&ast.Name{Kind: ast.NameDouble, Text: text})
}

// writeFix is the fix that replaces what stands between two offsets by what is
// shown in its title.
func writeFix(start, end int, text string) fix {
	return changeFix("write "+clipMessage(text), start, end, text)
}

// fixLine returns what follows an offset on its line, as much of it as a fix
// may be about.
func fixLine(text string, at int) string {
	const most = 4096
	near := text[at:min(len(text), at+most)]
	return near[:lexLineEnd(near, 0)]
}

// fixBalanced returns the length of the bracket that text starts with, 0 when it
// is not closed on its line or holds quotes.
func fixBalanced(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			if depth--; depth == 0 {
				return i + 1
			}
		case '\n', '"', '\'', '`':
			return 0
		}
	}
	return 0
}

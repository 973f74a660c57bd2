package report

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/spell"
	"github.com/gram-lang/gramc/source"
)

// Fix adds an edit where there is a text to edit.
func Fix(d *diag.Diagnostic, title string, s source.Span, text string) {
	if !s.IsZero() {
		d.Fix(title, s, text)
	}
}

// SafeFix is fix for what nobody would fix differently.
func SafeFix(d *diag.Diagnostic, title string, s source.Span, text string) {
	if !s.IsZero() {
		d.Fix(title, s, text).MarkSafe()
	}
}

// Respell adds the fix that writes the word of a closed vocabulary that was
// meant. It is safe where the word is but a slip away.
func Respell(d *diag.Diagnostic, s source.Span, word, meant string) {
	if spell.Slip(word, meant) && !strings.HasSuffix(word, meant) { // else the letter before may be a name: ::bInt
		SafeFix(d, "write "+meant, s, meant)
	} else {
		Fix(d, "write "+meant, s, meant)
	}
}

// FixName adds to a diagnostic about a name that nothing defines the fixes for a definition
// with a name that is like it: to write that, and to rename the definition. The first is
// what the rest of the file speaks for.
func FixName(d *diag.Diagnostic, name string, definition *ast.Pattern) {
	near := definition.Identity()
	Fix(d, "write "+Clip(near), d.Span, near)
	defined := definition.Subject.Identity.Span()
	if defined.File != d.Span.File {
		return
	}
	rename := diag.Fix{Title: "rename " + Clip(near) + " to " + Clip(name), Edits: []diag.Edit{{Span: defined, NewText: ast.Print(ast.NewName(name))}}}
	at := len(d.Fixes)
	if text := defined.File.Text(); fixWordCount(text, near) == 1 && fixWordCount(text, name) > 1 {
		at--
	}
	d.Fixes = slices.Insert(d.Fixes, at, rename)
}

// fixWordCount returns how often a name is in a text, not as a part of a longer one. It counts no
// further than 2.
func fixWordCount(text, name string) (n int) {
	for n < 2 {
		before, after, found := strings.Cut(text, name)
		if !found {
			break
		}
		if !fixEndsInWord(before) && !fixStartsWithWord(after) {
			n++
		}
		text = after
	}
	return n
}

func fixEndsInWord(text string) bool {
	return text != "" && isFixWordByte(text[len(text)-1])
}

func fixStartsWithWord(text string) bool { return text != "" && isFixWordByte(text[0]) }

func isFixWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// AddTool adds the fix that gives an agent the tool of a name.
func AddTool(d *diag.Diagnostic, a ast.Agent, tool string) {
	title, name := "add "+Clip(tool)+" to the agent", ast.Print(ast.NewName(tool))
	if n := len(a.Elements); n > 0 {
		Fix(d, title, a.Elements[n-1].Span().Tail(), ", "+name)
	} else {
		Fix(d, title, a.Subject.Span().Tail(), " | "+name)
	}
}

// AddProperty adds the fix that writes a property into the record of s.
func AddProperty(d *diag.Diagnostic, s *ast.Subject, property string) {
	title := "add " + property
	switch {
	case s.Record == nil:
		Fix(d, title, s.Span().Tail(), " {"+property+"}")
	case len(s.Record.Properties) == 0:
		Fix(d, title, s.Record.Span(), "{"+property+"}")
	default:
		last := s.Record.Properties[len(s.Record.Properties)-1]
		Fix(d, title, last.Span().Tail(), ", "+property)
	}
}

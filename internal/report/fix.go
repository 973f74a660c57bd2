package report

import (
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
	if spell.Slip(word, meant) {
		SafeFix(d, "write "+meant, s, meant)
	} else {
		Fix(d, "write "+meant, s, meant)
	}
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

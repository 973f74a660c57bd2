package library

import (
	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/source"
)

// This file reads the texts of a library: ${NAME} stands for an environment
// variable in all of them, {name} for an argument in templates.

// libraryText reads a text and reports what is wrong with it. Of several errors
// it reports the first, as others may follow from it.
func (c *Lowerer) libraryText(v ast.Value, text string, arguments bool) Text {
	parts, ranges, problems := template.Parse(text, arguments)
	quotation := report.NewQuotation(v, text)
	failed := false
	for _, p := range problems {
		if p.Kind == template.BareVariable || !failed {
			c.textProblem(p, text, quotation)
		}
		failed = failed || p.Kind != template.BareVariable
	}
	spans := make([]source.Span, len(ranges))
	for i, r := range ranges {
		spans[i] = quotation.At(r.Start, r.End)
	}
	return Text{Written: text, Template: parts, spans: spans}
}

// textProblem reports a problem of a text.
func (c *Lowerer) textProblem(p template.Problem, text string, q *report.Quotation) {
	span := q.At(p.Start, p.End)
	written, name := text[p.Start:p.End], report.Clip(p.Name)
	secret := func(format string, args ...any) *diag.Diagnostic {
		return c.Diags.Errorf(span, diag.CodeInvalidSecret, format, args...)
	}
	argument := func(format string, args ...any) *diag.Diagnostic {
		return c.Diags.Errorf(span, diag.CodeInvalidTemplate, format, args...)
	}
	switch p.Kind {
	case template.BareVariable:
		d := c.Diags.Hintf(span, diag.CodePlainVariable, "$%s is plain text; an environment variable is written ${%s}", name, name)
		report.Fix(d, "write ${"+name+"}", span, "${"+p.Name+"}")
	case template.UnclosedVariable:
		d := secret("${ is never closed with }; for the two characters themselves write $${")
		if p.Name != "" {
			report.Fix(d, "close it", span.Tail(), "}")
		}
	case template.EmptyVariable:
		secret("${} names no environment variable; write ${NAME}")
	case template.InvalidVariable:
		secret("%s is not an environment variable; between ${ and } stands its name alone, of letters, digits and _", report.Quote(written))
	case template.StrayBrace:
		report.Fix(argument("} closes nothing; for the brace itself write }}"), "write }}", span, "}}")
	case template.UnclosedArgument:
		d := argument("{ is never closed with }; an argument is written {name}, and the brace itself {{")
		report.Fix(d, "write {{", span, "{{")
	case template.InvalidArgument:
		d := argument("%s is not an argument; an argument is written {name}, and the brace itself {{", report.Quote(written))
		if open := q.At(p.Start, p.Start+1); !open.IsZero() {
			d.Fixes = append(d.Fixes, diag.Fix{Title: "write {{ and }}", Edits: []diag.Edit{
				{Span: open, NewText: "{{"}, {Span: q.At(p.End-1, p.End), NewText: "}}"},
			}})
		}
	case template.SpacedArgument:
		d := argument("the name of an argument stands between the braces without whitespace: {%s}", name)
		report.SafeFix(d, "write {"+name+"}", span, "{"+p.Name+"}")
	}
}

// A Text is a text in which ${NAME} stands for an environment variable. Where
// it is a template, {name} stands for an argument too. Its JSON is the text as
// written. The zero Text is empty.
type Text struct {
	Written  string
	Template template.Template // the parts of Written

	spans []source.Span // of the parts
}

// PlainText returns a text of an entry that is made without a file. It stands
// for itself, whatever it holds.
func PlainText(text string) Text {
	return Text{Written: text, Template: template.OfText(text)}
}

// IsZero reports whether the text is empty.
func (t Text) IsZero() bool { return t.Written == "" }

// MarshalJSON writes the text as it was written.
func (t Text) MarshalJSON() ([]byte, error) { return plainjson.Marshal(t.Written) }

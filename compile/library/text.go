package library

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
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
			c.templateProblem(p, text, quotation)
		}
		failed = failed || p.Kind != template.BareVariable
	}
	spans := make([]source.Span, len(ranges))
	for i, r := range ranges {
		spans[i] = quotation.At(r.Start, r.End)
	}
	return Text{Written: text, Template: parts, spans: spans}
}

// templateProblem reports a problem of a text.
func (c *Lowerer) templateProblem(p template.Problem, text string, q *report.Quotation) {
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

// Arguments returns the arguments {name} of a text of a library that is a
// template.
func Arguments(v ast.Value) []report.Reference {
	text, ok := ast.TextOf(v)
	if !ok || strings.IndexByte(text, '{') < 0 {
		return nil
	}
	parts, ranges, _ := template.Parse(text, true)
	quotation := report.NewQuotation(v, text)
	var words []report.Reference
	for i, part := range parts {
		if s := quotation.At(ranges[i].Start, ranges[i].End); part.Kind == template.Argument && !s.IsZero() {
			raw := s.Text()
			s.Start, s.End = s.Start+strings.IndexByte(raw, '{')+1, s.Start+strings.LastIndexByte(raw, '}')
			words = append(words, report.Reference{Text: part.Text, Span: s})
		}
	}
	return words
}

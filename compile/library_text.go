package compile

import (
	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/source"
)

// This file reads the texts of a library: ${NAME} stands for an environment
// variable in all of them, {name} for an argument in templates.

// libraryText reads a text and reports what is wrong with it. Of several errors
// it reports the first, as others may follow from it.
func (c *compiler) libraryText(v ast.Value, text string, arguments bool) Text {
	parts, ranges, problems := template.Parse(text, arguments)
	quotation := newQuotation(v, text)
	failed := false
	for _, p := range problems {
		if p.Kind == template.BareVariable || !failed {
			c.templateProblem(p, text, quotation)
		}
		failed = failed || p.Kind != template.BareVariable
	}
	spans := make([]source.Span, len(ranges))
	for i, r := range ranges {
		spans[i] = quotation.at(r.Start, r.End)
	}
	return Text{Written: text, Template: parts, spans: spans}
}

// templateProblem reports a problem of a text.
func (c *compiler) templateProblem(p template.Problem, text string, q *quotation) {
	span := q.at(p.Start, p.End)
	written, name := text[p.Start:p.End], clip(p.Name)
	secret := func(format string, args ...any) *diag.Diagnostic {
		return c.diags.Errorf(span, diag.CodeInvalidSecret, format, args...)
	}
	argument := func(format string, args ...any) *diag.Diagnostic {
		return c.diags.Errorf(span, diag.CodeInvalidTemplate, format, args...)
	}
	switch p.Kind {
	case template.BareVariable:
		d := c.diags.Hintf(span, diag.CodePlainVariable, "$%s is plain text; an environment variable is written ${%s}", name, name)
		fix(d, "write ${"+name+"}", span, "${"+p.Name+"}")
	case template.UnclosedVariable:
		d := secret("${ is never closed with }; for the two characters themselves write $${")
		if p.Name != "" {
			fix(d, "close it", span.Tail(), "}")
		}
	case template.EmptyVariable:
		secret("${} names no environment variable; write ${NAME}")
	case template.InvalidVariable:
		secret("%s is no environment variable; between ${ and } stands its name alone, of letters, digits and _", quote(written))
	case template.StrayBrace:
		fix(argument("} closes nothing; for the brace itself write }}"), "write }}", span, "}}")
	case template.UnclosedArgument:
		d := argument("{ is never closed with }; an argument is written {name}, and the brace itself {{")
		fix(d, "write {{", span, "{{")
	case template.InvalidArgument:
		d := argument("%s is no argument; an argument is written {name}, and the brace itself {{", quote(written))
		if open := q.at(p.Start, p.Start+1); !open.IsZero() {
			d.Fixes = append(d.Fixes, diag.Fix{Title: "write {{ and }}", Edits: []diag.Edit{
				{Span: open, NewText: "{{"}, {Span: q.at(p.End-1, p.End), NewText: "}}"},
			}})
		}
	case template.SpacedArgument:
		d := argument("the name of an argument stands between the braces without blanks: {%s}", name)
		safeFix(d, "write {"+name+"}", span, "{"+p.Name+"}")
	}
}

package library

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
)

// This file reports what belongs into a library and stands elsewhere.

// Misplaced hints at entries outside of libraries, at patterns that look like a library
// without its label, and at libraries without any entry, which a graph may have.
func (c *Lowerer) Misplaced(f *ast.File, agents []ast.Agent) {
	for _, p := range f.Patterns {
		switch _, isAgent := ast.AsAgent(p); {
		case isAgent || IsLibrary(p) || p.Form != ast.FormBracket:
		case HasLibraryLabel(p) && len(p.Elements) > 0 && !slices.ContainsFunc(p.Elements, misplacedHoldsData):
			c.Diags.Hintf(report.NameSpan(p), diag.CodeUnknownEntry,
				"no element of the library %s is the entry of a tool: a Command, Http, Mcp or Builtin", report.Quote(p.Identity()))
		case hasEntryKind(p):
			c.Diags.Hintf(report.NameSpan(p), diag.CodeMisplacedEntry,
				"%s stands outside of a library and does nothing; write [local:Library | %s]", report.Quote(p.Identity()), report.Clip(ast.Print(p)))
		case slices.ContainsFunc(p.Elements, hasEntryKind):
			d := c.noLibraryLabel(p)
			d.Code, d.Severity = diag.CodeMisplacedEntry, diag.Warning
		}
	}
	for _, a := range agents {
		c.misplacedVariables(a)
	}
}

// misplacedHoldsData reports whether a pattern has more than a name and labels, so that it can be
// part of a graph.
func misplacedHoldsData(p *ast.Pattern) bool {
	return p.Form != ast.FormBracket || p.Subject.Record != nil || len(p.Elements) > 0
}

// misplacedVariables hints at what looks like an environment variable in an
// instruction. Only libraries know those.
func (c *Lowerer) misplacedVariables(a ast.Agent) {
	p := a.Property("instruction")
	if p == nil || p.Value == nil {
		return
	}
	text, _ := ast.TextOf(p.Value)
	if !strings.Contains(text, "${") {
		return
	}
	parts, ranges, _ := template.Parse(text, false)
	for i, part := range parts {
		if part.Kind == template.Environment && template.LooksLikeVariable(part.Text) {
			c.Diags.Hintf(report.NewQuotation(p.Value, text).At(ranges[i].Start, ranges[i].End), diag.CodePlainVariable,
				"${%s} is plain text here, and the model sees it as it is; environment variables are for libraries", report.Clip(part.Text))
			return
		}
	}
}

// MisplacedInAgent reports that an element of an agent belongs into a library, and
// reports whether it does.
func (c *Lowerer) MisplacedInAgent(e *ast.Pattern, what string) bool {
	name, written := report.Quote(e.Identity()), ast.Print(ast.NewName(e.Identity()))
	if e.Identity() == "" {
		name, written = "an element", "name"
	}
	switch {
	case HasLibraryLabel(e):
		c.Diags.Errorf(report.NameSpan(e), diag.CodeMisplacedEntry,
			"the library %s stands among the tools of %s; a library is a pattern of its own, and is given with --library", name, what)
	case hasEntryKind(e):
		c.Diags.Errorf(report.NameSpan(e), diag.CodeMisplacedEntry,
			"%s says what does the work of a tool, which is for a library; among the tools of %s stands what the model sees: %s",
			name, what, fmt.Sprintf(`[%s:Tool {description: "…"} | signature]`, report.Clip(written)))
	default:
		return false
	}
	return true
}

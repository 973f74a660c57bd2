package compile

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// duplicateAgents reports agents that have the name of an earlier one.
func (c *compiler) duplicateAgents() {
	first := make(map[string]ast.Agent, len(c.names.agents))
	for _, a := range c.names.agents {
		name := a.Name()
		if name == "" {
			continue
		}
		earlier, defined := first[name]
		if !defined {
			first[name] = a
			continue
		}
		d := c.Diags.Errorf(report.NameSpan(a.Pattern), diag.CodeDuplicateAgent, "there are two agents %s", report.Quote(name))
		report.Relate(d, report.NameSpan(earlier.Pattern), "first here")
		c.removeDuplicate(d, a.Pattern, earlier.Pattern)
	}
}

// removeDuplicate adds the fix that removes a pattern at the top of the file that says what
// another one says.
func (c *compiler) removeDuplicate(d *diag.Diagnostic, p, first *ast.Pattern) {
	if slices.Contains(c.main.Patterns, p) && p.Span().File != nil && ast.Print(p) == ast.Print(first) {
		d.Fixes = append(d.Fixes, diag.Fix{Title: "remove it", Edits: []diag.Edit{report.RemovePattern(p)}})
		d.MarkSafe()
	}
}

// duplicateTools reports tools that differ from the first of their name: a
// reference could mean either. The same text twice is only not needed.
func (c *compiler) duplicateTools(same []*ast.Pattern) {
	name, text := same[0].Identity(), ast.Print(same[0])
	for _, p := range same[1:] {
		if c.reported[p] || p == same[0] {
			continue
		}
		c.reported[p] = true
		if ast.Print(p) != text {
			at, other := c.Conflict(report.NameSpan(same[0]), report.NameSpan(p))
			d := c.Diags.Errorf(at, diag.CodeDuplicateTool, "the tool %s is defined differently elsewhere", report.Quote(name))
			report.Relate(d, other, "here")
			continue
		}
		if c.IsImported(report.NameSpan(p)) {
			continue
		}
		d := c.Diags.Hintf(report.NameSpan(p), diag.CodeDuplicateTool, "the tool %s is defined twice in the same words; its name alone refers to it", report.Quote(name))
		report.Relate(d, report.NameSpan(same[0]), "first here")
		if c.removeDuplicate(d, p, same[0]); len(d.Fixes) == 0 {
			report.SafeFix(d, "refer to it by its name", p.Span(), ast.Print(p.Subject.Identity))
		}
	}
}

package compile

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/spell"
)

// This file reports misspelt labels of tools and types, at the label: a pattern
// with another label is valid gram, and means nothing to an agent.

// misspeltLabel returns which of some labels a pattern was meant to have; "" where no
// label of it is but a slip away. The colon counts: Slip takes short words for others.
func misspeltLabel(p *ast.Pattern, labels ...string) string {
	for _, l := range p.Subject.Labels {
		i := slices.IndexFunc(labels, func(label string) bool { return spell.Slip(l.Separator+l.Name.Text, ":"+label) })
		if i >= 0 {
			return labels[i]
		}
	}
	return ""
}

func misspeltToolLabel(p *ast.Pattern) string {
	return misspeltLabel(p, ast.LabelTool, ast.LabelToolSpecification)
}

func misspeltTypeLabel(p *ast.Pattern) string {
	return misspeltLabel(p, ast.LabelType, ast.LabelEnum, ast.LabelUnion)
}

// reportLabel reports that a pattern has not the label that it was meant to have, once.
// The fix is safe where the pattern looks like what the label says.
func (c *compiler) reportLabel(p *ast.Pattern, label string, code diag.Code) *diag.Diagnostic {
	if c.mislabelled[p] {
		return nil
	}
	c.mislabelled[p] = true
	name := report.Quote(p.Identity())
	if p.Subject.Identity == nil {
		name = "the pattern"
	}
	d := c.Diags.Errorf(report.NameSpan(p), code, "%s is not labelled %s", name, label)
	if c.FixLabel(d, p, label) && looksLabelled(p, label) && len(d.Fixes) > 0 {
		d.MarkSafe()
	}
	return d
}

// reportTypeLabel reports that a name is that of a pattern that was meant to be a type,
// and reports whether it is.
func (c *compiler) reportTypeLabel(name string) bool {
	p := c.names.others[name]
	if p == nil || p.Span().File != c.main.Source || misspeltTypeLabel(p) == "" {
		return false
	}
	c.reportLabel(p, misspeltTypeLabel(p), diag.CodeUnknownType)
	return true
}

// unusedLabels warns of patterns with a misspelt label that nothing refers to.
func (c *compiler) unusedLabels() {
	for _, p := range c.main.Patterns {
		if p.Form != ast.FormBracket || c.mislabelled[p] || isLabelledDeclaration(p) {
			continue
		}
		label, code := misspeltToolLabel(p), diag.CodeMissingToolLabel
		if label == "" {
			label, code = misspeltTypeLabel(p), diag.CodeUnknownType
		}
		if label != "" && looksLabelled(p, label) {
			c.reportLabel(p, label, code).Severity = diag.Warning
		}
	}
}

// isLabelledDeclaration reports whether a pattern has a label that means something here.
func isLabelledDeclaration(p *ast.Pattern) bool {
	_, isAgent := ast.AsAgent(p)
	_, isTool := ast.AsTool(p)
	return isAgent || isTool || ast.IsNamedType(p) || library.IsLibrary(p)
}

// looksLabelled reports whether a pattern has all that one with a label has.
func looksLabelled(p *ast.Pattern, label string) bool {
	isTyped := func(e *ast.Pattern) bool {
		return e.Form == ast.FormNode && len(e.Subject.Labels) > 0 && e.Subject.Labels[0].Separator == "::"
	}
	switch label {
	case ast.LabelTool, ast.LabelToolSpecification:
		return p.Property("description") != nil && len(p.Elements) == 1 && agentElementIsSignature(p.Elements[0])
	case ast.LabelEnum:
		return p.Property("values") != nil
	}
	if r := p.Subject.Record; label == ast.LabelType && len(p.Elements) == 0 && r != nil {
		return slices.ContainsFunc(r.Properties, types.DeclaresField)
	}
	return len(p.Elements) > 0 && !slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return !isTyped(e) })
}

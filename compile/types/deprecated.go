package types

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// Deprecation reports whether the record of a tool, a type, a parameter or a
// field says that it is deprecated, and what it says of that: deprecated:true, or
// a text in place of true.
func Deprecation(r *ast.Record) (reason string, deprecated bool) {
	p := attributeIn(r, "deprecated")
	if p == nil {
		return "", false
	}
	if yes, ok := p.Value.(*ast.Bool); ok {
		return "", yes.Value
	}
	return ast.TextOf(p.Value)
}

// Deprecated hints at a use of a tool or a type that is deprecated. The word says
// which of them it is. The fix writes the name that the reason says to use, if it is
// known.
func (c *Checker) Deprecated(use source.Span, word string, definition *ast.Pattern, isKnown func(name string) bool) {
	reason, yes := Deprecation(definition.Subject.Record)
	if !yes || c.IsImported(use) {
		return
	}
	d := c.Diags.Hintf(use, diag.CodeDeprecated, "the %s %s is deprecated", word, report.Quote(definition.Identity()))
	if reason = strings.TrimRight(strings.TrimSpace(reason), "."); reason != "" {
		d.Message += ": " + report.Clip(reason)
	}
	report.Relate(d, report.NameSpan(definition), "defined here")
	if other := deprecatedReplacement(reason, isKnown); other != "" && other != definition.Identity() {
		report.Fix(d, "write "+report.Clip(other), use, ast.Print(ast.NewName(other)))
	}
}

// deprecatedReplacement returns the name behind the word use in the reason of a deprecation, ""
// for none that is known.
func deprecatedReplacement(reason string, isKnown func(name string) bool) string {
	words := strings.Fields(reason)
	for i, word := range words[:max(len(words)-1, 0)] {
		name := strings.Trim(words[i+1], "`'\",.;:()")
		if strings.EqualFold(word, "use") && isKnown(name) {
			return name
		}
	}
	return ""
}

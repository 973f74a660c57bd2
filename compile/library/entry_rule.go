package library

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// RuleLabel returns the label that makes an element a rule, also where it is
// misspelt; nil for others.
func RuleLabel(e *ast.Pattern) *ast.Label {
	if e.Form != ast.FormNode || len(e.Subject.Labels) != 1 {
		return nil
	}
	l := e.Subject.Labels[0]
	switch strings.ToLower(l.Name.Text) {
	case "allow", "ask", "deny":
		return l
	}
	if l.Separator == ":" && e.Subject.Identity == nil && !types.IsTypeName(l.Name.Text) {
		return l
	}
	return nil
}

// rule reads (:Deny {path: "*.env"}).
func (r *entryReader) rule(e *ast.Pattern, label *ast.Label) {
	words := []string{"Allow", "Ask", "Deny"}
	if !slices.Contains(words, label.Name.Text) {
		d := r.Diags.Errorf(label.Name.Span(), diag.CodeInvalidRule, "%s is not a rule; a rule is Allow, Ask or Deny", report.Clip(label.Name.Text))
		if near := r.Guess(label.Name.Text, words); near != "" {
			d.Message += fmt.Sprintf("; did you mean %s?", near)
			report.Respell(d, d.Span, label.Name.Text, near)
		}
		return
	}
	rule := Rule{Approve: Approval(strings.ToLower(label.Name.Text))}
	if record := e.Subject.Record; record == nil || len(record.Properties) == 0 && !record.Broken {
		r.Diags.Errorf(e.Span(), diag.CodeInvalidRule,
			"the rule names no argument and would hold for every call; say that by the property approve: %s", rule.Approve)
		return
	}
	for _, p := range e.Subject.Record.Properties {
		if p.Value == nil {
			continue
		}
		text, ok := r.textOf(p.Value, "the pattern for "+report.Quote(p.Key.Text), diag.CodeInvalidRule)
		if ok {
			rule.Arguments = append(rule.Arguments, Match{Argument: p.Key.Text, Pattern: text})
		}
	}
	r.entry.Rules = append(r.entry.Rules, rule)
}

// ruleKeys returns the names of arguments in the rules of an entry.
func ruleKeys(p *ast.Pattern) []*ast.Name {
	var keys []*ast.Name
	for _, e := range p.Elements {
		if RuleLabel(e) == nil || e.Subject.Record == nil {
			continue
		}
		for _, each := range e.Subject.Record.Properties {
			keys = append(keys, each.Key)
		}
	}
	return keys
}

// HasOwnRules reports whether a pattern has rules of its own.
func HasOwnRules(p *ast.Pattern) bool {
	for _, l := range p.Subject.Labels {
		switch l.Name.Text {
		case ast.LabelAgent, ast.LabelTool, ast.LabelToolSpecification, "Type", "Enum", "Union":
			return true
		}
	}
	return IsLibrary(p)
}

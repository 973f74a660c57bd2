package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// UnknownProperties warns of the properties that mean nothing on a thing of
// this kind ("an agent"). Of the required ones that are missing it returns the
// properties that are probably misspellings of them: these are not warned of,
// for the message about the missing one names them.
func (c *Checker) UnknownProperties(r *ast.Record, kind string, known []string, required ...string) map[string]*ast.Property {
	var misspelt map[string]*ast.Property
	if r == nil {
		return nil
	}
	for _, p := range r.Properties {
		key := p.Key.Text
		if slices.Contains(known, key) || slices.Contains(known, "fields") && DeclaresField(p) {
			continue
		}
		near := ""
		if slices.Contains(known, "fields") {
			near = foreignAttribute(key)
		}
		if near == "" && key != "type" { // which is near to types, and never meant to be that
			near = c.Guess(key, known)
		}
		if near != "" && r.Get(near) != nil {
			near = ""
		}
		if slices.Contains(required, near) && misspelt[near] == nil {
			if misspelt == nil {
				misspelt = map[string]*ast.Property{}
			}
			misspelt[near] = p
			continue
		}
		message := fmt.Sprintf("the property %s has no meaning on %s and is ignored", report.Quote(key), kind)
		if near != "" {
			message += fmt.Sprintf("; did you mean %s?", near)
		}
		colon := ""
		if near == "" && p.Separator == ":" && slices.Contains(known, "fields") && c.namesType(p.Value) {
			colon = fmt.Sprintf("%s::%s", ast.Print(p.Key), ast.Print(p.Value))
			message += "; a field is declared with two colons: " + report.Clip(colon)
		}
		d := c.Diags.Warnf(p.Key.Span(), diag.CodeUnknownProperty, "%s", message)
		if colon != "" {
			report.Fix(d, "write "+report.Clip(colon), p.Span(), colon)
		}
		if near != "" && key != "additionalProperties" { // its value would be the wrong one
			report.Fix(d, "write "+near, p.Key.Span(), near) // not safe: the file works, and would mean something else
		}
	}
	return misspelt
}

// namesType reports whether a value is the name of a type.
func (c *Checker) namesType(v ast.Value) bool {
	word, ok := v.(*ast.Symbol)
	return ok && (IsTypeName(word.Text) || c.TypeNamed(word.Text) != nil)
}

// A Required is a property that must be there and hold text.
type Required struct {
	Key                     string
	Example                 string    // the property, as a fix adds it
	Why                     string    // what the messages about its absence end with
	Missing, NotText, Empty diag.Code // without empty, that is left to the caller
}

// RequiredText returns the text of a property and the property; nil when it
// reported that there is no text, or the parser did. Misspelt is what stands there
// instead, if anything.
func (c *Checker) RequiredText(p *ast.Pattern, r Required, what string, misspelt *ast.Property) (string, *ast.Property) {
	property := p.Property(r.Key)
	switch {
	case property == nil && misspelt != nil:
		c.misspelt(misspelt, r.Missing, r.Key, what)
		return "", nil
	case property == nil && Incomplete(p):
		return "", nil
	case property == nil:
		d := c.Diags.Errorf(report.EndOf(p.Subject), r.Missing, "%s has no %s%s", what, r.Key, r.Why)
		report.AddProperty(d, p.Subject, r.Example)
		return "", nil
	case property.Value == nil:
		return "", nil
	}
	text, ok := ast.TextOf(property.Value)
	switch {
	case !ok:
		c.NotText(property, r.NotText, what)
		return "", nil
	case r.Empty != "" && report.Blank(text):
		c.Diags.Errorf(property.Value.Span(), r.Empty, "the %s of %s is empty%s", r.Key, what, r.Why)
	}
	return text, property
}

// Incomplete reports whether properties of p may be missing only because part
// of it did not parse, which is already reported.
func Incomplete(p *ast.Pattern) bool {
	if r := p.Subject.Record; r != nil {
		return r.Broken
	}
	return slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return e.Form == ast.FormBad })
}

// misspelt reports that a required property is missing because its key is
// misspelt.
func (c *Checker) misspelt(p *ast.Property, code diag.Code, key, what string) {
	d := c.Diags.Errorf(p.Key.Span(), code, "%s has no %s; did you mean %s by %s?", what, key, key, report.Quote(p.Key.Text))
	report.SafeFix(d, "write "+key, p.Key.Span(), key)
}

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
// which of them it is.
func (c *Checker) Deprecated(use source.Span, word string, definition *ast.Pattern) {
	reason, yes := Deprecation(definition.Subject.Record)
	if !yes || c.IsImported(use) {
		return
	}
	d := c.Diags.Hintf(use, diag.CodeDeprecated, "the %s %s is deprecated", word, report.Quote(definition.Identity()))
	if reason = strings.TrimRight(strings.TrimSpace(reason), "."); reason != "" {
		d.Message += ": " + report.Clip(reason)
	}
	report.Relate(d, report.NameSpan(definition), "defined here")
}

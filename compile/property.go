package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// unknownProperties warns of the properties that mean nothing on a thing of
// this kind ("an agent"). Of the required ones that are missing it returns the
// properties that are probably misspellings of them: these are not warned of,
// for the message about the missing one names them.
func (c *checker) unknownProperties(r *ast.Record, kind string, known []string, required ...string) map[string]*ast.Property {
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
			near = c.guess(key, known)
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
		message := fmt.Sprintf("the property %s has no meaning on %s and is ignored", quote(key), kind)
		if near != "" {
			message += fmt.Sprintf("; did you mean %s?", near)
		}
		colon := ""
		if near == "" && p.Separator == ":" && slices.Contains(known, "fields") && c.namesType(p.Value) {
			colon = fmt.Sprintf("%s::%s", ast.Print(p.Key), ast.Print(p.Value))
			message += "; a field is declared with two colons: " + clip(colon)
		}
		d := c.diags.Warnf(p.Key.Span(), diag.CodeUnknownProperty, "%s", message)
		if colon != "" {
			fix(d, "write "+clip(colon), p.Span(), colon)
		}
		if near != "" && key != "additionalProperties" { // its value would be the wrong one
			fix(d, "write "+near, p.Key.Span(), near) // not safe: the file works, and would mean something else
		}
	}
	return misspelt
}

// namesType reports whether a value is the name of a type.
func (c *checker) namesType(v ast.Value) bool {
	word, ok := v.(*ast.Symbol)
	return ok && (IsTypeName(word.Text) || c.typeNamed(word.Text) != nil)
}

// A required is a property that must be there and hold text.
type required struct {
	key                     string
	example                 string    // the property, as a fix adds it
	why                     string    // what the messages about its absence end with
	missing, notText, empty diag.Code // without empty, that is left to the caller
}

// requiredText returns the text of a property and the property; nil when it
// told that there is no text, or the parser did. Misspelt is what stands there
// instead, if anything.
func (c *checker) requiredText(p *ast.Pattern, r required, what string, misspelt *ast.Property) (string, *ast.Property) {
	property := p.Property(r.key)
	switch {
	case property == nil && misspelt != nil:
		c.misspelt(misspelt, r.missing, r.key, what)
		return "", nil
	case property == nil && incomplete(p):
		return "", nil
	case property == nil:
		d := c.diags.Errorf(endOf(p.Subject), r.missing, "%s has no %s%s", what, r.key, r.why)
		addProperty(d, p.Subject, r.example)
		return "", nil
	case property.Value == nil:
		return "", nil
	}
	text, ok := ast.TextOf(property.Value)
	switch {
	case !ok:
		c.notText(property, r.notText, what)
		return "", nil
	case r.empty != "" && blank(text):
		c.diags.Errorf(property.Value.Span(), r.empty, "the %s of %s is empty%s", r.key, what, r.why)
	}
	return text, property
}

// incomplete reports whether properties of p may be missing only because part
// of it did not parse, which has been told.
func incomplete(p *ast.Pattern) bool {
	if r := p.Subject.Record; r != nil {
		return r.Broken
	}
	return slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return e.Form == ast.FormBad })
}

// misspelt tells that a required property is missing because its key is
// misspelt.
func (c *checker) misspelt(p *ast.Property, code diag.Code, key, what string) {
	d := c.diags.Errorf(p.Key.Span(), code, "%s has no %s; did you mean %s by %s?", what, key, key, quote(p.Key.Text))
	safeFix(d, "write "+key, p.Key.Span(), key)
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

// deprecated hints at a use of a tool or a type that is deprecated. The word says
// which of them it is.
func (c *checker) deprecated(use source.Span, word string, definition *ast.Pattern) {
	reason, yes := Deprecation(definition.Subject.Record)
	if !yes || c.isImported(use) {
		return
	}
	d := c.diags.Hintf(use, diag.CodeDeprecated, "the %s %s is deprecated", word, quote(definition.Identity()))
	if reason = strings.TrimRight(strings.TrimSpace(reason), "."); reason != "" {
		d.Message += ": " + clip(reason)
	}
	relate(d, NameSpan(definition), "defined here")
}

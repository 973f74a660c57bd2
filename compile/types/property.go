package types

import (
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
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
		if other := vocabulary.ForeignProperty(key); near == "" && slices.Contains(known, other) {
			near = other
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
		if !c.misplacedProperty(p, kind, known, near) {
			c.unknownProperty(p, kind, near)
		}
	}
	return misspelt
}

// unknownProperty warns of a property that means nothing. Near is what was probably
// meant by it, "" for nothing.
func (c *Checker) unknownProperty(p *ast.Property, kind, near string) {
	d := c.Diags.Warnf(p.Key.Span(), diag.CodeUnknownProperty, "the property %s has no meaning on %s and is ignored", report.Quote(p.Key.Text), kind)
	if near == "" {
		if propertyMeansSignature(p.Key.Text) && kind == "a tool" {
			d.Message += "; what a tool takes and gives is its signature: | " + SignatureExample
		}
		return
	}
	d.Message += fmt.Sprintf("; did you mean %s?", near)
	if p.Key.Text != "additionalProperties" { // its value would be the wrong one
		report.Fix(d, "write "+near, p.Key.Span(), near) // not safe: the file works, and would mean something else
	}
}

// propertyMeansSignature reports whether other tools say by a property what a tool takes or gives.
func propertyMeansSignature(key string) bool {
	return slices.Contains([]string{"parameters", "params", "args", "arguments", "inputs", "input", "inputSchema", "input_schema", "returns", "output"}, key)
}

// misplacedProperty reports a property that declares something in another language:
// without an error, the type would silently be another one. Near is as for
// unknownProperty.
func (c *Checker) misplacedProperty(p *ast.Property, kind string, known []string, near string) bool {
	key := p.Key.Text
	value, isBool := p.Value.(*ast.Bool)
	typ := c.typeMeantByProperty(p.Value)
	_, isList := p.Value.(*ast.Array)
	switch {
	case key == "required" && isBool && slices.Contains(known, "optional"):
		d := c.Diags.Errorf(p.Key.Span(), diag.CodeUnknownProperty, "the property required has no meaning on %s; what is not optional is required", kind)
		if value.Value {
			d.Severity = diag.Warning
		} else {
			d.Message += ": write optional: true"
			report.SafeFix(d, "write optional: true", p.Span(), "optional: true")
		}
	case key == "required" && isList && slices.Contains(known, "fields"):
		c.Diags.Errorf(p.Key.Span(), diag.CodeUnknownProperty, "the property required has no meaning on %s; every field is required but those with optional: true", kind)
	case near == "" && key != "type" && p.Separator == ":" && slices.Contains(known, "fields") && typ != "":
		field := fmt.Sprintf("%s::%s", ast.Print(p.Key), typ)
		d := c.Diags.Errorf(p.Key.Span(), diag.CodeMalformedFields, "the property %s of %s declares no field; a field has two colons: %s", report.Quote(key), kind, report.Clip(field))
		if report.Fix(d, "write "+report.Clip(field), p.Span(), field); kind == "a type" && len(d.Fixes) > 0 { // and a parameter may be no object
			d.MarkSafe()
		}
	default:
		return false
	}
	return true
}

// typeMeantByProperty returns the type of a field that a value can be nothing but: the name of
// one, maybe in another language, or a tagged type expression; "" for none.
func (c *Checker) typeMeantByProperty(v ast.Value) string {
	if tagged, ok := v.(*ast.Tagged); ok && tagged.Tag == TagType {
		return ast.Print(v)
	}
	word, ok := ast.WordOf(v)
	switch meant, format := c.gramTypeOfForeign(word), foreignFormat(word); {
	case !ok:
		return ""
	case meant == word:
		return ast.Print(v)
	case meant != "":
		return firstTypeName(meant)
	case format != "":
		return fmt.Sprintf("{type: Text, format: %s}", ast.Print(ast.NewName(format)))
	}
	return ""
}

// A Required is a property that must be there and hold text.
type Required struct {
	Key                     string
	Example                 string    // the property, as a fix adds it
	Why                     string    // what the messages about its absence end with
	Missing, NotText, Empty diag.Code // without empty, that is left to the caller
}

// RequiredTextProperty returns the text of a property and the property; nil when it
// reported that there is no text, or the parser did. Misspelt is what stands there
// instead, if anything.
func (c *Checker) RequiredTextProperty(p *ast.Pattern, r Required, what string, misspelt *ast.Property) (string, *ast.Property) {
	property := p.Property(r.Key)
	switch {
	case property == nil && misspelt != nil:
		c.misspeltProperty(misspelt, r.Missing, r.Key, what)
		return "", nil
	case property == nil && IncompleteProperties(p):
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

// IncompleteProperties reports whether properties of p may be missing only because part
// of it did not parse, which is already reported.
func IncompleteProperties(p *ast.Pattern) bool {
	if r := p.Subject.Record; r != nil {
		return r.Broken
	}
	return slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return e.Form == ast.FormBad })
}

// misspeltProperty reports that a required property is missing because its key is
// misspelt.
func (c *Checker) misspeltProperty(p *ast.Property, code diag.Code, key, what string) {
	d := c.Diags.Errorf(p.Key.Span(), code, "%s has no %s; did you mean %s by %s?", what, key, key, report.Quote(p.Key.Text))
	report.SafeFix(d, "write "+key, p.Key.Span(), key)
}

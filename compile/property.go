package compile

import (
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// unknownProperties warns of the properties that mean nothing on a thing of
// this kind ("an agent"). Of the required ones that are missing it returns the
// properties that are probably misspellings of them: these are not warned of,
// for the message about the missing one names them.
func (c *compiler) unknownProperties(r *ast.Record, kind string, known []string, required ...string) map[string]*ast.Property {
	var misspelt map[string]*ast.Property
	if r == nil {
		return nil
	}
	for _, p := range r.Properties {
		key := p.Key.Text
		if slices.Contains(known, key) || slices.Contains(known, "fields") && declares(p) {
			continue
		}
		near := c.guess(key, known)
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
		d := c.diags.Warnf(p.Key.Span(), diag.CodeUnknownProperty, "%s", message)
		if near != "" {
			fix(d, "write "+near, p.Key.Span(), near)
		}
	}
	return misspelt
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
func (c *compiler) misspelt(p *ast.Property, code diag.Code, key, what string) {
	d := c.diags.Errorf(p.Key.Span(), code, "%s has no %s; did you mean %s by %s?", what, key, key, quote(p.Key.Text))
	fix(d, "write "+key, p.Key.Span(), key)
}

package types

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// paramNames are the parameters, or the fields, of different names that were there so far.
type paramNames struct {
	few    [fewFields]*Param
	length int // of few
	others map[string]*Param
}

// add returns the parameter of the same name that was there before, nil when it is new.
func (n *paramNames) add(p *Param) (before *Param) {
	for _, q := range n.few[:n.length] {
		if q.Name == p.Name {
			return q
		}
	}
	if n.length < len(n.few) {
		n.few[n.length] = p
		n.length++
		return nil
	}
	if before = n.others[p.Name]; before != nil {
		return before
	}
	if n.others == nil {
		n.others = map[string]*Param{}
	}
	n.others[p.Name] = p
	return nil
}

// duplicateParam reports that a name was there before, or remembers it.
func (c *Checker) duplicateParam(names *paramNames, p *Param, code diag.Code, word string) *diag.Diagnostic {
	if p.Name == "" {
		return nil
	}
	if first := names.add(p); first != nil {
		d := c.Diags.Errorf(p.Span, code, "the %s %s occurs twice", word, report.Quote(p.Name))
		report.Relate(d, first.Span, "first here")
		return d
	}
	return nil
}

// lowerParam lowers the node of the parameter at a position, counted from 1, or the
// field of a named type; the word says which.
func (c *Checker) lowerParam(n *ast.Pattern, position int, word string) *Param {
	p := c.params.take()
	p.Name, p.Span = c.paramName(n, position, word)
	if s := n.Subject; s.Record == nil && len(s.Labels) == 1 { // nothing else to read
		p.Type, p.Optional = c.LowerTypeText(s.Labels[0].Name.Text, s.Labels[0].Name)
		return p
	}
	what, kind := report.Named("the parameter", p.Name), "a parameter"
	if word == "field" {
		what, kind = report.Named("the field", p.Name), "a field"
	}
	c.UnknownProperties(n.Subject.Record, kind, parameterKeys)
	if len(n.Subject.Labels) == 0 {
		c.missingParamType(n, what)
	} else {
		p.Type, p.Optional = c.lowerTypeLabel(n, what)
	}
	c.fieldAttributes(p, n.Subject.Record, what)
	return p
}

// missingParamType reports that a parameter has no label. Often its only name was
// meant to be one.
func (c *Checker) missingParamType(n *ast.Pattern, what string) {
	if name := n.Subject.Identity; name != nil && IsTypeName(name.Text) {
		d := c.Diags.Errorf(report.NameSpan(n), diag.CodeMissingType,
			"%s has no type; if %s is its type, write (name::%s)", what, name.Text, name.Text)
		report.Fix(d, "make it the type", name.Span().Head(), "::")
		return
	}
	d := c.Diags.Errorf(report.NameSpan(n), diag.CodeMissingType, "%s has no type; write a label such as ::Text", what)
	if n.Subject.Identity != nil && !c.splitParamType(d, n.Subject.Identity) {
		report.Fix(d, "write ::Text", n.Subject.Identity.Span().Tail(), "::Text")
	}
}

// splitParamType adds the fix that writes a name as a name and the type that it ends with:
// wordText may be word::Text. It reports whether there is one.
func (c *Checker) splitParamType(d *diag.Diagnostic, n *ast.Name) bool {
	for i := 1; i < len(n.Text) && n.Kind == ast.NameSymbol; i++ {
		name, end := n.Text[:i], n.Text[i:]
		known := func(p *ast.Pattern) bool { return p.Identity() == end }
		if IsTypeName(end) || slices.ContainsFunc(c.Scope.Types, known) {
			report.Fix(d, "write "+name+"::"+end, n.Span(), name+"::"+end)
			return true
		}
	}
	return false
}

// paramName returns the name of a parameter, and where it stands: its
// paramName, else its identifier, else one made from its position.
func (c *Checker) paramName(n *ast.Pattern, position int, word string) (string, source.Span) {
	if p := attributeIn(n.Subject.Record, "paramName"); p != nil {
		if name := c.paramNamedByProperty(n, p); name != "" {
			return name, p.Value.Span()
		}
	} else if n.Identity() == "" && (n.Property("paramName") == nil || n.Property("paramName").Value != nil) {
		return c.unnamedParam(n, position, word), report.NameSpan(n)
	}
	return n.Identity(), report.NameSpan(n)
}

// paramNamedByProperty reads a paramName; "" when it names nothing, which is reported.
func (c *Checker) paramNamedByProperty(n *ast.Pattern, p *ast.Property) string {
	name, ok := ast.WordOf(p.Value)
	identity := n.Identity()
	switch {
	case !ok:
		c.NotText(p, diag.CodeInvalidConstraint, "a parameter")
	case name == "":
		c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "the paramName of a parameter is empty")
	case identity != "" && identity != name:
		c.Diags.Hintf(p.Value.Span(), diag.CodeConflictingName,
			"the parameter is called %s; its identifier %s counts only in gram", report.Quote(name), report.Quote(identity))
	}
	return name
}

func (c *Checker) unnamedParam(n *ast.Pattern, position int, word string) string {
	name := "arg" + strconv.Itoa(position)
	var d *diag.Diagnostic
	if c.Strict || word != "parameter" {
		d = c.Diags.Errorf(n.Span(), diag.CodeMissingParameterName, "%s %d has no name; write (name::Type)", word, position)
	} else {
		d = c.Diags.Warnf(n.Span(), diag.CodeMissingParameterName,
			"parameter %d has no name and is called %s; write (name::Type)", position, name)
	}
	if n.Subject.Identity == nil {
		report.Fix(d, fmt.Sprintf("name it %s", name), n.Subject.Span().Head(), name)
	}
	return name
}

// readParamModifiers reads what a parameter and a field of an object have in common:
// optional, default and description.
func (c *Checker) readParamModifiers(p *Param, r *ast.Record, what string) {
	p.Description = c.readParamDescription(r, what)
	optional, value := attributeIn(r, "optional"), attributeIn(r, "default")
	if optional != nil {
		flag, ok := optional.Value.(*ast.Bool)
		switch {
		case !ok:
			d := c.Diags.Errorf(optional.Value.Span(), diag.CodeInvalidConstraint,
				"optional of %s is %s; it must be true or false", what, report.KindOf(optional.Value))
			report.Fix(d, "write true", optional.Value.Span(), "true")
		case flag.Value:
			p.Optional = true
		case value != nil:
			c.Diags.Warnf(optional.Value.Span(), diag.CodeInvalidConstraint,
				"%s has a default and is therefore optional", what)
		}
	}
	if value == nil {
		return
	}
	p.Optional = true
	if p.Type != nil {
		c.whenNamedTypesLowered(compare, func() { p.Default = c.typedValue(value.Value, p.Type, what, "default") })
	}
}

// readParamDescription reads the description of a parameter, a field or a result.
func (c *Checker) readParamDescription(r *ast.Record, what string) string {
	p := attributeIn(r, "description")
	if p == nil {
		return ""
	}
	text, ok := ast.TextOf(p.Value)
	if !ok {
		c.NotText(p, diag.CodeInvalidDescription, what)
	}
	return text
}

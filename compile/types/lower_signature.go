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

// Signature lowers a path of nodes, or one node. It returns nil when it reported
// an error or met what did not parse.
func (c *Checker) Signature(p *ast.Pattern) *Signature {
	if p.Broken {
		c.Broken = true
		return nil
	}
	mark := len(c.Diags)
	nodes := c.signatureChain(p)
	if nodes == nil {
		return nil
	}
	s := &Signature{}
	var whole *ast.Pattern
	if len(nodes) > 1 && saysOfAll(nodes[0]) {
		whole, nodes = nodes[0], nodes[1:]
	}
	last := len(nodes) - 1
	s.Return = c.lowerResult(nodes[last], last > 0 || whole != nil)
	if last == 1 && isUnit(nodes[0]) {
		last = 0
	}
	byName := make(map[string]*Param, last)
	for i, node := range nodes[:last] {
		if isUnit(node) {
			c.Diags.Errorf(node.Span(), diag.CodeInvalidChain, "() stands for no parameters, and so only alone before the result")
			continue
		}
		param := c.lowerParam(node, i+1, "parameter")
		s.Params = append(s.Params, param)
		if d := c.duplicateParam(byName, param, diag.CodeDuplicateParameter, "parameter"); d != nil && slices.ContainsFunc(nodes[:i], func(n *ast.Pattern) bool { return ast.Print(n) == ast.Print(node) }) {
			report.RemoveRepeated(d, nodes, i)
		}
	}
	if whole != nil {
		s.whole = c.argumentsType(whole.Subject.Record, s.Params)
	}
	untyped := func(p *Param) bool { return p.Type == nil }
	if c.Diags[mark:].HasErrors() || s.Return.Type == nil || slices.ContainsFunc(s.Params, untyped) {
		return nil
	}
	fits := false
	if s.input, fits = c.SchemaOf(s.Arguments(), "", p.Span().Head(), "the arguments"); !fits {
		return nil
	}
	if s.output, fits = c.SchemaOf(s.Return.Type, s.Return.Description, s.Return.Span, "the result"); !fits {
		return nil
	}
	return s
}

// duplicateParam reports that a name was there before, or remembers it.
func (c *Checker) duplicateParam(byName map[string]*Param, p *Param, code diag.Code, word string) *diag.Diagnostic {
	if p.Name == "" {
		return nil
	}
	if first := byName[p.Name]; first != nil {
		d := c.Diags.Errorf(p.Span, code, "the %s %s occurs twice", word, report.Quote(p.Name))
		report.Relate(d, first.Span, "first here")
		return d
	}
	byName[p.Name] = p
	return nil
}

// signatureChain returns the nodes of a signature in the order in which they are meant,
// or reports why there is no such order and returns nil.
func (c *Checker) signatureChain(p *ast.Pattern) []*ast.Pattern {
	switch p.Form {
	case ast.FormBad:
		return nil
	case ast.FormNode:
		return []*ast.Pattern{p}
	case ast.FormPath:
	default:
		c.Diags.Errorf(p.Span(), diag.CodeMissingSignature, "a signature is a chain of nodes, such as %s", SignatureExample)
		return nil
	}
	if slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return e.Form != ast.FormNode }) {
		return nil
	}
	isLeft := func(a *ast.Arrow) bool { return a.Direction == ast.Left }
	i := slices.IndexFunc(p.Arrows, isLeft)
	if i < 0 {
		return p.Elements
	}
	if slices.ContainsFunc(p.Arrows, func(a *ast.Arrow) bool { return !isLeft(a) }) {
		c.Diags.Errorf(p.Arrows[i].Span(), diag.CodeInvalidChain,
			"an arrow to the left in a chain that also has others; write all arrows as ==>")
		return nil
	}
	nodes := slices.Clone(p.Elements)
	slices.Reverse(nodes)
	return nodes
}

// isUnit reports whether a node is (), which stands for no parameters.
func isUnit(n *ast.Pattern) bool {
	s := n.Subject
	return s.Identity == nil && len(s.Labels) == 0 && (s.Record == nil || len(s.Record.Properties) == 0)
}

// saysOfAll reports whether a node is ({…}), which applies to all
// arguments together.
func saysOfAll(n *ast.Pattern) bool {
	s := n.Subject
	return s.Identity == nil && len(s.Labels) == 0 && s.Record != nil && len(s.Record.Properties) > 0 &&
		s.Record.Get("paramName") == nil && s.Record.Get("optional") == nil
}

// argumentsType lowers the record of ({closed: true}): what an object type may say,
// but for its fields, which are the parameters.
func (c *Checker) argumentsType(r *ast.Record, params []*Param) *Type {
	const what = "the arguments"
	c.UnknownProperties(r, "all arguments together", argumentsKeys)
	t := objectType("Object", params)
	c.elementType(t, r, what)
	c.readAttributes(t, r, what)
	t.setFields(nil)
	return t
}

// lowerParam lowers the node of the parameter at a position, counted from 1, or the
// field of a named type; the word says which.
func (c *Checker) lowerParam(n *ast.Pattern, position int, word string) *Param {
	p := c.params.take()
	p.Name, p.Span = c.paramName(n, position, word)
	if s := n.Subject; s.Record == nil && len(s.Labels) == 1 { // nothing else to read
		p.Type, p.Optional = c.ParseType(s.Labels[0].Name.Text, s.Labels[0].Name)
		return p
	}
	what, kind := report.Named("the parameter", p.Name), "a parameter"
	if word == "field" {
		what, kind = report.Named("the field", p.Name), "a field"
	}
	c.UnknownProperties(n.Subject.Record, kind, parameterKeys)
	if len(n.Subject.Labels) == 0 {
		c.missingType(n, what)
	} else {
		p.Type, p.Optional = c.labelType(n, what)
	}
	c.fieldAttributes(p, n.Subject.Record, what)
	return p
}

// missingType reports that a parameter has no label. Often its only name was
// meant to be one.
func (c *Checker) missingType(n *ast.Pattern, what string) {
	if name := n.Subject.Identity; name != nil && IsTypeName(name.Text) {
		d := c.Diags.Errorf(report.NameSpan(n), diag.CodeMissingType,
			"%s has no type; if %s is its type, write (name::%s)", what, name.Text, name.Text)
		report.Fix(d, "make it the type", name.Span().Head(), "::")
		return
	}
	d := c.Diags.Errorf(report.NameSpan(n), diag.CodeMissingType, "%s has no type; write a label such as ::Text", what)
	if n.Subject.Identity != nil && !c.splitType(d, n.Subject.Identity) {
		report.Fix(d, "write ::Text", n.Subject.Identity.Span().Tail(), "::Text")
	}
}

// splitType adds the fix that writes a name as a name and the type that it ends with:
// wordText may be word::Text. It reports whether there is one.
func (c *Checker) splitType(d *diag.Diagnostic, n *ast.Name) bool {
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
		if name := c.namedByProperty(n, p); name != "" {
			return name, p.Value.Span()
		}
	} else if n.Identity() == "" && (n.Property("paramName") == nil || n.Property("paramName").Value != nil) {
		return c.unnamedParam(n, position, word), report.NameSpan(n)
	}
	return n.Identity(), report.NameSpan(n)
}

// namedByProperty reads a paramName; "" when it names nothing, which is reported.
func (c *Checker) namedByProperty(n *ast.Pattern, p *ast.Property) string {
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

// readModifiers reads what a parameter and a field of an object have in common:
// optional, default and description.
func (c *Checker) readModifiers(p *Param, r *ast.Record, what string) {
	p.Description = c.readDescription(r, what)
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
		c.whenLowered(compare, func() { p.Default = c.typedValue(value.Value, p.Type, what, "default") })
	}
}

// readDescription reads the description of a parameter, a field or a result.
func (c *Checker) readDescription(r *ast.Record, what string) string {
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

// lowerResult lowers the last node of a chain, or the only one.
func (c *Checker) lowerResult(n *ast.Pattern, chained bool) *Return {
	r := &Return{Name: n.Identity(), Span: report.NameSpan(n)}
	s := n.Subject
	if len(s.Labels) == 0 || !chained && (s.Identity != nil || n.Property("paramName") != nil) {
		c.missingResult(n, chained)
		return r
	}
	what := "the result"
	c.UnknownProperties(s.Record, "a result", resultKeys)
	optional := false
	r.Type, optional = c.labelType(n, what)
	if optional {
		c.Diags.Warnf(s.Labels[0].Name.Span(), diag.CodeInvalidType, "a result is never left out; Maybe says nothing here")
	}
	c.readStructure(r.Type, s.Record, what)
	c.readAttributes(r.Type, s.Record, what, "default", "description")
	r.Description = c.readDescription(s.Record, what)
	return r
}

func (c *Checker) missingResult(n *ast.Pattern, chained bool) {
	s := n.Subject
	switch {
	case len(s.Labels) > 0:
		d := c.Diags.Errorf(n.Span(), diag.CodeMissingReturnType,
			"the parameter %s is followed by no result type; write ==>(::String) behind it", report.Quote(n.Identity()))
		report.Fix(d, "add ==>(::String)", n.Span().Tail(), "==>(::String)")
	case s.Identity != nil && chained && IsTypeName(s.Identity.Text):
		d := c.Diags.Errorf(s.Identity.Span(), diag.CodeMissingReturnType,
			"the result has no type: %s without colons is a name; write (::%s)", s.Identity.Text, s.Identity.Text)
		report.SafeFix(d, "make it the type", s.Identity.Span().Head(), "::")
	case chained:
		d := c.Diags.Errorf(n.Span(), diag.CodeMissingReturnType, "the last node is the result and has no type; write (::String)")
		if s.Identity != nil {
			c.splitType(d, s.Identity)
		}
	default:
		d := c.Diags.Errorf(n.Span(), diag.CodeMissingReturnType,
			"the signature has no result type; write %s", SignatureExample)
		report.Fix(d, "add ==>(::String)", n.Span().Tail(), "==>(::String)")
	}
}

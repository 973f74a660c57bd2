package types

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
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
	if len(nodes) > 1 && isWholeSignature(nodes[0]) {
		whole, nodes = nodes[0], nodes[1:]
	}
	last := len(nodes) - 1
	s.Return = c.lowerResult(nodes[last], last > 0 || whole != nil)
	if last == 1 && isUnitSignature(nodes[0]) {
		last = 0
	}
	byName := make(map[string]*Param, last)
	for i, node := range nodes[:last] {
		if isUnitSignature(node) {
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

// isUnitSignature reports whether a node is (), which stands for no parameters.
func isUnitSignature(n *ast.Pattern) bool {
	s := n.Subject
	return s.Identity == nil && len(s.Labels) == 0 && (s.Record == nil || len(s.Record.Properties) == 0)
}

// isWholeSignature reports whether a node is ({…}), which applies to all
// arguments together.
func isWholeSignature(n *ast.Pattern) bool {
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

// lowerResult lowers the last node of a chain, or the only one.
func (c *Checker) lowerResult(n *ast.Pattern, chained bool) *Return {
	r := &Return{Name: n.Identity(), Span: report.NameSpan(n)}
	s := n.Subject
	if len(s.Labels) == 0 || !chained && (s.Identity != nil || n.Property("paramName") != nil) {
		c.missingSignatureResult(n, chained)
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

func (c *Checker) missingSignatureResult(n *ast.Pattern, chained bool) {
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

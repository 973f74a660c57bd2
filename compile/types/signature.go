package types

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/internal/lint"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// A Signature is what a tool takes and what it gives. It is not changed after
// it was made.
type Signature struct {
	Params []*Param // in the order in which they are called; may be empty
	Return *Return

	whole *Type // what is said of all arguments together, but for Params; nil = nothing

	input, output json.RawMessage // the schemas, made once
}

// A Param is a parameter of a signature, or a field of an object.
type Param struct {
	Name        string // as in RawJSON
	Type        *Type
	Optional    bool
	Default     json.RawMessage // nil when there is none; else Optional too
	Description string          // of this use; the type may have one too
	Span        source.Span     // the name, or what stands for it
}

// A Return is the result of a signature.
type Return struct {
	Name        string // "" for most
	Type        *Type
	Description string
	Span        source.Span
}

// ParseTypeSignature reads the text of a signature. The signature is nil
// exactly when the list holds an error.
func ParseTypeSignature(text string) (*Signature, diag.List) {
	_, signature, problems := ParseSignature(text)
	return signature, problems
}

// LowerSignature reads a signature from a tree: the element of a tool that
// uses no named types. The signature is nil when the list holds an error, or
// the tree what did not parse.
func LowerSignature(p *ast.Pattern) (*Signature, diag.List) {
	c := NewChecker(Scope{File: &ast.File{}}, &report.Reporter{})
	(&lint.Linter{Reporter: c.Reporter}).Node(p)
	signature := c.LowerSignature(p)
	c.Diags = append(c.Diags, c.NamedTypeProblems()...).Unique()
	if c.Broken || c.Diags.HasErrors() {
		return nil, c.Diags
	}
	return signature, c.Diags
}

// ParseSignature is ParseTypeSignature that returns the pattern too.
func ParseSignature(text string) (*ast.Pattern, *Signature, diag.List) {
	p, problems := SignaturePattern("signature", text)
	if p == nil {
		return nil, nil, problems
	}
	signature, problems := LowerSignature(p)
	return p, signature, problems
}

// SignaturePattern parses a text that holds one signature. The pattern is nil
// exactly when the list holds an error.
func SignaturePattern(name, text string) (*ast.Pattern, diag.List) {
	f, problems := grammar.Parse(name, text)
	if problems.HasErrors() {
		bareSignatureResult(problems[0], text)
		return nil, problems
	}
	switch {
	case len(f.Patterns) == 0 && f.Header == nil:
		problems.Errorf(f.Span(), diag.CodeEmptySignature, "the signature is empty; write %s", SignatureExample)
	case f.Header != nil:
		problems.Errorf(f.Header.Span(), diag.CodeTrailingInput, "a signature has no header record")
	case len(f.Patterns) > 1:
		problems.Errorf(f.Patterns[1].Span(), diag.CodeTrailingInput, "something follows the signature, which ends before it")
	case f.Patterns[0].Form == ast.FormBracket:
		problems.Errorf(f.Patterns[0].Span(), diag.CodeSyntax, "a signature is a chain of nodes, such as %s", SignatureExample)
	default:
		return f.Patterns[0], problems
	}
	return nil, problems
}

// bareSignatureResult improves the message about a result that is no node, as in the
// older notation (name: Text) --> IO Text.
func bareSignatureResult(d *diag.Diagnostic, text string) {
	last := text[d.Span.Start:]
	name := strings.TrimSpace(strings.TrimPrefix(last, "IO "))
	if d.Code == diag.CodeSyntax && IsTypeName(name) {
		d.Message = fmt.Sprintf("the result is a node too: write (::%s)", name)
		d.Fixes = nil
		report.Fix(d, fmt.Sprintf("write (::%s)", name), source.Span{File: d.Span.File, Start: d.Span.Start, End: len(text)}, "(::"+name+")")
	}
}

// SignatureExample is a signature as messages show it.
const SignatureExample = "(name::Text)==>(::String)"

// FixSeveralSignatures adds to a diagnostic about several signatures the fix that makes one
// chain of them, if each but the last ends with a parameter.
func FixSeveralSignatures(d *diag.Diagnostic, signatures []*ast.Pattern) {
	joined := diag.Fix{Title: "write ==> between them"}
	for i, s := range signatures[1:] {
		before := signatures[i]
		last := before
		if before.Form == ast.FormPath {
			last = before.Elements[len(before.Elements)-1]
		}
		gap := source.Span{File: s.Span().File, Start: before.Span().End, End: s.Span().Start}
		comma := strings.IndexByte(gap.Text(), ',')
		if last.Form != ast.FormNode || last.Subject.Identity == nil || strings.TrimSpace(gap.Text()) != "," {
			return
		}
		gap.Start += comma
		gap.End = gap.Start + 1
		if text := s.Span().File.Text(); text[gap.End] == ' ' {
			gap.End++
		}
		joined.Edits = append(joined.Edits, diag.Edit{Span: gap, NewText: "==>"})
	}
	d.Fixes = append(d.Fixes, joined)
}

// SignatureText returns the text that an IR file keeps of a signature. However
// it was laid out, the text is the same.
func SignatureText(p *ast.Pattern) string {
	bare := *p
	bare.Annotations = nil
	return ast.Print(&bare)
}

// Arguments returns the type of all arguments together.
func (s *Signature) Arguments() *Type {
	fields := s.Params
	if fields == nil {
		fields = []*Param{}
	}
	t := &Type{Kind: KindObject}
	if s.whole != nil {
		*t = *s.whole
	}
	t.setFields(fields)
	return t
}

// LowerSignature lowers a path of nodes, or one node. It returns nil when it reported
// an error or met what did not parse.
func (c *Checker) LowerSignature(p *ast.Pattern) *Signature {
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
	s.Return = c.signatureResult(nodes[last], last > 0 || whole != nil)
	if last == 1 && isUnitSignature(nodes[0]) {
		last = 0
	}
	var names paramNames
	for i, node := range nodes[:last] {
		if isUnitSignature(node) {
			c.Diags.Errorf(node.Span(), diag.CodeInvalidChain, "() stands for no parameters, and so only alone before the result")
			continue
		}
		param := c.lowerParam(node, i+1, "parameter")
		s.Params = append(s.Params, param)
		if d := c.duplicateParam(&names, param, diag.CodeDuplicateParameter, "parameter"); d != nil && slices.ContainsFunc(nodes[:i], func(n *ast.Pattern) bool { return ast.Print(n) == ast.Print(node) }) {
			report.RemoveRepeated(d, nodes, i)
		}
	}
	if whole != nil {
		s.whole = c.signatureArgumentsType(whole.Subject.Record, s.Params)
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

// signatureArgumentsType lowers the record of ({closed: true}): what an object type may say,
// but for its fields, which are the parameters.
func (c *Checker) signatureArgumentsType(r *ast.Record, params []*Param) *Type {
	const what = "the arguments"
	c.UnknownProperties(r, "all arguments together", argumentsKeys)
	t := objectType("Object", params)
	c.lowerElementType(t, r, what)
	c.readAttributes(t, r, what)
	t.setFields(nil)
	return t
}

// signatureResult lowers the last node of a chain, or the only one.
func (c *Checker) signatureResult(n *ast.Pattern, chained bool) *Return {
	r := &Return{Name: n.Identity(), Span: report.NameSpan(n)}
	s := n.Subject
	if len(s.Labels) == 0 || !chained && (s.Identity != nil || n.Property("paramName") != nil) {
		c.missingSignatureResult(n, chained)
		return r
	}
	what := "the result"
	c.UnknownProperties(s.Record, "a result", resultKeys)
	optional := false
	r.Type, optional = c.lowerTypeLabel(n, what)
	if optional {
		c.Diags.Warnf(s.Labels[0].Name.Span(), diag.CodeInvalidType, "a result is never left out; Maybe says nothing here")
	}
	c.lowerTypeStructure(r.Type, s.Record, what)
	c.readAttributes(r.Type, s.Record, what, "default", "description")
	r.Description = c.readParamDescription(s.Record, what)
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
			c.splitParamType(d, s.Identity)
		}
	default:
		d := c.Diags.Errorf(n.Span(), diag.CodeMissingReturnType,
			"the signature has no result type; write %s", SignatureExample)
		report.Fix(d, "add ==>(::String)", n.Span().Tail(), "==>(::String)")
	}
}

package types

import (
	"encoding/json"
	"fmt"
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
	Name        string // as in JSON
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
	signature := c.Signature(p)
	c.Diags = append(c.Diags, c.TypeProblems()...).Unique()
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
		bareResult(problems[0], text)
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

// bareResult improves the message about a result that is no node, as in the
// older notation (name: Text) --> IO Text.
func bareResult(d *diag.Diagnostic, text string) {
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

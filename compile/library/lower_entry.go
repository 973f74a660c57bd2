package library

import (
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// lowerEntry lowers an entry of a library. What it returns is whole only if no
// error was reported.
func (c *Lowerer) lowerEntry(p *ast.Pattern, kind EntryKind) *Entry {
	e := &Entry{Name: p.Identity(), Kind: kind, Pattern: p}
	r := &entryReader{Lowerer: c, pattern: p, entry: e, what: report.Named("the entry", e.Name)}
	if e.Name == "" {
		r.what = "the entry"
	}
	r.lowerName()
	if kind == EntryBuiltin {
		e.Builtin = &Builtin{Builtin: r.entryBuiltinName()}
	}
	r.lowerKnownProperties(r.kindWords())
	r.lowerCommonProperties()
	r.lowerElements()
	switch kind {
	case EntryCommand:
		e.Command = r.command()
	case EntryHTTP:
		e.HTTP = r.http()
	case EntryMCP:
		e.MCP = r.mcp()
	case EntryBuiltin:
		r.builtin(e.Builtin)
	}
	r.arguments()
	r.undecidedSecretVariables()
	return e
}

// lowerKnownProperties reports the properties that mean nothing on the pattern. Here they
// are errors: an approval that is misspelt is none.
func (r *entryReader) lowerKnownProperties(kind string, known []string) {
	if r.pattern.Subject.Record == nil {
		return
	}
	there := map[string]bool{}
	for _, p := range r.pattern.Subject.Record.Properties {
		there[p.Key.Text] = true
	}
	for _, p := range r.pattern.Subject.Record.Properties {
		key := p.Key.Text
		if slices.Contains(known, key) {
			continue
		}
		near := ""
		if r.entry != nil {
			near = foreignKindProperty(r.entry.Kind, key)
		}
		if !slices.Contains(known, near) {
			near = r.Guess(key, known)
		}
		if r.commandArgumentsApart(key) || r.httpMethodAsKey(p) {
			continue
		}
		d := r.Diags.Errorf(p.Key.Span(), diag.CodeUnknownProperty, "the property %s has no meaning on %s", report.Quote(key), kind)
		if near == "" || there[near] {
			continue
		}
		there[near] = true
		d.Message += fmt.Sprintf("; did you mean %s?", near)
		report.Respell(d, p.Key.Span(), key, near)
		r.misspelt = append(r.misspelt, near)
	}
}

// lowerName checks the name of an entry.
func (r *entryReader) lowerName() {
	e := r.entry
	if e.Name == "" {
		r.Diags.Errorf(report.NameSpan(r.pattern), diag.CodeMissingEntryName, "the entry has no name; write [name:%s …], with the name of the tool", e.Kind)
		return
	}
	if problem := types.ToolNameProblem(e.Name); problem != "" {
		r.Diags.Errorf(report.NameSpan(r.pattern), diag.CodeInvalidToolName, "%s", problem)
	}
}

// lowerCommonProperties reads what every entry may say.
func (r *entryReader) lowerCommonProperties() {
	e := r.entry
	e.Description = r.plain("description")
	e.TimeoutMS = r.Timeout(r.pattern.Property("timeout"), r.what)
	e.Retryable, e.Parallel, e.Secret = r.yesOrNo("retryable"), r.yesOrNo("parallel"), r.yesOrNo("secret")
	e.Repeat = r.Word(r.property("repeat"), r.what, vocabulary.Values(vocabulary.OwnerCommand, "repeat"), "once")
	e.Replaces = r.ToolFlag(r.pattern.Property("replaces"), false, r.what)
	e.Approve = Approval(r.word("approve", vocabulary.Values(vocabulary.OwnerLibrary, "approve")))
	e.Traits = r.lowerTraits()
}

// lowerElements reads the signature and the rules of an entry.
func (r *entryReader) lowerElements() {
	var signature *ast.Pattern
	for _, e := range r.pattern.Elements {
		switch rule := RuleLabel(e); {
		case e.Form == ast.FormBad:
			return
		case rule != nil:
			r.rule(e, rule)
		case e.Form != ast.FormNode && e.Form != ast.FormPath:
			r.Diags.Errorf(e.Span(), diag.CodeInvalidEntry,
				"this is neither a signature, such as %s, nor a rule, such as (:Ask {path: \"*.env\"})", types.SignatureExample)
		case signature != nil:
			d := r.Diags.Errorf(e.Span(), diag.CodeMultipleSignatures, "%s has several signatures", r.what)
			report.Relate(d, signature.Span(), "the first")
			types.FixSeveralSignatures(d, []*ast.Pattern{signature, e})
		case r.entry.Kind == EntryMCP:
			signature = e
			r.Diags.Errorf(e.Span(), diag.CodeInvalidEntry, "a server says itself what its tools take; an Mcp entry has no signature")
		default:
			signature = e
			if r.lowerSeveralSignatures() {
				continue // which are one together
			}
			if r.entry.Signature = r.LowerSignature(e); r.entry.Signature != nil {
				r.entry.TypeSignature = types.SignatureText(e)
			}
		}
	}
	r.unsigned = signature != nil && r.entry.Signature == nil
}

// lowerSeveralSignatures reports whether more than one element of an entry is no rule.
func (r *entryReader) lowerSeveralSignatures() bool {
	n := 0
	for _, e := range r.pattern.Elements {
		if RuleLabel(e) == nil {
			n++
		}
	}
	return n > 1
}

// lowerTraits reads {traits: [private, outbound]} or {traits: none}.
func (r *entryReader) lowerTraits() []Trait {
	p := r.property("traits")
	if p == nil {
		return nil
	}
	traits := []Trait{}
	if word, ok := ast.WordOf(p.Value); ok && word == "none" {
		return traits
	}
	known := []string{string(TraitPrivate), string(TraitUntrusted), string(TraitOutbound)}
	for _, item := range r.list("traits", "{traits: [private, untrusted, outbound]}, or none") {
		if text, ok := r.oneOf(item, "the trait of", known); ok {
			traits = append(traits, Trait(text))
		}
	}
	return traits
}

package library

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// entry lowers an entry of a library. What it returns is whole only if no
// error was reported.
func (c *Lowerer) entry(p *ast.Pattern, kind EntryKind) *Entry {
	e := &Entry{Name: p.Identity(), Kind: kind, Pattern: p}
	r := &entryReader{Lowerer: c, pattern: p, entry: e, what: report.Named("the entry", e.Name)}
	if e.Name == "" {
		r.what = "the entry"
	}
	r.name()
	if kind == EntryBuiltin {
		e.Builtin = &Builtin{Builtin: r.builtinName()}
	}
	r.known(r.kindWords())
	r.common()
	r.elements()
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
	r.undecidedSecrets()
	return e
}

// kindWords returns what the entry is called in messages about its properties,
// and which it may have.
func (r *entryReader) kindWords() (kind string, properties []string) {
	known := vocabulary.Keys(vocabulary.Owner(r.entry.Kind))
	switch r.entry.Kind {
	case EntryCommand:
		return "a Command", known
	case EntryHTTP:
		return "an Http entry", known
	case EntryMCP:
		return "an Mcp entry", known
	}
	b, found := BuiltinNamed(r.entry.Builtin.Builtin)
	if !found { // nobody knows which one is meant
		return "a Builtin", known
	}
	foreign := func(key string) bool {
		return !slices.Contains(b.Properties, key) &&
			slices.ContainsFunc(Builtins(), func(b BuiltinTool) bool { return slices.Contains(b.Properties, key) })
	}
	return "the built-in " + b.Name, slices.DeleteFunc(known, foreign)
}

// foreignProperty returns the property that a word of other tools means on an
// entry of a kind, "" when it means none.
func foreignProperty(kind EntryKind, key string) string {
	switch key {
	case "cwd", "workdir", "workingDirectory", "folder":
		if kind == EntryBuiltin {
			return "root"
		}
		return "dir"
	case "dir", "path", "directory":
		if kind == EntryBuiltin {
			return "root"
		}
	case "cmd", "exec", "args", "argv", "program":
		if kind == EntryMCP {
			return "command"
		}
		return "run"
	case "command":
		return "run"
	case "run":
		return "command"
	case "uri", "endpoint", "address":
		return "url"
	case "verb":
		return "method"
	case "environment":
		return "env"
	case "apiKey", "api_key", "token":
		return "key"
	case "tools", "allowedTools":
		return "allow"
	case "approval", "confirm", "permission":
		return "approve"
	case "replace", "override", "overrides":
		return "replaces"
	}
	return ""
}

// known reports the properties that mean nothing on the pattern. Here they
// are errors: an approval that is misspelt is none.
func (r *entryReader) known(kind string, known []string) {
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
			near = foreignProperty(r.entry.Kind, key)
		}
		if !slices.Contains(known, near) {
			near = r.Guess(key, known)
		}
		if r.argumentsApart(key) || r.methodAsKey(p) {
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

// name checks the name of an entry.
func (r *entryReader) name() {
	e := r.entry
	if e.Name == "" {
		r.Diags.Errorf(report.NameSpan(r.pattern), diag.CodeMissingEntryName, "the entry has no name; write [name:%s …], with the name of the tool", e.Kind)
		return
	}
	if problem := types.ToolNameProblem(e.Name); problem != "" {
		r.Diags.Errorf(report.NameSpan(r.pattern), diag.CodeInvalidToolName, "%s", problem)
	}
}

// common reads what every entry may say.
func (r *entryReader) common() {
	e := r.entry
	e.Description = r.plain("description")
	e.TimeoutMS = r.Timeout(r.pattern.Property("timeout"), r.what)
	e.Retryable, e.Parallel, e.Secret = r.yesOrNo("retryable"), r.yesOrNo("parallel"), r.yesOrNo("secret")
	e.Replaces = r.ToolFlag(r.pattern.Property("replaces"), false, r.what)
	e.Approve = Approval(r.word("approve", vocabulary.Values(vocabulary.OwnerLibrary, "approve")))
	e.Traits = r.traits()
}

// yesOrNo reads a property that is true or false; nil when nothing is said.
func (r *entryReader) yesOrNo(key string) *bool {
	p := r.pattern.Property(key)
	if p == nil || p.Value == nil {
		return nil
	}
	flag := r.Flag(p, r.what)
	return &flag
}

// elements reads the signature and the rules of an entry.
func (r *entryReader) elements() {
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
			if r.severalSignatures() {
				continue // which are one together
			}
			if r.entry.Signature = r.Signature(e); r.entry.Signature != nil {
				r.entry.TypeSignature = types.SignatureText(e)
			}
		}
	}
	r.unsigned = signature != nil && r.entry.Signature == nil
}

// severalSignatures reports whether more than one element of an entry is no rule.
func (r *entryReader) severalSignatures() bool {
	n := 0
	for _, e := range r.pattern.Elements {
		if RuleLabel(e) == nil {
			n++
		}
	}
	return n > 1
}

// traits reads {traits: [private, outbound]} or {traits: none}.
func (r *entryReader) traits() []Trait {
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

// AssumedTraits returns what the tools of an entry do: what the entry says, or
// else what is known of its kind. Nothing is known of programs.
func (e *Entry) AssumedTraits() []Trait {
	switch {
	case e.Traits != nil:
		return e.Traits
	case e.Builtin != nil:
		b, _ := BuiltinNamed(e.Builtin.Builtin)
		return b.Traits
	case e.HTTP != nil, e.MCP != nil && !e.MCP.URL.IsZero():
		return []Trait{TraitUntrusted, TraitOutbound}
	}
	return nil
}

// Asks reports whether no call of an entry of a library is made unseen.
func (e *Entry) Asks(l *Library) bool {
	approve := cmp.Or(e.Approve, l.Approve)
	allows := func(r Rule) bool { return r.Approve == ApproveAllow }
	return (approve == ApproveAsk || approve == ApproveDeny) && !slices.ContainsFunc(e.Rules, allows)
}

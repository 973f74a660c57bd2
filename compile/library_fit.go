package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
	"github.com/gram-lang/gramc/source"
)

// This file compares agents with the libraries that they are to work with, as
// far as that is possible before anything is opened.

// A libraryComparer compares the signature of an entry with that of the tool that it
// works for: the entry must take every call that the agent can make, as it must
// when it is bound.
type libraryComparer struct {
	*compiler
	tool    *Tool
	entry   *types.Signature
	subject string      // the entry in messages
	exact   bool        // an example of the result is compared, when it is bound
	whole   source.Span // where the entry says what it takes
	spans   bool        // parameters of the entry have spans of their own

	renamed map[string]bool // parameters of the entry that the tool has under another name
}

// fitLibrarySignatures reports where calls of a tool do not fit an entry.
func (c *compiler) fitLibrarySignatures(e *library.Entry, t *Tool) {
	k := &libraryComparer{compiler: c, tool: t}
	if e.Signature != nil {
		k.entry, k.subject, k.whole, k.spans = e.Signature, "the signature", fitSignatureSpan(e), true
	} else if e.Builtin != nil {
		b, _ := library.BuiltinNamed(e.Builtin.Builtin)
		k.entry, k.subject, k.whole, k.exact = b.Signature, "the built-in "+b.Name, e.Span("builtin"), b.Example != ""
		if b.Name == "sayHello" {
			k.compareGreeting()
		}
	}
	if k.entry != nil {
		k.compareArguments()
		k.compareResult()
	}
}

// compareGreeting reports where sayHello does not fit: it greets the person whom
// a text of the agent's tool names.
func (k *libraryComparer) compareGreeting() {
	texts, named := 0, false
	for _, p := range k.tool.Signature.Params {
		if p.Type.Resolved().Kind == types.KindString {
			texts++
			named = named || p.Name == "personName" || p.Name == "name"
		}
	}
	if len(k.tool.Signature.Params) > 0 && !named && texts != 1 {
		d := k.Diags.Errorf(k.whole, diag.CodeContractMismatch, "sayHello greets the person that a Text parameter of the tool %s names; call it personName", report.Quote(k.tool.Name))
		report.Relate(d, k.tool.named, "the tool")
	}
	result := k.tool.Signature.Return
	if kind := result.Type.Resolved().Kind; kind != types.KindString && kind != types.KindAny {
		d := k.Diags.Errorf(k.whole, diag.CodeContractMismatch, "sayHello returns Text, and the tool %s of the agent returns %s", report.Quote(k.tool.Name), types.TypeWord(result.Type))
		report.Relate(d, result.Span, "in the agent")
	}
}

// fitSignatureSpan returns where the signature of an entry is.
func fitSignatureSpan(e *library.Entry) source.Span {
	for _, element := range e.Pattern.Elements {
		if library.RuleLabel(element) == nil {
			return element.Span()
		}
	}
	return report.NameSpan(e.Pattern)
}

func (k *libraryComparer) compareArguments() {
	mismatches := fitMismatches(k.tool.Schema(), k.entry.InputSchema(), jsonschema.CheckOptions{Arguments: true, Closed: true})
	k.renamed = map[string]bool{}
	reported := map[string]bool{}
	missing := func(m jsonschema.Mismatch) bool { return m.Keyword == jsonschema.UndeclaredProperty }
	others := slices.DeleteFunc(slices.Clone(mismatches), missing)
	mismatches = slices.DeleteFunc(mismatches, func(m jsonschema.Mismatch) bool { return !missing(m) })
	for _, m := range append(mismatches, others...) { // missing parameters first: they can be renamed ones
		name, inside := fitParameter(&m)
		switch {
		case reported[name] || k.renamed[name]:
		case missing(m) && inside == "":
			k.reportMissing(name)
		case m.Keyword == "required" && inside == "":
			k.reportRequired(name)
		default:
			k.reportMismatch(name, inside, m.Reason())
		}
		reported[name] = true
	}
}

// fitMismatches returns the proven reasons why values of one schema are not
// values of another.
func fitMismatches(narrow, wide []byte, o jsonschema.CheckOptions) []jsonschema.Mismatch {
	n, err := jsonschema.ReadDocument(narrow)
	if err != nil {
		return nil
	}
	w, err := jsonschema.ReadDocument(wide)
	if err != nil {
		return nil
	}
	result := jsonschema.Subtype(n, w, o)
	if result.Verdict != jsonschema.No {
		return nil
	}
	return slices.DeleteFunc(result.Mismatches, func(m jsonschema.Mismatch) bool { return m.Undecided })
}

// fitParameter returns the parameter that a mismatch is about, and where inside
// of it, as a JSON pointer; both are empty for the arguments as a whole.
func fitParameter(m *jsonschema.Mismatch) (name, inside string) {
	tokens := strings.SplitN(strings.TrimPrefix(m.Pointer(), "/"), "/", 3)
	switch {
	case tokens[0] == "properties" && len(tokens) == 3:
		return jsonpointer.Key(tokens[1]), "/" + tokens[2]
	case tokens[0] == "properties" && len(tokens) == 2:
		return jsonpointer.Key(tokens[1]), ""
	}
	return m.Name, ""
}

// reportMissing reports a parameter of the tool that the entry does not have.
func (k *libraryComparer) reportMissing(name string) {
	p, wanted := k.tool.Signature.Arguments().Field(name), k.tool.Signature.Arguments()
	others := slices.DeleteFunc(library.ParamNames(k.entry.Params), func(other string) bool { return wanted.Field(other) != nil })
	near := k.Guess(name, others)
	k.renamed[near] = near != ""
	if near == "" || !k.spans {
		d := k.Diags.Errorf(k.whole, diag.CodeContractMismatch, "%s has no parameter %s, which the tool %s of the agent has", k.subject, report.Quote(name), report.Quote(k.tool.Name))
		if near != "" {
			d.Message += "; it has " + report.Clip(near)
		}
		report.Relate(d, p.Span, "the parameter")
		return
	}
	at := k.entry.Arguments().Field(near).Span
	d := k.Diags.Errorf(at, diag.CodeContractMismatch, "the tool %s of the agent has no parameter %s; did you mean %s?", report.Quote(k.tool.Name), report.Quote(near), report.Clip(name))
	report.Fix(d, "write "+report.Clip(name), at, name)
	report.Relate(d, p.Span, "in the agent")
}

// reportRequired reports a parameter that the entry requires and calls of the
// tool can lack.
func (k *libraryComparer) reportRequired(name string) {
	what, related, at := "does not have", k.tool.named, "the tool"
	if p := k.tool.Signature.Arguments().Field(name); p != nil {
		what, related, at = "has as an optional one", p.Span, "in the agent"
	}
	d := k.Diags.Errorf(k.spanOf(name), diag.CodeContractMismatch, "%s requires the parameter %s, which the tool %s of the agent %s", k.subject, report.Quote(name), report.Quote(k.tool.Name), what)
	report.Relate(d, related, at)
}

// reportMismatch reports a parameter whose values the entry does not all take,
// or the arguments as a whole.
func (k *libraryComparer) reportMismatch(name, inside, reason string) {
	what := "the arguments of"
	related, at := k.tool.named, "the tool"
	if p := k.tool.Signature.Arguments().Field(name); p != nil {
		what, related, at = fmt.Sprintf("the parameter %s of", report.Quote(name)), p.Span, "in the agent"
	}
	if inside != "" {
		reason += " at " + report.Clip(inside)
	}
	d := k.Diags.Errorf(k.spanOf(name), diag.CodeContractMismatch, "%s the tool %s can have values that %s does not take: %s", what, report.Quote(k.tool.Name), k.subject, reason)
	report.Relate(d, related, at)
}

// spanOf returns where the entry declares a parameter.
func (k *libraryComparer) spanOf(name string) source.Span {
	if p := k.entry.Arguments().Field(name); p != nil && k.spans {
		return p.Span
	}
	return k.whole
}

// compareResult reports results that the agent does not expect, and warns of
// those that it may not expect. Every result can be written as text.
func (k *libraryComparer) compareResult() {
	want, have := k.tool.Signature.Return, k.entry.Return
	if want.Type.Resolved().Kind == types.KindString {
		return
	}
	mismatches := fitMismatches(k.entry.OutputSchema(), k.tool.OutputSchema(), jsonschema.CheckOptions{})
	if len(mismatches) == 0 {
		return
	}
	at := have.Span
	if !k.spans {
		at = k.whole
	}
	d := k.Diags.Warnf(at, diag.CodeContractMismatch, "the result of the tool %s can be one that the agent does not expect: %s", report.Quote(k.tool.Name), mismatches[0].Reason())
	if k.refused(mismatches[0]) {
		d.Severity = diag.Error
	}
	report.Relate(d, want.Span, "in the agent")
}

// refused reports whether a tool with such a result is not bound.
func (k *libraryComparer) refused(m jsonschema.Mismatch) bool {
	atRoot := m.Pointer() == "" && m.Keyword == "type" && m.MissingTypes() == m.Narrow.Types()
	return atRoot || k.exact && (m.Keyword == "type" || m.Keyword == "required")
}

// fitLibraries compares the agents of the file with the libraries that were given,
// and warns of agents that can give away what they know.
func (c *compiler) fitLibraries(agents []*Agent) {
	done := map[*Tool]bool{}
	index := newToolEntries(c.opts.Libraries)
	ofBuiltin := func(tool string) []library.Trait {
		b, _ := library.BuiltinNamed(tool)
		return b.Traits
	}
	for i, a := range agents {
		place := report.NameSpan(c.names.agents[i].Pattern)
		if c.opts.Libraries == nil {
			c.dataLeak(a, place, ofBuiltin)
			continue
		}
		for _, t := range a.Tools {
			if done[t] {
				continue
			}
			done[t] = true
			e, open := index.lookup(t.Name)
			switch {
			case e != nil && !open:
				c.fitEntry(e, t)
			case e == nil && !open:
				c.fitMissing(a, t, index)
			}
		}
		c.dataLeak(a, place, index.leakTraits)
	}
}

// fitEntry reports where an entry and the tool of an agent that it works for differ,
// and which arguments the entry mentions that the tool does not have. Nothing
// can be said of a server.
func (c *compiler) fitEntry(e *library.Entry, t *Tool) {
	c.fitRepeat(e, t)
	if e.Kind == library.EntryMCP || t.Signature == nil {
		return
	}
	if e.Description != "" && e.Description != t.Description {
		d := c.Diags.Errorf(e.Span("description"), diag.CodeContractMismatch,
			"the tool %s is described differently in the agent: %s", report.Quote(t.Name), report.Quote(t.Description))
		report.Relate(d, t.described, "the description that the model sees")
	}
	c.fitLibrarySignatures(e, t)
	if e.Signature == nil && e.Pattern != nil {
		c.libraries.CheckArguments(e, library.ParametersOf(t.Signature, "the tool "+report.Quote(t.Name)+" of the agent", t.named))
	}
}

// fitRepeat warns of a tool that may be repeated more by the word of the agent than by that of
// the library, which knows what does the work.
func (c *compiler) fitRepeat(e *library.Entry, t *Tool) {
	words := vocabulary.Values(vocabulary.OwnerTool, "repeat") // the strictest last
	if e.Repeat == "" || t.Repeat == "" || slices.Index(words, e.Repeat) <= slices.Index(words, t.Repeat) {
		return
	}
	d := c.Diags.Warnf(e.Span("repeat"), diag.CodeContractMismatch,
		"repeat is %s here, and %s for the tool %s of the agent; the stricter counts, which is %s", e.Repeat, t.Repeat, report.Quote(t.Name), e.Repeat)
	report.Relate(d, t.named, "the tool")
}

// fitMissing reports that no library has a tool.
func (c *compiler) fitMissing(a *Agent, t *Tool, index *toolEntries) {
	d := c.Diags.Errorf(t.named, diag.CodeMissingImplementation, "no library has the tool %s of the agent %s", report.Quote(t.Name), report.Quote(a.Name))
	if near := c.Guess(t.Name, index.names[:min(len(index.names), report.MaxCandidates)]); near != "" {
		d.Message += fmt.Sprintf("; did you mean %s?", report.Clip(near))
		report.Relate(d, index.byTool[near].entry.Span(""), "this one is near")
	}
}

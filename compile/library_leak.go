package compile

import (
	"cmp"
	"slices"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// This file warns of agents that can be talked into giving away what they
// know: who reads private data, takes in text that a stranger may have written,
// and sends data to the outside, does what that text says.

// builtinTraits returns what a tool of that name does if it is the built-in
// one.
func builtinTraits(tool string) []Trait {
	b, _ := builtinNamed(tool)
	return b.traits
}

// traits returns what the entry does that has a tool. Where a person agrees to
// every call, nothing happens unseen.
func (x *entryIndex) traits(tool string) []Trait {
	found := x.byTool[tool]
	e := found.entry
	if e == nil || found.open || e.asks(found.library) {
		return nil
	}
	return e.AssumedTraits()
}

// AssumedTraits returns what the tools of an entry do: what the entry says, or
// else what is known of its kind. Nothing is known of programs.
func (e *Entry) AssumedTraits() []Trait {
	switch {
	case e.Traits != nil:
		return e.Traits
	case e.Builtin != nil:
		return builtinTraits(e.Builtin.Builtin)
	case e.HTTP != nil, e.MCP != nil && !e.MCP.URL.IsZero():
		return []Trait{TraitUntrusted, TraitOutbound}
	}
	return nil
}

// asks reports whether no call of an entry of a library is made unseen.
func (e *Entry) asks(l *Library) bool {
	approve := cmp.Or(e.Approve, l.Approve)
	allows := func(r Rule) bool { return r.Approve == ApproveAllow }
	return (approve == ApproveAsk || approve == ApproveDeny) && !slices.ContainsFunc(e.Rules, allows)
}

// dataLeak warns of an agent of which the tools together have all traits.
func (c *compiler) dataLeak(a *Agent, place source.Span, traits func(tool string) []Trait) {
	words := []struct {
		trait Trait
		does  string
	}{{TraitPrivate, "reads private data"}, {TraitUntrusted, "takes in text of strangers"}, {TraitOutbound, "sends data to the outside"}}
	found := make([]*Tool, len(words))
	for _, t := range a.Tools {
		does := traits(t.Name)
		for i, w := range words {
			if found[i] == nil && slices.Contains(does, w.trait) {
				found[i] = t
			}
		}
	}
	if slices.Contains(found, nil) {
		return
	}
	d := c.diags.Warnf(place, diag.CodeDataLeak,
		"the agent %s reads private data, takes in text of strangers and sends data to the outside: such a text can make it give the data away", quote(a.Name))
	for i, t := range found {
		if slices.Contains(found[:i], t) {
			continue
		}
		does := words[i].does
		for j := i + 1; j < len(found); j++ {
			if found[j] == t {
				does += " and " + words[j].does
			}
		}
		relate(d, t.named, "the tool "+quote(t.Name)+" "+does)
	}
}

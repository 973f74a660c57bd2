package compile

import (
	"slices"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// This file warns of agents that can be talked into giving away what they
// know: who reads private data, takes in text that a stranger may have written,
// and sends data to the outside, does what that text says.

// A leakPart is what one tool does of a leak.
type leakPart struct {
	trait library.Trait
	does  string // in messages
}

// leak is what the tools of an agent do that can be talked into giving data away. It is
// not changed.
var leak = [...]leakPart{
	{library.TraitPrivate, "reads private data"}, {library.TraitUntrusted, "takes in text of strangers"}, {library.TraitOutbound, "sends data to the outside"},
}

// leakTraits returns what the entry does that has a tool. Where a person agrees to
// every call, nothing happens unseen.
func (x *toolEntries) leakTraits(tool string) []library.Trait {
	found := x.byTool[tool]
	e := found.entry
	if e == nil || found.open || e.Asks(found.library) {
		return nil
	}
	return e.AssumedTraits()
}

// dataLeak warns of an agent of which the tools together have all traits.
func (c *compiler) dataLeak(a *Agent, place source.Span, traits func(tool string) []library.Trait) {
	var found [len(leak)]*Tool
	for _, t := range a.Tools {
		for _, does := range traits(t.Name) {
			i := slices.IndexFunc(leak[:], func(part leakPart) bool { return part.trait == does })
			if i >= 0 && found[i] == nil {
				found[i] = t
			}
		}
	}
	if slices.Contains(found[:], nil) {
		return
	}
	d := c.Diags.Warnf(place, diag.CodeDataLeak,
		"the agent %s reads private data, takes in text of strangers and sends data to the outside: such a text can make it give the data away", report.Quote(a.Name))
	for i, t := range found {
		if slices.Contains(found[:i], t) {
			continue
		}
		does := leak[i].does
		for j := i + 1; j < len(found); j++ {
			if found[j] == t {
				does += " and " + leak[j].does
			}
		}
		report.Relate(d, t.named, "the tool "+report.Quote(t.Name)+" "+does)
	}
}

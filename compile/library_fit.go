package compile

import (
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// This file compares agents with the libraries that they are to work with, as
// far as that is possible before anything is opened.

// Lookup returns the entry that has a tool, nil when none is known to have it.
// A later library comes before an earlier one, and in one library an entry of
// that name before a server that allows it. Open reports whether a server
// without a list of tools, which may have any, comes before what was found.
func Lookup(libraries []*Library, tool string) (e *Entry, open bool) {
	for _, l := range slices.Backward(libraries) {
		for _, e := range l.Entries {
			if e.MCP == nil && e.Name == tool {
				return e, open
			}
		}
		for _, e := range l.Entries {
			if slices.Contains(e.tools(), tool) {
				return e, open
			}
		}
		open = open || slices.ContainsFunc(l.Entries, func(e *Entry) bool { return e.MCP != nil && e.MCP.Allow == nil })
	}
	return nil, open
}

// tools returns the names of the tools that the entry is known to have.
func (e *Entry) tools() []string {
	if e.MCP == nil {
		return []string{e.Name}
	}
	names := make([]string, 0, len(e.MCP.Allow))
	for _, name := range e.MCP.Allow {
		names = append(names, e.MCP.Prefix+name)
	}
	return names
}

// Shadowed warns of the tools of later libraries that replace one of an
// earlier library, and do not say that they mean to.
func Shadowed(libraries []*Library) diag.List {
	var problems diag.List
	earlier := map[string]source.Span{}
	for _, l := range libraries {
		own := map[string]source.Span{}
		for _, e := range l.Entries {
			for i, name := range e.tools() {
				place := e.Span("")
				if e.MCP != nil && e.pattern != nil {
					place = e.allowed(i)
				}
				own[name] = place
				first, replaced := earlier[name]
				if !replaced || e.Replaces {
					continue
				}
				d := problems.Warnf(place, diag.CodeShadowedTool,
					"the tool %s replaces that of an earlier library; if that is meant, write replaces: true", quote(name))
				relate(d, first, "the earlier one")
				if e.pattern != nil && !place.IsZero() {
					addProperty(d, e.pattern.Subject, "replaces: true")
				}
			}
		}
		for name, place := range own {
			earlier[name] = place
		}
	}
	return problems
}

// Fit tells where an entry and the tool of an agent that it works for differ,
// and which arguments the entry speaks of that the tool does not have. Nothing
// can be said of a server. Of the options only BuiltinInput counts.
func (e *Entry) Fit(t *Tool, o *Options) diag.List {
	c := &compiler{}
	if o != nil {
		c.opts = *o
	}
	c.fit(e, t)
	c.diags.Sort()
	return c.diags
}

func (c *compiler) fit(e *Entry, t *Tool) {
	if e.Kind == EntryMCP || t.Signature == nil {
		return
	}
	if e.Description != "" && e.Description != t.Description {
		d := c.diags.Errorf(e.Span("description"), diag.CodeContractMismatch,
			"the tool %s is described otherwise in the agent: %s", quote(t.Name), quote(t.Description))
		relate(d, t.described, "the description that the model sees")
	}
	switch {
	case e.Signature != nil:
		c.sameSignature(e, t)
	case e.Kind == EntryBuiltin:
		c.fitsBuiltin(e, t)
	}
	if e.Signature == nil && e.pattern != nil {
		whose := "the tool " + quote(t.Name) + " of the agent"
		c.entryArguments(e, parameters{names: paramNames(t.Signature.Params), whose: whose, place: t.named})
	}
}

// fitsBuiltin tells of parameters that a built-in does not have, or that it
// needs.
func (c *compiler) fitsBuiltin(e *Entry, t *Tool) {
	known, ok := c.builtinParameters(e.Builtin.Builtin)
	if !ok {
		return
	}
	renamed := map[string]bool{} // what the tool has under another name
	for _, p := range t.Signature.Params {
		if slices.Contains(known, p.Name) {
			continue
		}
		d := c.diags.Errorf(e.Span("builtin"), diag.CodeContractMismatch,
			"the built-in %s has no parameter %s, which the tool %s of the agent has", e.Builtin.Builtin, quote(p.Name), quote(t.Name))
		if near := c.guess(p.Name, known); near != "" {
			d.Message += fmt.Sprintf("; it has %s", near)
			renamed[near] = true
		}
		relate(d, p.Span, "the parameter")
	}
	for _, name := range c.builtinRequired(e.Builtin.Builtin) {
		if !renamed[name] && !slices.Contains(paramNames(t.Signature.Params), name) {
			d := c.diags.Errorf(e.Span("builtin"), diag.CodeContractMismatch,
				"the built-in %s needs the parameter %s, which the tool %s of the agent does not have", e.Builtin.Builtin, quote(name), quote(t.Name))
			relate(d, t.named, "the tool")
		}
	}
}

// wiring compares the agents of the file with the libraries that were given,
// and warns of agents that can give away what they know.
func (c *compiler) wiring(agents []*Agent) {
	done := map[*Tool]bool{}
	builtin := map[string][]Trait{}
	for _, b := range builtinTools() {
		builtin[b.name] = b.traits
	}
	for i, a := range agents {
		place := nameSpan(c.names.agents[i].Pattern)
		if c.opts.Libraries == nil {
			c.dataLeak(a, place, func(tool string) []Trait { return builtin[tool] })
			continue
		}
		for _, t := range a.Tools {
			if done[t] {
				continue
			}
			done[t] = true
			e, open := Lookup(c.opts.Libraries, t.Name)
			switch {
			case e != nil && !open:
				c.fit(e, t)
			case e == nil && !open:
				c.notImplemented(a, t)
			}
		}
		c.dataLeak(a, place, func(tool string) []Trait { return c.libraryTraits(tool) })
	}
}

// notImplemented tells that no library has a tool.
func (c *compiler) notImplemented(a *Agent, t *Tool) {
	d := c.diags.Errorf(t.named, diag.CodeMissingImplementation, "no library has the tool %s of the agent %s", quote(t.Name), quote(a.Name))
	var names []string
	for _, l := range c.opts.Libraries {
		for _, e := range l.Entries {
			names = append(names, e.tools()...)
		}
	}
	near := c.guess(t.Name, names[:min(len(names), maxCandidates)])
	if near == "" {
		return
	}
	d.Message += fmt.Sprintf("; did you mean %s?", clip(near))
	if e, _ := Lookup(c.opts.Libraries, near); e != nil {
		relate(d, e.Span(""), "this one is near")
	}
}

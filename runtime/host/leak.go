package host

import (
	"slices"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/runtime"
)

// A Leak is a set of tools with which an agent can be tricked into giving away
// what it knows: some read private data, some take in text that strangers may
// have written, and some send data to the outside. Each list has names in the
// order in which they were asked for.
type Leak struct {
	Private, Untrusted, Outbound []string

	// Asked are those of Outbound whose calls need approval for no other
	// reason.
	Asked []string
}

// GuardLeaks returns the tools for an agent that has the named ones. Where these
// make a leak, calls that send data to the outside need approval, unless the
// entry or its library declares what needs approval; then the leak is returned
// as well, and else nil.
//
// A tool of which no call is made without approval is no part of a leak.
func (s *Set) GuardLeaks(names []string) (runtime.Library, *Leak) {
	var leak Leak
	for _, name := range names {
		traits := s.leakTraits(name)
		for trait, list := range map[library.Trait]*[]string{
			library.TraitPrivate: &leak.Private, library.TraitUntrusted: &leak.Untrusted, library.TraitOutbound: &leak.Outbound,
		} {
			if slices.Contains(traits, trait) && !slices.Contains(*list, name) {
				*list = append(*list, name)
			}
		}
	}
	if len(leak.Private) == 0 || len(leak.Untrusted) == 0 || len(leak.Outbound) == 0 {
		return s.library, nil
	}
	library := s.library
	for _, name := range leak.Outbound {
		o := s.origins[name]
		if o.Entry.Approve != "" || o.Library.Approve != "" {
			continue
		}
		t, _ := library.Lookup(name)
		c := t.Config()
		c.Approval.Default = runtime.Ask
		t, err := runtime.NewTool(c)
		if err == nil {
			library, err = library.Add(name, t)
		}
		if err != nil {
			panic("host: a tool cannot be made of itself: " + err.Error())
		}
		leak.Asked = append(leak.Asked, name)
	}
	return library, &leak
}

// leakTraits returns what a tool does that may be called without approval.
func (s *Set) leakTraits(name string) []library.Trait {
	t, found := s.library.Lookup(name)
	o := s.origins[name]
	if !found || o.Entry == nil || !t.Config().Approval.MayAllow() {
		return nil
	}
	traits := o.Entry.AssumedTraits()
	if s.openWorld[name] && o.Entry.Traits == nil {
		traits = append(slices.Clone(traits), library.TraitUntrusted, library.TraitOutbound)
	}
	return traits
}

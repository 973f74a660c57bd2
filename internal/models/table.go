package models

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// A Table is what is known of providers and models. It is not changed and can be
// shared. A nil *Table is the built-in one.
type Table struct {
	providers []Provider
}

// Builtin returns the built-in table.
func Builtin() *Table { return &builtin }

// Providers returns the providers, the default one first. The caller does not change
// them.
func (t *Table) Providers() []Provider {
	if t == nil {
		return builtin.providers
	}
	return t.providers
}

// HidingKeys returns what puts the names of variables in the place of the keys of all providers,
// which lookup returns.
func (t *Table) HidingKeys(lookup func(variable string) string) *strings.Replacer {
	const shortest = 8 // what is shorter is part of other words
	var pairs []string
	for _, p := range t.Providers() {
		for _, variable := range p.Keys {
			if key := lookup(variable); len(key) >= shortest {
				pairs = append(pairs, key, "${"+variable+"}")
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// Names returns the names of the providers, the default one first.
func (t *Table) Names() []string {
	var names []string
	for i := range t.Providers() {
		names = append(names, t.Providers()[i].Name)
	}
	return names
}

// Provider returns the provider of a name, which is written as gram files write it.
func (t *Table) Provider(name string) (*Provider, bool) {
	list := t.Providers()
	for i := range list {
		if list[i].Name == name {
			return &list[i], true
		}
	}
	return nil, false
}

// ProviderNamed returns the provider of a name in any spelling, or of an alias.
func (t *Table) ProviderNamed(name string) (*Provider, bool) {
	list := t.Providers()
	for i := range list {
		if list[i].is(name) {
			return &list[i], true
		}
	}
	return nil, false
}

// MakerOf returns the provider that makes models with ids like this one.
func (t *Table) MakerOf(id string) (*Provider, bool) {
	list := t.Providers()
	for i := range list {
		if list[i].Has(id) {
			return &list[i], true
		}
	}
	return nil, false
}

// ProviderOf returns the provider of a model that is named by its id alone: the one that
// makes models with such ids, or else the only one that is known to have it.
func (t *Table) ProviderOf(id string) (*Provider, bool) {
	if maker, ok := t.MakerOf(id); ok {
		return maker, true
	}
	var only *Provider
	list := t.Providers()
	for i := range list {
		if _, known := list[i].Model(id); known {
			if only != nil {
				return nil, false
			}
			only = &list[i]
		}
	}
	return only, only != nil
}

// WithOwnAddress returns the table in which providers are at an address of the user's own.
func (t *Table) WithOwnAddress(providers ...string) *Table {
	out := &Table{slices.Clone(t.Providers())}
	for i := range out.providers {
		p := &out.providers[i]
		p.OwnAddress = p.OwnAddress || slices.Contains(providers, p.Name)
	}
	return out
}

// ServerOf returns a provider that serves models with ids like this one, and makes none.
func (t *Table) ServerOf(id string) (*Provider, bool) {
	list := t.Providers()
	for i := range list {
		if beginsWith(id, list[i].Serves) {
			return &list[i], true
		}
	}
	return nil, false
}

// Model returns the model of a provider that has the id, or has it as an alias.
func (t *Table) Model(provider, id string) (*Model, bool) {
	p, ok := t.Provider(provider)
	if !ok {
		return nil, false
	}
	return p.Model(id)
}

// Prices returns the prices of a model; nil if they are unknown. Those of a program on this
// machine are zero.
func (t *Table) Prices(provider, id string) *Prices {
	p, ok := t.Provider(provider)
	if !ok {
		return nil
	}
	if m, known := p.Model(id); known && m.Prices != nil {
		return m.Prices
	}
	if p.IsLocal() && isLoopback(p.Address) {
		return &Prices{}
	}
	return nil
}

// isLoopback reports whether an address is one of this machine.
func isLoopback(address string) bool {
	for _, host := range []string{"http://localhost", "http://127.0.0.1", "http://[::1]"} {
		if rest, ok := strings.CutPrefix(address, host); ok && (rest == "" || rest[0] == ':' || rest[0] == '/') {
			return true
		}
	}
	return false
}

// All returns each model with its provider, in the order of the table.
func (t *Table) All() iter.Seq2[*Provider, *Model] {
	return func(yield func(*Provider, *Model) bool) {
		list := t.Providers()
		for i := range list {
			for j := range list[i].Models {
				if !yield(&list[i], &list[i].Models[j]) {
					return
				}
			}
		}
	}
}

// With returns the table with more providers behind the others. A provider whose name is
// in the table already, in any spelling, adds its models to it, and nothing else: what one
// says of a known model takes precedence.
func (t *Table) With(more ...Provider) *Table {
	out := &Table{slices.Clone(t.Providers())}
	for _, p := range more {
		known, ok := out.ProviderNamed(p.Name)
		if !ok {
			out.providers = append(out.providers, p)
			continue
		}
		known.Models = mergeModels(known.Models, p.Models)
	}
	return out
}

// mergeModels returns known models with others, which take precedence. The known ones
// come first, the others in the order of their ids.
func mergeModels(known, others []Model) []Model {
	all := slices.Clone(known)
	for _, m := range others {
		i := slices.IndexFunc(known, func(k Model) bool { return k.ID == m.ID })
		if i < 0 {
			all = append(all, m)
		} else {
			all[i] = known[i].with(m)
		}
	}
	slices.SortFunc(all[len(known):], func(a, b Model) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// with returns what a newer row says of a model, and what only the older one does.
func (m Model) with(newer Model) Model {
	newer.Aliases = slices.Concat(newer.Aliases, m.Aliases)
	for _, n := range []struct{ newer, older *int }{
		{&newer.Context, &m.Context}, {&newer.Input, &m.Input}, {&newer.Output, &m.Output}, {&newer.ImageTokens, &m.ImageTokens}, {&newer.MaxTools, &m.MaxTools}, {&newer.MaxToolName, &m.MaxToolName},
	} {
		*n.newer = cmp.Or(*n.newer, *n.older)
	}
	for _, s := range []struct{ newer, older *Support }{
		{&newer.Tools, &m.Tools}, {&newer.Images, &m.Images}, {&newer.Files, &m.Files},
		{&newer.Schema, &m.Schema}, {&newer.Temperature, &m.Temperature}, {&newer.Reasoning, &m.Reasoning},
	} {
		*s.newer = cmp.Or(*s.newer, *s.older)
	}
	newer.OnlyResponses = newer.OnlyResponses || m.OnlyResponses
	newer.ResponsesTools = newer.ResponsesTools || m.ResponsesTools
	newer.Prices = cmp.Or(newer.Prices, m.Prices)
	newer.Deprecated = newer.Deprecated || m.Deprecated
	newer.Retired, newer.Successor = cmp.Or(newer.Retired, m.Retired), cmp.Or(newer.Successor, m.Successor)
	return newer
}

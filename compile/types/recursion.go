package types

import (
	"cmp"
	"slices"

	"github.com/gram-lang/gramc/compile/report"
	"github.com/gram-lang/gramc/diag"
)

// This file reports which named types hold themselves, and refuses those that
// have no value because of it.

// findAliases refuses the types that stand for themselves, and chains of names
// that nobody can follow. What is left may be resolved.
func (c *Checker) findAliases() {
	const open = -1
	steps := make([]int, len(c.Named.Order)) // names up to the type that is none, by number
	var visit func(d *TypeDef) int
	visit = func(d *TypeDef) int {
		if n := steps[d.number]; n != 0 {
			return n
		}
		steps[d.number] = open
		deepest := 0
		for _, other := range d.Type.standsFor() {
			n := visit(other)
			if n == open {
				deepest = open
				break
			}
			deepest = max(deepest, n)
		}
		switch {
		case deepest == open:
			c.within(d, func() {
				c.Diags.Errorf(report.NameSpan(d.Pattern), diag.CodeInfiniteType, "the type %s stands for itself; it can hold itself only in a field or an array", report.Quote(d.Name))
			})
			d.Type, deepest = nil, 0
		case deepest == maxTypeDepth:
			c.within(d, func() {
				c.Diags.Errorf(report.NameSpan(d.Pattern), diag.CodeTooDeep, "the type %s is a name of a name and so on, more than %d times", report.Quote(d.Name), maxTypeDepth)
			})
			fallthrough
		case deepest > maxTypeDepth: // which is already reported
			d.Type = nil
		}
		steps[d.number] = deepest + 1
		return steps[d.number]
	}
	for _, d := range c.Named.Order {
		visit(d)
	}
}

// standsFor returns the named types of which every value is one of t: the type
// that t is another name of, or those among its alternatives.
func (t *Type) standsFor() []*TypeDef {
	switch {
	case t == nil:
		return nil
	case t.Def != nil:
		return []*TypeDef{t.Def}
	}
	var all []*TypeDef
	for _, u := range t.Union {
		all = append(all, u.standsFor()...)
	}
	return all
}

// findRecursion marks the types that hold themselves. Schemas must refer to
// one of them somewhere: where none is shared, to all.
func (c *Checker) findRecursion() {
	number, found := 0, false
	c.cycles(func(*TypeDef) bool { return true }, func(component []*TypeDef, cyclic bool) {
		number++
		found = found || cyclic
		for _, d := range component {
			d.component, d.recursive = number, cyclic
		}
	})
	if !found {
		return
	}
	c.cycles(func(d *TypeDef) bool { return !d.Shared }, func(component []*TypeDef, cyclic bool) {
		for _, d := range component {
			d.unshared = cyclic
		}
	})
}

// cycles finds the types that hold each other, by Tarjan's algorithm, and reports
// of each group whether there is a cycle in it. Other types than those that
// count are not followed.
func (c *Checker) cycles(counts func(*TypeDef) bool, found func(component []*TypeDef, cyclic bool)) {
	n := len(c.Named.Order)
	index, low, onStack := make([]int, n), make([]int, n), make([]bool, n) // by number
	visited := 0
	var stack []*TypeDef
	var visit func(d *TypeDef)
	visit = func(d *TypeDef) {
		visited++
		index[d.number], low[d.number] = visited, visited
		start := len(stack)
		stack = append(stack, d)
		onStack[d.number] = true
		itself := false
		for _, used := range d.Uses {
			switch {
			case !counts(used):
			case index[used.number] == 0:
				visit(used)
				low[d.number] = min(low[d.number], low[used.number])
			case onStack[used.number]:
				low[d.number] = min(low[d.number], index[used.number])
			}
			itself = itself || used == d
		}
		if low[d.number] < index[d.number] {
			return
		}
		component := slices.Clone(stack[start:])
		stack = stack[:start]
		for _, member := range component {
			onStack[member.number] = false
		}
		found(component, itself || len(component) > 1)
	}
	for _, d := range c.Named.Order {
		if index[d.number] == 0 && counts(d) {
			visit(d)
		}
	}
}

// An inhabitance node stands for a type, or a part of one. It counts the required
// parts that are not yet known to have a finite value; the node has one when the
// count is 0.
type inhabitance struct {
	missing int
	parents []*inhabitance // the nodes that this is a part of
}

// infinite reports the types that have no finite value: each one needs a value
// of itself first.
func (c *Checker) infinite() {
	var recursive []*TypeDef // no other type can be without end
	h := inhabitances{named: map[*TypeDef]*inhabitance{}}
	for _, d := range c.Named.Order {
		if d.recursive {
			recursive = append(recursive, d)
			h.named[d] = &inhabitance{missing: 1}
		}
	}
	for _, d := range recursive {
		h.add(d.Type, d, h.named[d])
	}
	for len(h.inhabited) > 0 {
		last := len(h.inhabited) - 1
		done := h.inhabited[last]
		h.inhabited = h.inhabited[:last]
		for _, parent := range done.parents {
			if parent.missing--; parent.missing == 0 {
				h.inhabited = append(h.inhabited, parent)
			}
		}
	}
	reported := map[int]bool{} // by component
	for _, d := range recursive {
		if h.named[d].missing > 0 && d.Type != nil && !reported[d.component] {
			reported[d.component] = true
			c.within(d, func() { c.withoutEnd(d) })
		}
	}
}

// inhabitances are the nodes of all recursive types.
type inhabitances struct {
	named     map[*TypeDef]*inhabitance
	inhabited []*inhabitance
}

// add adds the node of t, a part of the type d, below its parent. What belongs to types that do not hold d is reported there, if it is wrong.
func (h *inhabitances) add(t *Type, d *TypeDef, parent *inhabitance) {
	if t != nil && t.Def != nil && !t.Nullable && t.Def.component == d.component {
		h.named[t.Def].parents = append(h.named[t.Def].parents, parent)
		return
	}
	own := &inhabitance{parents: []*inhabitance{parent}}
	switch {
	case t == nil || t.Nullable || t.Def != nil:
	case t.Union != nil:
		own.missing = 1
		for _, u := range t.Union {
			h.add(u, d, own)
		}
	case t.Kind == KindArray:
		if t.Elem != nil && cmp.Or(string(t.keyword("minItems")), "0") != "0" {
			own.missing = 1
			h.add(t.Elem, d, own)
		}
	default:
		own.missing = t.required
		for _, f := range t.Fields {
			if !f.Optional {
				h.add(f.Type, d, own)
			}
		}
	}
	if own.missing == 0 {
		h.inhabited = append(h.inhabited, own)
	}
}

// withoutEnd reports that a type has no finite value.
func (c *Checker) withoutEnd(d *TypeDef) {
	e := c.Diags.Errorf(report.NameSpan(d.Pattern), diag.CodeInfiniteType,
		"a value of the type %s needs a value of the same type inside of it, without end; make a field optional, nullable or an array", report.Quote(d.Name))
	for _, used := range d.Uses {
		if used != d && used.component == d.component {
			report.Relate(e, report.NameSpan(used.Pattern), "by way of "+report.Clip(used.Name))
		}
	}
}

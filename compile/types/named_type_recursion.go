package types

import (
	"cmp"
	"math"
	"slices"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// This file reports which named types hold themselves, and refuses those that
// have no value because of it.

// findAliasRecursion refuses the types that stand for themselves, and chains of names
// that nobody can follow. What is left may be resolved.
func (c *Checker) findAliasRecursion() {
	const open = -1
	steps := make([]int, len(c.Named.Order)) // names up to the type that is none, by number
	var visit func(d *TypeDef) int
	visit = func(d *TypeDef) int {
		if n := steps[d.number]; n != 0 {
			return n
		}
		steps[d.number] = open
		deepest := 0
		for _, other := range d.Type.recursionStandsFor() {
			n := visit(other)
			if n == open {
				deepest = open
				break
			}
			deepest = max(deepest, n)
		}
		place, name := report.NameSpan(d.Pattern), report.Quote(d.Name)
		switch {
		case deepest == open:
			d.Problems.Errorf(place, diag.CodeInfiniteType, "the type %s stands for itself; it can hold itself only in a field or an array", name)
			d.Type, deepest = nil, 0
		case deepest == maxTypeDepth:
			d.Problems.Errorf(place, diag.CodeTooDeep, "the type %s is a name of a name and so on, more than %d times", name, maxTypeDepth)
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

// recursionStandsFor returns the named types of which every value is one of t: the type
// that t is another name of, or those among its alternatives.
func (t *Type) recursionStandsFor() []*TypeDef {
	switch {
	case t == nil:
		return nil
	case t.Def != nil:
		return []*TypeDef{t.Def}
	}
	var all []*TypeDef
	for _, u := range t.Union {
		all = append(all, u.recursionStandsFor()...)
	}
	return all
}

// findRecursion marks the types that hold themselves. Schemas must refer to
// one of them somewhere: where none is shared, to all.
func (c *Checker) findRecursion() {
	number, found := 0, false
	c.recursionCycles(func(*TypeDef) bool { return true }, func(component []*TypeDef, cyclic bool) {
		number++
		found = found || cyclic
		for _, d := range component {
			d.component, d.recursive = number, cyclic
		}
	})
	if !found {
		return
	}
	c.recursionCycles(func(d *TypeDef) bool { return !d.Shared }, func(component []*TypeDef, cyclic bool) {
		for _, d := range component {
			d.unshared = cyclic
		}
	})
}

// recursionCycles finds the types that hold each other, by Tarjan's algorithm, and reports
// of each group whether there is a cycle in it. Other types than those that
// count are not followed.
func (c *Checker) recursionCycles(counts func(*TypeDef) bool, found func(component []*TypeDef, cyclic bool)) {
	low := make([]int, len(c.Named.Order)) // by number; 0 = not visited
	visited := 0
	var stack []*TypeDef
	var visit func(d *TypeDef)
	visit = func(d *TypeDef) {
		visited++
		index := visited
		low[d.number] = index
		start := len(stack)
		stack = append(stack, d)
		itself := false
		for _, used := range d.Uses {
			if !counts(used) {
				continue
			}
			if low[used.number] == 0 {
				visit(used)
			}
			low[d.number] = min(low[d.number], low[used.number])
			itself = itself || used == d
		}
		if low[d.number] < index {
			return
		}
		component := slices.Clone(stack[start:])
		stack = stack[:start]
		for _, member := range component {
			low[member.number] = math.MaxInt // of no other component
		}
		found(component, itself || len(component) > 1)
	}
	for _, d := range c.Named.Order {
		if low[d.number] == 0 && counts(d) {
			visit(d)
		}
	}
}

// recursionUsers returns by each type those that are made of it.
func (c *Checker) recursionUsers() map[*TypeDef][]*TypeDef {
	users := map[*TypeDef][]*TypeDef{}
	for _, d := range c.Named.Order {
		for _, used := range d.Uses {
			if list := users[used]; len(list) == 0 || list[len(list)-1] != d {
				users[used] = append(list, d)
			}
		}
	}
	return users
}

// findInfiniteRecursion reports the types that have no finite value: each one needs a value
// of itself first.
func (c *Checker) findInfiniteRecursion() {
	recursive := slices.DeleteFunc(slices.Clone(c.Named.Order), func(d *TypeDef) bool { return !d.recursive })
	if len(recursive) == 0 {
		return
	}
	users := c.recursionUsers()
	for open := slices.Clone(recursive); len(open) > 0; {
		d := open[len(open)-1]
		open = open[:len(open)-1]
		if d.recursive && !d.finite && d.recursionEnds(d.Type) {
			d.finite = true
			open = append(open, users[d]...) // which may have a finite value now
		}
	}
	reported := map[int]bool{} // by component
	for _, d := range recursive {
		if !d.finite && d.Type != nil && !reported[d.component] {
			reported[d.component] = true
			d.infiniteRecursion()
		}
	}
}

// recursionEnds reports whether t, a part of the type d, is known to have a finite
// value. What belongs to types that do not hold d is reported there, if it is wrong.
func (d *TypeDef) recursionEnds(t *Type) bool {
	switch {
	case t == nil || t.Nullable:
		return true
	case t.Def != nil:
		return t.Def.component != d.component || t.Def.finite
	case t.Union != nil:
		return slices.ContainsFunc(t.Union, d.recursionEnds)
	case t.Kind == KindArray:
		return cmp.Or(string(t.keyword("minItems")), "0") == "0" || d.recursionEnds(t.Elem)
	}
	return !slices.ContainsFunc(t.Fields, func(f *Param) bool { return !f.Optional && !d.recursionEnds(f.Type) })
}

// infiniteRecursion reports that a type has no finite value.
func (d *TypeDef) infiniteRecursion() {
	e := d.Problems.Errorf(report.NameSpan(d.Pattern), diag.CodeInfiniteType,
		"a value of the type %s needs a value of the same type inside of it, without end; make a field optional, nullable or an array", report.Quote(d.Name))
	for _, used := range d.Uses {
		if used != d && used.component == d.component {
			report.Relate(e, report.NameSpan(used.Pattern), "by way of "+report.Clip(used.Name))
		}
	}
}

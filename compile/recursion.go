package compile

import (
	"cmp"
	"slices"

	"github.com/gram-lang/gramc/diag"
)

// This file tells which named types hold themselves, and refuses those that
// have no value because of it.

// findAliases refuses the types that stand for themselves, and chains of names
// that nobody can follow. What is left may be resolved.
func (c *compiler) findAliases() {
	const open = -1
	steps := make(map[*TypeDef]int, len(c.types.order)) // names up to the type that is none
	var visit func(d *TypeDef) int
	visit = func(d *TypeDef) int {
		if n := steps[d]; n != 0 {
			return n
		}
		steps[d] = open
		deepest := 0
		for _, other := range d.Type.standsFor() {
			n := visit(other)
			if n == open {
				deepest = open
				break
			}
			deepest = max(deepest, n)
		}
		what := "the type " + quote(d.Name)
		switch {
		case deepest == open:
			c.within(d, func() {
				c.diags.Errorf(nameSpan(d.pattern), diag.CodeInfiniteType, "%s stands for itself; it can hold itself only in a field or an array", what)
			})
			d.Type, deepest = nil, 0
		case deepest == maxTypeDepth:
			c.within(d, func() {
				c.diags.Errorf(nameSpan(d.pattern), diag.CodeTooDeep, "%s is a name of a name and so on, more than %d times", what, maxTypeDepth)
			})
			fallthrough
		case deepest > maxTypeDepth: // which has been told
			d.Type = nil
		}
		steps[d] = deepest + 1
		return steps[d]
	}
	for _, d := range c.types.order {
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
func (c *compiler) findRecursion() {
	number := 0
	c.cycles(func(*TypeDef) bool { return true }, func(component []*TypeDef, cyclic bool) {
		number++
		for _, d := range component {
			d.component, d.recursive = number, cyclic
		}
	})
	c.cycles(func(d *TypeDef) bool { return !d.Shared }, func(component []*TypeDef, cyclic bool) {
		for _, d := range component {
			d.unshared = cyclic
		}
	})
}

// cycles finds the types that hold each other, by Tarjan's algorithm, and tells
// of each group whether there is a cycle in it. Other types than those that
// count are not followed.
func (c *compiler) cycles(counts func(*TypeDef) bool, found func(component []*TypeDef, cyclic bool)) {
	index, low := map[*TypeDef]int{}, map[*TypeDef]int{}
	onStack := map[*TypeDef]bool{}
	var stack []*TypeDef
	var visit func(d *TypeDef)
	visit = func(d *TypeDef) {
		index[d] = len(index) + 1
		low[d] = index[d]
		start := len(stack)
		stack = append(stack, d)
		onStack[d] = true
		itself := false
		for _, used := range c.types.uses[d] {
			switch {
			case !counts(used):
			case index[used] == 0:
				visit(used)
				low[d] = min(low[d], low[used])
			case onStack[used]:
				low[d] = min(low[d], index[used])
			}
			itself = itself || used == d
		}
		if low[d] < index[d] {
			return
		}
		component := slices.Clone(stack[start:])
		stack = stack[:start]
		for _, member := range component {
			onStack[member] = false
		}
		found(component, itself || len(component) > 1)
	}
	for _, d := range c.types.order {
		if index[d] == 0 && counts(d) {
			visit(d)
		}
	}
}

// A hope is a type, or a part of one, that has a finite value once so many of
// the parts below it have one.
type hope struct {
	missing int
	above   []*hope
}

// infinite tells of the types that have no finite value: each one needs a value
// of itself first.
func (c *compiler) infinite() {
	h := hopes{named: make(map[*TypeDef]*hope, len(c.types.order))}
	for _, d := range c.types.order {
		h.named[d] = &hope{missing: 1}
	}
	for _, d := range c.types.order {
		h.of(d.Type, d, h.named[d])
	}
	for len(h.fulfilled) > 0 {
		last := len(h.fulfilled) - 1
		done := h.fulfilled[last]
		h.fulfilled = h.fulfilled[:last]
		for _, above := range done.above {
			if above.missing--; above.missing == 0 {
				h.fulfilled = append(h.fulfilled, above)
			}
		}
	}
	told := map[int]bool{} // by component
	for _, d := range c.types.order {
		if h.named[d].missing > 0 && d.Type != nil && !told[d.component] {
			told[d.component] = true
			c.within(d, func() { c.withoutEnd(d) })
		}
	}
}

type hopes struct {
	named     map[*TypeDef]*hope
	fulfilled []*hope
}

// of adds the hope for a part of the type d below the one for what it is part
// of. What belongs to types that do not hold d is told there, if it is wrong.
func (h *hopes) of(t *Type, d *TypeDef, above *hope) {
	if t != nil && t.Def != nil && !t.Nullable && t.Def.component == d.component {
		h.named[t.Def].above = append(h.named[t.Def].above, above)
		return
	}
	own := &hope{above: []*hope{above}}
	switch {
	case t == nil || t.Nullable || t.Def != nil:
	case t.Union != nil:
		own.missing = 1
		for _, u := range t.Union {
			h.of(u, d, own)
		}
	case t.Kind == KindArray:
		if t.Elem != nil && cmp.Or(string(t.keyword("minItems")), "0") != "0" {
			own.missing = 1
			h.of(t.Elem, d, own)
		}
	default:
		own.missing = t.required
		for _, f := range t.Fields {
			if !f.Optional {
				h.of(f.Type, d, own)
			}
		}
	}
	if own.missing == 0 {
		h.fulfilled = append(h.fulfilled, own)
	}
}

// withoutEnd tells that a type has no finite value.
func (c *compiler) withoutEnd(d *TypeDef) {
	e := c.diags.Errorf(nameSpan(d.pattern), diag.CodeInfiniteType,
		"a value of the type %s needs a value of the same type inside of it, without end; make a field optional, nullable or an array", quote(d.Name))
	for _, used := range c.types.uses[d] {
		if used != d && used.component == d.component {
			relate(e, nameSpan(used.pattern), "by way of "+clip(used.Name))
		}
	}
}

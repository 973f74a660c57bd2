package compat

import (
	"math/big"
	"slices"
	"strings"
)

// Facts are what a schema says together with all that it refers to.
type facts struct {
	parts   []*schema // none of them has a ref or an allOf that counts besides
	types   kinds
	values  []value // when finite: no others are accepted
	finite  bool
	choices []*choice
	used    []*choice // of which an alternative is among the parts
	cut     bool      // there are more parts than are looked at
	pieces  []*schema
}

// maxConjunction is how many schemas may hold together at one place.
const maxConjunction = 500

// facts returns what s says.
func (s *schema) facts() *facts {
	if s.known == nil {
		f := flattener{open: map[*schema]bool{}}
		f.add(s)
		s.known = newFacts(f.parts, anyKind, nil)
		s.known.cut = f.cut
	}
	return s.known
}

// A flattener lists the schemas that must hold together.
type flattener struct {
	parts []*schema
	open  map[*schema]bool // those that were met, and whether they are not done
	cut   bool
}

func (f *flattener) add(s *schema) {
	open, met := f.open[s]
	switch {
	case open || len(f.parts) == maxConjunction: // it holds itself, or there are too many
		f.cut = true
		return
	case met:
		return
	}
	f.open[s] = true
	f.parts = append(f.parts, s)
	if s.ref != nil {
		f.add(s.ref)
	}
	for _, part := range s.all {
		f.add(part)
	}
	f.open[s] = false
}

// newFacts puts the parts together. Of the choices in used an alternative is
// among the parts.
func newFacts(parts []*schema, types kinds, used []*choice) *facts {
	f := &facts{parts: parts, types: types, used: used}
	for _, p := range parts {
		if p.never {
			f.types = 0
		}
		f.types &= p.types
		for _, c := range p.choices {
			if !slices.Contains(used, c) {
				f.choices = append(f.choices, c)
			}
		}
	}
	f.enumerate()
	return f
}

// enumerate finds the values, if there are only a few.
func (f *facts) enumerate() {
	for _, p := range f.parts {
		switch {
		case p.listed == nil:
		case !f.finite:
			f.finite, f.values = true, slices.Clone(p.values)
		default:
			f.values = slices.DeleteFunc(f.values, func(v value) bool { return !p.listed[v.key] })
		}
	}
	if !f.finite && f.types&^(nullKind|booleanKind) == 0 {
		f.finite, f.values = true, []value{newValue(nil), newValue(false), newValue(true)}
	}
	if !f.finite {
		return
	}
	var kinds kinds
	f.values = slices.DeleteFunc(f.values, func(v value) bool { return v.kind&f.types == 0 })
	for _, v := range f.values {
		kinds |= v.kind
	}
	f.types &= kinds
}

// size is about how much the facts are.
func (f *facts) size() int {
	n := 1 + len(f.values)
	for _, p := range f.parts {
		n += 1 + len(p.fields) + len(p.required) + len(p.values) + len(p.patterns) + len(p.limits) + len(p.hidden)
	}
	return n
}

// requires reports whether a field is always there.
func (f *facts) requires(name string) bool {
	return slices.ContainsFunc(f.parts, func(p *schema) bool { return p.needs(name) })
}

// needs reports whether s itself requires a field.
func (s *schema) needs(name string) bool {
	_, found := slices.BinarySearch(s.required, name)
	return found
}

// field returns the schemas that the values of a field must have, as far as
// that is known, and whether the promise speaks of the field at all. It does
// not where other fields are declared and nothing is said of the rest.
func (f *facts) field(name string) (said []*schema, promised bool) {
	free := len(f.choices) == 0 && !f.finite && !f.cut
	fields := false
	for _, p := range f.parts {
		switch s := p.fields[name]; {
		case s != nil:
			said = append(said, s)
			promised = true
		case p.rest != nil && len(p.patterns) == 0:
			said = append(said, p.rest)
		}
		fields = fields || p.fields != nil || p.whole
		free = free && p.rest == nil && len(p.patterns) == 0 && len(p.hidden) == 0
	}
	return said, promised || !free || !fields
}

// items returns the schemas of the elements.
func (f *facts) items() (said []*schema) {
	for _, p := range f.parts {
		if p.items != nil {
			said = append(said, p.items)
		}
	}
	return said
}

// limit returns the tightest limit of that keyword, nil when there is none.
func (f *facts) limit(keyword string) (tightest *big.Rat) {
	lower := strings.HasPrefix(keyword, "min") || keyword == "exclusiveMinimum"
	for _, p := range f.parts {
		limit := p.limits[keyword]
		if limit != nil && (tightest == nil || lower && limit.Cmp(tightest) > 0 || !lower && limit.Cmp(tightest) < 0) {
			tightest = limit
		}
	}
	return tightest
}

// A bound is one end of a range of numbers.
type bound struct {
	at   *big.Rat // nil is no bound
	open bool     // at itself lies outside
}

// bound returns the lower or upper end of the numbers. That of integers is
// never open.
func (f *facts) bound(lower bool) bound {
	inclusive, exclusive := "maximum", "exclusiveMaximum"
	if lower {
		inclusive, exclusive = "minimum", "exclusiveMinimum"
	}
	b, e := bound{f.limit(inclusive), false}, bound{f.limit(exclusive), true}
	if e.at != nil && (b.at == nil || e.within(b, lower)) {
		b = e
	}
	if b.at == nil || f.types&fractionKind != 0 {
		return b
	}
	return b.whole(lower)
}

// whole moves a bound to the next integer inside.
func (b bound) whole(lower bool) bound {
	next := new(big.Int).Div(b.at.Num(), b.at.Denom()) // the floor
	isInt := b.at.IsInt()
	switch {
	case lower && (b.open || !isInt):
		next.Add(next, big.NewInt(1))
	case !lower && b.open && isInt:
		next.Sub(next, big.NewInt(1))
	}
	return bound{at: new(big.Rat).SetInt(next)}
}

// within reports whether all numbers inside b are inside wide.
func (b bound) within(wide bound, lower bool) bool {
	if b.at == nil || wide.at == nil {
		return wide.at == nil
	}
	c := b.at.Cmp(wide.at)
	if !lower {
		c = -c
	}
	return c > 0 || c == 0 && (b.open || !wide.open)
}

package jsonschema

import (
	"maps"
	"math/big"
	"slices"
	"strings"
)

// Facts are the keywords of a schema with all that it refers to.
type facts struct {
	parts   []*Schema // the schema, what it refers to and its allOf
	types   Types
	values  []Value // when finite: no others are accepted
	finite  bool
	choices []*choice
	used    []*choice // of which an alternative is among the parts
	cut     bool      // there are more parts than are compared
	cases   []*Schema
}

// maxConjunction limits the parts.
const maxConjunction = 500

// facts returns the facts about s.
func (s *Schema) facts() *facts {
	if s.known == nil {
		f := flattener{open: map[*Schema]bool{}}
		f.add(s)
		s.known = newFacts(f.parts, AnyType, nil)
		s.known.cut = f.cut
	}
	return s.known
}

// A flattener lists the schemas that must hold together.
type flattener struct {
	parts []*Schema
	open  map[*Schema]bool // the schemas met so far; true while they are being added
	cut   bool
}

func (f *flattener) add(s *Schema) {
	open, met := f.open[s]
	switch {
	case open || len(f.parts) == maxConjunction: // it contains itself, or there are too many
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

// newFacts combines the parts, which have an alternative of each choice in used.
func newFacts(parts []*Schema, types Types, used []*choice) *facts {
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
			f.values = slices.DeleteFunc(f.values, func(v Value) bool { return !p.listed[v.key] })
		}
	}
	if !f.finite && f.types&^(NullType|BooleanType) == 0 {
		f.finite, f.values = true, []Value{newValue(Null()), newValue(Bool(false)), newValue(Bool(true))}
	}
	if !f.finite {
		return
	}
	var types Types
	f.values = slices.DeleteFunc(f.values, func(v Value) bool { return v.types&f.types == 0 })
	for _, v := range f.values {
		types |= v.types
	}
	f.types &= types
}

// size returns a measure of the work to compare the facts.
func (f *facts) size() int {
	n := 1 + len(f.values)
	for _, p := range f.parts {
		n += 1 + len(p.properties) + len(p.required) + len(p.values) + len(p.patterns) + len(p.limits) + len(p.opaque)
	}
	return n
}

// any reports whether one of the parts has a property.
func (f *facts) any(has func(*Schema) bool) bool { return slices.ContainsFunc(f.parts, has) }

// collect returns a schema of each part, without nil.
func (f *facts) collect(of func(*Schema) *Schema) (all []*Schema) {
	for _, p := range f.parts {
		if s := of(p); s != nil {
			all = append(all, s)
		}
	}
	return all
}

func (f *facts) items() []*Schema  { return f.collect(func(p *Schema) *Schema { return p.items }) }
func (f *facts) others() []*Schema { return f.collect(func(p *Schema) *Schema { return p.others }) }

// pattern returns the schemas of the properties with names of that pattern.
func (f *facts) pattern(regexp string) []*Schema {
	return f.collect(func(p *Schema) *Schema { return p.patterns[regexp] })
}

// declared returns the schemas that are declared for a property.
func (f *facts) declared(name string) []*Schema {
	return f.collect(func(p *Schema) *Schema { return p.properties[name] })
}

// property returns the known schemas of the values of a property.
func (f *facts) property(name string) []*Schema {
	return f.collect(func(p *Schema) *Schema {
		if s := p.properties[name]; s != nil || len(p.patterns) > 0 {
			return s
		}
		return p.others
	})
}

// requires reports whether a property is always present.
func (f *facts) requires(name string) bool {
	return f.any(func(p *Schema) bool {
		_, found := slices.BinarySearch(p.required, name)
		return found
	})
}

// leavesOthersOpen reports whether undeclared properties are not mentioned.
func (f *facts) leavesOthersOpen() bool {
	return len(f.choices) == 0 && !f.finite && !f.cut && !f.any(func(p *Schema) bool {
		return p.others != nil || len(p.patterns) > 0 || len(p.opaque) > 0
	})
}

// limit returns the tightest limit of a keyword, or nil.
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
	open bool     // at itself is outside
}

// bound returns the lower or upper end of the numbers; of integers it is closed.
func (f *facts) bound(lower bool) bound {
	inclusive, exclusive := "maximum", "exclusiveMaximum"
	if lower {
		inclusive, exclusive = "minimum", "exclusiveMinimum"
	}
	b, e := bound{f.limit(inclusive), false}, bound{f.limit(exclusive), true}
	if e.at != nil && (b.at == nil || e.inside(b, lower)) {
		b = e
	}
	if b.at == nil || f.types&FractionType != 0 {
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

// inside reports whether all numbers inside b are inside wide.
func (b bound) inside(wide bound, lower bool) bool {
	if b.at == nil || wide.at == nil {
		return wide.at == nil
	}
	c := b.at.Cmp(wide.at)
	if !lower {
		c = -c
	}
	return c > 0 || c == 0 && (b.open || !wide.open)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// isOpaque reports whether there can be fewer values, or other schemas of the
// properties, than the facts have.
func (f *facts) isOpaque() bool {
	return f.cut || f.any(func(p *Schema) bool { return len(p.opaque) > 0 || len(p.patterns) > 0 })
}

// isTighter reports whether other keywords among the facts can imply a keyword: a
// regular expression the length of a text, a step the bounds of numbers.
func (f *facts) isTighter(keyword string) bool {
	hasLimit := func(keyword string) bool { return f.limit(keyword) != nil }
	switch keyword {
	case "enum":
		return !f.finite && (hasLimit("maxLength") || f.bound(true).at != nil && f.bound(false).at != nil || f.restrictsText())
	case "minLength", "maxLength":
		return f.restrictsText()
	case "type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return hasLimit("multipleOf")
	}
	return false
}

func (f *facts) restrictsText() bool {
	return f.any(func(p *Schema) bool { return p.regexp != "" || p.format != "" })
}

func (f *facts) split(at *Place) (cases []*Schema) {
	add := func(at *Place, g *facts, turn int) {
		cases = append(cases, &Schema{At: at, known: g, isCase: true, turn: turn})
	}
	if len(f.choices) > 0 {
		first := f.choices[0]
		used := append(slices.Clone(f.used), first)
		for i, alternative := range first.alternatives {
			parts := slices.Clone(f.parts)
			for _, p := range alternative.facts().parts {
				if !slices.Contains(parts, p) {
					parts = append(parts, p)
				}
			}
			g := newFacts(parts, f.types, used)
			g.cut = f.cut || alternative.facts().cut
			add(alternative.At, g, i)
		}
		return cases
	}
	for _, types := range []Types{NullType, BooleanType, NumberType, StringType, ArrayType, ObjectType} {
		if types &= f.types; types != 0 && types != f.types {
			g := newFacts(f.parts, types, f.used)
			g.cut = f.cut
			add(at, g, 0)
		}
	}
	if len(cases) == 0 && len(f.values) > 1 {
		for _, v := range f.values {
			g := *f
			g.cases, g.values = nil, []Value{v}
			add(at, &g, 0)
		}
	}
	return cases
}

// shares reports whether two lists of values have one in common.
func (f *facts) shares(g *facts) bool {
	known := make(map[string]bool, len(g.values))
	for _, v := range g.values {
		known[v.key] = true
	}
	return slices.ContainsFunc(f.values, func(v Value) bool { return known[v.key] })
}

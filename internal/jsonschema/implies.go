package jsonschema

import (
	"math/big"
	"slices"
)

// A failure is a keyword of the wide schema that the narrow one does not imply.
type failure struct {
	keyword   string
	name      string // of the property, for required
	undecided bool   // the keyword is beyond the comparison
}

// impliedFailures returns the keywords of p about a value itself that the facts do not
// imply. Those about the parts of a value are in obligations.
func (c *SubtypeChecker) impliedFailures(n *facts, p *Schema) (list []failure) {
	fail := func(keyword string) { list = append(list, failure{keyword: keyword}) }
	if p.never {
		fail("false")
	}
	if n.types&^p.types != 0 {
		fail("type")
	}
	if p.listed != nil && (!n.finite || slices.ContainsFunc(n.values, func(v Value) bool { return !p.listed[v.key] })) {
		fail("enum")
	}
	for _, keyword := range sortedKeys(p.limits) {
		if !n.impliesLimit(keyword, p.limits[keyword]) {
			fail(keyword)
		}
	}
	if p.unique && !n.impliesUnique() {
		fail("uniqueItems")
	}
	if p.regexp != "" && n.types&StringType != 0 && !n.any(func(q *Schema) bool { return q.regexp == p.regexp }) {
		list = append(list, failure{keyword: "pattern", undecided: true})
	}
	if p.format != "" && !n.any(func(q *Schema) bool { return q.format == p.format }) {
		list = append(list, failure{keyword: "format", undecided: true})
	}
	if n.types&ObjectType != 0 {
		for _, name := range p.required {
			if !n.requires(name) {
				list = append(list, failure{keyword: "required", name: name})
			}
		}
	}
	for _, keyword := range sortedKeys(p.opaque) {
		if !c.impliesOpaque(n, keyword, p.opaque[keyword]) {
			list = append(list, failure{keyword: keyword, undecided: true})
		}
	}
	return list
}

// impliesOpaque reports whether a keyword that is not understood has the same
// value among the facts, or no effect.
func (c *SubtypeChecker) impliesOpaque(n *facts, keyword string, want opaque) bool {
	if k, _ := KeywordNamed(keyword); n.types&k.On == 0 {
		return true
	}
	return c.sameDialect && !want.loose && n.any(func(q *Schema) bool {
		have, ok := q.opaque[keyword]
		return ok && have == want
	})
}

func (f *facts) impliesUnique() bool {
	few := f.limit("maxItems")
	return f.types&ArrayType == 0 || few != nil && few.Cmp(big.NewRat(1, 1)) <= 0 ||
		f.any(func(q *Schema) bool { return q.unique })
}

// impliesLimit reports whether the facts imply a limit.
func (f *facts) impliesLimit(keyword string, limit *big.Rat) bool {
	k, _ := KeywordNamed(keyword)
	if f.types&k.On == 0 {
		return true
	}
	if f.finite {
		return !slices.ContainsFunc(f.values, func(v Value) bool { return v.types&k.On != 0 && !impliesKeeps(v.size, keyword, limit) })
	}
	have := f.limit(keyword)
	switch keyword {
	case "minimum", "exclusiveMinimum":
		return f.bound(true).inside(bound{limit, keyword != "minimum"}, true)
	case "maximum", "exclusiveMaximum":
		return f.bound(false).inside(bound{limit, keyword != "maximum"}, false)
	case "multipleOf":
		return have != nil && impliesMultiple(have, limit) || f.types&FractionType == 0 && impliesMultiple(big.NewRat(1, 1), limit)
	case "minLength", "minItems", "minProperties":
		return limit.Sign() == 0 || have != nil && have.Cmp(limit) >= 0
	}
	return have != nil && have.Cmp(limit) <= 0
}

// impliesKeeps reports whether a size keeps a limit.
func impliesKeeps(size *big.Rat, keyword string, limit *big.Rat) bool {
	if size == nil {
		return false
	}
	c := size.Cmp(limit)
	switch keyword {
	case "exclusiveMinimum":
		return c > 0
	case "exclusiveMaximum":
		return c < 0
	case "multipleOf":
		return impliesMultiple(size, limit)
	case "minimum", "minLength", "minItems", "minProperties":
		return c >= 0
	}
	return c <= 0
}

func impliesMultiple(of, step *big.Rat) bool { return new(big.Rat).Quo(of, step).IsInt() }

// An obligation is what a wide schema demands of a part of a value: of a
// property or the elements. All of known holds for that part.
type obligation struct {
	known []*Schema
	want  *Schema
	part  part
	name  string // of the property, or the pattern of its name
}

// A part is a kind of part of a value.
type part uint8

const (
	elements part = iota
	property
	patternProperties
	otherProperties
)

// impliedObligations returns the demands of p, a part of the wide facts w, on the parts
// of values.
func (c *SubtypeChecker) impliedObligations(n, w *facts, p *Schema) (list []obligation) {
	if n.types&ArrayType != 0 && p.items != nil {
		if most := n.limit("maxItems"); most == nil || most.Sign() > 0 {
			list = append(list, obligation{n.items(), p.items, elements, ""})
		}
	}
	if n.types&ObjectType == 0 {
		return list
	}
	for _, name := range p.names {
		if len(n.declared(name)) > 0 || !c.isComplete(n) {
			list = append(list, obligation{n.property(name), p.properties[name], property, name})
		}
	}
	for _, regexp := range sortedKeys(p.patterns) {
		list = append(list, obligation{n.pattern(regexp), p.patterns[regexp], patternProperties, regexp})
	}
	others := p.others
	if others == nil && c.closed && p == w.parts[0] && c.isComplete(w) {
		others = c.nothing
	}
	if others == nil {
		return list
	}
	declared := func(name string) bool {
		return p.properties[name] != nil || p.others == nil && len(w.declared(name)) > 0
	}
	for _, q := range n.parts {
		for _, name := range q.names {
			if !declared(name) {
				list = append(list, obligation{n.property(name), others, property, name})
			}
		}
		for _, regexp := range sortedKeys(q.patterns) {
			if p.patterns[regexp] == nil {
				list = append(list, obligation{n.pattern(regexp), others, patternProperties, regexp})
			}
		}
	}
	if c.closed && c.isComplete(n) {
		return list
	}
	return append(list, obligation{n.others(), others, otherProperties, ""})
}

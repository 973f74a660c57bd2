package compat

import (
	"maps"
	"math/big"
	"slices"
)

// A failure is a keyword of a wide schema that a narrow one does not imply.
type failure struct {
	keyword string
	name    string // of the field, for required
	unsure  bool   // it is not known whether it does
}

// broken returns what the facts do not imply of what p says of a value itself.
// What it says of the parts of a value is in its duties.
func (k *walk) broken(n *facts, p *schema) (list []failure) {
	fail := func(keyword string) { list = append(list, failure{keyword: keyword}) }
	if p.never {
		fail("false")
	}
	if n.types&^p.types != 0 {
		fail("type")
	}
	if p.listed != nil && (!n.finite || slices.ContainsFunc(n.values, func(v value) bool { return !p.listed[v.key] })) {
		fail("enum")
	}
	for _, keyword := range slices.Sorted(maps.Keys(p.limits)) {
		if !n.limited(keyword, p.limits[keyword]) {
			fail(keyword)
		}
	}
	if p.unique && !n.unique() {
		fail("uniqueItems")
	}
	texts := n.types&stringKind != 0
	if p.pattern != "" && texts && !slices.ContainsFunc(n.parts, func(q *schema) bool { return q.pattern == p.pattern }) {
		list = append(list, failure{keyword: "pattern", unsure: true})
	}
	if p.format != "" && !slices.ContainsFunc(n.parts, func(q *schema) bool { return q.format == p.format }) {
		list = append(list, failure{keyword: "format", unsure: true})
	}
	if n.types&objectKind != 0 {
		for _, name := range p.required {
			if !n.requires(name) {
				list = append(list, failure{keyword: "required", name: name})
			}
		}
	}
	for _, keyword := range slices.Sorted(maps.Keys(p.hidden)) {
		if !k.hides(n, keyword, p.hidden[keyword]) {
			list = append(list, failure{keyword: keyword, unsure: true})
		}
	}
	return list
}

// hides reports whether a keyword that is not understood says the same among
// the facts, or nothing.
func (k *walk) hides(n *facts, keyword string, want hidden) bool {
	switch keyword {
	case "contains", "prefixItems", "unevaluatedItems":
		if n.types&arrayKind == 0 {
			return true
		}
	case "dependentRequired", "dependentSchemas", "propertyNames", "unevaluatedProperties":
		if n.types&objectKind == 0 {
			return true
		}
	}
	return k.sameDraft && !want.loose && slices.ContainsFunc(n.parts, func(q *schema) bool {
		have, ok := q.hidden[keyword]
		return ok && have == want
	})
}

func (f *facts) unique() bool {
	few := f.limit("maxItems")
	return f.types&arrayKind == 0 || few != nil && few.Cmp(big.NewRat(1, 1)) <= 0 ||
		slices.ContainsFunc(f.parts, func(q *schema) bool { return q.unique })
}

// limited reports whether the facts imply a limit.
func (f *facts) limited(keyword string, limit *big.Rat) bool {
	of := limited[keyword]
	if f.types&of == 0 {
		return true
	}
	if f.finite {
		return !slices.ContainsFunc(f.values, func(v value) bool { return v.kind&of != 0 && !keeps(v.size, keyword, limit) })
	}
	have := f.limit(keyword)
	switch keyword {
	case "minimum", "exclusiveMinimum":
		return f.bound(true).within(bound{limit, keyword != "minimum"}, true)
	case "maximum", "exclusiveMaximum":
		return f.bound(false).within(bound{limit, keyword != "maximum"}, false)
	case "multipleOf":
		return have != nil && isMultiple(have, limit) || f.types&fractionKind == 0 && isMultiple(big.NewRat(1, 1), limit)
	case "minLength", "minItems", "minProperties":
		return limit.Sign() == 0 || have != nil && have.Cmp(limit) >= 0
	}
	return have != nil && have.Cmp(limit) <= 0
}

// keeps reports whether a size keeps a limit.
func keeps(size *big.Rat, keyword string, limit *big.Rat) bool {
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
		return isMultiple(size, limit)
	case "minimum", "minLength", "minItems", "minProperties":
		return c >= 0
	}
	return c <= 0
}

func isMultiple(of, step *big.Rat) bool { return new(big.Rat).Quo(of, step).IsInt() }

// A duty is what a wide schema says of a part of a value: a field or the
// elements. All of said is known of that part.
type duty struct {
	said []*schema
	want *schema
	what part
	name string // of a field, or the pattern of its name
}

// A part is a kind of part of a value.
type part uint8

const (
	elements part = iota
	field
	patternFields
	otherFields
)

// duties returns what p says of the parts of values.
func duties(n *facts, p *schema) (list []duty) {
	if n.types&arrayKind != 0 && p.items != nil {
		if most := n.limit("maxItems"); most == nil || most.Sign() > 0 {
			list = append(list, duty{n.items(), p.items, elements, ""})
		}
	}
	if n.types&objectKind == 0 {
		return list
	}
	for _, name := range slices.Sorted(maps.Keys(p.fields)) {
		if said, declared := n.field(name); declared {
			list = append(list, duty{said, p.fields[name], field, name})
		}
	}
	for _, pattern := range slices.Sorted(maps.Keys(p.patterns)) {
		list = append(list, duty{n.pattern(pattern), p.patterns[pattern], patternFields, pattern})
	}
	if p.rest == nil {
		return list
	}
	var rests []*schema
	for _, q := range n.parts {
		for _, name := range slices.Sorted(maps.Keys(q.fields)) {
			if p.fields[name] == nil {
				said, _ := n.field(name)
				list = append(list, duty{said, p.rest, field, name})
			}
		}
		for _, pattern := range slices.Sorted(maps.Keys(q.patterns)) {
			if p.patterns[pattern] == nil {
				list = append(list, duty{n.pattern(pattern), p.rest, patternFields, pattern})
			}
		}
		if q.rest != nil {
			rests = append(rests, q.rest)
		}
	}
	return append(list, duty{rests, p.rest, otherFields, ""})
}

// pattern returns the schemas of the fields with names of that pattern.
func (f *facts) pattern(pattern string) (said []*schema) {
	for _, p := range f.parts {
		if s := p.patterns[pattern]; s != nil {
			said = append(said, s)
		}
	}
	return said
}

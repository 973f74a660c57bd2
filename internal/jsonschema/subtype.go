package jsonschema

import "slices"

// A SubtypeChecker decides whether every value of a narrow schema is a value of a wide
// one, for the schemas of two documents.
//
// Schemas may contain themselves. Where a question comes up again deeper in a
// value, yes is assumed; what relied on that is forgotten if it proves wrong.
type SubtypeChecker struct {
	closed      bool
	sameDialect bool
	arguments   [2]*Schema // the roots, where they are all arguments of a tool

	answers map[question]answer
	relied  []question // the questions answered with yes, in order
	steps   int
	depth   int // of nested questions
	level   int // of nesting in the value
	gaveUp  bool

	anything, nothing *Schema // accept everything and nothing
}

// CheckOptions change the meaning of schemas. The zero value is the meaning of JSON
// Schema, except that undeclared properties of an object that declares others, and
// does not mention the rest, are not compared.
type CheckOptions struct {
	// Arguments means that the roots describe the arguments of a tool, of which
	// undeclared ones never count, even if none is declared.
	Arguments bool

	// Closed means that an object which declares properties, and does not mention
	// others, has no others.
	Closed bool
}

// A question asks whether the narrow schema is a subtype of the wide one.
type question struct{ narrow, wide *Schema }

// An answer to a question; while it is open, the level at which it was asked.
type answer int

const (
	yes answer = -1
	no  answer = -2
)

// Limits of the work of one comparison, beyond which it is undecided.
const (
	maxSteps = 2_000_000
	maxDepth = 5_000
)

// NewSubtypeChecker returns a checker for the schemas of two documents, in either
// direction.
func NewSubtypeChecker(a, b *Document, o CheckOptions) *SubtypeChecker {
	c := &SubtypeChecker{
		closed: o.Closed, sameDialect: a.dialect == b.dialect, answers: map[question]answer{},
		anything: &Schema{types: AnyType}, nothing: &Schema{never: true},
	}
	if o.Arguments {
		c.arguments = [2]*Schema{a.Root, b.Root}
	}
	return c
}

// IsSubtype reports whether every value of narrow certainly is a value of wide.
// It is false where that cannot be decided; [Checker.Explain] says why.
func (c *SubtypeChecker) IsSubtype(narrow, wide *Schema) bool {
	q := question{narrow, wide}
	if a, known := c.answers[q]; known {
		return a == yes || a >= 0 && int(a) < c.level
	}
	if !c.Afford(narrow, wide) {
		return false
	}
	c.answers[q] = answer(c.level)
	mark := len(c.relied)
	c.depth++
	ok := c.holds(narrow, wide) || c.holdsByCases(narrow, wide)
	c.depth--
	if ok {
		c.answers[q] = yes
		c.relied = append(c.relied, q)
		return true
	}
	for _, q := range c.relied[mark:] {
		delete(c.answers, q)
	}
	c.relied = c.relied[:mark]
	c.answers[q] = no
	return false
}

// GaveUp reports whether the schemas are too large to compare all of them.
func (c *SubtypeChecker) GaveUp() bool { return c.gaveUp }

// Restart allows as much work again as at the beginning.
func (c *SubtypeChecker) Restart() { c.steps, c.gaveUp = 0, false }

// Afford counts the work of comparing two schemas, and reports whether it is
// within the limit.
func (c *SubtypeChecker) Afford(a, b *Schema) bool {
	f, g := a.facts(), b.facts()
	return c.spend(f.size()*len(g.parts) + g.size()*len(f.parts))
}

func (c *SubtypeChecker) spend(steps int) bool {
	c.steps += steps
	c.gaveUp = c.gaveUp || c.steps > maxSteps || c.depth > maxDepth
	return !c.gaveUp
}

// holds reports whether the facts about n imply w, without splitting n into cases.
func (c *SubtypeChecker) holds(n, w *Schema) bool {
	nf, wf := n.facts(), w.facts()
	if nf.types == 0 {
		return true
	}
	if wf.cut {
		return false
	}
	for _, p := range wf.parts {
		if len(c.impliedFailures(nf, p)) > 0 {
			return false
		}
	}
	for _, choice := range wf.choices {
		if !c.isSubtypeOfChoice(n, choice) {
			return false
		}
	}
	for _, p := range wf.parts {
		if slices.ContainsFunc(c.impliedObligations(nf, wf, p), func(o obligation) bool { return !c.isMet(o) }) {
			return false
		}
	}
	return true
}

// isMet reports whether an obligation always holds.
func (c *SubtypeChecker) isMet(o obligation) bool {
	c.level++
	defer func() { c.level-- }()
	return slices.ContainsFunc(o.known, func(s *Schema) bool { return c.IsSubtype(s, o.want) }) || c.IsSubtype(c.anything, o.want)
}

// holdsByCases reports whether every case of n is a subtype of w.
func (c *SubtypeChecker) holdsByCases(n, w *Schema) bool {
	cases := c.cases(n, w)
	return len(cases) > 0 && !slices.ContainsFunc(cases, func(s *Schema) bool { return !c.IsSubtype(s, w) })
}

// cases splits n into its alternatives, or where w has alternatives into its types
// or values. There may be none.
func (c *SubtypeChecker) cases(n, w *Schema) []*Schema {
	f := n.facts()
	if f.cases != nil || len(f.choices) == 0 && len(w.facts().choices) == 0 {
		return f.cases
	}
	most := len(f.values)
	if len(f.choices) > 0 {
		most = len(f.choices[0].alternatives)
	}
	if c.spend(most * (1 + len(f.parts))) {
		f.cases = f.split(n.At)
	}
	return f.cases
}

// isSubtypeOfChoice reports whether every value of n fits an alternative, and no other
// one where there must be only one.
func (c *SubtypeChecker) isSubtypeOfChoice(n *Schema, want *choice) bool {
	if slices.ContainsFunc(n.facts().choices, func(have *choice) bool { return c.sameChoice(have, want) }) {
		return true
	}
	for i := range want.alternatives {
		i = (i + n.turn) % len(want.alternatives)
		if c.IsSubtype(n, want.alternatives[i]) && (!want.exclusive || c.isSubtypeOfNoOther(n, want, i)) {
			return true
		}
	}
	return false
}

func (c *SubtypeChecker) isSubtypeOfNoOther(n *Schema, want *choice, fits int) bool {
	for i, other := range want.alternatives {
		if i != fits && !c.areDisjoint(n, other, disjointDepth) {
			return false
		}
	}
	return true
}

// sameChoice reports whether each alternative of a choice is a subtype of the
// one of the other; and the other way round, where only one may fit.
func (c *SubtypeChecker) sameChoice(have, want *choice) bool {
	if have.exclusive != want.exclusive || len(have.alternatives) != len(want.alternatives) {
		return false
	}
	for i, alternative := range have.alternatives {
		if !c.IsSubtype(alternative, want.alternatives[i]) || have.exclusive && !c.IsSubtype(want.alternatives[i], alternative) {
			return false
		}
	}
	return true
}

// disjointDepth limits the search for a property that distinguishes objects.
const disjointDepth = 3

// areDisjoint reports whether certainly no value fits both schemas.
func (c *SubtypeChecker) areDisjoint(a, b *Schema, depth int) bool {
	f, g := a.facts(), b.facts()
	types := f.types & g.types
	switch {
	case types == 0 || f.finite && g.finite && !f.shares(g):
		return true
	case types != ObjectType || depth == 0 || !c.Afford(a, b):
		return false
	}
	for _, p := range slices.Concat(f.parts, g.parts) {
		for _, name := range p.required {
			for _, s := range f.property(name) {
				if slices.ContainsFunc(g.property(name), func(o *Schema) bool { return c.areDisjoint(s, o, depth-1) }) {
					return true
				}
			}
		}
	}
	return false
}

// Subtype reports whether every value of the narrow document is a value of the
// wide one. No assumes that the narrow schemas have values at all.
func Subtype(narrow, wide *Document, o CheckOptions) Result {
	c := NewSubtypeChecker(narrow, wide, o)
	if c.IsSubtype(narrow.Root, wide.Root) {
		return Result{Verdict: Yes}
	}
	c.Restart()
	var r Result
	c.Explain(narrow.Root, wide.Root, func(m Mismatch) {
		r.Mismatches = append(r.Mismatches, m)
		if !m.Undecided {
			r.Verdict = No
		}
	})
	return r
}

// A Verdict is whether every value of a narrow schema is a value of a wide one.
type Verdict uint8

// The verdicts.
const (
	Undecided Verdict = iota // beyond the comparison: patterns, not, and the like
	Yes
	No
)

// A Result is the verdict with the reasons against Yes.
type Result struct {
	Verdict    Verdict
	Mismatches []Mismatch // empty for Yes; for No, at least one is decided
}

// isComplete reports whether values are taken to have declared properties only.
func (c *SubtypeChecker) isComplete(n *facts) bool {
	isArguments := func(p *Schema) bool { return p == c.arguments[0] || p == c.arguments[1] }
	return n.leavesOthersOpen() && n.any(func(p *Schema) bool { return p.properties != nil || isArguments(p) })
}

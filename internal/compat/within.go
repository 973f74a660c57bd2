package compat

import "slices"

// A walk compares two documents. It asks of two schemas whether every value of
// the one is a value of the other, and answers no where it cannot tell.
//
// Schemas may hold themselves. That one lies within another is taken for
// granted where the question comes up again further inside of a value; what
// relied on that is forgotten if it turns out to be wrong.
type walk struct {
	answers   map[pair]answer
	relied    []pair // those with the answer yes, in this order
	steps     int
	depth     int // questions inside of questions
	level     int // how far inside of a value they are
	gaveUp    bool
	sameDraft bool
	anything  *schema // accepts everything
}

// A pair is the question whether the narrow schema lies within the wide one.
type pair struct{ narrow, wide *schema }

// An answer to a question. While it is sought, that is known as the level at
// which it was asked.
type answer int

const (
	yes answer = -1
	no  answer = -2
)

// Limits of the work of one comparison. Beyond them nothing is decided.
const (
	maxSteps = 2_000_000
	maxDepth = 5_000
)

func newWalk() *walk {
	return &walk{answers: map[pair]answer{}, anything: &schema{types: anyKind}}
}

// within reports whether every value of n is surely one of w.
func (k *walk) within(n, w *schema) bool {
	question := pair{n, w}
	if answer, known := k.answers[question]; known {
		return answer == yes || answer >= 0 && int(answer) < k.level
	}
	if !k.may(n, w) {
		return false
	}
	k.answers[question] = answer(k.level)
	mark := len(k.relied)
	k.depth++
	ok := k.holds(n, w) || k.splits(n, w)
	k.depth--
	if ok {
		k.answers[question] = yes
		k.relied = append(k.relied, question)
		return true
	}
	for _, q := range k.relied[mark:] {
		delete(k.answers, q)
	}
	k.relied = k.relied[:mark]
	k.answers[question] = no
	return false
}

// may counts the work of comparing two schemas, and reports whether it may be
// done.
func (k *walk) may(n, w *schema) bool {
	f, g := n.facts(), w.facts()
	return k.spend(f.size()*len(g.parts) + g.size()*len(f.parts))
}

func (k *walk) spend(steps int) bool {
	k.steps += steps
	k.gaveUp = k.gaveUp || k.steps > maxSteps || k.depth > maxDepth
	return !k.gaveUp
}

// holds reports whether the facts about n imply all that w says, without a
// look at what n may be one by one.
func (k *walk) holds(n, w *schema) bool {
	nf, wf := n.facts(), w.facts()
	if nf.types == 0 {
		return true
	}
	if wf.cut {
		return false
	}
	for _, p := range wf.parts {
		if len(k.broken(nf, p)) > 0 {
			return false
		}
	}
	for _, c := range wf.choices {
		if !k.chooses(n, c) {
			return false
		}
	}
	for _, p := range wf.parts {
		if slices.ContainsFunc(duties(nf, p), func(d duty) bool { return !k.done(d) }) {
			return false
		}
	}
	return true
}

// done reports whether a part of a value is always as it must be.
func (k *walk) done(d duty) bool {
	k.level++
	defer func() { k.level-- }()
	return slices.ContainsFunc(d.said, func(s *schema) bool { return k.within(s, d.want) }) || k.within(k.anything, d.want)
}

// splits reports whether every value of n is one of w, for all alternatives,
// types or values of n one by one.
func (k *walk) splits(n, w *schema) bool {
	pieces := k.split(n, w)
	return len(pieces) > 0 && !slices.ContainsFunc(pieces, func(p *schema) bool { return !k.within(p, w) })
}

// split returns schemas of which one holds wherever n does: alternatives of n,
// or where w has alternatives its types or its values. There may be none.
func (k *walk) split(n, w *schema) []*schema {
	f := n.facts()
	if f.pieces != nil || len(f.choices) == 0 && len(w.facts().choices) == 0 {
		return f.pieces
	}
	most := len(f.values)
	if len(f.choices) > 0 {
		most = len(f.choices[0].of)
	}
	if k.spend(most * (1 + len(f.parts))) {
		f.pieces = f.split(n.at)
	}
	return f.pieces
}

func (f *facts) split(at *place) (pieces []*schema) {
	if len(f.choices) > 0 {
		c := f.choices[0]
		used := append(slices.Clone(f.used), c)
		for i, alternative := range c.of {
			parts := slices.Clone(f.parts)
			for _, p := range alternative.facts().parts {
				if !slices.Contains(parts, p) {
					parts = append(parts, p)
				}
			}
			g := newFacts(parts, f.types, used)
			g.cut = f.cut || alternative.facts().cut
			pieces = append(pieces, &schema{at: alternative.at, known: g, piece: true, turn: i})
		}
		return pieces
	}
	for _, types := range []kinds{nullKind, booleanKind, numberKind, stringKind, arrayKind, objectKind} {
		if types &= f.types; types != 0 && types != f.types {
			g := newFacts(f.parts, types, f.used)
			g.cut = f.cut
			pieces = append(pieces, &schema{at: at, known: g, piece: true})
		}
	}
	if len(pieces) == 0 && len(f.values) > 1 {
		for _, v := range f.values {
			g := *f
			g.pieces, g.values = nil, []value{v}
			pieces = append(pieces, &schema{at: at, known: &g, piece: true})
		}
	}
	return pieces
}

// chooses reports whether every value of n fits an alternative of the choice,
// and no other one where there must be only one.
func (k *walk) chooses(n *schema, c *choice) bool {
	if slices.ContainsFunc(n.facts().choices, func(have *choice) bool { return k.sameChoice(have, c) }) {
		return true
	}
	for i := range c.of {
		i = (i + n.turn) % len(c.of)
		if k.within(n, c.of[i]) && (!c.one || k.fitsNoOther(n, c, i)) {
			return true
		}
	}
	return false
}

func (k *walk) fitsNoOther(n *schema, c *choice, fits int) bool {
	for i, other := range c.of {
		if i != fits && !k.disjoint(n, other, 3) {
			return false
		}
	}
	return true
}

// sameChoice reports whether each alternative of a choice lies within the one
// of the other; and the other way round, where only one may fit.
func (k *walk) sameChoice(have, want *choice) bool {
	if have.one != want.one || len(have.of) != len(want.of) {
		return false
	}
	for i := range have.of {
		if !k.within(have.of[i], want.of[i]) || have.one && !k.within(want.of[i], have.of[i]) {
			return false
		}
	}
	return true
}

// disjoint reports whether surely no value has both schemas.
func (k *walk) disjoint(a, b *schema, depth int) bool {
	f, g := a.facts(), b.facts()
	types := f.types & g.types
	switch {
	case types == 0 || f.finite && g.finite && !f.shares(g):
		return true
	case types != objectKind || depth == 0 || !k.may(a, b):
		return false
	}
	for _, both := range [][2]*facts{{f, g}, {g, f}} {
		for _, p := range both[0].parts {
			for _, name := range p.required {
				one, _ := both[0].field(name)
				other, _ := both[1].field(name)
				for _, s := range one {
					if slices.ContainsFunc(other, func(o *schema) bool { return k.disjoint(s, o, depth-1) }) {
						return true
					}
				}
			}
		}
	}
	return false
}

// shares reports whether two lists of values have one in common.
func (f *facts) shares(g *facts) bool {
	known := make(map[string]bool, len(g.values))
	for _, v := range g.values {
		known[v.key] = true
	}
	return slices.ContainsFunc(f.values, func(v value) bool { return known[v.key] })
}

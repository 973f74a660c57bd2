package jsonschema

import "slices"

// What a [Mismatch] has in place of a keyword.
const (
	UndeclaredProperty   = "undeclared property"   // the wide schema does not allow a property
	UndeclaredProperties = "undeclared properties" // nor any but the declared ones
	NoAlternative        = "no alternative"        // values fit no alternative, or more than one
)

// An explainer finds mismatches.
type explainer struct {
	*SubtypeChecker
	seen      map[question]bool
	undecided bool // the schemas around are
	report    func(Mismatch)
}

// Explain reports why narrow is not a subtype of wide, which the caller knows
// from [Checker.IsSubtype]. Nothing is reported where no reason is found, and
// not all of them where there is too much to compare; see [Checker.GaveUp].
func (c *SubtypeChecker) Explain(narrow, wide *Schema, report func(Mismatch)) {
	e := &explainer{SubtypeChecker: c, seen: map[question]bool{}, report: report}
	e.explain(narrow, wide)
}

func (e *explainer) explain(n, w *Schema) {
	q := question{n, w}
	if e.seen[q] || !e.Afford(n, w) {
		return
	}
	e.seen[q] = true
	f, g := n.facts(), w.facts()
	defer func(was bool) { e.undecided = was }(e.undecided)
	e.undecided = e.undecided || f.isOpaque()
	if len(f.choices) > 0 && len(f.cases) > 0 {
		e.explainAlternatives(f, w)
		return
	}
	e.undecided = e.undecided || len(f.choices) > 0
	for _, p := range g.parts {
		for _, failed := range e.impliedFailures(f, p) {
			e.mismatch(n, w, p, Mismatch{Keyword: failed.keyword, Name: failed.name, Undecided: failed.undecided || f.isTighter(failed.keyword)})
		}
		for _, o := range e.impliedObligations(f, g, p) {
			if !e.isMet(o) {
				e.explainObligation(n, w, p, o)
			}
		}
	}
	for _, want := range g.choices {
		if !e.isSubtypeOfChoice(n, want) {
			e.explainChoice(n, w, want)
		}
	}
}

// mismatch completes and reports a mismatch with p, a part of w.
func (e *explainer) mismatch(n, w, p *Schema, m Mismatch) {
	m.Narrow, m.Wide, m.Part = n, w, p
	m.Undecided = m.Undecided || e.undecided
	if m.At == nil && m.AtWide == nil {
		m.At, m.AtWide = n.At, p.At
		f, g := n.facts(), w.facts()
		if i := slices.Index(g.parts, p); i >= 0 && len(f.parts) == len(g.parts) && f.parts[i].At != nil {
			m.At = f.parts[i].At
		}
	}
	e.report(m)
}

// explainAlternatives explains for which alternatives f is not a subtype of w.
func (e *explainer) explainAlternatives(f *facts, w *Schema) {
	choice := f.choices[0]
	for i, s := range f.cases {
		if e.IsSubtype(s, w) {
			continue
		}
		was := e.undecided
		e.undecided = was || choice.exclusive && !e.isSubtypeOfNoOther(choice.alternatives[i], choice, i)
		e.explain(s, w)
		e.undecided = was
	}
}

// explainChoice reports that values of n fit no alternative.
func (e *explainer) explainChoice(n, w *Schema, want *choice) {
	var like []*Schema
	for _, alternative := range want.alternatives {
		if !e.areDisjoint(n, alternative, disjointDepth) {
			like = append(like, alternative)
		}
	}
	if len(like) == 1 && !e.IsSubtype(n, like[0]) {
		e.explain(n, like[0])
		return
	}
	if cases := e.cases(n, w); len(cases) > 0 && len(like) > 0 {
		for _, s := range cases {
			if !e.IsSubtype(s, w) {
				e.explain(s, w)
			}
		}
		return
	}
	e.mismatch(n, w, w, Mismatch{Keyword: NoAlternative, Undecided: len(like) > 0, Alternatives: len(like)})
}

// explainObligation reports that a part of a value of n can be what p, a part of
// w, does not allow.
func (e *explainer) explainObligation(n, w, p *Schema, o obligation) {
	known := slices.DeleteFunc(slices.Clone(o.known), func(s *Schema) bool { return s.facts().types == 0 })
	have := e.anything
	if len(known) > 0 {
		have = known[0]
	}
	never := o.want.facts().types == 0
	switch {
	case never && o.part == property:
		e.mismatch(n, w, p, Mismatch{Keyword: UndeclaredProperty, Name: o.name, At: have.At, AtWide: o.want.At})
	case never && o.part == otherProperties:
		e.mismatch(n, w, p, Mismatch{Keyword: UndeclaredProperties, At: n.At, AtWide: o.want.At})
	default:
		was := e.undecided
		e.undecided = was || len(known) > 1 // which together can imply more
		e.explain(have, o.want)
		e.undecided = was
	}
}

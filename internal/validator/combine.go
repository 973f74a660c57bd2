package validator

// inPlace applies another schema to the same value.
func (a *applied) inPlace(p *part) *Failure {
	end, failure := a.walker.apply(p, a.pos, a.marks)
	a.end = max(a.end, end)
	return failure
}

// reference applies the schema that a reference leads to.
func (a *applied) reference(keyword string, p *part) bool {
	failure := a.inPlace(p)
	if failure == nil || failure == broken {
		return a.add(failure)
	}
	causes := []*Failure{failure}
	if failure.Keyword == Several {
		causes = failure.Causes
	}
	return a.add(a.fail(a.pos, Failure{Keyword: keyword, Causes: causes}))
}

// references applies the references that depend on the schemas around.
func (a *applied) references() bool {
	p := a.part
	if to := p.recursiveRef; to != nil {
		if to.recursiveAnchor {
			to = a.outermost(to, func(in *resource) *part { return in.recursiveRoot })
		}
		if !a.reference("$recursiveRef", to) {
			return false
		}
	}
	if to := p.dynamicRef; to != nil {
		if p.dynamicRefAnchor != "" {
			to = a.outermost(to, func(in *resource) *part { return in.dynamic[p.dynamicRefAnchor] })
		}
		return a.reference("$dynamicRef", to)
	}
	return true
}

// outermost returns what the first resource has that was entered on the way here, or p.
func (a *applied) outermost(p *part, of func(*resource) *part) *part {
	for _, around := range a.stack {
		if in := around.part.in; in != nil {
			if found := of(in); found != nil {
				return found
			}
		}
	}
	return p
}

// combinations applies not, allOf, anyOf, oneOf and if.
func (a *applied) combinations() bool {
	p := a.part
	if p.not != nil && a.quietly(func() bool { return a.inPlace(p.not) == nil }) && !a.add(a.fail(a.pos, Failure{Keyword: "not"})) {
		return false
	}
	return a.allOf(p.allOf) && a.anyOf(p.anyOf) && a.oneOf(p.oneOf) && a.condition(p)
}

func (a *applied) allOf(parts []*part) bool {
	var causes []*Failure
	for _, p := range parts {
		if failure := a.inPlace(p); failure != nil {
			if !a.report {
				return a.add(failure)
			}
			causes = append(causes, failure)
		}
	}
	if causes == nil {
		return true
	}
	return a.add(a.fail(a.pos, Failure{Keyword: "allOf", Causes: causes}))
}

// anyOf applies all schemas where somebody asks what they evaluate, and else those up to
// the first that fits.
func (a *applied) anyOf(parts []*part) bool {
	var causes []*Failure
	fits := len(parts) == 0
	for _, p := range parts {
		failure := a.inPlace(p)
		if failure != nil && a.report {
			causes = append(causes, failure)
		}
		if fits = fits || failure == nil; fits && a.marks == nil {
			return true
		}
	}
	return fits || a.add(a.fail(a.pos, Failure{Keyword: "anyOf", Causes: causes}))
}

func (a *applied) oneOf(parts []*part) bool {
	var causes []*Failure
	fits := len(parts) == 0
	for _, p := range parts {
		if fits {
			if a.quietly(func() bool { return a.inPlace(p) == nil }) {
				return a.add(a.fail(a.pos, Failure{Keyword: "oneOf"}))
			}
			continue
		}
		failure := a.inPlace(p)
		if fits = failure == nil; !fits && a.report {
			causes = append(causes, failure)
		}
	}
	return fits || a.add(a.fail(a.pos, Failure{Keyword: "oneOf", Causes: causes}))
}

func (a *applied) condition(p *part) bool {
	if p.condition == nil {
		return true
	}
	next := p.otherwise
	if a.quietly(func() bool { return a.inPlace(p.condition) == nil }) {
		next = p.then
	}
	return next == nil || a.add(a.inPlace(next))
}

// unevaluated applies the schemas for members and elements that no other schema, here or
// in place, was applied to.
func (a *applied) unevaluated() bool {
	i := 0
	switch p := a.part; {
	case p.unevaluatedMembers != nil && a.text[a.pos] == '{':
		for m, ok := a.firstMember(); ok; m, ok = a.nextMember(m) {
			if !a.marks.has(i) {
				end, failure := a.below(step{m.key, -1}, p.unevaluatedMembers, m.pos)
				if m.end = end; !a.add(failure) {
					return false
				}
			}
			i++
		}
		a.marks.addAll()
	case p.unevaluatedItems != nil && a.text[a.pos] == '[':
		for e, ok := a.firstElement(); ok; e, ok = a.nextElement(e) {
			if !a.marks.has(i) {
				end, failure := a.below(step{index: i}, p.unevaluatedItems, e.pos)
				if e.end = end; !a.add(failure) {
					return false
				}
			}
			i++
		}
		a.marks.addAll()
	}
	return true
}

package validator

// array applies the keywords for arrays.
func (a *applied) array(rules *arrayRules) bool {
	var unique uniqueness
	count, behind := 0, 0
	for e, ok := a.firstElement(); ok; e, ok = a.nextElement(e) {
		p := rules.rest
		if count < len(rules.prefix) {
			p = rules.prefix[count]
		} else {
			behind++
		}
		if p != nil && (!rules.additional || !p.never || count < len(rules.prefix)) {
			var failure *Failure
			if e.end, failure = a.below(step{index: count}, p, e.pos); !a.add(failure) {
				return false
			}
		}
		if p != nil {
			a.marks.add(count)
		}
		if rules.unique {
			if e.end == 0 {
				e.end = a.skip(e.pos)
			}
			a.spend((e.end - e.pos) / 4)
			if before := unique.add(count, a.text[e.pos:e.end]); before >= 0 {
				rules = rules.withoutUnique()
				if !a.add(a.fail(a.pos, Failure{Keyword: "uniqueItems", Equal: [2]int{before, count}})) {
					return false
				}
			}
		}
		count++
	}
	if rules.additional && rules.rest != nil && rules.rest.never && behind > 0 &&
		!a.add(a.fail(a.pos, Failure{Keyword: "additionalItems", Got: behind})) {
		return false
	}
	return a.count("minItems", "maxItems", rules.min, rules.max, count) && a.contains(rules)
}

// withoutUnique returns rules that do not look for more equal elements.
func (r *arrayRules) withoutUnique() *arrayRules {
	other := *r
	other.unique = false
	return &other
}

// An element of the array that is read.
type element struct{ pos, end int }

// firstElement returns the first element of the array.
func (a *applied) firstElement() (e element, ok bool) { return a.elementAt(spaceEnd(a.text, a.pos+1)) }

// nextElement returns the element behind e.
func (a *applied) nextElement(e element) (next element, ok bool) {
	if a.spend(1); e.end == 0 {
		e.end = a.skip(e.pos)
	}
	i := spaceEnd(a.text, e.end)
	if a.text[i] == ',' {
		i = spaceEnd(a.text, i+1)
	}
	return a.elementAt(i)
}

func (a *applied) elementAt(i int) (element, bool) {
	if a.text[i] == ']' {
		a.end = i + 1
		return element{}, false
	}
	return element{pos: i}, true
}

// contains applies contains and its limits. Where too few elements fit, the failures of
// the others are the causes.
func (a *applied) contains(rules *arrayRules) bool {
	if rules.contains == nil {
		return true
	}
	var others []*Failure
	i, fit := 0, 0
	for e, ok := a.firstElement(); ok; e, ok = a.nextElement(e) {
		end, failure := a.below(step{index: i}, rules.contains, e.pos)
		e.end = end
		switch {
		case failure == nil:
			fit++
			if rules.containsCounts {
				a.marks.add(i)
			}
		case a.report:
			others = append(others, failure)
		}
		i++
	}
	least, keyword := 1, "contains"
	if rules.minContains != unlimited {
		least, keyword = int(rules.minContains), "minContains"
	}
	if fit < least && !a.add(a.fail(a.pos, Failure{Keyword: keyword, Causes: others})) {
		return false
	}
	if rules.maxContains != unlimited && fit > int(rules.maxContains) {
		return a.add(a.fail(a.pos, Failure{Keyword: "maxContains"}))
	}
	return true
}

package validator

import "slices"

// object applies the keywords for objects.
func (a *applied) object(rules *objectRules) bool {
	open := len(a.present)
	a.present = slices.Grow(a.present, len(rules.required))[:open+len(rules.required)]
	clear(a.present[open:])
	var forbidden []string
	count := 0
	for m, ok := a.firstMember(); ok; m, ok = a.nextMember(m) {
		if f := rules.field(m.key); f != nil && f.required >= 0 {
			a.present[open+f.required] = true
		}
		isForbidden, goOn := a.member(rules, &m, count)
		if isForbidden {
			forbidden = append(forbidden, m.key)
		}
		if !goOn {
			return false
		}
		count++
	}
	if len(forbidden) > 0 && !a.add(a.fail(a.pos, Failure{Keyword: FalseMembers, Names: forbidden})) {
		return false
	}
	return a.count("minProperties", "maxProperties", rules.min, rules.max, count) &&
		a.required(rules, a.present[open:open+len(rules.required)]) && a.dependent(rules)
}

// A member is a key of the object that is read, with its value.
type member struct {
	key      string
	pos      int // of the value
	end      int // of the value, 0 while it is not known
	keyStart int
}

// firstMember returns the first member of the object.
func (a *applied) firstMember() (m member, ok bool) { return a.memberAt(spaceEnd(a.text, a.pos+1)) }

// nextMember returns the member behind m.
func (a *applied) nextMember(m member) (next member, ok bool) {
	if a.spend(1); m.end == 0 {
		m.end = a.skip(m.pos)
	}
	i := spaceEnd(a.text, m.end)
	if a.text[i] == ',' {
		i = spaceEnd(a.text, i+1)
	}
	return a.memberAt(i)
}

func (a *applied) memberAt(i int) (m member, ok bool) {
	if a.text[i] == '}' {
		a.end = i + 1
		return member{}, false
	}
	end := stringEnd(a.text, i)
	m = member{key: stringText(a.text[i:end]), keyStart: i}
	m.pos = spaceEnd(a.text, spaceEnd(a.text, end)+1)
	return m, true
}

// member applies the schemas for one member, and records where its value ends. Forbidden
// is a member that additionalProperties does not allow.
func (a *applied) member(rules *objectRules, m *member, i int) (forbidden, goOn bool) {
	evaluated := false
	apply := func(p *part) bool {
		evaluated = true
		end, failure := a.below(step{m.key, -1}, p, m.pos)
		m.end = max(m.end, end)
		return a.add(failure)
	}
	if f := rules.field(m.key); f != nil && f.schema != nil && !apply(f.schema) {
		return false, false
	}
	for _, pattern := range rules.patterns {
		if !a.spend(matchSteps(pattern.written, m.key)) || matches(pattern.match, m.key) && !apply(pattern.schema) {
			return false, false
		}
	}
	if others := rules.others; !evaluated && others != nil {
		if others.never && !a.report {
			return false, a.add(broken)
		}
		if evaluated, forbidden = true, others.never; !forbidden && !apply(others) {
			return false, false
		}
	}
	if evaluated {
		a.marks.add(i)
	}
	if rules.names == nil {
		return forbidden, true
	}
	_, failure := a.below(step{m.key, -1}, rules.names, m.keyStart)
	if failure != nil && a.report {
		failure = &Failure{At: failure.At, Keyword: "propertyNames", Found: failure.Found, Causes: []*Failure{failure}}
	}
	return forbidden, a.add(failure)
}

// below applies a schema to a part of the value.
func (a *applied) below(s step, p *part, pos int) (end int, failure *Failure) {
	if !a.report {
		return a.walker.apply(p, pos, nil)
	}
	a.path = append(a.path, s)
	end, failure = a.walker.apply(p, pos, nil)
	a.path = a.path[:len(a.path)-1]
	return end, failure
}

// required reports the required fields that are absent.
func (a *applied) required(rules *objectRules, present []bool) bool {
	if !slices.Contains(present, false) {
		return true
	}
	if !a.report {
		return a.add(broken)
	}
	var missing []string
	for i, name := range rules.required {
		if !present[i] {
			missing = append(missing, name)
		}
	}
	return a.add(a.fail(a.pos, Failure{Keyword: "required", Names: missing}))
}

// dependent applies the keywords for objects that have a property.
func (a *applied) dependent(rules *objectRules) bool {
	for _, d := range rules.dependent {
		if a.gaveUp {
			return false
		}
		if !a.hasKey(d.name) {
			continue
		}
		if d.schema != nil {
			if !a.add(a.inPlace(d.schema)) {
				return false
			}
			continue
		}
		if !slices.ContainsFunc(d.required, func(name string) bool { return !a.hasKey(name) }) {
			continue
		}
		if !a.add(a.fail(a.pos, Failure{Keyword: d.keyword, Names: []string{d.name}})) {
			return false
		}
	}
	return true
}

func (a *applied) hasKey(key string) bool {
	for m, ok := a.firstMember(); ok; m, ok = a.nextMember(m) {
		if m.key == key {
			return true
		}
	}
	return false
}

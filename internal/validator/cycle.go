package validator

import "iter"

// markCycles marks a part of every cycle of parts that are applied to the same value. A
// part that other scopes can lead to may close a cycle that is not seen here.
func markCycles(parts []*part) {
	const open, closed = 1, 2
	state := make(map[*part]int, len(parts))
	var visit func(p *part)
	visit = func(p *part) {
		if p == nil || state[p] == closed {
			return
		}
		if state[p] == open {
			p.cyclic = true
			return
		}
		state[p] = open
		for next := range p.inPlace() {
			visit(next)
		}
		state[p] = closed
	}
	for _, p := range parts {
		p.cyclic = p.cyclic || p.dynamicAnchor != "" || p.recursiveAnchor
		visit(p)
	}
}

// inPlace yields the parts that are applied to the same value as p; some are nil.
func (p *part) inPlace() iter.Seq[*part] {
	return func(yield func(*part) bool) {
		for _, list := range [...][]*part{p.allOf, p.anyOf, p.oneOf, {p.ref, p.dynamicRef, p.recursiveRef, p.not, p.condition, p.then, p.otherwise}} {
			for _, next := range list {
				if !yield(next) {
					return
				}
			}
		}
		if p.object == nil {
			return
		}
		for _, d := range p.object.dependent {
			if !yield(d.schema) {
				return
			}
		}
	}
}

package compat

import "slices"

// Lookup returns what the lock holds of a tool; the zero Locked if it does not
// hold it.
func (l *Lock) Lookup(tool string) Locked {
	i := slices.IndexFunc(l.Tools, func(t Locked) bool { return t.Name == tool })
	if i < 0 {
		return Locked{}
	}
	return l.Tools[i]
}

// Only returns the part of a lock that holds some tools.
func (l *Lock) Only(names []string) *Lock {
	some := &Lock{}
	for _, t := range l.Tools {
		if slices.Contains(names, t.Name) {
			some.Tools = append(some.Tools, t)
		}
	}
	return some
}

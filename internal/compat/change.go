package compat

import "slices"

// A Class is what a change means to callers of the old version.
type Class string

// The classes.
const (
	Compatible Class = "compatible" // existing calls still work
	Breaking   Class = "breaking"   // some do not, or may not
)

// A Change is one difference between two versions.
type Change struct {
	Class Class  `json:"class"`
	Agent string `json:"agent,omitempty"` // "" for tools without an agent
	Tool  string `json:"tool,omitempty"`  // "" for changes of the agent itself

	// Path is a JSON pointer into the promise: /input/properties/city/enum,
	// /description, /model. It leads into the new version, or into the old one
	// where the new one has no such value.
	Path string `json:"path,omitempty"`

	Message string `json:"message"` // what changed, and what that means
}

// AnyBreakingChange reports whether one of the changes is breaking.
func AnyBreakingChange(changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return c.Class == Breaking })
}

// changesByName compares what has the same name in two versions, in the order of
// the new one. Added and gone report what only one of them has.
func changesByName[T any](old, new []T, name func(T) string, compare func(old, new T) []Change, added, gone func(T) Change) []Change {
	before := make(map[string]T, len(old))
	for _, was := range old {
		before[name(was)] = was
	}
	var list []Change
	kept := map[string]bool{}
	for _, is := range new {
		kept[name(is)] = true
		if was, found := before[name(is)]; found {
			list = append(list, compare(was, is)...)
		} else {
			list = append(list, added(is))
		}
	}
	for _, was := range old {
		if !kept[name(was)] {
			list = append(list, gone(was))
		}
	}
	return list
}

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

// AnyBreaking reports whether one of the changes is breaking.
func AnyBreaking(changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return c.Class == Breaking })
}

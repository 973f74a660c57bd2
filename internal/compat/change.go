package compat

import "slices"

// A Class says what a change means to callers of the old version.
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
	Tool  string `json:"tool,omitempty"`  // "" for what is said of the agent

	// Path is a JSON pointer into the promise: /input/properties/city/enum,
	// /description, /model. It leads into the new version, or into the old one
	// where the new one has nothing there.
	Path string `json:"path,omitempty"`

	Message string `json:"message"` // what changed, and what that means
}

// AnyBreaking reports whether one of the changes is breaking.
func AnyBreaking(changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return c.Class == Breaking })
}

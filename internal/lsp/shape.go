package lsp

// A shape is what the fields of values of a type are. The elements of an array
// count as the array, and the alternatives of a union as one type.
type shape struct {
	document *document
	types    []string    // the named types that it is of
	fields   *definition // whose parts are its fields; nil when it has none
	rest     *shape      // of the values of a map; nil when it is none

	// Of values in a test, which are one of these:
	arguments string // those of this tool
	result    string // that of this tool
	answer    bool   // that of an agent, which has this name; "" for any
	agent     string
}

// isEmpty reports whether nothing is known of the fields of the values.
func (s *shape) isEmpty() bool { return len(s.types) == 0 && s.fields == nil && s.rest == nil }

// partsNamed returns the fields of a name.
func (s *shape) partsNamed(name string) []*definition {
	if s.fields == nil {
		return nil
	}
	return s.fields.partsNamed(name)
}

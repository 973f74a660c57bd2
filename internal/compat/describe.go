package compat

import (
	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// describeSubject describes the value at a place.
func (r *changeReport) describeSubject(at *jsonschema.Place) string { return r.describePlace(at, 2) }

func (r *changeReport) describePlace(at *jsonschema.Place, depth int) string {
	switch {
	case at == nil:
		return "a part of " + r.whole
	case at.Parent == nil:
		return r.whole
	case depth == 0:
		return "a part of " + r.whole
	}
	above := at.Parent
	if above.Schema != nil { // at is the only schema of a keyword
		switch at.Token {
		case "items":
			return "each element of " + r.describePlace(above, depth-1)
		case "additionalProperties":
			return "each other field of " + r.describePlace(above, depth-1)
		}
		return r.describePlace(above, depth-1)
	}
	switch above.Token {
	case "properties":
		return r.describeProperty(above.Parent, at.Token)
	case "patternProperties":
		return "each field like " + describeText(at.Token)
	case "$defs", "definitions":
		return "the type " + describeText(at.Token)
	}
	return r.describePlace(above.Parent, depth)
}

// describeProperty describes a field of the schema at a place.
func (r *changeReport) describeProperty(of *jsonschema.Place, name string) string {
	word := "field"
	if of != nil && of.Parent == nil {
		word = r.field
	}
	return "the " + word + " " + describeText(name)
}

var limitNames = map[string]string{
	"minimum": "minimum", "exclusiveMinimum": "exclusive minimum", "maximum": "maximum", "exclusiveMaximum": "exclusive maximum",
	"multipleOf": "step", "minLength": "least length", "maxLength": "greatest length",
	"minItems": "least number of elements", "maxItems": "greatest number of elements",
	"minProperties": "least number of fields", "maxProperties": "greatest number of fields",
	"pattern": "pattern", "format": "format",
}

// describeChanged describes the old and the new value of a keyword; "" is none.
func describeChanged(word, of, old, new string) string {
	switch {
	case old == new: // what is behind them differs
		return "the " + word + " of " + of + " has changed"
	case old == "":
		return "the " + word + " of " + of + " is " + new + " now, and there was none"
	case new == "":
		return "the " + word + " of " + of + " was " + old + ", and there is none now"
	}
	return "the " + word + " of " + of + " is " + new + " now, and was " + old
}

// describeSides returns the old and the new schema of a mismatch.
func (r *changeReport) describeSides(m *jsonschema.Mismatch) (old, new *jsonschema.Schema) {
	if r.forward {
		return m.Narrow, m.Wide
	}
	return m.Wide, m.Narrow
}

// describeText returns foreign text for a message, quoted and shortened.
func describeText(text string) string {
	const most = 60
	return string(plainjson.String(excerpt.Short(text, most)))
}

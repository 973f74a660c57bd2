package compat

import (
	"strings"
)

// subject returns what stands at a place, in words.
func (r *report) subject(at *place) string { return r.subjectWithin(at, 2) }

func (r *report) subjectWithin(at *place, depth int) string {
	switch {
	case at == nil:
		return "a part of " + r.whole
	case at.parent == nil:
		return r.whole
	case depth == 0:
		return "a part of " + r.whole
	}
	above := at.parent
	if above.schema != nil { // at is the only schema of a keyword
		switch at.token {
		case "items":
			return "each element of " + r.subjectWithin(above, depth-1)
		case "additionalProperties":
			return "each other field of " + r.subjectWithin(above, depth-1)
		}
		return r.subjectWithin(above, depth-1)
	}
	switch above.token {
	case "properties":
		return r.fieldName(above.parent, at.token)
	case "patternProperties":
		return "each field like " + showText(at.token)
	case "$defs", "definitions":
		return "the type " + showText(at.token)
	}
	return r.subjectWithin(above.parent, depth)
}

// fieldName returns what a field of the schema at a place is called.
func (r *report) fieldName(of *place, name string) string {
	word := "field"
	if of != nil && of.parent == nil {
		word = r.field
	}
	return "the " + word + " " + showText(name)
}

var limitNames = map[string]string{
	"minimum": "minimum", "exclusiveMinimum": "exclusive minimum", "maximum": "maximum", "exclusiveMaximum": "exclusive maximum",
	"multipleOf": "step", "minLength": "least length", "maxLength": "greatest length",
	"minItems": "least number of elements", "maxItems": "greatest number of elements",
	"minProperties": "least number of fields", "maxProperties": "greatest number of fields",
}

// changed says what a keyword was and is; "" is nothing.
func changed(word, of, old, new string) string {
	switch {
	case old == new: // what is behind them differs
		return "the " + word + " of " + of + " is another now"
	case old == "":
		return "the " + word + " of " + of + " is " + new + " now, and there was none"
	case new == "":
		return "the " + word + " of " + of + " was " + old + ", and there is none now"
	}
	return "the " + word + " of " + of + " is " + new + " now, and was " + old
}

// sides returns the old and the new one.
func (r *report) sides(n, w *schema) (old, new *schema) {
	if r.forward {
		return n, w
	}
	return w, n
}

// text returns what the facts say for a keyword, "" for nothing.
func (f *facts) text(keyword string) string {
	if limit := f.limit(keyword); limit != nil {
		text, exact := limit.FloatPrec()
		if exact {
			return limit.FloatString(text)
		}
		return limit.RatString()
	}
	var all []string
	for _, p := range f.parts {
		switch {
		case keyword == "pattern" && p.pattern != "":
			all = append(all, showText(p.pattern))
		case keyword == "format" && p.format != "":
			all = append(all, showText(p.format))
		}
	}
	return strings.Join(all[:min(len(all), 3)], " and ")
}

// valuesText returns the values of an enum for a message.
func valuesText(values []value) string {
	const most = 5
	texts := make([]string, 0, most)
	for i, v := range values {
		if i == most {
			return strings.Join(texts, ", ") + ", …"
		}
		texts = append(texts, show(v.raw))
	}
	return strings.Join(texts, ", ")
}

// sketch describes a schema in a few words.
func (s *schema) sketch() string {
	f := s.facts()
	if f.finite {
		return valuesText(f.values)
	}
	for _, p := range f.parts {
		if name := p.at.typeName(); name != "" {
			return name
		}
		for _, name := range p.required {
			if tag, _ := f.field(name); len(tag) > 0 && tag[0].facts().finite && len(tag[0].facts().values) == 1 {
				return "an object with the " + name + " " + valuesText(tag[0].facts().values)
			}
		}
	}
	return f.types.String()
}

// typeName returns the name of the type that is defined at a place.
func (p *place) typeName() string {
	if p == nil || p.parent == nil || p.parent.schema != nil {
		return ""
	}
	if p.parent.token != "$defs" && p.parent.token != "definitions" {
		return ""
	}
	return showText(p.token)
}

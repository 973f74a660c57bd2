package compat

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A schema is one JSON Schema of a document: everything in it must hold.
type schema struct {
	at    *place // nil for those that stand nowhere
	never bool   // the schema false
	whole bool   // of all arguments, of which those that are not declared never count

	types    kinds
	values   []value         // of enum and const
	listed   map[string]bool // their keys; nil without enum and const
	limits   map[string]*big.Rat
	unique   bool
	pattern  string
	format   string
	required []string

	fields   map[string]*schema
	patterns map[string]*schema // patternProperties
	rest     *schema            // additionalProperties; nil when it is not said
	items    *schema

	refers  string // as written in $ref
	ref     *schema
	all     []*schema
	choices []*choice

	hidden map[string]hidden // what is only compared as a whole
	notes  map[string]any    // what says nothing of the values

	known *facts
	piece bool // it is a part of another one, see split
	turn  int  // of a piece: which alternative it is
}

// A choice is the list of an anyOf or oneOf.
type choice struct {
	one bool
	of  []*schema
}

// A hidden keyword is one that is not understood; or its value is not.
type hidden struct {
	key   string // what it says, in one way of writing
	loose bool   // it may mean something else in another document
}

// hide notes a keyword that is not understood.
func (s *schema) hide(keyword string, raw any, loose bool) {
	if s.hidden == nil {
		s.hidden = map[string]hidden{}
	}
	s.hidden[keyword] = hidden{keyOf(raw), loose || refersTo(raw)}
}

// refersTo reports whether there is a reference in a value.
func refersTo(raw any) bool {
	switch raw := raw.(type) {
	case []any:
		return slices.ContainsFunc(raw, refersTo)
	case map[string]any:
		for key, value := range raw {
			if key == "$ref" || key == "$dynamicRef" || key == "$recursiveRef" || refersTo(value) {
				return true
			}
		}
	}
	return false
}

// schema takes the schema at a place apart, once.
func (d *document) schema(raw any, at *place) (*schema, error) {
	if at.schema != nil {
		return at.schema, nil
	}
	if d.parts++; d.parts > maxSchemaParts {
		return nil, fmt.Errorf("has more than %d parts", maxSchemaParts)
	}
	if at.depth > maxSchemaDepth {
		return nil, fmt.Errorf("is nested deeper than %d levels", maxSchemaDepth)
	}
	s := &schema{at: at, types: anyKind}
	at.schema = s
	switch raw := raw.(type) {
	case bool:
		s.never = !raw
	case map[string]any:
		return s, d.object(s, raw)
	default:
		s.hide("", raw, false)
	}
	return s, nil
}

func (d *document) object(s *schema, raw map[string]any) error {
	if _, ok := raw["$id"].(string); ok && s.at.parent != nil {
		return errors.New("has a part with an $id of its own")
	}
	if ref, ok := raw["$ref"].(string); ok {
		s.refers = ref
		d.wanted = append(d.wanted, s)
		if d.legacy {
			s.notes = map[string]any{}
			return nil
		}
	}
	groups := map[string]map[string]any{}
	for _, keyword := range slices.Sorted(maps.Keys(raw)) {
		value := raw[keyword]
		if group := groupOf(keyword, raw); group != "" {
			if groups[group] == nil {
				groups[group] = map[string]any{}
			}
			groups[group][keyword] = value
			continue
		}
		understood, err := d.keyword(s, keyword, value)
		if err != nil {
			return err
		}
		if !understood {
			s.hide(keyword, value, strings.HasPrefix(keyword, "unevaluated") || strings.HasPrefix(keyword, "$"))
		}
	}
	for group, value := range groups {
		s.hide(group, value, false)
	}
	return nil
}

// groupOf returns the keyword with which one is only understood together, ""
// for most.
func groupOf(keyword string, raw map[string]any) string {
	switch keyword {
	case "if", "then", "else":
		return "if"
	case "contains", "minContains", "maxContains":
		return "contains"
	case "items", "prefixItems", "additionalItems":
		_, tuple := raw["prefixItems"]
		_, list := raw["items"].([]any)
		if tuple || list || keyword == "additionalItems" {
			return "prefixItems"
		}
	}
	return ""
}

// keyword reads one keyword and reports whether it was understood.
func (d *document) keyword(s *schema, keyword string, raw any) (understood bool, err error) {
	at := s.at.child(keyword)
	switch keyword {
	case "$schema", "$id", "$ref", "$comment", "$defs", "definitions", "$anchor", "$dynamicAnchor", "$vocabulary":
		_, text := raw.(string)
		return keyword != "$ref" || text, nil
	case "type":
		s.types, understood = readTypes(raw)
	case "enum":
		list, ok := raw.([]any)
		if ok {
			s.list(list)
		}
		return ok, nil
	case "const":
		s.list([]any{raw})
		return true, nil
	case "uniqueItems":
		s.unique, understood = raw.(bool)
	case "pattern":
		s.pattern, understood = raw.(string)
	case "format":
		s.format, understood = raw.(string)
	case "required":
		if s.required, understood = texts(raw); !understood {
			s.required = nil
		}
		slices.Sort(s.required)
	case "properties":
		s.fields, understood, err = d.named(raw, at)
	case "patternProperties":
		s.patterns, understood, err = d.named(raw, at)
	case "additionalProperties":
		s.rest, err = d.schema(raw, at)
		return true, err
	case "items":
		s.items, err = d.schema(raw, at)
		return true, err
	case "allOf":
		s.all, understood, err = d.list(raw, at)
	case "anyOf", "oneOf":
		c := &choice{one: keyword == "oneOf"}
		if c.of, understood, err = d.list(raw, at); understood {
			s.choices = append(s.choices, c)
		}
	case "not", "dependentSchemas", "dependentRequired", "dependencies", "propertyNames",
		"unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$recursiveRef":
	default:
		return s.limit(keyword, raw), nil
	}
	return understood, err
}

// limit reads a keyword that limits a size, or one that says nothing of the
// values.
func (s *schema) limit(keyword string, raw any) (understood bool) {
	of, known := limited[keyword]
	if !known {
		if s.notes == nil {
			s.notes = map[string]any{}
		}
		s.notes[keyword] = raw
		return true
	}
	number, _ := raw.(json.Number)
	limit := rational(number)
	if limit == nil || keyword == "multipleOf" && limit.Sign() <= 0 || of != numberKind && (!limit.IsInt() || limit.Sign() < 0) {
		return false
	}
	if s.limits == nil {
		s.limits = map[string]*big.Rat{}
	}
	s.limits[keyword] = limit
	return true
}

// list notes that the values are among these.
func (s *schema) list(raw []any) {
	listed := make(map[string]bool, len(raw))
	var values []value
	for _, r := range raw {
		v := newValue(r)
		if !listed[v.key] && (s.listed == nil || s.listed[v.key]) {
			listed[v.key] = true
			values = append(values, v)
		}
	}
	s.values, s.listed = values, listed
}

func (d *document) named(raw any, at *place) (map[string]*schema, bool, error) {
	all, ok := raw.(map[string]any)
	if !ok {
		return nil, false, nil
	}
	named := make(map[string]*schema, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s, err := d.schema(all[name], at.child(name))
		if err != nil {
			return nil, false, err
		}
		named[name] = s
	}
	return named, true, nil
}

func (d *document) list(raw any, at *place) ([]*schema, bool, error) {
	all, ok := raw.([]any)
	if !ok || len(all) == 0 {
		return nil, false, nil
	}
	list := make([]*schema, len(all))
	for i := range all {
		var err error
		if list[i], err = d.schema(all[i], at.child(strconv.Itoa(i))); err != nil {
			return nil, false, err
		}
	}
	return list, true, nil
}

func texts(raw any) ([]string, bool) {
	list, ok := raw.([]any)
	names := make([]string, 0, len(list))
	for _, item := range list {
		name, isText := item.(string)
		ok = ok && isText
		names = append(names, name)
	}
	return names, ok
}

package jsonschema

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Schema is one JSON Schema of a document: all its fields must hold.
type Schema struct {
	At *Place // nil for schemas in no document

	node  *Node
	never bool // the schema false

	types    Types
	values   []Value         // of enum and const
	listed   map[string]bool // their keys; nil without enum and const
	limits   map[string]*big.Rat
	unique   bool
	regexp   string
	format   string
	required []string // sorted

	properties map[string]*Schema
	names      []string           // of properties, sorted
	patterns   map[string]*Schema // patternProperties
	others     *Schema            // additionalProperties; nil without it
	items      *Schema

	ref     *Schema
	all     []*Schema
	choices []*choice

	opaque      map[string]opaque // keywords that are only compared as a whole
	annotations map[string]*Node

	known  *facts
	isCase bool // one of the cases of another schema, see [Checker.cases]
	turn   int  // of a case: which alternative it is
}

// A choice is the value of an anyOf or oneOf.
type choice struct {
	exclusive    bool // oneOf
	alternatives []*Schema
}

// An opaque keyword is not understood, or has an invalid value.
type opaque struct {
	key   string // see [Node.Key]
	loose bool   // it can mean something else in another document
}

// A Value is a value of an enum or const.
type Value struct {
	*Node
	key   string
	types Types
	size  *big.Rat // the number or length that limits apply to, or nil
}

func newValue(n *Node) Value {
	v := Value{Node: n, key: n.Key(), types: n.TypeOf()}
	switch n.Kind {
	case KindNumber:
		if v.size = n.Rational(); v.size == nil {
			v.types = NumberType
		}
	case KindString:
		v.size = big.NewRat(int64(utf8.RuneCountInString(n.Text())), 1)
	case KindArray, KindObject:
		v.size = big.NewRat(int64(len(n.Items)+len(n.Members)), 1)
	}
	return v
}

// schema reads the schema at a place, once.
func (d *Document) schema(n *Node, at *Place) (*Schema, error) {
	if at.Schema != nil {
		return at.Schema, nil
	}
	if d.parts++; d.parts > maxSchemaParts {
		return nil, fmt.Errorf("has more than %d parts", maxSchemaParts)
	}
	if at.depth > maxSchemaDepth {
		return nil, fmt.Errorf("is nested deeper than %d levels", maxSchemaDepth)
	}
	s := &Schema{At: at, node: n, types: AnyType}
	at.Schema = s
	switch {
	case n.IsBool():
		s.never = n.Kind == KindFalse
	case n.Kind == KindObject:
		return s, d.object(s)
	default:
		s.setOpaque("", n, false)
	}
	return s, nil
}

func (d *Document) object(s *Schema) error {
	if s.node.Get("$id").Is(KindString) && s.At.Parent != nil {
		return errors.New("has a part with an $id of its own")
	}
	if s.node.Get("$ref").Is(KindString) {
		d.unresolved = append(d.unresolved, s)
		if d.legacy {
			return nil
		}
	}
	groups := map[string][]Member{}
	for _, m := range s.node.Members {
		if group := groupOf(m.Key, s.node); group != "" {
			groups[group] = append(groups[group], m)
			continue
		}
		understood, err := d.keyword(s, m.Key, m.Value)
		if err != nil {
			return err
		}
		if !understood {
			s.setOpaque(m.Key, m.Value, strings.HasPrefix(m.Key, "unevaluated") || strings.HasPrefix(m.Key, "$"))
		}
	}
	for group, members := range groups {
		s.setOpaque(group, Object(members...), false)
	}
	return nil
}

// groupOf returns the group of a keyword, "" for most. "items" with a list counts
// as prefixItems.
func groupOf(keyword string, schema *Node) string {
	if keyword == "items" || keyword == "prefixItems" {
		if schema.Get("prefixItems") != nil || schema.Get("items").Is(KindArray) {
			return "prefixItems"
		}
	}
	k, _ := KeywordNamed(keyword)
	return k.Group
}

// setOpaque records a keyword that is not understood.
func (s *Schema) setOpaque(keyword string, value *Node, loose bool) {
	if s.opaque == nil {
		s.opaque = map[string]opaque{}
	}
	value.Walk(func(n *Node) bool {
		loose = loose || n.Get("$ref") != nil || n.Get("$dynamicRef") != nil || n.Get("$recursiveRef") != nil
		return !loose
	})
	s.opaque[keyword] = opaque{value.Key(), loose}
}

// keyword reads one keyword and reports whether it was understood.
func (d *Document) keyword(s *Schema, keyword string, value *Node) (understood bool, err error) {
	at := s.At.child(keyword)
	k, known := KeywordNamed(keyword)
	switch keyword {
	case "$ref":
		return value.Kind == KindString, nil
	case "type":
		s.types, understood = readTypes(s.node)
	case "enum":
		if value.Kind != KindArray {
			return false, nil
		}
		s.list(value.Items)
		return true, nil
	case "const":
		s.list([]*Node{value})
		return true, nil
	case "uniqueItems":
		s.unique = value.Kind == KindTrue
		return value.IsBool(), nil
	case "pattern":
		s.regexp = value.Text()
		return value.Kind == KindString, nil
	case "format":
		s.format = value.Text()
		return value.Kind == KindString, nil
	case "required":
		s.required, understood = value.Texts()
		slices.Sort(s.required)
	case "properties":
		if s.properties, understood, err = d.named(value, at); understood {
			s.names = sortedKeys(s.properties)
		}
	case "patternProperties":
		s.patterns, understood, err = d.named(value, at)
	case "additionalProperties":
		s.others, err = d.schema(value, at)
		return true, err
	case "items":
		s.items, err = d.schema(value, at)
		return true, err
	case "allOf":
		s.all, understood, err = d.list(value, at)
	case "anyOf", "oneOf":
		c := &choice{exclusive: keyword == "oneOf"}
		if c.alternatives, understood, err = d.list(value, at); understood {
			s.choices = append(s.choices, c)
		}
	default:
		switch {
		case isLimit(k):
			return s.limit(k, value), nil
		case k.Role == Annotation || !known:
			if s.annotations == nil {
				s.annotations = map[string]*Node{}
			}
			s.annotations[keyword] = value
		}
		return k.Role != Assertion, nil
	}
	return understood, err
}

// isLimit reports whether a keyword limits a number, a length or a count.
func isLimit(k Keyword) bool {
	return k.Role == Assertion && k.Group == "" && (k.Form == FormNumber || k.Form == FormStep || k.Form == FormCount)
}

// limit reads a keyword that limits a size.
func (s *Schema) limit(k Keyword, value *Node) (understood bool) {
	limit := value.Rational()
	switch {
	case limit == nil, k.Form == FormStep && limit.Sign() <= 0, k.Form == FormCount && (!limit.IsInt() || limit.Sign() < 0):
		return false
	}
	if s.limits == nil {
		s.limits = map[string]*big.Rat{}
	}
	s.limits[k.Name] = limit
	return true
}

// readTypes reads the keyword type.
func readTypes(schema *Node) (types Types, understood bool) {
	value := schema.Get("type")
	if value.Kind != KindString && value.Kind != KindArray {
		return AnyType, false
	}
	for _, name := range schema.TypeList() {
		t := TypeNamed(name)
		if t == 0 {
			return AnyType, false
		}
		types |= t
	}
	return types, true
}

// list records that the value is one of these.
func (s *Schema) list(all []*Node) {
	listed := make(map[string]bool, len(all))
	var values []Value
	for _, n := range all {
		v := newValue(n)
		if !listed[v.key] && (s.listed == nil || s.listed[v.key]) {
			listed[v.key] = true
			values = append(values, v)
		}
	}
	s.values, s.listed = values, listed
}

func (d *Document) named(n *Node, at *Place) (map[string]*Schema, bool, error) {
	if n.Kind != KindObject {
		return nil, false, nil
	}
	named := make(map[string]*Schema, len(n.Members))
	for _, m := range n.Members {
		s, err := d.schema(m.Value, at.child(m.Key))
		if err != nil {
			return nil, false, err
		}
		named[m.Key] = s
	}
	return named, true, nil
}

func (d *Document) list(n *Node, at *Place) ([]*Schema, bool, error) {
	if len(n.Items) == 0 {
		return nil, false, nil
	}
	list := make([]*Schema, len(n.Items))
	for i, item := range n.Items {
		var err error
		if list[i], err = d.schema(item, at.child(strconv.Itoa(i))); err != nil {
			return nil, false, err
		}
	}
	return list, true, nil
}

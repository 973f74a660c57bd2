package jsonschema

import (
	"math/big"
	"slices"
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

// Types returns the types of the values, as do the methods below with all that s
// refers to.
func (s *Schema) Types() Types { return s.facts().types }

// IsCase reports whether s is one case of another schema, such as one of its types,
// and has no location of its own.
func (s *Schema) IsCase() bool { return s.isCase }

// Requires reports whether a property is always present.
func (s *Schema) Requires(name string) bool { return s.facts().requires(name) }

// PropertyNames returns the names of the declared properties of schemas, sorted.
func PropertyNames(schemas ...*Schema) []string {
	return namesOf(schemas, func(p *Schema) []string { return p.names })
}

func namesOf(schemas []*Schema, of func(*Schema) []string) (names []string) {
	for _, s := range schemas {
		for _, p := range s.facts().parts {
			names = append(names, of(p)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Property returns the first schema declared for a property, or nil.
func (s *Schema) Property(name string) *Schema { return firstSchema(s.facts().declared(name)) }

// Items returns the first schema of the elements, or nil.
func (s *Schema) Items() *Schema { return firstSchema(s.facts().items()) }

// Others returns the first schema of undeclared properties, or nil.
func (s *Schema) Others() *Schema { return firstSchema(s.facts().others()) }

func firstSchema(list []*Schema) *Schema {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// Forbids reports whether no value has a property.
func (s *Schema) Forbids(name string) bool {
	return slices.ContainsFunc(s.facts().property(name), func(p *Schema) bool { return p.facts().types == 0 })
}

// Alternatives returns the alternatives of each anyOf and oneOf.
func (s *Schema) Alternatives() (all [][]*Schema) {
	for _, c := range s.facts().choices {
		all = append(all, c.alternatives)
	}
	return all
}

// Annotation returns the value of a keyword that does not limit the values, and
// the place of the schema that has it; or nil.
func (s *Schema) Annotation(keyword string) (*Node, *Place) {
	for _, p := range s.facts().parts {
		if value := p.annotations[keyword]; value != nil {
			return value, p.At
		}
	}
	return nil, nil
}

// LimitText returns a limit, a pattern or a format of s for a message, or "".
func (s *Schema) LimitText(keyword string) string {
	f := s.facts()
	if limit := f.limit(keyword); limit != nil {
		if digits, exact := limit.FloatPrec(); exact {
			return limit.FloatString(digits)
		}
		return limit.RatString()
	}
	var all []string
	for _, p := range f.parts {
		switch {
		case keyword == "pattern" && p.regexp != "":
			all = append(all, String(p.regexp).Shown())
		case keyword == "format" && p.format != "":
			all = append(all, String(p.format).Shown())
		}
	}
	return strings.Join(all[:min(len(all), 3)], " and ")
}

// Sketch describes a schema briefly: by its values, the name of its type, the
// property that distinguishes it, or its JSON types.
func (s *Schema) Sketch() string {
	f := s.facts()
	if f.finite {
		return ValuesText(f.values)
	}
	for _, p := range f.parts {
		if name := p.At.typeName(); name != "" {
			return name
		}
		for _, name := range p.required {
			if tag := firstSchema(f.property(name)); tag != nil && tag.facts().finite && len(tag.facts().values) == 1 {
				return "an object with the " + name + " " + ValuesText(tag.facts().values)
			}
		}
	}
	return f.types.String()
}

// ValuesText returns values for a message: the first five.
func ValuesText(values []Value) string {
	const most = 5
	texts := make([]string, 0, most+1)
	for i, v := range values {
		if i == most {
			texts = append(texts, "…")
			break
		}
		texts = append(texts, v.Shown())
	}
	return strings.Join(texts, ", ")
}

package validator

import (
	"regexp"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A Schema is a compiled JSON Schema. It is immutable and may be shared.
type Schema struct{ root *part }

// A part is one schema of a document.
type part struct {
	always, never bool // every value fits, or none
	cyclic        bool // it may be applied to a value while it is being applied to it
	draft         draft
	in            *resource

	types     jsonschema.Types // 0 without type
	typeNames []string
	constant  *values
	enum      *values
	format    string
	formatOK  func(string) bool // nil for formats that are not known

	ref              *part
	recursiveRef     *part // $recursiveRef
	recursiveAnchor  bool
	dynamicRef       *part // where the $dynamicRef leads without others in its scope
	dynamicRefAnchor string
	dynamicAnchor    string

	number     []limit
	multipleOf string
	text       *textRules
	object     *objectRules
	array      *arrayRules

	allOf, anyOf, oneOf []*part
	not                 *part
	condition           *part // if
	then, otherwise     *part

	unevaluatedMembers, unevaluatedItems *part
}

// A count is the limit of a length; -1 is none.
type count int

const unlimited count = -1

type textRules struct {
	min, max count
	pattern  *regexp.Regexp // nil without one, and for one that Go cannot match
	written  string         // the text of the pattern
}

type objectRules struct {
	min, max count

	fields   []field
	index    map[string]int // of fields, by name; nil if they are few
	required []string
	patterns []patternRule
	others   *part // additionalProperties
	names    *part // propertyNames

	dependent []dependency
}

// A field is what a schema says of one property.
type field struct {
	name     string
	schema   *part // or nil
	required int   // the index in required, or -1
}

type patternRule struct {
	written string
	match   *regexp.Regexp // nil for one that Go cannot match: it matches everything
	schema  *part
}

// A dependency is what an object must be if it has a property: it has others, or fits a
// schema.
type dependency struct {
	keyword, name string
	required      []string
	schema        *part
}

type arrayRules struct {
	min, max   count
	unique     bool
	prefix     []*part
	rest       *part // of the elements behind the prefix
	additional bool  // rest is additionalItems

	contains                 *part
	minContains, maxContains count
	containsCounts           bool // what contains finds is evaluated
}

// smallObject is the number of fields up to which comparing all names is faster than an
// index.
const smallObject = 8

func (o *objectRules) field(name string) *field {
	if o.index != nil {
		if i, ok := o.index[name]; ok {
			return &o.fields[i]
		}
		return nil
	}
	for i := range o.fields {
		if o.fields[i].name == name {
			return &o.fields[i]
		}
	}
	return nil
}

package compat

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// Kinds are the kinds of JSON values, as a set.
type kinds uint8

const (
	nullKind kinds = 1 << iota
	booleanKind
	integerKind
	fractionKind // a number that is no integer
	stringKind
	arrayKind
	objectKind

	numberKind = integerKind | fractionKind
	anyKind    = objectKind<<1 - 1
)

var kindNames = []struct {
	kind kinds
	name string
}{
	{stringKind, "string"}, {numberKind, "number"}, {integerKind, "integer"}, {booleanKind, "boolean"},
	{arrayKind, "array"}, {objectKind, "object"}, {nullKind, "null"},
}

// String returns the types as people read them: "string or null".
func (k kinds) String() string {
	if k == anyKind {
		return "anything"
	}
	var names []string
	for _, n := range kindNames {
		if k&n.kind == n.kind {
			names = append(names, n.name)
			k &^= n.kind
		}
	}
	switch {
	case k&fractionKind != 0:
		names = append(names, "number")
	case len(names) == 0:
		return "nothing"
	}
	return strings.Join(names, " or ")
}

// readTypes reads the value of the keyword type.
func readTypes(raw any) (types kinds, understood bool) {
	names, list := texts(raw)
	if name, one := raw.(string); one {
		names, list = []string{name}, true
	}
	for _, name := range names {
		kind, known := kindNamed(name)
		types |= kind
		list = list && known
	}
	if !list {
		return anyKind, false
	}
	return types, true
}

func kindNamed(name string) (kinds, bool) {
	for _, n := range kindNames {
		if n.name == name {
			return n.kind, true
		}
	}
	return 0, false
}

// limited are the keywords that limit a size, with the values that they speak
// of.
var limited = map[string]kinds{
	"minimum": numberKind, "exclusiveMinimum": numberKind, "maximum": numberKind, "exclusiveMaximum": numberKind, "multipleOf": numberKind,
	"minLength": stringKind, "maxLength": stringKind,
	"minItems": arrayKind, "maxItems": arrayKind,
	"minProperties": objectKind, "maxProperties": objectKind,
}

// A value is a JSON value of an enum.
type value struct {
	raw  any
	key  string // the same for equal values
	kind kinds
	size *big.Rat // what limits look at; nil when there is no such thing
}

func newValue(raw any) value {
	v := value{raw: raw, key: keyOf(raw)}
	switch raw := raw.(type) {
	case nil:
		v.kind = nullKind
	case bool:
		v.kind = booleanKind
	case json.Number:
		v.size = rational(raw)
		switch {
		case v.size == nil:
			v.kind = numberKind
		case v.size.IsInt():
			v.kind = integerKind
		default:
			v.kind = fractionKind
		}
	case string:
		v.kind, v.size = stringKind, big.NewRat(int64(utf8.RuneCountInString(raw)), 1)
	case []any:
		v.kind, v.size = arrayKind, big.NewRat(int64(len(raw)), 1)
	case map[string]any:
		v.kind, v.size = objectKind, big.NewRat(int64(len(raw)), 1)
	}
	return v
}

// rational returns the value of a number, nil when it is too long to compute
// with.
func rational(n json.Number) *big.Rat { return plainjson.Rational(n.String(), 100, 999) }

// keyOf returns a text that is the same for equal values.
func keyOf(raw any) string {
	return string(appendKey(nil, raw))
}

func appendKey(b []byte, raw any) []byte {
	switch raw := raw.(type) {
	case json.Number:
		if r := rational(raw); r != nil {
			return append(b, r.RatString()...)
		}
		return append(b, raw...)
	case []any:
		b = append(b, '[')
		for _, item := range raw {
			b = append(appendKey(b, item), ',')
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for _, key := range slices.Sorted(maps.Keys(raw)) {
			b = append(append(b, plainjson.String(key)...), ':')
			b = append(appendKey(b, raw[key]), ',')
		}
		return append(b, '}')
	}
	text, err := plainjson.Marshal(raw)
	if err != nil {
		panic("drift: " + err.Error())
	}
	return append(b, text...)
}

const maxShown = 60 // characters of foreign text in a message

// show returns a JSON value for a message.
func show(raw any) string {
	text, err := plainjson.Marshal(raw)
	if err != nil {
		panic("drift: " + err.Error())
	}
	return excerpt.Short(string(text), maxShown)
}

func showText(s string) string { return string(plainjson.String(excerpt.Short(s, maxShown))) }

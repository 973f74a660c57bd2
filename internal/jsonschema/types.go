package jsonschema

import "strings"

// Types are a set of JSON types, in which integers and other numbers differ.
type Types uint8

// The types.
const (
	NullType Types = 1 << iota
	BooleanType
	IntegerType
	FractionType // numbers that are not integers
	StringType
	ArrayType
	ObjectType

	NumberType = IntegerType | FractionType
	AnyType    = ObjectType<<1 - 1
)

// typeNames are the values of the keyword "type", in the order of messages.
var typeNames = [...]struct {
	types Types
	name  string
}{
	{StringType, "string"}, {NumberType, "number"}, {IntegerType, "integer"}, {BooleanType, "boolean"},
	{ArrayType, "array"}, {ObjectType, "object"}, {NullType, "null"},
}

// TypeNamed returns the type of a value of the keyword "type", 0 for others.
func TypeNamed(name string) Types {
	for _, t := range typeNames {
		if t.name == name {
			return t.types
		}
	}
	return 0
}

// Names returns the names of the types: "number" for both kinds of numbers, and for
// fractions alone.
func (t Types) Names() []string {
	var names []string
	for _, known := range typeNames {
		if t&known.types == known.types {
			names = append(names, known.name)
			t &^= known.types
		}
	}
	if t&FractionType != 0 {
		names = append(names, "number")
	}
	return names
}

// String returns the types for a message: "string or null", "anything",
// "nothing".
func (t Types) String() string {
	switch t {
	case AnyType:
		return "anything"
	case 0:
		return "nothing"
	}
	return strings.Join(t.Names(), " or ")
}

// TypeOf returns the one type of a value. A number is an integer by its value:
// 1.0 is one.
func (n *Node) TypeOf() Types {
	switch n.Kind {
	case KindNull:
		return NullType
	case KindNumber:
		if DecimalOf(n.raw).IsInteger() {
			return IntegerType
		}
		return FractionType
	case KindString:
		return StringType
	case KindArray:
		return ArrayType
	case KindObject:
		return ObjectType
	}
	return BooleanType
}

// TypeList returns the values of the keyword "type" of a schema, nil without it.
func (n *Node) TypeList() []string {
	value := n.Get("type")
	switch {
	case value == nil:
		return nil
	case value.Kind == KindString:
		return []string{value.Text()}
	}
	names := make([]string, len(value.Items))
	for i, item := range value.Items {
		names[i] = item.Text()
	}
	return names
}

// AllowsAnything reports whether n is the schema true or {}.
func (n *Node) AllowsAnything() bool {
	return n.Is(KindTrue) || n.Is(KindObject) && len(n.Members) == 0
}

package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// isPlainValue reports whether gram has a notation of its own for a value: a text
// that shows all its characters, a number without exponent, true or false.
func isPlainValue(n *jsonschema.Node) bool {
	const maxNumber = 1000 // bytes
	switch n.Kind {
	case jsonschema.KindString:
		return !hiddenText(n.Text())
	case jsonschema.KindNumber:
		return len(n.Raw()) <= maxNumber && !strings.ContainsAny(n.Raw(), "eE")
	}
	return n.IsBool()
}

// scalarValue returns a plain value, or null, as a gram value.
func scalarValue(n *jsonschema.Node) ast.Value {
	switch n.Kind {
	case jsonschema.KindString:
		return textValue(n.Text(), false)
	case jsonschema.KindNumber:
		number := &ast.Number{Raw: n.Raw()}
		if strings.Contains(number.Raw, ".") {
			number.Kind = ast.Decimal
		}
		return number
	case jsonschema.KindNull:
		return &ast.Symbol{Text: "null"}
	}
	return &ast.Bool{Value: n.Is(jsonschema.KindTrue)}
}

// maxRaw is how deep JSON is nested that is written as it is.
const maxRaw = 80

// valueDepth returns how many levels a value has.
func valueDepth(n *jsonschema.Node) int {
	deepest := 0
	for _, item := range n.Items {
		deepest = max(deepest, valueDepth(item))
	}
	for _, m := range n.Members {
		deepest = max(deepest, valueDepth(m.Value))
	}
	return deepest + 1
}

// isWritableValue reports whether gram writes a value in records and in type
// expressions alike: without null inside, and not nested deep.
func isWritableValue(n *jsonschema.Node, null bool) bool {
	if n.Is(jsonschema.KindNull) {
		return null
	}
	if len(n.Items)+len(n.Members) == 0 && n.Kind != jsonschema.KindArray && n.Kind != jsonschema.KindObject {
		return isPlainValue(n)
	}
	bad := false
	n.Walk(func(part *jsonschema.Node) bool {
		bad = bad || part.Is(jsonschema.KindNull)
		return !bad
	})
	return !bad && valueDepth(n) <= maxNesting
}

// wholeValue returns the digits of an integer.
func wholeValue(n *jsonschema.Node) string {
	if r := n.Rational(); r != nil && r.IsInt() {
		return r.Num().String()
	}
	return n.Raw()
}

// taggedValue returns a value as json`…`.
func taggedValue(n *jsonschema.Node) *ast.Tagged { return &ast.Tagged{Tag: "json", Text: jsonText(n)} }

// gramValue returns any JSON value as a gram value: arrays of plain values as
// arrays, other arrays, objects and what gram cannot write as json`…`. Null is a
// word only if the second argument says that the word is known.
func gramValue(n *jsonschema.Node, null bool) ast.Value {
	switch {
	case isPlainValue(n), n.Is(jsonschema.KindNull) && null:
		return scalarValue(n)
	case len(n.Items) > 0:
		return listValue(n, false)
	}
	return taggedValue(n)
}

// listValue returns an array as a gram value, with null as a word if orNull says
// that the word is known.
func listValue(n *jsonschema.Node, orNull bool) ast.Value {
	if len(n.Items) > maxList || slices.ContainsFunc(n.Items, func(item *jsonschema.Node) bool {
		return !isPlainValue(item) && !(orNull && item.Is(jsonschema.KindNull))
	}) {
		return taggedValue(n)
	}
	a := &ast.Array{Elements: make([]ast.Value, len(n.Items))}
	for i, item := range n.Items {
		a.Elements[i] = scalarValue(item)
	}
	return a
}

// maxList is how many elements an array has in gram: longer ones are read faster
// as one text.
const maxList = 10_000

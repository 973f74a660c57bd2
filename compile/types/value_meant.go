package types

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// This file finds the value that was meant by one that does not fit its type.

// meantValue returns the value of the wanted type that the wrong one is in other notation,
// such as 3 for "3"; nil for none.
func (w *valueWriter) meantValue() ast.Value {
	if w.problem != "" || w.typ == nil {
		return nil
	}
	for _, v := range meantNotations(w.wrong) {
		again := &valueWriter{c: w.c, literal: w.literal, steps: w.steps}
		if again.value(v, w.typ) {
			return v
		}
	}
	return nil
}

// meantNotations returns what people mean by a value: a number or a boolean in quotes, a
// text without, a list of one element.
func meantNotations(v ast.Value) (list []ast.Value) {
	element := v
	switch v := v.(type) {
	case *ast.Bool:
		list = append(list, &ast.String{Text: strconv.FormatBool(v.Value)})
	case *ast.Number:
		list = append(list, &ast.String{Text: v.Raw})
	case *ast.String, *ast.Symbol:
		word, _ := ast.WordOf(v)
		element = &ast.String{Text: word}
		switch strings.ToLower(word) {
		case "true", "yes", "on":
			list = append(list, &ast.Bool{Value: true})
		case "false", "no", "off":
			list = append(list, &ast.Bool{})
		}
		if jsonschema.IsNumber(word) && !strings.ContainsAny(word, "eE") {
			n := &ast.Number{Raw: word}
			if strings.Contains(word, ".") {
				n.Kind = ast.Decimal
			}
			list = append(list, n)
		}
	default:
		return nil
	}
	return append(list, &ast.Array{Elements: []ast.Value{element}})
}

// meantEnumValue returns the value of an enum, in quotes, that is near to a text that is not
// in it; "" for none.
func (c *Checker) meantEnumValue(w *valueWriter) string {
	var values []string
	text, ok := ast.WordOf(w.wrong)
	if !ok || json.Unmarshal(w.values, &values) != nil {
		return ""
	}
	near := c.Guess(text, values)
	if near == "" {
		return ""
	}
	return strconv.Quote(near)
}

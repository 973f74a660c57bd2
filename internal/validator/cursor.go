package validator

import (
	"encoding/json"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// The functions of this file find the parts of a text that is known to be JSON.

// spaceEnd returns the offset of the next byte that is no whitespace.
func spaceEnd(text string, i int) int {
	for i < len(text) && text[i] <= ' ' {
		i++
	}
	return i
}

// stringEnd returns the offset after the string that begins at i.
func stringEnd(text string, i int) int {
	for i++; ; i++ {
		i += strings.IndexByte(text[i:], '"')
		escapes := i
		for text[escapes-1] == '\\' {
			escapes--
		}
		if (i-escapes)%2 == 0 {
			return i + 1
		}
	}
}

// valueEnd returns the offset after the value that begins at i.
func valueEnd(text string, i int) int {
	switch text[i] {
	case '"':
		return stringEnd(text, i)
	case '{', '[':
		for open := 0; ; {
			switch text[i] {
			case '"':
				i = stringEnd(text, i)
				continue
			case '{', '[':
				open++
			case '}', ']':
				open--
			}
			if i++; open == 0 {
				return i
			}
		}
	}
	for i < len(text) && text[i] > ' ' && text[i] != ',' && text[i] != '}' && text[i] != ']' {
		i++
	}
	return i
}

// stringText returns the content of a string with its quotes.
func stringText(literal string) string {
	if strings.IndexByte(literal, '\\') < 0 {
		return literal[1 : len(literal)-1]
	}
	var text string
	if err := json.Unmarshal([]byte(literal), &text); err != nil {
		panic("validator: string of a valid text: " + err.Error())
	}
	return text
}

// typeOf returns the type of the value that begins at i.
func typeOf(text string, i int) jsonschema.Types {
	switch text[i] {
	case '{':
		return jsonschema.ObjectType
	case '[':
		return jsonschema.ArrayType
	case '"':
		return jsonschema.StringType
	case 't', 'f':
		return jsonschema.BooleanType
	case 'n':
		return jsonschema.NullType
	}
	if isInteger(text[i:valueEnd(text, i)]) {
		return jsonschema.IntegerType
	}
	return jsonschema.FractionType
}

// isInteger reports whether a number is a whole one.
func isInteger(number string) bool {
	if strings.ContainsAny(number, "eE") {
		return jsonschema.DecimalOf(number).IsInteger()
	}
	_, fraction, _ := strings.Cut(number, ".")
	return strings.TrimLeft(fraction, "0") == ""
}

// treeOf returns the tree of a value.
func treeOf(text string) *jsonschema.Node {
	n, err := jsonschema.Read(text, &jsonschema.ReadOptions{Accept: jsonschema.AcceptAll})
	if err != nil {
		panic("validator: value of a valid text: " + err.Error())
	}
	return n
}

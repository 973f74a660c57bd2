package vocabulary

import "strings"

// ForeignType returns the type that a word of another language means, "" for none.
func ForeignType(word string) string {
	switch strings.ToLower(word) {
	case "str", "char", "varchar":
		return "Text"
	case "long", "short", "int32", "int64":
		return "Int"
	case "float", "decimal", "real", "float64":
		return "Double"
	case "list", "vector", "sequence", "tuple", "set":
		return "Array"
	case "dict", "record", "struct", "hash":
		return "Object"
	case "nil", "none", "void":
		return "Null"
	}
	return ""
}

// TypeOf returns the type that a word means which may be of another language, or a type in
// other letters, "" for none.
func TypeOf(word string) string {
	all := TypeNames()
	for _, t := range all {
		if !strings.EqualFold(t.Name, word) {
			continue
		}
		for _, first := range all {
			if first.Kind == t.Kind {
				return first.Name
			}
		}
	}
	return ForeignType(word)
}

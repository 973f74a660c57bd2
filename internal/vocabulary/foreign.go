package vocabulary

import "strings"

// ForeignType returns the type that a word of another language means, "" for none.
func ForeignType(word string) string {
	switch strings.ToLower(word) {
	case "str", "char", "varchar", "path", "filepath":
		return "Text"
	case "long", "short", "bigint", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "i32", "i64", "u32", "u64", "usize":
		return "Int"
	case "float", "decimal", "real", "float32", "float64", "f32", "f64", "bigdecimal":
		return "Double"
	case "list", "vector", "sequence", "tuple", "set":
		return "Array"
	case "dict", "record", "struct", "hash":
		return "Object"
	case "nil", "none", "void":
		return "Null"
	case "unknown", "json", "jsonvalue":
		return "Any"
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

// ForeignProperty returns the property that is meant by what other tools call it, "" for
// none.
func ForeignProperty(key string) string {
	switch strings.ToLower(strings.ReplaceAll(key, "_", "")) {
	case "prompt", "system", "systemprompt", "instructions":
		return "instruction"
	case "maxturns", "maxsteps", "maxiterations":
		return "maxIterations"
	case "maxtokens", "maxoutputtokens":
		return "maxTokens"
	case "requestlimit", "requestslimit":
		return "maxRequests"
	case "totaltokenslimit", "tokenlimit", "tokenbudget":
		return "maxTotalTokens"
	case "costlimit", "maxbudget", "maxbudgetusd":
		return "maxCost"
	case "deadline", "timelimit":
		return "timeout"
	case "temp":
		return "temperature"
	case "output", "outputtype", "outputschema", "responseformat":
		return "returns"
	case "choices", "options", "oneof":
		return "enum"
	case "ge", "gte", "minvalue":
		return "min"
	case "le", "lte", "maxvalue":
		return "max"
	case "gt":
		return "exclusiveMin"
	case "lt":
		return "exclusiveMax"
	case "regex", "regexp":
		return "pattern"
	case "desc", "doc", "docstring", "help":
		return "description"
	case "example":
		return "examples"
	}
	return ""
}

package types

import "testing"

func TestKeywordsAsTheyAreBecomePartOfTheSchema(t *testing.T) {
	for text, want := range map[string]string{
		"(x::Int {schema: json`{\"not\": {\"const\": 1.50}, \"x-a\": [null]}`}) ==> (::Any)": `{"type":"integer","not":{"const":1.50},"x-a":[null]}`,
		"(x::Array {schema: json`{\"items\": [{}]}`}) ==> (::Any)":                           `{"type":"array","items":[{}]}`,
		"(x::Any {types: [Text, Int], schema: json`{\"minLength\": 1}`}) ==> (::Any)":        `{"type":["string","integer"],"minLength":1}`,
		"(x::`Text(schema={\"pattern\": \"(?=a)\"})`) ==> (::Any)":                           `{"type":"string","pattern":"(?=a)"}`,
	} {
		s, problems := ParseTypeSignature(text)
		if problems.HasErrors() {
			t.Errorf("%s: %v", text, problems)
		} else if got := string(s.Params[0].Type.Schema("")); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestKeywordsAsTheyAreMustBeValid(t *testing.T) {
	for text, want := range map[string]string{
		"(x::Int {schema: json`{\"minimum\": \"a\"}`})":                  `the schema of the parameter "x" must have a number at /minimum`,
		"(x::Any {schema: json`{\"not\": {\"items\": {\"type\": 1}}}`})": `the schema of the parameter "x" must have a type or an array of types at /not/items/type`,
		"(x::Any {schema: json`{\"$ref\": \"#\"}`})":                     `the schema of the parameter "x" must have no references and no parts with names at /$ref`,
		"(x::Int {schema: json`{\"type\": \"string\"}`})":                `the schema of the parameter "x" has "type"; write the type before the record`,
		"(x::Int {min: 1, schema: json`{\"minimum\": 2}`})":              `the parameter "x" has its min already`,
		"(x::Any {schema: json`[1]`})":                                   `the parameter "x" is of type Object, but its schema is an array`,
		"(x::Any {schema: json`{`})":                                     `the schema of the parameter "x" is tagged json, but its text is not JSON`,
	} {
		_, problems := ParseTypeSignature(text + " ==> (::Any)")
		if len(problems) != 1 || problems[0].Message != want {
			t.Errorf("%s: %v, want %s", text, problems, want)
		}
	}
}

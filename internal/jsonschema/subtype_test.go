package jsonschema

import (
	"fmt"
	"strings"
	"testing"
)

func document(t *testing.T, text string) *Document {
	t.Helper()
	d, err := ReadDocument(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

func TestSubtype(t *testing.T) {
	object := func(properties string) string {
		return `{"type":"object","properties":{` + properties + `}}`
	}
	closed := CheckOptions{Closed: true, Arguments: true}
	for _, tt := range []struct {
		name, narrow, wide string
		options            CheckOptions
		want               string
	}{
		{"the same", object(`"a":{"type":"string"}`), object(`"a":{"type":"string"}`), CheckOptions{}, "yes"},
		{"fewer types", `{"type":"integer"}`, `{"type":["number","null"]}`, CheckOptions{}, "yes"},
		{"another type", object(`"a":{"type":"string"}`), object(`"a":{"type":"integer"}`), CheckOptions{}, "no /properties/a: string is not allowed"},
		{"null besides", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"type":"string"}`, CheckOptions{}, "no /anyOf/1: null is not allowed"},
		{"null besides, exclusively", `{"oneOf":[{"type":"string"},{"type":"null"}]}`, `{"type":"string"}`, CheckOptions{}, "no /oneOf/1: null is not allowed"},
		{"alternatives that overlap", `{"oneOf":[{"type":"string"},{"enum":["a",1]}]}`, `{"enum":[1]}`, CheckOptions{}, "undecided /oneOf/0: only 1 is allowed; /oneOf/1: \"a\" is not allowed"},
		{"other values", `{"enum":["a","b"]}`, `{"const":"a"}`, CheckOptions{}, `no : "b" is not allowed`},
		{"no list of values", `{"type":"string"}`, `{"enum":["a","b"]}`, CheckOptions{}, `no : only "a", "b" is allowed`},
		{"a bounded range and its values", `{"type":"integer","minimum":1,"maximum":2}`, `{"enum":[1,2]}`, CheckOptions{}, `undecided : only 1, 2 is allowed`},
		{"optional and required", object(`"a":{}`), `{"required":["a"],"properties":{"a":{}}}`, CheckOptions{}, `no : "a" is required`},
		{"a limit", `{"type":"string","maxLength":9}`, `{"maxLength":5}`, CheckOptions{}, "no : only values with maxLength 5 are allowed"},
		{"a limit that a pattern can imply", `{"type":"string","pattern":"^a$"}`, `{"maxLength":5}`, CheckOptions{}, "undecided : only values with maxLength 5 are allowed"},
		{"a bound that a step can imply", `{"type":"integer","maximum":10,"multipleOf":4}`, `{"maximum":9}`, CheckOptions{}, "undecided : only values with maximum 9 are allowed"},
		{"a pattern", `{"type":"string"}`, `{"pattern":"^a"}`, CheckOptions{}, `undecided : only values with pattern "^a" are allowed`},
		{"a type beside a format", `{"type":"string","format":"date"}`, `{"type":"integer"}`, CheckOptions{}, "no : string is not allowed"},
		{"not", `{"type":"string"}`, `{"not":{"const":"a"}}`, CheckOptions{}, `undecided : "not" cannot be compared`},
		{"not in the narrow one", `{"type":["string","null"],"not":{"type":"null"}}`, `{"type":"string"}`, CheckOptions{}, "undecided : null is not allowed"},
		{"two schemas at one place", object(`"a":{"type":"string"}`)[:len(object(`"a":{"type":"string"}`))-1] + `,"allOf":[{"properties":{"a":{"maxLength":3}}}]}`,
			object(`"a":{"type":"string","maxLength":3}`), CheckOptions{}, "undecided /properties/a: only values with maxLength 3 are allowed"},
		{"no alternative", `{"type":"array"}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, CheckOptions{}, "no : array fits none of the alternatives"},
		{"a cycle", `{"$ref":"#/$defs/T","$defs":{"T":{"properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/T"}}}}}`,
			`{"properties":{"v":{"type":"number"},"next":{"$ref":"#"}}}`, CheckOptions{}, "yes"},
		{"a cycle with a fault", `{"properties":{"v":{"type":"number"},"next":{"$ref":"#"}}}`,
			`{"properties":{"v":{"type":"integer"},"next":{"$ref":"#"}}}`, CheckOptions{}, "no /properties/v: number is not allowed"},
		{"a false schema", `{"type":"string"}`, `false`, CheckOptions{}, "no : no value is allowed"},

		{"an optional argument more", object(`"a":{"type":"string"}`), object(`"a":{"type":"string"},"b":{"type":"string"}`), closed, "yes"},
		{"a required argument more", object(`"a":{"type":"string"}`), `{"type":"object","properties":{"a":{},"b":{}},"required":["b"]}`, closed, `no : "b" is required`},
		{"an argument less", object(`"a":{},"b":{}`), object(`"a":{}`), closed, `no /properties/b: the property "b" is not allowed`},
		{"an argument less for an open tool", object(`"a":{},"b":{}`), `{"type":"object","properties":{"a":{}},"additionalProperties":true}`, closed, "yes"},
		{"an argument for any object", object(`"a":{}`), `{"type":"object"}`, CheckOptions{Closed: true}, "yes"},
		{"a tool that refuses others", object(`"a":{}`), `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, closed, "yes"},
		{"a tool that refuses others, of open objects", object(`"a":{}`), `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, CheckOptions{}, "no : undeclared properties are not allowed"},
		{"a closed object inside", object(`"a":` + object(`"x":{},"y":{}`)), object(`"a":` + object(`"x":{}`)), closed, `no /properties/a/properties/y: the property "y" is not allowed`},
		{"an open object for a closed one", `{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}`, object(`"a":{}`), closed, "no : undeclared properties are not allowed"},
		{"declared in two parts", `{"properties":{"a":{},"b":{}}}`, `{"properties":{"a":{}},"allOf":[{"properties":{"b":{}}}]}`, closed, "yes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Subtype(document(t, tt.narrow), document(t, tt.wide), tt.options)
			got := [...]string{"undecided", "yes", "no"}[r.Verdict]
			var reasons []string
			for _, m := range r.Mismatches {
				reasons = append(reasons, m.Pointer()+": "+m.Reason())
			}
			if len(reasons) > 0 {
				got += " " + strings.Join(reasons, "; ")
			}
			if got != tt.want {
				t.Errorf("\ngot  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestTooMuchToCompareIsUndecided(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, `"p%d":{"type":"string"},`, i)
	}
	text := `{"properties":{` + b.String() + `"x":{"type":"%s"}},"allOf":[` + strings.Repeat(`{"properties":{"x":{}}},`, 400) + `{}]}`
	r := Subtype(document(t, fmt.Sprintf(text, "number")), document(t, fmt.Sprintf(text, "integer")), CheckOptions{})
	if r.Verdict != Undecided {
		t.Errorf("the verdict is %d", r.Verdict)
	}
}

func TestSchemasThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		`{`: "is not JSON",
		strings.Repeat(`{"items":`, 1001) + "{}" + strings.Repeat("}", 1001): "is nested deeper than 1000 levels",
		`{"allOf":[` + strings.Repeat("{},", maxSchemaParts) + `{}]}`:        "has more than 20000 parts",
		`{"properties":{"a":{"$id":"x"}}}`:                                   "has a part with an $id of its own",
		strings.Repeat(" ", MaxSchemaBytes+1):                                "is larger than 4 MiB",
	} {
		if _, err := ReadDocument(text); err == nil || err.Error() != want {
			t.Errorf("%.50s: got %v, want %s", text, err, want)
		}
	}
}

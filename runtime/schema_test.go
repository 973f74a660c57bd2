package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

func mustCompile(t *testing.T, schema string) *Schema {
	t.Helper()
	s, err := CompileSchema(json.RawMessage(schema))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// problems returns "code pointer: message" for each problem of err.
func problems(t *testing.T, err error) []string {
	t.Helper()
	var v *ValidationError
	if !errors.As(err, &v) {
		if err != nil {
			t.Fatalf("error is %T, want *ValidationError: %v", err, err)
		}
		return nil
	}
	var lines []string
	for _, p := range v.Problems {
		lines = append(lines, fmt.Sprintf("%s %s", p.Code, p))
	}
	return lines
}

// object returns the schema of an object with those properties; the names in
// required, separated by spaces, must be there.
func object(properties, required string) string {
	names, _ := json.Marshal(strings.Fields(required))
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":%s}`, properties, names)
}

func TestValidateArgsNamesFieldExpectedAndFound(t *testing.T) {
	tests := []struct {
		name, schema, args string
		want               []string
	}{
		{"good", object(`"name":{"type":"string"}`, "name"), `{"name":"Alice"}`, nil},
		{"missing", object(`"name":{"type":"string"}`, "name"), `{}`,
			[]string{`missing-required /name: missing required field "name"`}},
		{"wrong type", object(`"age":{"type":"integer"}`, "age"), `{"age":"42"}`,
			[]string{`wrong-type /age: expected an integer, found the string "42"`}},
		{"not whole", object(`"age":{"type":"integer"}`, "age"), `{"age":1.5}`,
			[]string{`wrong-type /age: expected an integer, found the number 1.5`}},
		{"42.0 is an integer", object(`"age":{"type":"integer"}`, "age"), `{"age":42.0}`, nil},
		{"above 2^53", object(`"n":{"type":"integer","maximum":9007199254740993}`, ""), `{"n":9007199254740994}`,
			[]string{`invalid-value /n: expected at most 9007199254740993, found the number 9007199254740994`}},
		{"null", object(`"f":{"type":"boolean"}`, ""), `{"f":null}`,
			[]string{`wrong-type /f: expected a boolean, found null`}},
		{"array for object", object(`"o":{"type":"object"}`, ""), `{"o":[]}`,
			[]string{`wrong-type /o: expected an object, found an array`}},
		{"item", object(`"xs":{"type":"array","items":{"type":"string"}}`, ""), `{"xs":["a",2]}`,
			[]string{`wrong-type /xs/1: expected a string, found the number 2`}},
		{"nested missing", object(`"u":`+object(`"email":{"type":"string"}`, "email"), "u"), `{"u":{}}`,
			[]string{`missing-required /u/email: missing required field "email"`}},
		{"every mistake", object(`"b":{"type":"integer"}`, "a b c"), `{"b":"x"}`, []string{
			`missing-required /a: missing required field "a"`,
			`wrong-type /b: expected an integer, found the string "x"`,
			`missing-required /c: missing required field "c"`,
		}},
		{"extra allowed", object(``, ""), `{"junk":1}`, nil},
		{"extra forbidden", `{"type":"object","additionalProperties":false}`, `{"junk":1}`,
			[]string{`invalid-value /junk: the field "junk" is not allowed here`}},
		{"escaped pointer", object(`"a/b~c":{"type":"string"}`, ""), `{"a/b~c":1}`,
			[]string{`wrong-type /a~1b~0c: expected a string, found the number 1`}},
		{"array", object(``, ""), `[1,2]`, []string{`not-an-object arguments must be an object`}},
		{"null args", object(``, ""), `null`, []string{`not-an-object arguments must be an object`}},
		{"cut", object(``, ""), `{"name":`,
			[]string{`invalid-json not JSON at byte 8: the text ends where a value is expected`}},
		{"fenced", object(``, ""), "```json\n{}\n```",
			[]string{"invalid-json not JSON at byte 0: unexpected \"`\"; expected a value"}},
		{"trailing", object(``, ""), `{} x`,
			[]string{`invalid-json not JSON at byte 3: unexpected "x"; expected the end of the text`}},
		{"duplicate", object(``, ""), `{"a":{"b":1,"\u0062":2}}`,
			[]string{`duplicate-key /a/b: the field "b" occurs twice`}},
		{"deep", object(``, ""), `{"a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`,
			[]string{`invalid-value /a` + strings.Repeat("/0", 63) + `: nested deeper than 64 levels`}},
		{"just not too deep", object(``, ""), `{"a":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}`, nil},
		{"huge", object(``, ""), `{"a":"` + strings.Repeat("x", 1<<20) + `"}`,
			[]string{`invalid-value the arguments have 1048584 bytes, more than 1048576`}},
		{"huge exponent", object(`"n":{"type":"integer"}`, ""), `{"n":1e1000}`,
			[]string{`invalid-value /n: the number is out of range`}},
		{"large exponent", object(`"n":{"type":"number","minimum":0}`, ""), `{"n":1e400}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := mustCompile(t, tt.schema).ValidateArgs(json.RawMessage(tt.args))
			if diff := cmp.Diff(tt.want, problems(t, err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestValidateExplainsEachRule(t *testing.T) {
	tests := []struct{ schema, value, want string }{
		{`{"enum":["a","b",1]}`, `"c"`, `invalid-value expected one of "a", "b", 1, found the string "c"`},
		{`{"const":7}`, `8`, `invalid-value expected 7, found the number 8`},
		{`{"minimum":0.5}`, `0`, `invalid-value expected at least 0.5, found the number 0`},
		{`{"exclusiveMinimum":0}`, `0`, `invalid-value expected more than 0, found the number 0`},
		{`{"exclusiveMaximum":3}`, `3`, `invalid-value expected less than 3, found the number 3`},
		{`{"multipleOf":2}`, `3`, `invalid-value expected a multiple of 2, found the number 3`},
		{`{"minLength":1}`, `""`, `invalid-value expected at least 1 character, found 0`},
		{`{"maxLength":2}`, `"äöü"`, `invalid-value expected at most 2 characters, found 3`},
		{`{"minItems":2}`, `[1]`, `invalid-value expected at least 2 items, found 1`},
		{`{"maxItems":0}`, `[1]`, `invalid-value expected at most 0 items, found 1`},
		{`{"minProperties":1}`, `{}`, `invalid-value expected at least 1 field, found 0`},
		{`{"maxProperties":0}`, `{"a":1}`, `invalid-value expected at most 0 fields, found 1`},
		{`{"uniqueItems":true}`, `[1,2,1.0]`, `invalid-value the items 0 and 2 are equal, but must be unique`},
		{`{"pattern":"^a"}`, `"b"`, `invalid-value expected text that matches ^a, found the string "b"`},
		{`{"format":"date"}`, `"soon"`, `invalid-value expected a valid date, found the string "soon"`},
		{`{"properties":{"a":false}}`, `{"a":1}`, `invalid-value /a: no value is allowed here, found the number 1`},
		{`{"not":{"type":"string"}}`, `"x"`, `invalid-value the string "x" is not allowed here`},
		{`{"type":["string","null"]}`, `[]`, `wrong-type expected a string or null, found an array`},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`, `wrong-type expected a string or null, found the number 1`},
		{`{"anyOf":[{"type":"object","required":["a"]},{"type":"null"}]}`, `{}`, `missing-required /a: missing required field "a"`},
		{`{"anyOf":[{"maximum":1},{"minimum":5}]}`, `3`, `invalid-value none of the alternatives fits: ` +
			`expected at most 1, found the number 3, or expected at least 5, found the number 3`},
		{`{"oneOf":[{"minimum":1},{"minimum":2}]}`, `3`, `invalid-value more than one of the alternatives fits; exactly one must`},
		{`{"$ref":"#/$defs/s","$defs":{"s":{"type":"string"}}}`, `1`, `wrong-type expected a string, found the number 1`},
		{`{"allOf":[{"type":"string"}]}`, strings.Repeat("9", 80), `wrong-type expected a string, found the number ` + strings.Repeat("9", 60) + `…`},
		{`{}`, `{`, `invalid-json not JSON at byte 1: the text ends where a key in double quotes is expected`},
	}
	for _, tt := range tests {
		t.Run(tt.schema, func(t *testing.T) {
			got := problems(t, mustCompile(t, tt.schema).Validate(json.RawMessage(tt.value)))
			if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestValidationErrorTextStaysShort(t *testing.T) {
	s := mustCompile(t, `{"items":{"type":"string"}}`)
	text := s.Validate(json.RawMessage("[" + strings.Repeat("1,", 500) + "1]")).Error()
	if !strings.HasSuffix(text, "; and 491 more") || len(text) > 1000 {
		t.Errorf("text has %d bytes and ends with %q", len(text), text[len(text)-20:])
	}
}

func TestCompileSchemaRefusesBadSchemas(t *testing.T) {
	tests := []struct{ name, schema, want string }{
		{"not JSON", `{`, "not JSON at byte 1"},
		{"unknown type", `{"properties":{"a":{"type":"text"}}}`, "/properties/a/type"},
		{"remote reference", `{"$ref":"https://example.com/s.json"}`, "nothing is loaded from outside"},
		{"file reference", `{"$ref":"file:///etc/passwd"}`, "nothing is loaded from outside"},
		{"unknown dialect", `{"$schema":"https://example.com/dialect"}`, "nothing is loaded from outside"},
		{"dangling reference", `{"$ref":"#/$defs/nope"}`, "nope"},
		{"bad pattern", `{"pattern":"("}`, "pattern"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := CompileSchema(json.RawMessage(tt.schema))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v does not say %q", err, tt.want)
			}
		})
	}
}

func TestFillDefaults(t *testing.T) {
	const world = `"name":{"type":"string","default":"world"}`
	tests := []struct{ name, schema, value, want string }{
		{"absent", object(world, ""), `{}`, `{"name":"world"}`},
		{"present", object(world, ""), `{"name":"Bob"}`, `{"name":"Bob"}`},
		{"null is present", object(world, ""), `{"name":null}`, `{"name":null}`},
		{"bytes are kept", object(world, ""), ` { "n" : 1.50e1 , "b":9007199254740993 } `,
			`{ "n" : 1.50e1 , "b":9007199254740993 ,"name":"world"}`},
		{"in schema order", object(`"z":{"default":1},"a":{"default":[2]}`, ""), `{"x":0}`, `{"x":0,"z":1,"a":[2]}`},
		{"falsy", object(`"a":{"default":""},"b":{"default":0},"c":{"default":false},"d":{"default":null}`, ""), `{}`,
			`{"a":"","b":0,"c":false,"d":null}`},
		{"nested", object(`"u":`+object(world, ""), ""), `{"u":{},"k":1}`, `{"u":{"name":"world"},"k":1}`},
		{"nested and outer", object(`"u":`+object(world, "")+`,"n":{"default":1}`, ""), `{"u":{"a":"}"}}`,
			`{"u":{"a":"}","name":"world"},"n":1}`},
		{"absent parent stays absent", object(`"u":`+object(world, ""), ""), `{}`, `{}`},
		{"items", object(`"us":{"type":"array","items":`+object(world, "")+`}`, ""), `{"us":[{},{"name":"B"},{}]}`,
			`{"us":[{"name":"world"},{"name":"B"},{"name":"world"}]}`},
		{"reference", `{"properties":{"t":{"$ref":"#/$defs/t"}},"$defs":{"t":{"properties":{"n":{"default":1},"next":{"$ref":"#/$defs/t"}}}}}`,
			`{"t":{"next":{"next":{}}}}`, `{"t":{"next":{"next":{"n":1},"n":1},"n":1}}`},
		{"values of a map", `{"properties":{"m":{"additionalProperties":` + object(world, "") + `}}}`,
			`{"m":{"a":{}}}`, `{"m":{"a":{"name":"world"}}}`},
		{"reference with escapes", `{"type":"object","properties":{"a":{"$ref":"#/$defs/s/x~1y"}},"$defs":{"s":{"x/y":{"properties":{"n":{"default":2}}}}}}`,
			`{"a":{}}`, `{"a":{"n":2}}`},
		{"other type", object(world, ""), `[1]`, `[1]`},
		{"no defaults", object(`"a":{"type":"string"}`, ""), ` { "b" : 1 } `, `{ "b" : 1 }`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := filledWith(t, tt.schema, tt.value); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// filledWith returns a value with the defaults of a schema.
func filledWith(t *testing.T, schema, value string) string {
	t.Helper()
	root, _, err := readJSON([]byte(value))
	if err != nil {
		t.Fatal(err)
	}
	return fill(mustCompile(t, schema), root).Raw()
}

func fill(s *Schema, value *jsonschema.Node) *jsonschema.Node {
	c := conformer{how: withDefaults, refs: jsonschema.NewResolver(s.root)}
	return c.conform(s.root, value, nil)
}

func TestCompleteStopsAtTheLimit(t *testing.T) {
	s := mustCompile(t, `{"items":`+object(`"a":{"default":"`+strings.Repeat("x", 1000)+`"}`, "")+`}`)
	many := "[" + strings.Repeat("{},", 300_000) + "{}]"
	if filled, err := s.Complete(json.RawMessage(many)); err == nil {
		t.Errorf("%d bytes became %d", len(many), len(filled))
	}
}

func TestCompleteRefusesBrokenJSON(t *testing.T) {
	_, err := mustCompile(t, object(`"a":{"default":1}`, "")).Complete(json.RawMessage(`{"a":`))
	if got := problems(t, err); len(got) != 1 || !strings.HasPrefix(got[0], CodeInvalidJSON) {
		t.Errorf("problems %q, want one %s", got, CodeInvalidJSON)
	}
}

func TestSchemasOfTooManyPartsAreRefused(t *testing.T) {
	schema := `{"type":"object","anyOf":[` + strings.Repeat(`{},`, maxSchemaParts) + `{}]}`
	if _, err := CompileSchema(json.RawMessage(schema)); err == nil || !strings.Contains(err.Error(), "at most 5000 are allowed") {
		t.Errorf("%v", err)
	}
}

func TestPatternsThatGoCannotMatchAreLeftToTheTool(t *testing.T) {
	s, err := CompileSchema([]byte(`{"properties": {"a": {"pattern": "^(?!x)"}, "b": {"pattern": "^y"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate([]byte(`{"a": "x", "b": "y"}`)); err != nil {
		t.Error(err)
	}
	if s.Validate([]byte(`{"b": "x"}`)) == nil {
		t.Error("the other pattern is not checked")
	}
	if _, err := CompileSchema([]byte(`{"pattern": "("}`)); err == nil {
		t.Error("a pattern that is none is accepted")
	}
}

func TestOfDuplicateKeysTheLastValueIsValidated(t *testing.T) {
	s := mustCompile(t, `{"properties":{"a":{"type":"string"}},"maxProperties":1}`)
	if err := s.Validate(json.RawMessage(`{"a":1,"a":"x"}`)); err != nil {
		t.Error(err)
	}
	if got := problems(t, s.Validate(json.RawMessage(`{"a":"x","a":1}`))); len(got) != 1 {
		t.Errorf("problems %q", got)
	}
	if _, err := CompileSchema(json.RawMessage(`{"type":"text","type":"string"}`)); err != nil {
		t.Error(err)
	}
}

package runtime

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const shapes = `"$defs":{
	"Circle":{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number","minimum":0,"default":1}},"required":["kind","r"],"additionalProperties":false},
	"Square":{"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number"},"color":{"type":"string","default":"red"}},"required":["kind","side"]}},`

func TestValidateTellsTheNearestAlternative(t *testing.T) {
	const tagged = `{` + shapes + `"anyOf":[{"$ref":"#/$defs/Circle"},{"$ref":"#/$defs/Square"},{"type":"null"}]}`
	numbers := make([]string, 30)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i)
	}
	many := `{"enum":[` + strings.Join(numbers, ",") + `]}`
	tests := []struct {
		schema, value string
		want          []string
	}{
		{tagged, `{"kind":"circle","r":-1}`, []string{"invalid-value /r: expected at least 0, found the number -1"}},
		{tagged, `{"kind":"square","r":1,"side":"a"}`, []string{`wrong-type /side: expected a number, found the string "a"`}},
		{tagged, `{"kind":"cube"}`, []string{`invalid-value /kind: expected one of "circle", "square", found the string "cube"`}},
		{tagged, `7`, []string{"wrong-type expected an object or null, found the number 7"}},
		{strings.Replace(tagged, "anyOf", "oneOf", 1), `{"kind":"circle"}`, []string{`missing-required /r: missing required field "r"`}},
		{`{"anyOf":[{"const":"a"},{"enum":["b","c"]},{"type":"null"}]}`, `"d"`, []string{`invalid-value expected one of "a", "b", "c", found the string "d"`}},
		{`{"anyOf":[{"type":"object","required":["a","b"]},{"type":"object","required":["c","d","e"]}]}`, `{"a":1}`,
			[]string{`missing-required /b: missing required field "b"`}},
		{`{"anyOf":[{"type":"object","required":["a"]},{"type":"object","required":["b"]}]}`, `{}`,
			[]string{`invalid-value none of the alternatives fits: /a: missing required field "a", or /b: missing required field "b"`}},
		{`{"anyOf":[{"type":"string","minLength":3},{"type":"integer"}]}`, `"a"`, []string{"invalid-value expected at least 3 characters, found 1"}},
		{`{"type":"array","items":{"anyOf":[{"type":["string","null"]},{"type":["integer","null"]}]}}`, `[true]`,
			[]string{"wrong-type /0: expected a string or an integer or null, found true"}},
		{many, `77`, []string{"invalid-value expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, and 10 more, found the number 77"}},
	}
	for _, tt := range tests {
		got := problems(t, mustCompile(t, tt.schema).Validate(json.RawMessage(tt.value)))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s\n%s", tt.schema, tt.value, diff)
		}
	}
}

func TestFormatsCount(t *testing.T) {
	for format, values := range map[string][2]string{ // a right one and a wrong one
		"date-time": {"2024-02-29T12:00:00Z", "2024-02-30T12:00:00Z"},
		"time":      {"12:00:00Z", "25:00:00Z"},
		"date":      {"2024-02-29", "2023-02-29"},
		"duration":  {"P1DT2H", "1 day"},
		"email":     {"ada@example.com", "ada"},
		"hostname":  {"example.com", "-a-.com"},
		"ipv4":      {"192.0.2.1", "192.0.2.256"},
		"ipv6":      {"2001:db8::1", "2001:db8:::1"},
		"uuid":      {"00000000-0000-4000-8000-000000000000", "0000"},
		"uri":       {"https://example.com/", "example"},
	} {
		s := mustCompile(t, `{"type":["string","null"],"format":"`+format+`"}`)
		if err := s.Validate(json.RawMessage(`"` + values[0] + `"`)); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		err := s.Validate(json.RawMessage(`"` + values[1] + `"`))
		if want := fmt.Sprintf("expected a valid %s, found the string %q", format, values[1]); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if err := s.Validate(json.RawMessage(`null`)); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestDefaultsOfAlternatives(t *testing.T) {
	const either = `{` + shapes + `"anyOf":[{"$ref":"#/$defs/Circle"},{"$ref":"#/$defs/Square"},{"type":"null"}]}`
	field := func(schema string) string { return `{` + shapes + `"type":"object","properties":{"a":` + schema + `}}` }
	tests := []struct{ schema, value, want string }{
		{either, `{"kind":"circle"}`, `{"kind":"circle","r":1}`},
		{either, `{"kind":"square","side":2}`, `{"kind":"square","side":2,"color":"red"}`},
		{either, `{"kind":"cube"}`, `{"kind":"cube"}`},
		{either, `{}`, `{}`},
		{either, `null`, `null`},
		{field(`{"anyOf":[{"$ref":"#/$defs/Square"},{"type":"null"}]}`), `{"a":{"kind":"square"}}`, `{"a":{"kind":"square","color":"red"}}`},
		{field(`{"$ref":"#/$defs/Circle","default":{"kind":"circle"}}`), `{}`, `{"a":{"kind":"circle"}}`},
		{`{"type":"object","properties":{"u":{"$ref":"#/$defs/U"}},"$defs":{"U":{"$ref":"#/$defs/V"},"V":{"enum":["c"],"default":"c"}}}`, `{}`, `{"u":"c"}`},
		// Two alternatives may be meant: nothing is filled in.
		{`{"anyOf":[{"type":"object","properties":{"a":{"default":1}}},{"type":"object","properties":{"b":{"default":2}}}]}`, `{}`, `{}`},
		{`{"oneOf":[{"type":"array","items":{"type":"object","properties":{"a":{"default":1}}}},{"type":"object","properties":{"b":{"default":2}}}]}`, `[{}]`, `[{"a":1}]`},
		{`{"anyOf":[{"$ref":"#"}]}`, `{}`, `{}`},
	}
	for _, tt := range tests {
		if got := filledWith(t, tt.schema, tt.value); got != tt.want {
			t.Errorf("%s: %s is %s, want %s", tt.schema, tt.value, got, tt.want)
		}
	}
}

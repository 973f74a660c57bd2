package jsonschema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// object returns the schema of an object with those properties; the names in
// required, separated by spaces, must be there.
func object(properties, required string) string {
	names, _ := json.Marshal(strings.Fields(required))
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":%s}`, properties, names)
}

func TestDiffReportsEachLocation(t *testing.T) {
	for _, tt := range []struct{ name, want, have, lines string }{
		{"the order of values, names and keys", `{"enum":["a","b",1],"required":["x","y"],"type":"string"}`, `{"type":"string","required":["y","x"],"enum":[1.0,"b","a"]}`, ""},
		{"one value more", `{"enum":["a"]}`, `{"enum":["b","a"]}`, `/enum: want ["a"], have ["b","a"]`},
		{"one value less", `{"enum":["b","a"]}`, `{"enum":["a"]}`, `/enum: want ["b","a"], have ["a"]`},
		{"one name less", `{"required":["b","a"]}`, `{}`, `/required: want ["b","a"], have nothing`},
		{"nothing required", `{"required":[],"properties":{}}`, `{}`, ""},
		{"the order of types", `{"type":["string","null"]}`, `{"type":["null","string"]}`, `/type: want ["string","null"], have ["null","string"]`},
		{"notes", `{"title":"a","description":"b","$id":"x","$schema":"y"}`, `{"title":"c"}`, ""},
		{"a default", `{"default":null}`, `{}`, `/default: want null, have nothing`},
		{"what allows anything", `{"items":{},"additionalProperties":true}`, `{}`, ""},
		{"what allows nothing", `{"additionalProperties":false}`, `{}`, `/additionalProperties: want false, have nothing`},
		{"inside of properties", `{"properties":{"b":{"type":"string"},"a":{"minimum":1}}}`, `{"properties":{"a":{"minimum":1.5},"c":{}}}`,
			"/properties/a/minimum: want 1, have 1.5\n/properties/b: want {\"type\":\"string\"}, have nothing\n/properties/c: want nothing, have {}"},
		{"inside of alternatives", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"array"}]}`, `/anyOf/1/type: want "null", have "array"`},
		{"another number of alternatives", `{"anyOf":[{}]}`, `{"anyOf":[{},{}]}`, `/anyOf: want [{}], have [{},{}]`},
		{"a schema that is none", `true`, `{}`, `schema: want true, have {}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := Diff([]byte(tt.want), []byte(tt.have))
			if got := strings.Join(lines, "\n"); got != tt.lines {
				t.Errorf("got  %s\nwant %s", got, tt.lines)
			}
			if back := Diff([]byte(tt.have), []byte(tt.want)); len(back) != len(lines) {
				t.Errorf("the other way round there are %d differences", len(back))
			}
		})
	}
}

func TestSchemasThatSayTheSame(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{`{"enum":["a","b","c"]}`, `{"enum":["c","a","b"]}`, true},
		{`{"enum":["a","b"]}`, `{"enum":["a"]}`, false},
		{`{"enum":["a"]}`, `{"enum":["a","b"]}`, false},
		{`{"enum":["a","b"]}`, `{"enum":["a","c"]}`, false},
		{`{"enum":[1,"1"]}`, `{"enum":["1",1.0]}`, true},
		{`{"required":["a","b"]}`, `{"required":["b","a"]}`, true},
		{`{"required":["a"]}`, `{"required":["a","b"]}`, false},
		{`{"required":[]}`, `{}`, true},
		{`{"properties":{}}`, `{}`, true},
		{`{"properties":{"x":{}}}`, `{}`, false},
		{`{"items":{}}`, `{}`, true},
		{`{"items":{"type":"string"}}`, `{}`, false},
		{`{"additionalProperties":true}`, `{}`, true},
		{`{"additionalProperties":false}`, `{}`, false},
		{`{"default":[1,2]}`, `{"default":[2,1]}`, false},
		{`{"default":null}`, `{}`, false},
		{`{"minimum":1.0}`, `{"minimum":1}`, true},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"}]}`, false},
		{`{"title":"T","description":"d","$id":"i"}`, `{}`, true},
	} {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if (len(Diff([]byte(pair[0]), []byte(pair[1]))) == 0) != tt.same {
				t.Errorf("%s and %s: want %t", pair[0], pair[1], tt.same)
			}
		}
	}
}

func TestDiffOfTexts(t *testing.T) {
	tests := []struct {
		name, want, have string
		diff             []string
	}{
		{"key order", `{"type":"object","properties":{"a":{},"b":{}}}`, `{"properties":{"b":{},"a":{}},"type":"object"}`, nil},
		{"missing required", `{"type":"object","properties":{},"required":[]}`, `{"type":"object","properties":{}}`, nil},
		{"missing properties", `{"type":"object","properties":{},"required":[]}`, `{"type":"object"}`, nil},
		{"required order", object(``, "a b"), object(``, "b a"), nil},
		{"bare array", `{"type":"array"}`, `{"type":"array","items":{}}`, nil},
		{"numbers", `{"default":1.0,"minimum":10}`, `{"default":1,"minimum":1e1}`, nil},
		{"ignored keywords", `{"$id":"x","$schema":"y","title":"z"}`, `{}`, nil},
		{"a property named title", object(`"title":{}`, ""), `{"type":"object","properties":{},"required":[]}`,
			[]string{`/properties/title: want {}, have nothing`}},
		{"type", object(`"a":{"type":"string"}`, ""), object(`"a":{"type":"integer"}`, ""),
			[]string{`/properties/a/type: want "string", have "integer"`}},
		{"required", object(`"a":{}`, "a"), object(`"a":{}`, ""), []string{`/required: want ["a"], have []`}},
		{"null default", `{"default":null}`, `{}`, []string{`/default: want null, have nothing`}},
		{"large integers", `{"maximum":9007199254740993}`, `{"maximum":9007199254740992}`,
			[]string{`/maximum: want 9007199254740993, have 9007199254740992`}},
		{"alternatives", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`,
			[]string{`/anyOf/1/type: want "null", have "integer"`}},
		{"items", `{"items":{"type":"string"}}`, `{"items":{}}`, []string{`/items/type: want "string", have nothing`}},
		{"nothing", ``, `{"type":"object"}`, []string{`schema: want nothing, have {"type":"object"}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, have := []byte(tt.want), []byte(tt.have)
			if diff := cmp.Diff(tt.diff, Diff(want, have)); diff != "" {
				t.Error(diff)
			}
			if (Diff(have, want) == nil) != (tt.diff == nil) {
				t.Error("the verdict depends on the order")
			}
		})
	}
}

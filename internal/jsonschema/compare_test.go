package jsonschema

import (
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
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
			var lines []string
			for _, d := range Diff(read(t, tt.want), read(t, tt.have)) {
				lines = append(lines, d.String())
			}
			if got := strings.Join(lines, "\n"); got != tt.lines {
				t.Errorf("got  %s\nwant %s", got, tt.lines)
			}
			if back := Diff(read(t, tt.have), read(t, tt.want)); len(back) != len(lines) {
				t.Errorf("the other way round there are %d differences", len(back))
			}
		})
	}
}

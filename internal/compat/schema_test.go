package compat

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/runtime"
)

// printed returns changes as the tests write them: "+" for compatible ones, "-"
// for breaking ones, and what they say.
func printed(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString(map[Class]string{Compatible: "+ ", Breaking: "- "}[c.Class])
		for _, of := range []string{c.Agent, c.Tool, c.Path} {
			if of != "" {
				b.WriteString(of + " ")
			}
		}
		b.WriteString(c.Message + "\n")
	}
	return b.String()
}

const person = `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`

func TestSchemas(t *testing.T) {
	field := func(schema string) string { return `{"type":"object","properties":{"a":` + schema + `}}` }
	closed := func(schema string) string {
		return strings.TrimSuffix(field(schema), "}") + `,"additionalProperties":false}`
	}
	for _, tt := range []struct{ name, old, new, input, output string }{
		{"a required field more", field(`{}`), `{"type":"object","properties":{"a":{},"b":{}},"required":["b"]}`,
			`- /input/properties/b the argument "b" is new, and required; calls without it are refused`,
			`+ /output/properties/b the field "b" is new, and always there; existing calls still work`},
		{"an optional field more", field(`{}`), `{"type":"object","properties":{"a":{},"b":{"type":"string"}}}`,
			`+ /input/properties/b the argument "b" is new, and may be left out`,
			`+ /output/properties/b the field "b" is new, and may be missing`},
		{"an optional field more where others were refused", closed(`{}`), `{"type":"object","properties":{"a":{},"b":{"type":"string"}},"additionalProperties":false}`,
			`+ /input/properties/b the argument "b" is new, and may be left out; existing calls still work`,
			`- /output/properties/b the field "b" is new, and may be missing; callers do not expect that`},
		{"a field less", `{"type":"object","properties":{"a":{},"b":{"type":"string"}}}`, field(`{}`),
			`- /input/properties/b the argument "b" is gone; calls that give it lose its value`,
			`+ /output/properties/b the field "b" is gone`},
		{"a required field less", person, `{"type":"object","properties":{}}`,
			`- /input/properties/name the argument "name" is gone; calls that give it lose its value`,
			`- /output/properties/name the field "name" is gone; callers expect it`},
		{"a field less where others are refused", `{"type":"object","properties":{"a":{},"b":{"type":"string"}},"additionalProperties":false}`, closed(`{}`),
			`- /input/properties/b the argument "b" is gone; calls that give it are refused now`,
			`+ /output/properties/b the field "b" is gone; existing calls still work`},
		{"closed", field(`{}`), closed(`{}`),
			`- /input/additionalProperties undeclared fields of the arguments are ruled out now; some existing calls are refused now`,
			`+ /output/additionalProperties undeclared fields of the result are ruled out now; existing calls still work`},
		{"required now", `{"properties":{"a":{}},"required":[]}`, `{"properties":{"a":{}},"required":["a"]}`,
			`- /input/properties/a the argument "a" is required now; calls without it are refused`,
			`+ /output/properties/a the field "a" is always there now; existing calls still work`},
		{"optional now", `{"properties":{"a":{}},"required":["a"]}`, `{"properties":{"a":{}}}`,
			`+ /input/properties/a the argument "a" may be left out now; existing calls still work`,
			`- /output/properties/a the field "a" may be missing now; callers expect it`},
		{"a first argument", `{"type":"object"}`, field(`{"type":"string"}`),
			`+ /input/properties/a the argument "a" is new, and may be left out`,
			`+ /output/properties/a the field "a" is new, and may be missing
+ /output/properties/a/type the type of the field "a" is string now, and was anything; existing calls still work`},
		{"a field of a free object", field(`{"type":"object"}`), field(`{"type":"object","properties":{"b":{"type":"string"}}}`),
			`+ /input/properties/a/properties/b the field "b" is new, and may be left out
- /input/properties/a/properties/b/type the type of the field "b" is string now, and was anything; some existing calls are refused now`,
			`+ /output/properties/a/properties/b the field "b" is new, and may be missing
+ /output/properties/a/properties/b/type the type of the field "b" is string now, and was anything; existing calls still work`},
		{"a type more", field(`{"type":"string"}`), field(`{"type":["string","null"]}`),
			`+ /input/properties/a/type the type of the argument "a" is string or null now, and was string; existing calls still work`,
			`- /output/properties/a/type the type of the field "a" is string or null now, and was string; callers do not expect that`},
		{"integers only", field(`{"type":"number"}`), field(`{"type":"integer"}`),
			`- /input/properties/a/type the type of the argument "a" is integer now, and was number; some existing calls are refused now`,
			`+ /output/properties/a/type the type of the field "a" is integer now, and was number; existing calls still work`},
		{"other values", field(`{"enum":["a","b"]}`), field(`{"enum":["b","c"]}`),
			`- /input/properties/a/enum the argument "a" may not be "a" any more; some existing calls are refused now
+ /input/properties/a/enum the argument "a" may be "c" now; existing calls still work`,
			`- /output/properties/a/enum the field "a" may be "c" now; callers do not expect that
+ /output/properties/a/enum the field "a" may not be "a" any more; existing calls still work`},
		{"only some values", field(`{"type":"string"}`), field(`{"type":"string","enum":["b"]}`),
			`- /input/properties/a/enum the argument "a" may only be one of "b" now; some existing calls are refused now`,
			`+ /output/properties/a/enum the field "a" may only be one of "b" now; existing calls still work`},
		{"a range", field(`{"type":"integer","minimum":0,"maximum":10}`), field(`{"type":"integer","minimum":-1,"maximum":7.5}`),
			`- /input/properties/a/maximum the maximum of the argument "a" is 7.5 now, and was 10; some existing calls are refused now
+ /input/properties/a/minimum the minimum of the argument "a" is -1 now, and was 0; existing calls still work`,
			`+ /output/properties/a/maximum the maximum of the field "a" is 7.5 now, and was 10; existing calls still work
- /output/properties/a/minimum the minimum of the field "a" is -1 now, and was 0; callers do not expect that`},
		{"a pattern more", field(`{"type":"string"}`), field(`{"type":"string","pattern":"^a"}`),
			`- /input/properties/a/pattern the pattern of the argument "a" is "^a" now, and there was none; some existing calls may be refused now`,
			`+ /output/properties/a/pattern the pattern of the field "a" is "^a" now, and there was none; existing calls still work`},
		{"another format", field(`{"type":"string","format":"date"}`), field(`{"type":"string","format":"time"}`),
			`- /input/properties/a/format the format of the argument "a" is "time" now, and was "date"; some existing calls may be refused now`,
			`- /output/properties/a/format the format of the field "a" is "time" now, and was "date"; callers may no longer understand it`},
		{"words", field(`{"description":"one","default":1}`), field(`{"description":"two","default":2}`),
			`+ /input/properties/a/default the default of the argument "a" is 2 now, and was 1; calls that leave it out mean something else
+ /input/properties/a/description the description of the argument "a" has changed`,
			`+ /output/properties/a/default the default of the field "a" is 2 now, and was 1
+ /output/properties/a/description the description of the field "a" has changed`},
		{"null no more", field(`{"anyOf":[{"type":"string"},{"type":"null"}]}`), field(`{"type":"string"}`),
			`- /input/properties/a/type the argument "a" may not be null any more; some existing calls are refused now`,
			`+ /output/properties/a/type the field "a" may not be null any more; existing calls still work`},
		{"an alternative more", field(`{"oneOf":[{"type":"string"},{"type":"null"}]}`), field(`{"oneOf":[{"type":"string"},{"type":"null"},{"type":"array","items":{}}]}`),
			`+ /input/properties/a/oneOf/2 the argument "a" may be array now; existing calls still work`,
			`- /output/properties/a/oneOf/2 the field "a" may be array now; callers do not expect that`},
		{"in a type that holds itself", tree(`{"type":"integer"}`), tree(`{"type":"number"}`),
			`+ /input/$defs/T/properties/v/type the type of the field "v" is number now, and was integer; existing calls still work`,
			`- /output/$defs/T/properties/v/type the type of the field "v" is number now, and was integer; callers do not expect that`},
		{"what cannot be decided", field(`{"not":{"type":"string"}}`), field(`{"not":{"enum":["a"]}}`),
			`- /input/properties/a/not the not of the argument "a" has changed, and cannot be compared; some existing calls may be refused now`,
			`- /output/properties/a/not the not of the field "a" has changed, and cannot be compared; callers may no longer understand it`},
		{"no schema at all", ``, person,
			`- /input/properties/name the argument "name" is new, and required; calls without it are refused
- /input/type the type of the arguments is object now, and was anything; some existing calls are refused now`,
			`+ /output/properties/name the field "name" is new, and always there; existing calls still work
+ /output/properties/name/type the type of the field "name" is string now, and was anything; existing calls still work
+ /output/type the type of the result is object now, and was anything; existing calls still work`},
		{"no JSON", `{`, person,
			`- /input the schema of the arguments has changed, and existing calls may fail: the old one is not JSON`,
			`- /output the schema of the result has changed, and existing calls may fail: the old one is not JSON`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []struct {
				role
				want string
			}{{inputRole, tt.input}, {outputRole, tt.output}} {
				got := printed(reportSchemaChanges(json.RawMessage(tt.old), json.RawMessage(tt.new), r.role))
				if diff := cmp.Diff(r.want+"\n", got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", r.path, diff)
				}
			}
			if changes := reportSchemaChanges(json.RawMessage(tt.old), json.RawMessage(tt.new), inputRole); !AnyBreakingChange(changes) {
				tryBind(t, tt.old, tt.new)
			}
		})
	}
}

// tryBind binds a tool with the new schema to an agent with the old one: what a
// comparison calls compatible can be bound.
func tryBind(t *testing.T, old, new string) {
	t.Helper()
	made, err := runtime.NewTool(runtime.ToolConfig{
		Name: "t", Description: "d", Input: json.RawMessage(new),
		Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil },
	})
	if err != nil {
		return // not a schema of arguments
	}
	lib, err := runtime.Library{}.Add("t", made)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Bind([]runtime.Contract{{Name: "t", Description: "d", Input: json.RawMessage(old)}}, nil); err != nil {
		t.Errorf("compatible, and not bound: %v", err)
	}
}

// tree returns the schema of a tree with such values.
func tree(value string) string {
	return `{"$ref":"#/$defs/T","$defs":{"T":{"type":"object","properties":{"v":` + value + `,"kids":{"type":"array","items":{"$ref":"#/$defs/T"}}},"required":["v"]}}}`
}

// The same is said in many ways.
func TestSchemasThatSayTheSame(t *testing.T) {
	for _, group := range [][]string{
		{`{"type":["string","null"]}`, `{"type":["null","string"]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`,
			`{"oneOf":[{"type":"null"},{"type":"string"}]}`, `{"anyOf":[{"$ref":"#/$defs/s"},{"const":null}],"$defs":{"s":{"type":"string"}}}`},
		{`{"const":"a"}`, `{"enum":["a"]}`, `{"type":"string","enum":["a"]}`, `{"allOf":[{"const":"a"}]}`, `{"anyOf":[{"const":"a"}]}`},
		{`{"enum":[1,"a",null]}`, `{"enum":[null,"a",1.0]}`, `{"anyOf":[{"const":1},{"const":"a"},{"type":"null"}]}`},
		{`{"type":"integer","minimum":1}`, `{"type":"integer","exclusiveMinimum":0}`, `{"type":"integer","minimum":0.5}`, `{"type":"integer","minimum":1,"multipleOf":1}`},
		{`{"type":"boolean"}`, `{"enum":[true,false]}`},
		{`{}`, `true`, `{"items":{}}`, `{"additionalProperties":true}`, `{"required":[],"minLength":0}`, ``},
		{`false`, `{"not":{}, "allOf":[false]}`, `{"type":"string","enum":[1]}`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"string"}`, `{"type":"string"}`},
		{tree(`{"type":"integer"}`), strings.ReplaceAll(strings.ReplaceAll(tree(`{"type":"integer"}`), "/T", "/N"), `"T"`, `"N"`)},
		{`{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}`,
			`{"anyOf":[{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]}]}`},
	} {
		for _, a := range group {
			for _, b := range group {
				if changes := reportSchemaChanges(json.RawMessage(a), json.RawMessage(b), inputRole); len(changes) > 0 {
					t.Errorf("%s\n%s\n%s", a, b, printed(changes))
				}
			}
		}
	}
}

// These must not be taken to be the same.
func TestWhatLooksCompatible(t *testing.T) {
	for name, tt := range map[string][2]string{
		"an alternative that is itself":              {`{"type":"integer"}`, `{"anyOf":[{"$ref":"#"},{"type":"string"}]}`},
		"two alternatives that both fit":             {`{"type":"integer"}`, `{"oneOf":[{"type":"integer"},{"type":"number"}]}`},
		"a reference with another keyword beside it": {`{"$ref":"#/$defs/a","$defs":{"a":{}}}`, `{"$ref":"#/$defs/a","minLength":3,"$defs":{"a":{}}}`},
		"what it refers to":                          {`{"not":{"$ref":"#/$defs/a"},"$defs":{"a":{"type":"null"}}}`, `{"not":{"$ref":"#/$defs/a"},"$defs":{"a":{"type":"string"}}}`},
		"an anchor":                                  {`{"$ref":"#a","$defs":{"a":{"$anchor":"a"}}}`, `{"$ref":"#a","$defs":{"a":{"$anchor":"a","type":"null"}}}`},
		"contains with another least number":         {`{"contains":{},"minContains":0}`, `{"contains":{}}`},
		"fields that are not evaluated":              {`{"properties":{"a":{},"b":{}},"unevaluatedProperties":false}`, `{"properties":{"a":{}},"unevaluatedProperties":false}`},
		"a tuple":                                    {`{"prefixItems":[{"type":"null"}],"items":{"type":"string"}}`, `{"items":{"type":"string"}}`},
		"a pattern for the names of fields":          {`{"properties":{"a":{"type":"string"}},"patternProperties":{"^b":{}}}`, `{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`},
		"free fields that had to be of a type":       {`{"additionalProperties":{"type":"string"}}`, `{"properties":{"a":{"type":"integer"}}}`},
		"a number too long to compute with":          {`{"maximum":1e9999}`, `{"maximum":1e9998}`},
	} {
		if changes := reportSchemaChanges(json.RawMessage(tt[0]), json.RawMessage(tt[1]), inputRole); !AnyBreakingChange(changes) {
			t.Errorf("%s: %s\n%s\n%s", name, tt[0], tt[1], printed(changes))
		}
	}
}

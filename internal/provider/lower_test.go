package provider_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/provider"
)

// lowerTests are schemas of one field x, the schema of which is in, and what
// becomes of it. Problems are listed without the /properties/x in front.
var lowerTests = []struct {
	name     string
	target   provider.Target
	in, want string
	problems []string
}{
	{"today's schemas stay", provider.OpenAI, `{"type":"string","description":"d","default":"<a>"}`, `{"type":"string","description":"d","default":"<a>"}`, nil},
	{"arrays say what is in them", provider.OpenAI, `{"type":"array"}`, `{"type":"array","items":{}}`, nil},
	{"in alternatives too", provider.OpenAI, `{"anyOf":[{"type":["array","null"]}]}`, `{"anyOf":[{"type":["array","null"],"items":{}}]}`, nil},
	{"but not elsewhere", provider.Anthropic, `{"type":"array"}`, `{"type":"array"}`, nil},
	{"a value is no schema", provider.OpenAI, `{"enum":[{"type":"array"}],"default":{"type":"array"}}`, `{"enum":[{"type":"array"}],"default":{"type":"array"}}`, nil},
	{"any other keyword stays", provider.MCP, `{"type":"object","patternProperties":{"a":{}},"x-y":1}`, `{"type":"object","patternProperties":{"a":{}},"x-y":1}`, nil},

	{"optional", provider.OpenAIStrict, `{"type":"string"}`, `{"type":["string","null"]}`, nil},
	{"null already", provider.OpenAIStrict, `{"type":["string","null"]}`, `{"type":["string","null"]}`, nil},
	{"enum", provider.OpenAIStrict, `{"type":"string","enum":["a","b"]}`, `{"type":["string","null"],"enum":["a","b",null]}`, nil},
	{"enum without null", provider.OpenAIStrict, `{"type":["string","null"],"enum":["a"]}`, `{"type":["string","null"],"enum":["a",null]}`, nil},
	{"const", provider.OpenAIStrict, `{"const":5}`, `{"type":["integer","null"],"enum":[5,null]}`, nil},
	{"alternatives", provider.OpenAIStrict, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, nil},
	{"alternatives with null", provider.OpenAIStrict, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, nil},
	{"default", provider.OpenAIStrict, `{"type":"integer","default":3}`, `{"type":["integer","null"],"description":"(default: 3)"}`, nil},
	{"default behind words", provider.OpenAIStrict, `{"description":"How many","type":"integer","default":3}`, `{"description":"How many (default: 3)","type":["integer","null"]}`, nil},
	{"default that is large", provider.OpenAIStrict, `{"type":"string","default":"` + strings.Repeat("é", 300) + `"}`,
		`{"type":["string","null"],"description":"(default: \"` + strings.Repeat("é", 199) + `…)"}`, nil},
	{"limits", provider.OpenAIStrict, `{"type":"string","minLength":1,"maxLength":9,"pattern":"a","format":"uri","title":"T","examples":["a"],"deprecated":true}`,
		`{"type":["string","null"],"pattern":"a"}`, []string{
			"/minLength dropped warning", "/maxLength dropped warning", "/title left-out warning", "/examples left-out warning",
			"/deprecated left-out warning", "/format dropped warning",
		}},
	{"limits it has", provider.OpenAIStrict, `{"type":["number","null"],"minimum":0,"exclusiveMaximum":1e3,"multipleOf":0.50}`,
		`{"type":["number","null"],"minimum":0,"exclusiveMaximum":1e3,"multipleOf":0.50}`, nil},
	{"limits that say nothing", provider.OpenAIStrict, `{"type":["string","null"],"minLength":0}`, `{"type":["string","null"]}`, nil},
	{"array", provider.OpenAIStrict, `{"type":"array","items":{"type":"string"},"minItems":1,"uniqueItems":true}`,
		`{"type":["array","null"],"items":{"type":"string"},"minItems":1}`, []string{"/uniqueItems dropped warning"}},
	{"object", provider.OpenAIStrict, `{"type":"object","properties":{"b":{"type":"null"},"a":{"type":"string"}},"required":["a"]}`,
		`{"type":["object","null"],"properties":{"b":{"type":"null"},"a":{"type":"string"}},"required":["b","a"],"additionalProperties":false}`, nil},
	{"closed object", provider.OpenAIStrict, `{"type":"object","additionalProperties":false}`,
		`{"type":["object","null"],"additionalProperties":false,"properties":{},"required":[]}`, nil},
	{"oneOf by type", provider.OpenAIStrict, `{"oneOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, nil},
	{"oneOf by tag", provider.OpenAIStrict, `{"oneOf":[` + tagged("a") + `,` + tagged("b") + `,{"type":"null"}]}`, `{"anyOf":[` + taggedStrict("a") + `,` + taggedStrict("b") + `,{"type":"null"}]}`, nil},
	{"oneOf by nothing", provider.OpenAIStrict, `{"oneOf":[{"type":"null"},{"type":"number"},{"type":"integer"}]}`, `{"anyOf":[{"type":"null"},{"type":"number"},{"type":"integer"}]}`, []string{"/oneOf dropped warning"}},
	{"oneOf with one tag twice", provider.OpenAIStrict, `{"oneOf":[` + tagged("a") + `,` + tagged("a") + `,{"type":"null"}]}`, `{"anyOf":[` + taggedStrict("a") + `,` + taggedStrict("a") + `,{"type":"null"}]}`, []string{"/oneOf dropped warning"}},
	{"map", provider.OpenAIStrict, `{"type":"object","additionalProperties":{"type":"string"}}`, ``, []string{" strict-map error"}},
	{"map of anything", provider.OpenAIStrict, `{"type":"object","additionalProperties":{}}`, ``, []string{" strict-map error"}},
	{"open object", provider.OpenAIStrict, `{"type":"object"}`, ``, []string{" strict-open error"}},
	{"open object with no fields", provider.OpenAIStrict, `{"type":"object","properties":{}}`, ``, []string{" strict-open error"}},
	{"anything", provider.OpenAIStrict, `{}`, ``, []string{" strict-any error"}},
	{"true", provider.OpenAIStrict, `true`, ``, []string{" strict-any error"}},
	{"described anything", provider.OpenAIStrict, `{"description":"d"}`, ``, []string{" strict-any error"}},
	{"false", provider.OpenAIStrict, `false`, ``, []string{" not-a-schema error"}},
	{"array of anything", provider.OpenAIStrict, `{"type":"array","items":{}}`, ``, []string{" strict-items error"}},
	{"bare array", provider.OpenAIStrict, `{"type":"array"}`, ``, []string{" strict-items error"}},
	{"allOf", provider.OpenAIStrict, `{"type":"string","allOf":[{"minLength":1}]}`, ``, []string{"/allOf keyword error"}},
	{"fields beside alternatives", provider.OpenAIStrict, `{"type":"object","properties":{},"anyOf":[{"type":"null"}]}`, ``, []string{"/properties strict-union error"}},
	{"limits beside alternatives", provider.OpenAIStrict, `{"maximum":3,"anyOf":[{"type":"null"}]}`, `{"anyOf":[{"type":"null"}]}`, []string{"/maximum dropped warning"}},
	{"undeclared", provider.OpenAIStrict, `{"type":"object","properties":{"a":{"type":"null"}},"required":["b"]}`, ``, []string{"/required/0 undeclared-field error"}},
	{"lost reference", provider.OpenAIStrict, `{"$ref":"#/$defs/Lost"}`, ``, []string{"/$ref unknown-ref error"}},
	{"optional", provider.AnthropicStrict, `{"type":"string","default":"a"}`, `{"type":"string","description":"(default: \"a\")"}`, nil},
	{"limits", provider.AnthropicStrict, `{"type":"integer","minimum":1,"multipleOf":2,"title":"T"}`, `{"type":"integer"}`,
		[]string{"/minimum dropped warning", "/multipleOf dropped warning", "/title left-out warning"}},
	{"formats", provider.AnthropicStrict, `{"anyOf":[{"type":"string","format":"uri"},{"type":"string","format":"regex"}]}`,
		`{"anyOf":[{"type":"string","format":"uri"},{"type":"string"}]}`, []string{"/anyOf/1/format dropped warning"}},
	{"array", provider.AnthropicStrict, `{"type":"array","items":{"type":"string"},"minItems":1}`, `{"type":"array","items":{"type":"string"}}`, []string{"/minItems dropped warning"}},
	{"object", provider.AnthropicStrict, `{"type":"object","properties":{"b":{"type":"null"},"a":{"type":"string"}},"required":["a"]}`,
		`{"type":"object","properties":{"b":{"type":"null"},"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, nil},
	{"map", provider.AnthropicStrict, `{"type":"object","additionalProperties":{"type":"string"}}`, ``, []string{" strict-map error"}},
	{"long enum", provider.OpenAIStrict, `{"enum":["` + strings.Join(repeat(251, strings.Repeat("a", 60)), `","`) + `"]}`, ``, []string{"/enum strict-limit error"}},

	{"nullable", provider.Gemini, `{"type":["string","null"],"description":"d"}`, `{"type":"string","description":"d","nullable":true}`, nil},
	{"nullable alternatives", provider.Gemini, `{"description":"d","anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, `{"description":"d","anyOf":[{"type":"string"},{"type":"integer"}],"nullable":true}`, nil},
	{"one alternative", provider.Gemini, `{"description":"d","anyOf":[{"type":"string","description":"e","maxLength":3},{"type":"null"}]}`, `{"type":"string","description":"d","maxLength":3,"nullable":true}`, nil},
	{"several types", provider.Gemini, `{"type":["string","integer","null"],"title":"t","minimum":2,"maxLength":4,"enum":["a",3,null]}`,
		`{"title":"t","anyOf":[{"type":"string","maxLength":4,"enum":["a"]},{"type":"integer","description":"(always 3)","minimum":2}],"nullable":true}`, []string{"/enum moved warning"}},
	{"oneOf for Gemini", provider.Gemini, `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, nil},
	{"enum of texts", provider.Gemini, `{"enum":["a","b",null]}`, `{"type":"string","enum":["a","b"],"nullable":true}`, nil},
	{"enum of numbers", provider.Gemini, `{"type":"integer","enum":[1,2],"description":"d"}`, `{"type":"integer","description":"d (one of 1, 2)"}`, []string{"/enum moved warning"}},
	{"const text", provider.Gemini, `{"const":"a"}`, `{"type":"string","enum":["a"]}`, nil},
	{"formats", provider.Gemini, `{"type":"string","format":"uri"}`, `{"type":"string","description":"(format: uri)"}`, []string{"/format dropped warning"}},
	{"formats it has", provider.Gemini, `{"type":"string","format":"date-time"}`, `{"type":"string","format":"date-time"}`, nil},
	{"closed", provider.Gemini, `{"type":"object","properties":{"a":{"type":"array"}},"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{}}}}`, []string{"/additionalProperties dropped warning"}},
	{"open", provider.Gemini, `{"type":"object","additionalProperties":true}`, `{"type":"object"}`, nil},
	{"map for Gemini", provider.Gemini, `{"type":"object","additionalProperties":{"type":"string"}}`, ``, []string{" map error"}},
	{"keywords", provider.Gemini, `{"type":"number","exclusiveMinimum":0,"examples":[1],"default":3,"deprecated":true}`, `{"type":"number","default":3}`,
		[]string{"/exclusiveMinimum dropped warning", "/examples left-out warning", "/deprecated left-out warning"}},
}

func tagged(tag string) string {
	return `{"type":"object","properties":{"kind":{"type":"string","const":"` + tag + `"}},"required":["kind"]}`
}

func taggedStrict(tag string) string {
	return strings.TrimSuffix(tagged(tag), "}") + `,"additionalProperties":false}`
}

func repeat(n int, s string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint(s, i)
	}
	return all
}

func TestLowerOneField(t *testing.T) {
	for _, tt := range lowerTests {
		t.Run(string(tt.target)+" "+tt.name, func(t *testing.T) {
			out, problems := provider.Lower(json.RawMessage(`{"type":"object","properties":{"x":`+tt.in+`}}`), tt.target)
			var lines []string
			for _, p := range problems {
				severity := "error"
				if p.Severity == provider.Warning {
					severity = "warning"
				}
				lines = append(lines, strings.TrimPrefix(p.Pointer, "/properties/x")+" "+p.Code+" "+severity)
			}
			if d := cmp.Diff(tt.problems, lines); d != "" {
				t.Errorf("problems (-want +got)\n%s", d)
			}
			var got struct{ Properties map[string]json.RawMessage }
			if len(out) > 0 {
				if err := json.Unmarshal(out, &got); err != nil {
					t.Fatalf("%s: %v", out, err)
				}
			}
			if string(got.Properties["x"]) != tt.want {
				t.Errorf("got  %s\nwant %s", got.Properties["x"], tt.want)
			}
			again, problems := provider.Lower(out, tt.target)
			if out != nil && (string(again) != string(out) || len(problems) > 0) {
				t.Errorf("lowered again: %s\n%v", again, problems)
			}
		})
	}
}

func TestLowerRoot(t *testing.T) {
	const union = `{"type":"object","anyOf":[{"required":["a"]}]}`
	const reference = `{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}}}`
	tests := []struct {
		target   provider.Target
		in, want string // want is a schema, or the text of an error
	}{
		{provider.Plain, union, union},
		{provider.Plain, "{", "the schema is not JSON"},
		{provider.MCP, union, union},
		{provider.OpenAI, union, "/anyOf: OpenAI takes no anyOf at the root; put it into a field"},
		{provider.Anthropic, union, "/anyOf: Anthropic takes no anyOf at the root; put it into a field"},
		{provider.OpenAI, `{"type":"string"}`, "OpenAI needs an object here; put the value into a field of one"},
		{provider.MCP, `{"type":"string"}`, "MCP needs an object here; put the value into a field of one"},
		{provider.MCP, `true`, "a schema must be an object"},
		{provider.MCP, `{"type":"object","type":"string"}`, `the key "type" occurs twice in this object`},
		{provider.MCP, `{}`, `{"type":"object"}`},
		{provider.OpenAI, `{"type":"object"}`, `{"type":"object","properties":{}}`},
		{provider.OpenAI, `{"type":["null","object"]}`, `{"type":"object","properties":{}}`},
		{provider.OpenAIStrict, `{"type":"object","properties":{},"required":[]}`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`},
		{provider.MCP, reference, `{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],"$defs":{"A":{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}}}`},
		{provider.Gemini, reference, `{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}`},
		{provider.MCP, `{"$ref":"#"}`, "the reference at the root has no target"},
		{provider.MCP, `{"$ref":"other.json"}`, "the reference at the root has no target"},
		{provider.Anthropic, `{"type":"object","properties":{"größe":{}}}`, `/properties/größe: Anthropic takes names of 1 to 64 letters, digits and any of "_.-" for arguments; rename "größe"`},
		{provider.Gemini, `{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"below":{"$ref":"#/$defs/T"}}}}}`,
			"/$defs/T/properties/below/$ref: Gemini takes no type that contains itself; use a text, or a fixed number of levels"},
		{provider.AnthropicStrict, `{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"below":{"$ref":"#/$defs/U"}}},"U":{"$ref":"#/$defs/T"}}}`,
			"/properties/t: Anthropic strict takes no type that contains itself; use a text, or a fixed number of levels"},
		{provider.AnthropicStrict, `{"type":"object","properties":{"t":{"$ref":"#"}}}`,
			"/properties/t: Anthropic strict takes no type that contains itself; use a text, or a fixed number of levels"},
		{"", `{"type":"string"}`, `{"type":"string"}`},
	}
	for _, tt := range tests {
		out, problems := provider.Lower(json.RawMessage(tt.in), tt.target)
		got := string(out)
		if out == nil {
			got = problems[0].String()
		}
		if got != tt.want {
			t.Errorf("%s for %s\ngot  %s\nwant %s", tt.in, tt.target, got, tt.want)
		}
	}
}

func TestStrictLimits(t *testing.T) {
	fields := func(n int, schema string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"f%d":%s`, i, schema)
		}
		return `{"type":"object","properties":{` + strings.TrimPrefix(b.String(), ",") + `}}`
	}
	deep := `{"type":"string"}`
	for range 10 {
		deep = fields(1, deep)
	}
	tests := []struct {
		to           provider.Target
		schema, want string
	}{
		{provider.OpenAIStrict, fields(5000, `{"type":"string"}`), ""},
		{provider.OpenAIStrict, fields(5001, `{"type":"string"}`), "OpenAI strict takes at most 5000 fields, and here are 5001; split the tool"},
		{provider.OpenAIStrict, deep, ""},
		{provider.OpenAIStrict, fields(1, deep), strings.Repeat("/properties/f0", 10) + ": OpenAI strict takes at most 10 objects in one another; make the value flatter"},
		{provider.OpenAIStrict, fields(1, `{"enum":["`+strings.Join(repeat(1001, ""), `","`)+`"]}`), "OpenAI strict takes at most 1000 values of enums, and here are 1002; split the tool"},
		{provider.OpenAIStrict, fields(3, `{"const":"`+strings.Repeat("a", 50_000)+`"}`), "OpenAI strict takes at most 120000 characters of names and values, and here are 150024; split the tool"},
		{provider.AnthropicStrict, fields(24, `{"type":"string"}`), ""},
		{provider.AnthropicStrict, fields(25, `{"type":"string"}`), "Anthropic strict takes at most 24 optional fields, and here are 25; split the tool"},
		{provider.AnthropicStrict, fields(17, `{"type":["string","null"]}`), "Anthropic strict takes at most 16 values of several types, and here are 17; split the tool"},
		{provider.AnthropicStrict, fields(1, fields(1, deep)), ""},
	}
	for _, tt := range tests {
		out, problems := provider.Lower(json.RawMessage(tt.schema), tt.to)
		got := ""
		if out == nil {
			got = problems[0].String()
		}
		if got != tt.want {
			t.Errorf("%.80s\ngot  %s\nwant %s", tt.schema, got, tt.want)
		}
	}
}

// What is hostile is refused soon, or comes back.
func TestLowerHostile(t *testing.T) {
	laughs := `"D0":{"type":"string"}`
	for i := range 40 {
		laughs += fmt.Sprintf(`,"D%d":{"anyOf":[{"$ref":"#/$defs/D%d"},{"$ref":"#/$defs/D%[2]d"}]}`, i+1, i)
	}
	hostile := map[string]string{
		"laughs":   `{"type":"object","properties":{"a":{"$ref":"#/$defs/D40"}},"$defs":{` + laughs + `}}`,
		"deep":     strings.Repeat(`{"type":"object","properties":{"a":`, 4000) + "{}" + strings.Repeat("}}", 4000),
		"deeper":   strings.Repeat(`{"anyOf":[`, 100_000) + strings.Repeat("]}", 100_000),
		"wide":     `{"type":"object","properties":{"a":{` + strings.TrimPrefix(strings.Join(repeat(200_000, `,"x`), `":1`), ",") + `":1}}}`,
		"circle":   `{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}}`,
		"circles":  `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/A"}]}}}`,
		"mistyped": `{"type":"object","properties":{"a":{"type":5,"properties":[],"required":{},"enum":"x","anyOf":7,"$ref":[],"items":"y"}},"$defs":[]}`,
	}
	for name, schema := range hostile {
		for _, to := range provider.AllTargets() {
			if out, problems := provider.Lower(json.RawMessage(schema), to); out == nil && len(problems) == 0 || len(problems) > 200 {
				t.Errorf("%s for %s: %d problems", name, to, len(problems))
			}
		}
		provider.Restore(json.RawMessage(schema), json.RawMessage(`{"a":null,"b":[null,{"a":null}]}`))
		provider.Wrap(json.RawMessage(schema))
	}
}

func TestStrictToolsAreCountedTogether(t *testing.T) {
	with := func(optional, unions int) json.RawMessage {
		var fields, required []string
		for i := range optional {
			fields = append(fields, fmt.Sprintf(`"o%d":{"type":"string"}`, i))
		}
		for i := range unions {
			name := fmt.Sprintf(`"u%d"`, i)
			fields, required = append(fields, name+`:{"type":["string","null"]}`), append(required, name)
		}
		return json.RawMessage(`{"type":"object","properties":{` + strings.Join(fields, ",") + `},"required":[` + strings.Join(required, ",") + `]}`)
	}
	for _, tt := range []struct {
		to     provider.Target
		tools  []json.RawMessage
		answer json.RawMessage
		want   string
	}{
		{provider.AnthropicStrict, slices.Repeat([]json.RawMessage{with(1, 0)}, 20), with(4, 0), ""},
		{provider.AnthropicStrict, slices.Repeat([]json.RawMessage{with(0, 0)}, 21), nil, "Anthropic strict takes at most 20 strict tools in a request, and here are 21; make fewer tools strict"},
		{provider.AnthropicStrict, []json.RawMessage{with(12, 0), with(12, 0)}, with(1, 0), "Anthropic strict takes at most 24 optional fields of strict tools in a request, and here are 25; make fewer tools strict"},
		{provider.AnthropicStrict, []json.RawMessage{with(0, 10), with(0, 7)}, nil, "Anthropic strict takes at most 16 values of several types in the strict tools of a request, and here are 17; make fewer tools strict"},
		{provider.AnthropicStrict, nil, with(30, 30), ""},
		{provider.OpenAIStrict, slices.Repeat([]json.RawMessage{with(30, 30)}, 30), nil, ""},
		{"", slices.Repeat([]json.RawMessage{with(30, 30)}, 30), nil, ""},
	} {
		var got []string
		for _, p := range provider.CheckStrictTogether(tt.tools, tt.answer, tt.to) {
			got = append(got, p.String())
		}
		if strings.Join(got, "\n") != tt.want {
			t.Errorf("%s, %d tools: %q", tt.to, len(tt.tools), got)
		}
	}
}

func TestAFormatHasFieldsOfAnyName(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"größe":{"type":"string"}},"required":["größe"],"additionalProperties":false}`)
	if out, problems := provider.Lower(schema, provider.AnthropicStrict); out != nil || problems[0].Code != provider.CodeFieldName {
		t.Errorf("%s, %v", out, problems)
	}
	if out, problems := provider.LowerFormat(schema, provider.AnthropicStrict); string(out) != string(schema) || problems != nil {
		t.Errorf("%s, %v", out, problems)
	}
}

package validator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/validator"
)

func mustCompile(t *testing.T, text string) *validator.Schema {
	t.Helper()
	schema, err := compileText(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return schema
}

// keywords returns where each keyword failed, inner ones last.
func keywords(f *validator.Failure) string {
	if f == nil {
		return ""
	}
	text := f.Keyword + "@/" + strings.Join(f.At, "/")
	if f.Keyword == validator.Several {
		text = "several"
	}
	var causes []string
	for _, cause := range f.Causes {
		causes = append(causes, keywords(cause))
	}
	if causes == nil {
		return text
	}
	return text + "(" + strings.Join(causes, " ") + ")"
}

func TestFailuresSayWhere(t *testing.T) {
	for _, tt := range []struct{ schema, value, want string }{
		{`{"properties":{"a":{"items":{"type":"string"}}}}`, ` { "a" : [ "x" , 1 , "\"]" , null ] } `, "several(type@/a/1 type@/a/3)"},
		{`{"required":["a","b"],"minProperties":1}`, `{}`, "several(minProperties@/ required@/)"},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"type":"string","minLength":2}}}`, `"x"`, "$ref@/(minLength@/)"},
		{`{"anyOf":[{"type":"string"},{"properties":{"a":{"const":1}}}]}`, `{"a":2}`, "anyOf@/(type@/ const@/a)"},
		{`{"oneOf":[{"type":"string"},{"minLength":1}]}`, `"xy"`, "oneOf@/"},
		{`{"not":{"required":["a"]}}`, `{"a":1}`, "not@/"},
		{`{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1}`, "required@/"},
		{`{"contains":{"type":"string"},"maxContains":1}`, `["a","b",1]`, "maxContains@/"},
		{`{"propertyNames":{"pattern":"^a"}}`, `{"ab":1,"b":1}`, "propertyNames@/b(pattern@/b)"},
		{`{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, "false@/b"},
		{`{"prefixItems":[true],"unevaluatedItems":{"type":"string"}}`, `[1,"a",2]`, "type@/2"},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, "dependentRequired@/"},
		{`{"additionalProperties":false,"properties":{"a":{}}}`, `{"b":1,"a":2,"c":3}`, "additionalProperties@/"},
		{`{"uniqueItems":true}`, `["\u0061","b","a",1,1.0]`, "uniqueItems@/"},
		{`{"$ref":"#"}`, `1`, "$ref@/(endless $ref@/)"},
	} {
		if got := keywords(mustCompile(t, tt.schema).Validate(tt.value)); got != tt.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", tt.schema, tt.value, got, tt.want)
		}
	}
}

func TestNumbersAreExactWhateverTheirSize(t *testing.T) {
	nines := strings.Repeat("9", 500)
	for _, tt := range []struct {
		schema, value string
		valid         bool
	}{
		{`{"multipleOf":0.01}`, `19.99`, true},
		{`{"multipleOf":0.1}`, `0.3`, true},
		{`{"multipleOf":0.1}`, `0.35`, false},
		{`{"multipleOf":3}`, `1e400000000`, false},
		{`{"multipleOf":2}`, `1e400000000`, true},
		{`{"multipleOf":1e-400000000}`, `7`, true},
		{`{"multipleOf":7}`, `1e-400000000`, false},
		{`{"multipleOf":9}`, nines, true},
		{`{"multipleOf":7}`, nines + "1", false},
		{`{"maximum":9007199254740993}`, `9007199254740994`, false},
		{`{"maximum":9007199254740993}`, `9007199254740993.0`, true},
		{`{"exclusiveMinimum":0.1}`, `0.10`, false},
		{`{"exclusiveMinimum":0.1}`, `0.10000000000000000001`, true},
		{`{"minimum":1e400000000}`, `1e399999999`, false},
		{`{"type":"integer"}`, `1e400000000`, true},
		{`{"type":"integer"}`, `1.50`, false},
		{`{"type":"integer"}`, `1.5e1`, true},
		{`{"const":100}`, `1.0e2`, true},
		{`{"enum":[0]}`, `-0.0`, true},
	} {
		if got := mustCompile(t, tt.schema).Validate(tt.value) == nil; got != tt.valid {
			t.Errorf("%s: %.40s: %t", tt.schema, tt.value, got)
		}
	}
}

// Each of these schemas would take years, or more stack than there is.
func TestHostileSchemasAreGivenUp(t *testing.T) {
	doubling := `{"$ref":"#/$defs/0","$defs":{`
	for i := range 60 {
		doubling += fmt.Sprintf(`"%d":{"anyOf":[{"$ref":"#/$defs/%d"},{"$ref":"#/$defs/%d"}]},`, i, i+1, i+1)
	}
	doubling += `"60":{"const":1}}}`
	chain := `{"$ref":"#/$defs/0","$defs":{`
	for i := range 2000 {
		chain += fmt.Sprintf(`"%d":{"$ref":"#/$defs/%d"},`, i, i+1)
	}
	chain += `"2000":{"items":{"$ref":"#/$defs/0"}}}}`
	anchors := `{"items":{"$ref":"#/$defs/0"},"$defs":{`
	for i := range 2000 {
		anchors += fmt.Sprintf(`"%d":{"$dynamicAnchor":"a%d","$ref":"#/$defs/%d"},`, i, i, i+1)
	}
	anchors += `"2000":true}}`
	var dependent []string
	for range 4000 {
		dependent = append(dependent, `{"required":["x","y"],"minProperties":1}`)
	}
	large := `{"y":1` + strings.Repeat(`,"z":1`, 30_000) + `}`
	for name, c := range map[string]struct{ schema, value string }{
		"doubling":   {doubling, `2`},
		"deep":       {chain, strings.Repeat("[", 9000) + strings.Repeat("]", 9000)},
		"anchors":    {anchors, "[" + strings.Repeat("1,", 500) + "1]"},
		"many scans": {`{"not":{"anyOf":[` + strings.Join(dependent, ",") + `]}}`, large},
		"patterns":   {`{"patternProperties":{` + manyPatterns(1000) + `}}`, large},
	} {
		t.Run(name, func(t *testing.T) {
			if got := keywords(mustCompile(t, c.schema).Validate(c.value)); got != validator.TooMuchWork+"@/" {
				t.Errorf("%.100s", got)
			}
		})
	}
}

func manyPatterns(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`"^(a|b)*%d$":true`, i))
	}
	return strings.Join(all, ",")
}

func TestReportsAreBounded(t *testing.T) {
	failure := mustCompile(t, `{"items":{"type":"string"}}`).Validate("[" + strings.Repeat("1,", 200_000) + "1]")
	if n := len(failure.Causes); n < 1000 || n > 20_000 {
		t.Errorf("%d failures are reported", n)
	}
}

func TestValidValuesCostNoMemory(t *testing.T) {
	schema := mustCompile(t, `{"type":"array","items":{"type":"object","required":["id","name"],"additionalProperties":false,"properties":{
		"id":{"type":"integer","minimum":0},"name":{"type":"string","minLength":1,"pattern":"^A"},"price":{"multipleOf":1,"exclusiveMaximum":99.5},
		"state":{"enum":["open","closed"]},"parent":{"anyOf":[{"type":"integer"},{"type":"null"}]},"tags":{"items":{"$ref":"#/$defs/tag"}}}},
		"$defs":{"tag":{"oneOf":[{"const":"a"},{"const":"b"}]}}}`)
	item := `{"id":1,"name":"Ada","state":"open","parent":null,"tags":["a","b"]}`
	text := "[" + strings.Repeat(item+",", 1000) + item + "]"
	if allocs := testing.AllocsPerRun(5, func() {
		if failure := schema.Validate(text); failure != nil {
			t.Fatal(keywords(failure))
		}
	}); allocs > 500 { // pools of regular expressions forget under the race detector
		t.Errorf("%.0f allocations for 1,001 records", allocs)
	}
}

// A number is not compared with each of an enum, which would take memory for each.
func TestAnEnumOfNumbersIsNotSearched(t *testing.T) {
	var numbers []string
	for i := range 10_000 {
		numbers = append(numbers, fmt.Sprintf("%d.5", i))
	}
	s := mustCompile(t, `{"enum":[`+strings.Join(numbers, ",")+`]}`)
	for value, fits := range map[string]bool{"9999.5": true, "99995e-1": true, "-0.5": false, "9999": false} {
		if got := s.Validate(value) == nil; got != fits {
			t.Errorf("%s: %t", value, got)
		}
	}
	if n := testing.AllocsPerRun(10, func() { s.Validate("9999.5") }); n > 100 {
		t.Errorf("%v allocations", n)
	}
}

func TestReferencesLeadToTheSchemasOfDrafts(t *testing.T) {
	for _, ref := range []string{"http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-04/schema#"} {
		schema := mustCompile(t, `{"properties":{"schema":{"$ref":"`+ref+`"}}}`)
		if failure := schema.Validate(`{"schema":{"properties":{"a":{"type":"string"}}}}`); failure != nil {
			t.Errorf("%s: %s", ref, keywords(failure))
		}
		if schema.Validate(`{"schema":{"properties":{"a":{"type":"text"}}}}`) == nil {
			t.Errorf("%s: the type text is accepted", ref)
		}
	}
}

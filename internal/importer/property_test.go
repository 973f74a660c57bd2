package importer_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/importer"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A schema is a random JSON Schema, or a part of one.
type schema = map[string]any

// text is any text: quotes of all kinds, line ends, control characters.
var text = rapid.OneOf(
	rapid.StringN(0, 12, -1),
	rapid.StringOfN(rapid.SampledFrom([]rune("ab \"'`\\\n\r\t{}[]()|,:=?<>*/\u0000\u001b\u202e\u200b\ufeff😀é")), 0, 12, -1),
	rapid.SampledFrom([]string{"", "```", "// x", "null", "true", "a\nb", "\n", "a\n", "a\r\nb", "Text", "{{x}}", "__proto__", "default"}),
)

var key = rapid.OneOf(
	rapid.StringMatching(`[a-z][a-zA-Z0-9_]{0,8}`),
	rapid.SampledFrom([]string{"default", "description", "type", "min", "format", "of", "title", "enum", "fields", "name", "optional", "paramName", "nullable", "__proto__", "a b", "größe", "x-y", "1st", "`", `"`, "true", "null", "Text", "$ref", "required", "properties"}),
	text.Filter(func(s string) bool { return s != "" }),
)

var integer = rapid.Map(rapid.IntRange(-1000, 1000), func(n int) json.Number { return json.Number(fmt.Sprint(n)) })

var number = rapid.OneOf(integer, rapid.SampledFrom([]json.Number{"0.5", "-0.25", "1.1000", "1e5", "1E-7", "0", "12345678901234567890", "3.14"}))

// note adds what says nothing of values.
func note(t *rapid.T, s schema) schema {
	if rapid.IntRange(0, 2).Draw(t, "note") > 0 {
		return s
	}
	for _, k := range []string{"title", "description"} {
		if rapid.Bool().Draw(t, k) {
			s[k] = text.Draw(t, k)
		}
	}
	for _, k := range []string{"deprecated", "readOnly", "writeOnly"} {
		if rapid.IntRange(0, 5).Draw(t, k) == 0 {
			s[k] = rapid.Bool().Draw(t, k)
		}
	}
	return s
}

// values adds a default and examples that fit.
func values(t *rapid.T, s schema, one func() any) schema {
	if rapid.IntRange(0, 3).Draw(t, "default") == 0 {
		s["default"] = one()
	}
	if rapid.IntRange(0, 5).Draw(t, "examples") == 0 {
		s["examples"] = []any{one(), one()}
	}
	return s
}

// nullable makes the type a list with null.
func nullable(t *rapid.T, s schema) schema {
	if rapid.IntRange(0, 5).Draw(t, "nullable") == 0 {
		s["type"] = []any{s["type"], "null"}
		if rapid.Bool().Draw(t, "null") {
			s["default"] = nil
		}
	}
	return s
}

func drawText(t *rapid.T) schema {
	s := schema{"type": "string"}
	switch rapid.IntRange(0, 4).Draw(t, "text") {
	case 0:
		list := rapid.SliceOfNDistinct(text, 1, 5, rapid.ID).Draw(t, "enum")
		s["enum"] = list
		return note(t, values(t, s, func() any { return rapid.SampledFrom(list).Draw(t, "value") }))
	case 1:
		s["minLength"], s["maxLength"] = 0, rapid.IntRange(40, 100).Draw(t, "maxLength")
		s["format"] = rapid.SampledFrom([]string{"date-time", "email", "uri", "x-own", "a b"}).Draw(t, "format")
	case 2:
		s["pattern"] = rapid.SampledFrom([]string{`^`, `\d*`, "[\"'`]*", `(a|b)*`, `(?s).*`[4:]}).Draw(t, "pattern")
	case 3:
		s["contentEncoding"], s["contentMediaType"] = "base64", "image/png"
	}
	return note(t, nullable(t, values(t, s, func() any { return text.Draw(t, "value") })))
}

func drawNumber(t *rapid.T) schema {
	s := schema{"type": "number"}
	gen := number
	if rapid.Bool().Draw(t, "integer") {
		s["type"], gen = "integer", integer
	}
	switch rapid.IntRange(0, 3).Draw(t, "bounds") {
	case 0:
		s["minimum"], s["maximum"] = json.Number("-1e30"), json.Number("1e30")
	case 1:
		s["exclusiveMinimum"], s["exclusiveMaximum"] = -2000, json.Number("12345678901234567890.5")
	case 2:
		list := rapid.SliceOfNDistinct(gen, 1, 4, rapid.ID).Draw(t, "enum")
		s["enum"] = list
		return note(t, values(t, s, func() any { return rapid.SampledFrom(list).Draw(t, "value") }))
	}
	return note(t, nullable(t, values(t, s, func() any { return gen.Draw(t, "value") })))
}

// anything is any JSON value.
func anything(t *rapid.T, depth int) any {
	most := 6
	if depth == 0 {
		most = 4
	}
	switch rapid.IntRange(0, most).Draw(t, "any") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return number.Draw(t, "number")
	case 3, 4:
		return text.Draw(t, "text")
	case 5:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, anything(t, depth-1))
		}
		return list
	}
	object := schema{}
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		object[text.Draw(t, "key")] = anything(t, depth-1)
	}
	return object
}

func drawMixed(t *rapid.T) schema {
	switch rapid.IntRange(0, 4).Draw(t, "mixed") {
	case 0:
		return note(t, values(t, schema{}, func() any { return anything(t, 2) }))
	case 1:
		return note(t, schema{"const": anything(t, 2)})
	case 2:
		return note(t, schema{"enum": []any{anything(t, 1)}})
	case 3:
		return note(t, schema{"type": []any{"string", "integer", "boolean"}})
	}
	return note(t, schema{"type": "null"})
}

func drawArray(t *rapid.T, depth int, defs []string) schema {
	s := schema{"type": "array"}
	if rapid.IntRange(0, 4).Draw(t, "items") > 0 {
		s["items"] = drawSchema(t, depth-1, defs)
	} else {
		values(t, s, func() any { return []any{anything(t, 2)} })
	}
	if rapid.IntRange(0, 3).Draw(t, "counts") == 0 {
		s["minItems"], s["maxItems"], s["uniqueItems"] = 0, 9, true
	}
	return note(t, nullable(t, s))
}

func drawObject(t *rapid.T, depth int, defs []string) schema {
	s := schema{"type": "object"}
	switch rapid.IntRange(0, 5).Draw(t, "object") {
	case 0:
		return note(t, nullable(t, values(t, s, func() any { return schema{"k": anything(t, 1)} })))
	case 1:
		s["additionalProperties"] = drawSchema(t, depth-1, defs)
		return note(t, nullable(t, s))
	}
	properties, required := schema{}, []any{}
	for _, k := range rapid.SliceOfNDistinct(key, 0, 5, rapid.ID).Draw(t, "keys") {
		properties[k] = drawSchema(t, depth-1, defs)
		if rapid.Bool().Draw(t, "required") {
			required = append(required, k)
		}
	}
	s["properties"], s["required"] = properties, required
	switch rapid.IntRange(0, 4).Draw(t, "rest") {
	case 0:
		s["additionalProperties"] = rapid.Bool().Draw(t, "open")
	case 1:
		s["additionalProperties"] = drawSchema(t, depth-1, defs)
	case 2:
		s["minProperties"], s["maxProperties"] = 1, 50
	}
	return note(t, s)
}

func drawUnion(t *rapid.T, depth int, defs []string) schema {
	var list []any
	for range rapid.IntRange(1, 4).Draw(t, "alternatives") {
		list = append(list, drawSchema(t, depth-1, defs))
	}
	seen := map[string]bool{`{"type":"null"}`: true} // the same twice is written once
	list = slices.DeleteFunc(list, func(s any) bool {
		text, _ := json.Marshal(s)
		twice := seen[string(text)]
		seen[string(text)] = true
		return twice
	})
	word := rapid.SampledFrom([]string{"anyOf", "oneOf"}).Draw(t, "word")
	if len(list) == 0 || rapid.Bool().Draw(t, "null") {
		list = append(list, schema{"type": "null"})
		if rapid.Bool().Draw(t, "default") {
			return note(t, schema{word: list, "default": nil})
		}
	}
	return note(t, schema{word: list})
}

func drawSchema(t *rapid.T, depth int, defs []string) schema {
	most := 8
	if depth <= 0 {
		most = 4
	}
	switch rapid.IntRange(0, most).Draw(t, "schema") {
	case 0, 1:
		return drawText(t)
	case 2:
		return drawNumber(t)
	case 3:
		return note(t, nullable(t, values(t, schema{"type": "boolean"}, func() any { return rapid.Bool().Draw(t, "value") })))
	case 4:
		if len(defs) > 0 && rapid.Bool().Draw(t, "ref") {
			return note(t, schema{"$ref": refTo(rapid.SampledFrom(defs).Draw(t, "def"))})
		}
		return drawMixed(t)
	case 5:
		return drawArray(t, depth, defs)
	case 6, 7:
		return drawObject(t, depth, defs)
	}
	return drawUnion(t, depth, defs)
}

// drawTool draws the schema of arguments with definitions. All but the first
// definition may refer to the others where that ends: in lists.
func drawTool(t *rapid.T) schema {
	defs := rapid.SampledFrom([][]string{nil, {"Address"}, {"geo", "Text", "My Type"}}).Draw(t, "defs")
	s := drawObject(t, 4, defs)
	for s["properties"] == nil || isNullable(s) {
		s = drawObject(t, 4, defs)
	}
	if len(defs) == 0 {
		return s
	}
	all := schema{}
	for _, d := range defs {
		all[d] = schema{"type": "object", "properties": schema{
			"value": drawSchema(t, 2, nil),
			"next":  schema{"type": "array", "items": schema{"$ref": refTo(rapid.SampledFrom(defs).Draw(t, "next"))}},
		}}
		s["properties"].(schema)["uses "+d] = schema{"$ref": refTo(d)}
	}
	s["$defs"] = all
	return s
}

func isNullable(s schema) bool { _, list := s["type"].([]any); return list }

func TestWhatGoesInComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parameters := drawTool(t)
		input, err := json.Marshal(schema{"name": "tool", "description": "d", "parameters": parameters})
		if err != nil {
			t.Fatal(err)
		}
		result, problems := importer.Import("tool.json", string(input), importer.Options{})
		gram := result.Tools
		for _, p := range problems {
			if p.Severity < diag.Info {
				t.Fatalf("%s\n%v\n%s", input, p, gram)
			}
		}
		file, syntax := grammar.Parse("tool.gram", gram)
		if len(syntax) > 0 {
			t.Fatalf("%s\n%v\n%s", input, syntax[0], gram)
		}
		for _, p := range compile.Check(file, nil) {
			if p.Severity <= diag.Warning && p.Code != diag.CodeInvisible {
				t.Fatalf("%s\n%v\n%s", input, p, gram)
			}
		}
		tools, _ := compile.Tools(file, nil)
		if len(tools) != 1 {
			t.Fatalf("%d tools", len(tools))
		}
		want, err := json.Marshal(parameters)
		if err != nil {
			t.Fatal(err)
		}
		if diff := jsonschema.Diff(want, tools[0].Schema()); len(diff) > 0 {
			t.Fatalf("%s\n%s\n%s", want, strings.Join(diff, "\n"), gram)
		}
		if diff := cmp.Diff(normal(t, want), normal(t, tools[0].Schema())); diff != "" {
			t.Fatalf("%s\n%s\n%s", want, diff, gram)
		}
	})
}

// normal returns a schema as a value that is the same for what means the same:
// required and the list of types in any order, numbers by value, items that
// say nothing left out.
func normal(t *rapid.T, text []byte) any {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return normalSchema(v)
}

func normalSchema(v any) any {
	s, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for k, v := range s {
		switch list, _ := v.([]any); k {
		case "properties", "$defs":
			for name, inner := range v.(map[string]any) {
				v.(map[string]any)[name] = normalSchema(inner)
			}
		case "items", "additionalProperties":
			s[k] = normalSchema(v)
			if inner, ok := s[k].(map[string]any); ok && len(inner) == 0 && k == "items" {
				delete(s, k)
			}
		case "anyOf", "oneOf":
			for i := range list {
				list[i] = normalSchema(list[i])
			}
		case "required", "type":
			slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
			if k == "required" && len(list) == 0 {
				delete(s, k)
			}
		case "$ref":
			s[k] = strings.ReplaceAll(v.(string), "%20", " ")
		default:
			s[k] = normalValue(v)
		}
	}
	return s
}

func normalValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = normalValue(v[k])
		}
	case []any:
		for i := range v {
			v[i] = normalValue(v[i])
		}
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok {
			return "number " + r.String()
		}
	}
	return v
}

// refTo returns a reference to a definition.
func refTo(name string) string { return "#/$defs/" + strings.ReplaceAll(name, " ", "%20") }

// wrecks are keywords that gram has no word for, or with values that are wrong.
var wrecks = rapid.SampledFrom([]string{
	`"allOf": [{"type": "string"}]`, `"allOf": [{"title": "a"}, {"properties": {"z": {}}}]`, `"not": {}`, `"if": {}, "then": {}`, `"patternProperties": {"^a": {}}`,
	`"prefixItems": [{}]`, `"items": [{}]`, `"items": false`, `"type": "file"`, `"type": ["string", 3]`, `"type": []`, `"type": ["string", "array", "object"]`,
	`"enum": []`, `"enum": [1, "a", null]`, `"default": null`, `"default": {"a": [null]}`, `"const": null`, `"minimum": "1"`, `"minLength": -1`, `"minLength": 1.0`,
	`"pattern": "(?=a)"`, `"pattern": "("`, `"pattern": 1`, `"required": true`, `"required": ["zz"]`, `"required": [1]`, `"nullable": true`, `"example": 1`, `"examples": 1`,
	`"$ref": "#/nope"`, `"$ref": "https://example.org/x"`, `"$ref": "#"`, `"$ref": 1`, `"anyOf": []`, `"anyOf": [true, {}]`, `"oneOf": [{"required": ["a"]}, {"required": ["b"]}]`,
	`"exclusiveMinimum": true`, `"exclusiveMaximum": false, "maximum": 3`, `"multipleOf": 0`, `"minimum": 5, "maximum": 1`, `"additionalProperties": 1`, `"additionalProperties": {"not": {}}`,
	`"properties": 1`, `"description": 1`, `"title": null`, `"$comment": "c\nd"`, `"$id": "x"`, `"$schema": "x"`, `"$defs": {"A": {}}`, `"x-own": {}`, `"uniqueItems": 1`,
	`"minItems": 1`, `"x-kubernetes-int-or-string": true`, `"contentSchema": {"$ref": "#/$defs/Address"}`, `"if": {"required": ["a"]}, "else": false`, `"propertyNames": {"type": "string"}`,
	`"propertyNames": {"maxLength": 3}`, `"xml": {"name": "a"}`, `"allOf": [{"not": {"$ref": "#"}}]`, `"anyOf": [{"minimum": 1}], "type": "integer", "maximum": 3`, `"type": ["integer", "string"], "minLength": 1`,
	`"dependentRequired": {}`, `"contains": {}`, `"discriminator": {"propertyName": "a"}`, `"format": 1`, `"deprecated": "yes"`,
})

// wreck puts a wreck into a random part of a schema.
func wreck(t *rapid.T, s schema) {
	var parts []schema
	var visit func(v any)
	visit = func(v any) {
		s, ok := v.(schema)
		if !ok {
			return
		}
		parts = append(parts, s)
		for _, k := range []string{"properties", "$defs"} {
			inner, _ := s[k].(schema)
			var names []string
			for name := range inner {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				visit(inner[name])
			}
		}
		visit(s["items"])
		visit(s["additionalProperties"])
	}
	visit(s)
	part := rapid.SampledFrom(parts).Draw(t, "part")
	if err := json.Unmarshal([]byte("{"+wrecks.Draw(t, "wreck")+"}"), &part); err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsLostInSilence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parameters := drawTool(t)
		for range rapid.IntRange(1, 3).Draw(t, "wrecks") {
			wreck(t, parameters)
		}
		input, err := json.Marshal(schema{"name": "tool", "description": "d", "parameters": parameters})
		if err != nil {
			t.Fatal(err)
		}
		result, problems := importer.Import("tool.json", string(input), importer.Options{})
		gram := result.Tools
		file, syntax := grammar.Parse("tool.gram", gram)
		for _, p := range append(syntax, compile.Check(file, nil)...) {
			if p.Severity == diag.Error {
				t.Fatalf("%s\n%v\n%s", input, p, gram)
			}
		}
		tools, _ := compile.Tools(file, nil)
		if len(tools) == 0 {
			if !problems.HasErrors() {
				t.Fatalf("%s: no tool, and nothing is said", input)
			}
			return
		}
		want, err := json.Marshal(parameters)
		if err != nil {
			t.Fatal(err)
		}
		if diff := jsonschema.Diff(want, tools[0].Schema()); len(diff) > 0 && len(problems) == 0 {
			t.Fatalf("%s\n%s\n%s", want, strings.Join(diff, "\n"), gram)
		}
		for _, p := range problems {
			if strings.Contains(p.Message, "come back") || strings.Contains(p.Message, "gram rejects") {
				t.Fatalf("%s\nfound only by the comparison: %v\n%s", want, p, gram)
			}
		}
	})
}

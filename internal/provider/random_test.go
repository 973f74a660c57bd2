package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gram-lang/gramc/internal/provider"
)

// A schemaMaker makes schemas that strict mode can express.
type schemaMaker struct{ *rand.Rand }

func newRandom() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

func (m schemaMaker) chance(percent int) bool { return m.IntN(100) < percent }

func (m schemaMaker) root() string {
	return strings.TrimSuffix(m.object(4, ""), "}") + `,"$defs":{
		"Unit":{"type":"string","enum":["celsius","fahrenheit"],"description":"unit"},
		"Tree":{"type":"object","properties":{"value":{"type":"integer"},"left":{"$ref":"#/$defs/Tree"},"kids":{"type":"array","items":{"$ref":"#/$defs/Tree"},"maxItems":2}},"required":["value"]},
		"Maybe":{"anyOf":[{"$ref":"#/$defs/Unit"},{"type":"null"}]},
		"Circle":{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"},"label":{"type":"string"}},"required":["kind","r"],"additionalProperties":false},
		"Square":{"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number"},"label":{"type":["string","null"]}},"required":["kind"]}}}`
}

// notes returns members that stand beside any others.
func (m schemaMaker) notes() string {
	notes := ""
	if m.chance(30) {
		notes += `,"description":"of \"x\" <y>"`
	}
	if m.chance(10) {
		notes += `,"title":"T"`
	}
	return notes
}

func (m schemaMaker) object(depth int, tag string) string {
	var fields, required []string
	if tag != "" {
		fields, required = []string{fmt.Sprintf(`"kind":{"type":"string","const":%q}`, tag)}, []string{`"kind"`}
	}
	for i := range m.IntN(4) + 1 {
		name := fmt.Sprintf("f%d/~%d", depth, i)
		schema := m.schema(depth - 1)
		if m.chance(50) {
			required = append(required, fmt.Sprintf("%q", name))
		} else if m.chance(50) && strings.HasPrefix(schema, `{"type":"integer"`) {
			schema = strings.TrimSuffix(schema, "}") + `,"default":3}`
		}
		fields = append(fields, fmt.Sprintf("%q:%s", name, schema))
	}
	closed := ""
	if m.chance(30) {
		closed = `,"additionalProperties":false`
	}
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]%s%s}`,
		strings.Join(fields, ","), strings.Join(required, ","), m.notes(), closed)
}

func (m schemaMaker) schema(depth int) string {
	kinds := 11
	if depth <= 0 {
		kinds = 7
	}
	nullable := func(t string) string {
		if m.chance(30) {
			return `["` + t + `","null"]`
		}
		return `"` + t + `"`
	}
	switch m.IntN(kinds) {
	case 0:
		return `{"type":` + nullable("string") + m.notes() + `}`
	case 1:
		return `{"type":` + nullable("integer") + `,"minimum":-5,"exclusiveMaximum":40` + m.notes() + `}`
	case 2:
		return `{"type":` + nullable("boolean") + `}`
	case 3:
		return `{"enum":["a","b",1,null]}`
	case 4:
		return `{"type":` + nullable("string") + `,"format":"date-time"` + m.notes() + `}`
	case 5:
		return `{"type":"string","enum":["x","y"]` + m.notes() + `}`
	case 6:
		name := []string{"Unit", "Tree", "Maybe", "Circle", "Square"}[m.IntN(5)]
		return `{"$ref":"#/$defs/` + name + `"` + m.notes() + `}`
	case 7:
		return `{"type":` + nullable("array") + `,"items":` + m.schema(depth-1) + `,"maxItems":3}`
	case 8:
		return `{"anyOf":[{"$ref":"#/$defs/Circle"},{"$ref":"#/$defs/Square"},` + m.object(depth-1, "other") + `]` + m.notes() + `}`
	case 9:
		return `{"oneOf":[` + m.object(depth-1, "one") + `,` + m.object(depth-1, "two") + `,{"type":"null"}]}`
	}
	return m.object(depth-1, "")
}

// A valueMaker makes values for a strict schema.
type valueMaker struct {
	*rand.Rand
	defs map[string]any
}

func (m valueMaker) value(schema map[string]any, depth int) any {
	if ref, ok := schema["$ref"].(string); ok {
		return m.value(m.defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), depth)
	}
	if either, ok := schema["anyOf"].([]any); ok {
		pick := either[m.IntN(len(either))]
		if depth > 8 {
			pick = either[len(either)-1] // null, where a type contains itself
		}
		return m.value(pick.(map[string]any), depth+1)
	}
	if enum, ok := schema["enum"].([]any); ok {
		return enum[m.IntN(len(enum))]
	}
	if only, ok := schema["const"]; ok {
		return only
	}
	kind, ok := schema["type"].(string)
	if !ok {
		kinds := schema["type"].([]any)
		kind = kinds[m.IntN(len(kinds))].(string)
	}
	switch kind {
	case "string":
		if schema["format"] != nil {
			return "2024-01-01T00:00:00Z"
		}
		return "text <&> null"
	case "integer":
		return m.IntN(40)
	case "number":
		return float64(m.IntN(100)) / 8
	case "boolean":
		return m.IntN(2) == 0
	case "array":
		items := []any{}
		for range m.IntN(3) {
			if depth < 8 {
				items = append(items, m.value(schema["items"].(map[string]any), depth+1))
			}
		}
		return items
	case "object":
		fields := map[string]any{}
		for name, field := range schema["properties"].(map[string]any) {
			fields[name] = m.value(field.(map[string]any), depth+1)
		}
		return fields
	}
	return nil
}

func compile(t *testing.T, schema []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema:///x", doc); err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	compiled, err := c.Compile("schema:///x")
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return compiled
}

func validate(t *testing.T, schema *jsonschema.Schema, value []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return schema.Validate(v)
}

// What a model can give for the strict form of a schema is, once restored,
// right for the schema itself.
func TestStrictRoundTrip(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		schema := []byte(schemaMaker{random}.root())
		lowered, problems := provider.Lower(schema, provider.OpenAIStrict)
		if lowered == nil {
			t.Fatalf("seed %d: %s\n%v", seed, schema, problems)
		}
		for _, p := range problems {
			if p.Code != provider.CodeLeftOut {
				t.Fatalf("seed %d: %s: %v", seed, schema, p)
			}
		}
		for _, fault := range profileFaults(lowered) {
			t.Errorf("seed %d: %s: %s", seed, lowered, fault)
		}
		again, problems := provider.Lower(lowered, provider.OpenAIStrict)
		if !bytes.Equal(again, lowered) || len(problems) > 0 {
			t.Errorf("seed %d: lowered again: %s\n%s\n%v", seed, lowered, again, problems)
		}
		var tree map[string]any
		if err := json.Unmarshal(lowered, &tree); err != nil {
			t.Fatal(err)
		}
		plain, strict := compile(t, schema), compile(t, lowered)
		values := valueMaker{random, tree["$defs"].(map[string]any)}
		for range 10 {
			value, err := json.Marshal(values.value(tree, 0))
			if err != nil {
				t.Fatal(err)
			}
			if err := validate(t, strict, value); err != nil {
				t.Fatalf("seed %d: the test makes bad values: %v", seed, err)
			}
			restored := provider.Restore(schema, value)
			if err := validate(t, plain, restored); err != nil {
				t.Fatalf("seed %d\nschema %s\nvalue %s\nrestored %s\n%v", seed, schema, value, restored, err)
			}
		}
	}
}

// Other targets take the same schemas, and take what they were given.
func TestOtherTargetsAgain(t *testing.T) {
	for seed := range uint64(200) {
		schema := []byte(schemaMaker{rand.New(rand.NewPCG(seed, 2))}.root())
		schema = bytes.ReplaceAll(schema, []byte(`"left":{"$ref":"#/$defs/Tree"},`), nil)
		schema = bytes.ReplaceAll(schema, []byte(`,"items":{"$ref":"#/$defs/Tree"}`), nil)
		for _, to := range provider.AllTargets() {
			switch to {
			case provider.OpenAIStrict, provider.AnthropicStrict, provider.Anthropic: // its names of arguments
				continue
			}
			lowered, problems := provider.Lower(schema, to)
			if lowered == nil {
				t.Fatalf("seed %d for %s: %s\n%v", seed, to, schema, problems)
			}
			again, problems := provider.Lower(lowered, to)
			if !bytes.Equal(again, lowered) || len(problems) > 0 {
				t.Errorf("seed %d for %s: lowered again: %s\n%s\n%v", seed, to, lowered, again, problems)
			}
		}
	}
}

// profileFaults reads the rules of structured outputs anew, without the code
// that is tested.
func profileFaults(schema []byte) []string {
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		return []string{err.Error()}
	}
	p := profile{defs: map[string]any{}}
	if defs, ok := root["$defs"].(map[string]any); ok {
		p.defs = defs
		for name, def := range defs {
			p.check(def, "/$defs/"+name, 0)
		}
	}
	if root["type"] != "object" || root["anyOf"] != nil {
		p.fault("", "the root is no object")
	}
	delete(root, "$defs")
	p.check(root, "", 0)
	if p.properties > 5000 || p.values > 1000 {
		p.fault("", "too large")
	}
	return p.faults
}

type profile struct {
	defs               map[string]any
	properties, values int
	faults             []string
}

func (p *profile) fault(at, what string) { p.faults = append(p.faults, at+": "+what) }

func (p *profile) check(schema any, at string, objects int) {
	s, ok := schema.(map[string]any)
	if !ok {
		p.fault(at, "not an object")
		return
	}
	for keyword := range s {
		known := []string{
			"type", "description", "enum", "const", "anyOf", "$ref", "properties", "required", "additionalProperties", "items",
			"pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems",
		}
		if !slices.Contains(known, keyword) {
			p.fault(at, "has "+keyword)
		}
	}
	if ref, ok := s["$ref"].(string); ok {
		if len(s) > 1 || p.defs[strings.TrimPrefix(ref, "#/$defs/")] == nil {
			p.fault(at, "bad reference")
		}
		return
	}
	if either, ok := s["anyOf"].([]any); ok {
		for i, a := range either {
			p.check(a, fmt.Sprint(at, "/anyOf/", i), objects)
		}
		return
	}
	types := strings.Trim(fmt.Sprint(s["type"]), "[]")
	if s["type"] == nil || types == "" {
		p.fault(at, "no type")
	}
	if enum, ok := s["enum"].([]any); ok {
		p.values += len(enum)
	}
	if strings.Contains(types, "array") {
		p.check(s["items"], at+"/items", objects)
	}
	if !strings.Contains(types, "object") {
		return
	}
	if objects++; objects > 10 {
		p.fault(at, "too deep")
	}
	if s["additionalProperties"] != false {
		p.fault(at, "is open")
	}
	properties, ok := s["properties"].(map[string]any)
	required, okToo := s["required"].([]any)
	if !ok || !okToo || len(required) != len(properties) {
		p.fault(at, "not all fields are required")
	}
	for _, name := range required {
		if properties[name.(string)] == nil {
			p.fault(at, "requires what is not there")
		}
	}
	for name, field := range properties {
		p.properties++
		p.check(field, at+"/properties/"+name, objects)
	}
}

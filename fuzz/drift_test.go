package fuzz

import (
	"crypto/sha256"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gram-lang/gramc/internal/compat"
	"github.com/gram-lang/gramc/runtime"
)

// FuzzDrift makes a schema of the bytes, and another one by changing it here
// and there. Where drift says that a change breaks nothing, every value of the
// narrower one must be a value of the wider one, by another validator.
func FuzzDrift(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		data := make([]byte, 40+r.IntN(400))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2000 {
			t.Skip()
		}
		more := make([]byte, 1<<13) // for whatever the data do not decide
		if _, err := rand.NewChaCha8(sha256.Sum256(data)).Read(more); err != nil {
			t.Fatal(err)
		}
		m := &driftMaker{typeMaker{data: slices.Concat(data, more)}}
		old := m.document()
		changed := m.changed(old)
		checkDrift(t, m, old, changed)
	})
}

func checkDrift(t *testing.T, m *driftMaker, old, changed map[string]any) {
	before, after := asJSON(t, old), asJSON(t, changed)
	first, second := schemaOrNil(before), schemaOrNil(after)
	if first == nil || second == nil {
		return
	}
	contract := func(schema json.RawMessage) []runtime.Contract {
		return []runtime.Contract{{Name: "t", Input: schema}, {Name: "u", Output: schema}}
	}
	breaks := map[string]bool{}
	for _, c := range compat.Contracts(contract(before), contract(after)) {
		if c.Message == "" || c.Tool == "" || c.Path == "" {
			t.Fatalf("%s\n%s\n%+v", before, after, c)
		}
		breaks[c.Tool] = breaks[c.Tool] || c.Class == compat.Breaking
	}
	for range 10 {
		if value := m.sample(old, old, top{arguments: true}); !breaks["t"] && first.Validate(value) == nil && second.Validate(value) != nil {
			t.Fatalf("compatible as input:\n%s\n%s\nbut there is %s", before, after, asJSON(t, value))
		}
		if value := m.sample(changed, changed, top{}); !breaks["u"] && second.Validate(value) == nil && first.Validate(value) != nil {
			t.Fatalf("compatible as output:\n%s\n%s\nbut there is %s", before, after, asJSON(t, value))
		}
	}
}

func asJSON(t *testing.T, value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// schemaOrNil compiles a schema, if it is one.
func schemaOrNil(text json.RawMessage) *jsonschema.Schema {
	var doc any
	if json.Unmarshal(text, &doc) != nil {
		return nil
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if c.AddResource("schema:///x", doc) != nil {
		return nil
	}
	compiled, err := c.Compile("schema:///x")
	if err != nil {
		return nil
	}
	return compiled
}

// A driftMaker makes schemas, changes of them and values.
type driftMaker struct{ typeMaker }

func (m *driftMaker) document() map[string]any {
	defs := map[string]any{}
	for _, name := range []string{"A", "B"} { // never a reference alone, which might lead to itself
		defs[name] = m.structure(2)
	}
	root := m.schema(3)
	root["$defs"] = defs
	return root
}

var (
	driftNames  = []string{"a", "b", "kind", "xa", "xb"}
	driftValues = []any{"a", "ab", "b", "", "2020-01-02", 0.0, 1.0, 2.0, 3.5, 12.0, -1.0, true, false, nil}
)

func (m *driftMaker) any() any { return driftValues[m.below(len(driftValues))] }

func (m *driftMaker) schema(depth int) map[string]any {
	kind := m.below(12)
	if depth <= 0 {
		kind = m.below(8)
	}
	s := map[string]any{}
	switch kind {
	case 0, 1:
		s["type"] = "string"
		m.maybe(s, "minLength", float64(m.below(3)))
		m.maybe(s, "maxLength", float64(m.below(4)))
		m.maybe(s, "pattern", []any{"^a", "b$"}[m.below(2)])
		m.maybe(s, "format", "date")
	case 2:
		s["type"] = []any{"integer", "number"}[m.below(2)]
		m.maybe(s, "minimum", float64(m.below(3))-1)
		m.maybe(s, "exclusiveMinimum", float64(m.below(3))-1.5)
		m.maybe(s, "maximum", float64(m.below(12)))
		m.maybe(s, "exclusiveMaximum", float64(m.below(12)))
		m.maybe(s, "multipleOf", []any{0.5, 1.0, 2.0, 3.0}[m.below(4)])
	case 3:
		s["enum"] = []any{m.any(), m.any(), m.any()}
	case 4:
		s["const"] = m.any()
	case 5:
		s["$ref"] = []any{"#/$defs/A", "#/$defs/B"}[m.below(2)]
	case 6:
		s["type"] = []any{[]any{"string", "null"}, []any{"integer", "string"}, "boolean", "null", []any{"object", "null"}}[m.below(5)]
	case 7:
	case 8, 9:
		s = m.structure(depth)
	default:
		list := make([]any, 1+m.below(3))
		for i := range list {
			list[i] = m.schema(depth - 1)
		}
		s[[]string{"anyOf", "oneOf", "allOf"}[m.below(3)]] = list
	}
	m.rare(s, depth)
	return s
}

// rare adds a keyword that stands anywhere, and seldom.
func (m *driftMaker) rare(s map[string]any, depth int) {
	if depth <= 0 || m.below(8) < 7 {
		return
	}
	switch m.below(7) {
	case 0:
		s["not"] = m.schema(0)
	case 1:
		s["propertyNames"] = map[string]any{"pattern": "^[ax]"}
	case 2:
		s["dependentRequired"] = map[string]any{"a": []any{"b"}}
	case 3:
		s["if"], s["then"] = m.schema(0), m.schema(0)
	case 4:
		s["contains"] = m.schema(0)
		m.maybe(s, "minContains", float64(m.below(3)))
	case 5:
		s["unevaluatedProperties"] = false
	case 6:
		s["prefixItems"] = []any{m.schema(0), m.schema(0)}
	}
}

func (m *driftMaker) maybe(s map[string]any, keyword string, value any) {
	if m.below(3) == 2 {
		s[keyword] = value
	}
}

// structure makes the schema of an object or an array.
func (m *driftMaker) structure(depth int) map[string]any {
	if m.below(3) == 2 {
		s := map[string]any{"type": "array"}
		if m.below(4) > 0 {
			s["items"] = m.schema(depth - 1)
		}
		m.maybe(s, "minItems", float64(m.below(2)))
		m.maybe(s, "maxItems", float64(m.below(3)))
		m.maybe(s, "uniqueItems", true)
		return s
	}
	s := map[string]any{"type": "object"}
	fields, required := map[string]any{}, []any{}
	for _, name := range driftNames {
		if m.below(2) == 1 {
			fields[name] = m.schema(depth - 1)
			if m.below(2) == 1 {
				required = append(required, name)
			}
		}
	}
	if len(fields) > 0 || m.below(2) == 1 {
		s["properties"], s["required"] = fields, required
	}
	switch m.below(5) {
	case 1:
		s["additionalProperties"] = false
	case 2:
		s["additionalProperties"] = m.schema(depth - 1)
	case 3:
		s["additionalProperties"] = true
	}
	m.maybe(s, "minProperties", float64(m.below(2)))
	m.maybe(s, "maxProperties", float64(m.below(4)))
	if m.below(6) == 5 {
		s["patternProperties"] = map[string]any{"^x": m.schema(depth - 1)}
	}
	return s
}

// changed returns a copy of a schema with some changes.
func (m *driftMaker) changed(old map[string]any) map[string]any {
	var copied map[string]any
	text, err := json.Marshal(old)
	if err == nil {
		err = json.Unmarshal(text, &copied)
	}
	if err != nil {
		panic(err)
	}
	for range 1 + m.below(3) {
		m.change(copied)
	}
	return copied
}

// change changes one of the objects in a schema, most of which are schemas.
func (m *driftMaker) change(root map[string]any) {
	var all []map[string]any
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			all = append(all, v)
			for _, key := range sortedKeys(v) {
				walk(v[key])
			}
		case []any:
			for _, item := range v {
				walk(item)
			}
		}
	}
	walk(root)
	s := all[m.below(len(all))]
	keys := sortedKeys(s)
	switch m.below(8) {
	case 0, 1:
		if len(keys) > 0 {
			delete(s, keys[m.below(len(keys))])
		}
	case 2:
		for key, value := range m.schema(1) {
			s[key] = value
		}
	case 3:
		for _, key := range keys {
			if n, ok := s[key].(float64); ok {
				s[key] = n + float64(m.below(3)-1)
			}
		}
	case 4:
		if name, ok := s["type"].(string); ok {
			s["type"] = []any{name, "null"}
		}
	case 5, 6:
		if s["$defs"] == nil {
			inner := map[string]any{}
			for _, key := range keys {
				inner[key] = s[key]
				delete(s, key)
			}
			s[[]string{"anyOf", "oneOf", "allOf"}[m.below(3)]] = []any{inner, map[string]any{"type": "null"}}[:1+m.below(2)]
		}
	case 7:
		for _, key := range keys {
			if list, ok := s[key].([]any); ok && len(list) > 1 {
				s[key] = list[1:]
			}
		}
	}
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// A top says where in a value a sample stands.
type top struct {
	depth     int
	arguments bool // it is all arguments together
}

// sample returns a value that may fit a schema, and has only fields that it
// speaks of.
func (m *driftMaker) sample(root, s map[string]any, at top) any {
	if at.depth++; at.depth > 5 {
		return m.any()
	}
	if ref, ok := s["$ref"].(string); ok {
		defs, _ := root["$defs"].(map[string]any)
		def, _ := defs[ref[len("#/$defs/"):]].(map[string]any)
		return m.sample(root, def, at)
	}
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		return list[m.below(len(list))]
	}
	if value, ok := s["const"]; ok {
		return value
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		if list, ok := s[keyword].([]any); ok && len(list) > 0 && m.below(4) > 0 {
			if part, ok := list[m.below(len(list))].(map[string]any); ok {
				return m.sample(root, part, at)
			}
		}
	}
	switch s["type"] {
	case "array":
		list := []any{}
		for range m.below(4) {
			list = append(list, m.part(root, s["items"], at))
		}
		return list
	case "object":
		return m.object(root, s, at)
	}
	return m.any()
}

// part is sample for a schema that need not be there.
func (m *driftMaker) part(root map[string]any, schema any, at top) any {
	if s, ok := schema.(map[string]any); ok {
		return m.sample(root, s, top{depth: at.depth})
	}
	return m.any()
}

func (m *driftMaker) object(root, s map[string]any, at top) any {
	value := map[string]any{}
	fields, declared := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range sortedKeys(fields) {
		if slices.Contains(required, any(name)) || m.below(2) == 1 {
			value[name] = m.part(root, fields[name], at)
		}
	}
	rest, said := s["additionalProperties"]
	patterns, _ := s["patternProperties"].(map[string]any)
	for _, name := range driftNames {
		switch {
		case fields[name] != nil || m.below(3) < 2:
		case patterns["^x"] != nil && name[0] == 'x':
			value[name] = m.part(root, patterns["^x"], at)
		case said, !declared && !at.arguments:
			value[name] = m.part(root, rest, at)
		}
	}
	return value
}

package validator_test

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	other "github.com/santhosh-tekuri/jsonschema/v6"
)

// FuzzAnotherValidatorAgrees makes a schema and values of the bytes and compares what
// another validator says of them.
func FuzzAnotherValidatorAgrees(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 9))
	for range 300 {
		data := make([]byte, 40+r.IntN(400))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := &maker{data: data}
		schema := m.document()
		if strings.Contains(schema, "/draft-0") && len(lonelyRef.FindAllString(schema, -1)) < strings.Count(schema, `"$ref"`) {
			t.Skip("the other one does not ignore all that is beside a $ref in old drafts")
		}
		theirs, failed := compileOther(schema)
		ours, err := compileText(schema)
		if (err == nil) != (failed == nil) {
			t.Fatalf("%s\nours: %v\ntheirs: %v", schema, err, failed)
		}
		if err != nil {
			return
		}
		for range 20 {
			text := m.value(3)
			value, err := other.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			want, got := theirs.Validate(value), ours.Validate(text)
			if (got == nil) != (want == nil) {
				t.Fatalf("%s\n%s\nours: %+v\ntheirs: %v", schema, text, got, want)
			}
		}
	})
}

var lonelyRef = regexp.MustCompile(`{"\$ref":"[^"]*"}`)

func compileOther(text string) (*other.Schema, error) {
	doc, err := other.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := other.NewCompiler()
	c.DefaultDraft(other.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema:///x", doc); err != nil {
		return nil, err
	}
	return c.Compile("schema:///x")
}

// A maker makes schemas and values of bytes; when there are no more, everything is small.
type maker struct{ data []byte }

func (m *maker) below(n int) int {
	if len(m.data) == 0 {
		return 0
	}
	b := int(m.data[0])
	m.data = m.data[1:]
	return b % n
}

func (m *maker) one(of ...string) string { return of[m.below(len(of))] }

func quote(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

func (m *maker) name() string { return m.one("a", "b", "ab", "c\"d", "é") }

func (m *maker) value(depth int) string {
	kind := m.below(9)
	if depth == 0 {
		kind %= 6
	}
	switch kind {
	case 0:
		return m.one("null", "true", "false")
	case 1, 2:
		return m.one("0", "1", "2", "-1", "1.0", "1.5", "3", "1e2", "0.1", "9007199254740993", "-0.0", "1e30", "12.50")
	case 3, 4:
		return quote(m.text())
	case 5:
		return `"` + m.one(`a`, `\u0061`, `b\n`, `\"`, `\ud83d\ude00`) + `"`
	case 6, 7:
		return "{" + strings.Join(m.members(func() string { return m.value(depth - 1) }), " , ") + " }"
	}
	return "[" + strings.Join(m.list(func() string { return m.value(depth - 1) }), ",\n") + "]"
}

func (m *maker) text() string {
	return m.one("", "a", "ab", "abc", "2020-01-02", "12:00:00Z", "23:59:60Z", "2024-02-30T01:00:00+01:00", "P1DT2H", "a@b.c", "é€", "::1", "1.2.3.4",
		"https://x.y/{a}", "/a~1b", "1/a", "a b", "00000000-0000-4000-8000-00000000000a")
}

func (m *maker) list(item func() string) []string {
	var items []string
	for range m.below(4) {
		items = append(items, item())
	}
	return items
}

func (m *maker) members(value func() string) []string {
	var members []string
	seen := map[string]bool{}
	for range m.below(4) {
		if name := m.name(); !seen[name] {
			seen[name] = true
			members = append(members, quote(name)+":"+value())
		}
	}
	return members
}

func (m *maker) document() string {
	draft := m.one("", "", "", "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-06/schema", "http://json-schema.org/draft-04/schema#")
	keywords := m.keywords(3)
	if draft != "" {
		keywords = append(keywords, `"$schema":`+quote(draft))
	}
	keywords = append(keywords, `"$defs":{"A":`+m.schema(2)+`,"B":{"$anchor":"b","type":"array","items":{"$ref":"#/$defs/A"}},"C":{"$dynamicAnchor":"c","type":`+m.typeName()+`}}`)
	return "{" + strings.Join(keywords, ",") + "}"
}

func (m *maker) typeName() string {
	return quote(m.one("string", "integer", "number", "object", "array", "null", "boolean"))
}

func (m *maker) schema(depth int) string {
	if depth == 0 || m.below(8) == 0 {
		return m.one(`true`, `false`, `{}`, `{"type":"string"}`, `{"type":["integer","null"]}`, `{"$ref":"#/$defs/A"}`, `{"$ref":"#b"}`, `{"$dynamicRef":"#c"}`)
	}
	return "{" + strings.Join(m.keywords(depth), ",") + "}"
}

func (m *maker) keywords(depth int) []string {
	var all []string
	seen := map[string]bool{}
	for range 1 + m.below(4) {
		name, value := m.keyword(depth - 1)
		if !seen[name] {
			seen[name] = true
			all = append(all, quote(name)+":"+value)
		}
	}
	return all
}

func (m *maker) keyword(depth int) (name, value string) {
	schema := func() string { return m.schema(depth) }
	number := func() string { return m.one("0", "1", "2", "3", "1.5", "0.1", "9007199254740992") }
	switch m.below(24) {
	case 0, 1:
		return "type", m.typeName()
	case 2:
		return "enum", "[" + strings.Join(append(m.list(func() string { return m.value(1) }), m.value(1)), ",") + "]"
	case 3:
		return "const", m.value(2)
	case 4:
		return m.one("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), number()
	case 5:
		return "multipleOf", m.one("1", "2", "0.5", "0.01", "3")
	case 6:
		return m.one("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"), m.one("0", "1", "2", "3.0")
	case 7:
		return "pattern", quote(m.one("^a", "b$", "^[a-z]*$"))
	case 8:
		return "format", quote(m.one("date", "time", "date-time", "duration", "email", "ipv4", "ipv6", "uri", "uri-reference", "uri-template", "uuid", "json-pointer", "relative-json-pointer", "regex", "hostname", "unknown"))
	case 9, 10:
		return "properties", "{" + strings.Join(m.members(schema), ",") + "}"
	case 11:
		return "additionalProperties", schema()
	case 12:
		return "patternProperties", `{` + quote(m.one("^a", "b", ".")) + ":" + schema() + "}"
	case 13:
		return "required", "[" + quote(m.name()) + "]"
	case 14:
		return m.one("items", "additionalItems", "contains", "propertyNames", "not", "unevaluatedItems", "unevaluatedProperties"), schema()
	case 15:
		return m.one("if", "then", "else"), schema()
	case 16:
		return m.one("prefixItems", "allOf", "items"), "[" + strings.Join(append(m.list(schema), schema()), ",") + "]"
	case 17, 18:
		return m.one("allOf", "anyOf", "oneOf"), "[" + strings.Join(append(m.list(schema), schema()), ",") + "]"
	case 19:
		return m.one("dependentSchemas", "dependencies"), "{" + strings.Join(m.members(schema), ",") + "}"
	case 20:
		return m.one("dependentRequired", "dependencies"), `{"a":["b"],"b":["ab"]}`
	case 21:
		return "uniqueItems", m.one("true", "true", "false")
	case 22:
		return "$ref", quote(m.one("#/$defs/A", "#b", "#", "#c", "#/$defs/nothing", "https://json-schema.org/draft/2020-12/schema"))
	}
	return m.one("unevaluatedProperties", "unevaluatedItems"), "false"
}

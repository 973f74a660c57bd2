package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/provider"
)

func TestRestore(t *testing.T) {
	const person = `{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},"note":{"type":["string","null"]}},"required":["name"]}`
	tests := []struct{ schema, value, want string }{
		{person, `{"name":"Ada","age":null,"note":null}`, `{"name":"Ada","note":null}`},
		{person, `{"name":"Ada", "age": 1.50e1 }`, `{"name":"Ada", "age": 1.50e1 }`},
		{person, `{"name":null,"other":null}`, `{"name":null,"other":null}`},
		{person, `not null`, `not null`},
		{`{"type":"array","items":` + person + `}`, `[{"name":"null","age":null}, {"age":1e2}]`, `[{"name":"null"},{"age":1e2}]`},
		{`{"$ref":"#/$defs/P","$defs":{"P":` + person + `}}`, `{"age":null}`, `{}`},
		{`{"anyOf":[{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]},` + person + `]}`, `{"name":"x","age":null}`, `{"name":"x"}`},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `null`, `null`},
		{`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":"string"}]},"b":{}}}`, `{"a":null,"b":null}`, `{"b":null}`},
		{`{"type":"object","properties":{"a":{"enum":["x","y"]},"b":{"enum":["x",null]},"c":{"const":null}}}`, `{"a":null,"b":null,"c":null}`, `{"b":null,"c":null}`},
		{`{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":["null","string"]}}},{"type":"object","properties":{"kind":{"const":"b"},"x":{"type":"string"}}}]}`,
			`{"kind":"b","x":null}`, `{"kind":"b"}`},
		{`{`, `{"a":null}`, `{"a":null}`},
	}
	for _, tt := range tests {
		if got := string(provider.Restore(json.RawMessage(tt.schema), json.RawMessage(tt.value))); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.schema, got, tt.want)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := []struct{ schema, want string }{ // "" means that it stays
		{`{"type":"object","properties":{}}`, ``},
		{`{"$ref":"#/$defs/A","$defs":{"A":{"type":"object"}}}`, ``},
		{`{"type":"string"}`, wrapped(`{"type":"string"}`, ``)},
		{`{"type":["object","null"]}`, wrapped(`{"type":["object","null"]}`, ``)},
		{`{"anyOf":[{"type":"object"}]}`, wrapped(`{"anyOf":[{"type":"object"}]}`, ``)},
		{`{}`, wrapped(`{}`, ``)},
		{`true`, wrapped(`true`, ``)},
		{`{"type":"array","items":{"$ref":"#/$defs/A"},"$defs":{"A":{"type":"array","items":{"$ref":"#"}}}}`,
			wrapped(`{"type":"array","items":{"$ref":"#/$defs/A"}}`, `,"$defs":{"A":{"type":"array","items":{"$ref":"#/properties/result"}}}`)},
	}
	for _, tt := range tests {
		got, changed := provider.Wrap(json.RawMessage(tt.schema))
		want := tt.want
		if want == "" {
			want = tt.schema
		}
		if string(got) != want || changed != (tt.want != "") {
			t.Errorf("%s\ngot  %s, %v\nwant %s", tt.schema, got, changed, want)
		}
	}
	for value, want := range map[string]string{
		`{"result": [1, 2]}`:     `[1, 2]`,
		`{"result":1,"other":2}`: `{"result":1,"other":2}`,
		`{"a":1}`:                `{"a":1}`,
		`[1]`:                    `[1]`,
		`no`:                     `no`,
	} {
		if got := string(provider.Unwrap(json.RawMessage(value))); got != want {
			t.Errorf("%s unwrapped is %s, want %s", value, got, want)
		}
	}
}

func wrapped(schema, defs string) string {
	return `{"type":"object","properties":{"result":` + schema + `},"required":["result"],"additionalProperties":false` + defs + `}`
}

// Whatever comes in, the package neither panics nor contradicts itself.
func FuzzLower(f *testing.F) {
	for _, tt := range lowerTests {
		f.Add([]byte(`{"type":"object","properties":{"x":`+tt.in+`}}`), []byte(`{"x":null}`))
	}
	f.Add([]byte(schemaMaker{newRandom()}.root()), []byte(`{"f4/~0":null,"f4/~1":{"kind":"circle","label":null}}`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		for _, to := range provider.AllTargets() {
			lowered, problems := provider.Lower(schema, to)
			failed := false
			for _, p := range problems {
				failed = failed || p.Severity == provider.Error
				if p.Message == "" || strings.ContainsAny(p.Message, "\n\r") {
					t.Errorf("%q for %s: %q", schema, to, p.Message)
				}
			}
			switch {
			case failed != (lowered == nil):
				t.Errorf("%q for %s: %s, %v", schema, to, lowered, problems)
			case lowered == nil:
				continue
			case !json.Valid(lowered):
				t.Errorf("%q for %s: %s", schema, to, lowered)
			}
			again, problems := provider.Lower(lowered, to)
			if string(again) != string(lowered) || len(problems) > 0 {
				t.Errorf("%q for %s\nfirst  %s\nsecond %s %v", schema, to, lowered, again, problems)
			}
		}
		restored := provider.Restore(schema, value)
		if json.Valid(value) && !json.Valid(restored) {
			t.Errorf("%q restored by %q is %q", value, schema, restored)
		}
		if wrapped, _ := provider.Wrap(schema); json.Valid(schema) && !json.Valid(wrapped) {
			t.Errorf("%q wrapped is %q", schema, wrapped)
		}
		provider.Unwrap(value)
		provider.Name(string(value), provider.OpenAI)
	})
}

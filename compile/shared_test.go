package compile

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// A sharedCase is a line of cases.jsonl; its README says what the fields mean.
type sharedCase struct {
	ID, Kind, Input, Tool string
	Roadmap               bool
	Args                  json.RawMessage
	Expect                struct {
		OK            bool
		Error         string
		Mentions      []string
		Schema        json.RawMessage
		Which         string
		PropertyOrder []string
		Agent         map[string]any
		ErrorIn       []string
	}
}

// sharedCases returns the cases of a kind that are not of a later stage.
func sharedCases(t *testing.T, kind string) []sharedCase {
	var cases []sharedCase
	for _, c := range golden.Lines[sharedCase](t, "cases", "cases.jsonl") {
		if c.Kind == kind && !c.Roadmap {
			cases = append(cases, c)
		}
	}
	if len(cases) < 15 {
		t.Errorf("%d cases of kind %s", len(cases), kind)
	}
	return cases
}

func TestSharedSchemaCases(t *testing.T) {
	for _, c := range sharedCases(t, "schema") {
		t.Run(c.ID, func(t *testing.T) {
			schema, problems := c.schema()
			c.wantError(t, problems)
			if schema != nil {
				c.wantSchema(t, schema)
			}
		})
	}
}

func TestSharedValidateCases(t *testing.T) {
	for _, c := range sharedCases(t, "validate") {
		t.Run(c.ID, func(t *testing.T) {
			f, problems := grammar.Parse(c.ID, c.Input)
			program, more := File(f, nil)
			c.wantError(t, append(problems, more...))
			if program != nil {
				c.wantAgent(t, program.Agents[0])
			}
		})
	}
}

func TestSharedArgsCases(t *testing.T) {
	for _, c := range sharedCases(t, "args") {
		t.Run(c.ID, func(t *testing.T) {
			signature, problems := types.ParseTypeSignature(c.Input)
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			if got := accepts(t, signature.InputSchema(), c.Args); got != c.Expect.OK {
				t.Errorf("%s accepts %s: %v", signature.InputSchema(), c.Args, got)
			}
		})
	}
}

// schema returns the schema that the case asks for.
func (c *sharedCase) schema() (json.RawMessage, diag.List) {
	if c.Tool == "" {
		signature, problems := types.ParseTypeSignature(c.Input)
		if signature == nil {
			return nil, problems
		}
		if c.Expect.Which == "output" {
			return signature.OutputSchema(), problems
		}
		return signature.InputSchema(), problems
	}
	f, problems := grammar.Parse(c.ID, c.Input)
	tools, more := Tools(f, nil)
	for _, tool := range tools {
		if tool.Name == c.Tool {
			return tool.Schema(), append(problems, more...)
		}
	}
	return nil, append(problems, more...)
}

// wantError checks that the case has the error that it should, and no other.
func (c *sharedCase) wantError(t *testing.T, problems diag.List) {
	problems = slices.DeleteFunc(problems, func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
	if c.Expect.OK {
		if len(problems) > 0 {
			t.Error(problems.Err())
		}
		return
	}
	if len(problems) == 0 {
		t.Fatalf("no error; want %s%v", c.Expect.Error, c.Expect.ErrorIn)
	}
	for _, d := range problems {
		if string(d.Code) != c.Expect.Error && !slices.Contains(c.Expect.ErrorIn, string(d.Code)) {
			t.Errorf("%s; want %s", d, c.Expect.Error)
		}
	}
	for _, word := range c.Expect.Mentions {
		if !strings.Contains(strings.ToLower(problems.Err().Error()), strings.ToLower(word)) {
			t.Errorf("%v does not mention %q", problems.Err(), word)
		}
	}
}

func (c *sharedCase) wantSchema(t *testing.T, schema json.RawMessage) {
	if diff := cmp.Diff(normal(t, c.Expect.Schema), normal(t, schema)); c.Expect.Schema != nil && diff != "" {
		t.Error(diff)
	}
	at := 0
	for _, name := range c.Expect.PropertyOrder {
		i := bytes.Index(schema[at:], []byte(`"`+name+`":{`))
		if i < 0 {
			t.Fatalf("%s: property %s is not in its place", schema, name)
		}
		at += i
	}
}

// normal decodes a schema so that equal ones are equal: see the README.
func normal(t *testing.T, schema json.RawMessage) any {
	if schema == nil {
		return nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	return normalValue(v)
}

func normalValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = normalValue(v[k])
		}
		if v["type"] == "object" && v["required"] == nil {
			v["required"] = []any{}
		}
		if v["type"] == "array" && v["items"] == nil {
			v["items"] = map[string]any{}
		}
	case []any:
		for i := range v {
			v[i] = normalValue(v[i])
		}
	case json.Number:
		f, _ := v.Float64()
		return f
	}
	return v
}

func (c *sharedCase) wantAgent(t *testing.T, a *Agent) {
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	names := []any{}
	for _, tool := range a.Tools {
		names = append(names, tool.Name)
	}
	got["tools"] = names
	for key, want := range c.Expect.Agent {
		if diff := cmp.Diff(want, got[key]); diff != "" {
			t.Errorf("%s: %s", key, diff)
		}
	}
}

// accepts reports whether a value is valid by a schema, as another program
// sees it.
func accepts(t *testing.T, schema, value json.RawMessage) bool {
	var raw struct {
		Raw *string `json:"$raw"`
	}
	if json.Unmarshal(value, &raw) == nil && raw.Raw != nil {
		value = json.RawMessage(*raw.Raw)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return false
	}
	return compiled(t, schema).Validate(v) == nil
}

// compiled checks a schema against the metaschema and compiles it.
func compiled(t interface{ Fatalf(string, ...any) }, schema json.RawMessage) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:schema", doc); err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	compiled, err := c.Compile("mem:schema")
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return compiled
}

package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// bindOne binds a tool to a contract of the same name and description.
func bindOne(t *testing.T, made Tool, input, output string, o *BindOptions) (Binding, error) {
	t.Helper()
	bindings, err := library(t, made).Bind([]Contract{{
		Name: made.Name(), Description: "d", Input: json.RawMessage(input), Output: json.RawMessage(output),
	}}, o)
	if err != nil {
		return Binding{}, err
	}
	return bindings[0], nil
}

func TestAToolFitsWhenItTakesEveryCallOfItsContract(t *testing.T) {
	const city, cityOptional = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`, `{"type":"object","properties":{"city":{"type":"string"}},"required":[]}`
	one := func(schema string) string {
		return `{"type":"object","properties":{"x":` + schema + `},"required":["x"]}`
	}
	tests := []struct {
		name, contract, tool string
		fit                  Fit    // "" is refused
		contains             string // of the error or the differences
	}{
		{"the same", city, city, FitEqual, ""},
		{"the same in other words", city, `{"properties":{"city":{"description":"a city","type":"string"}},"required":["city"],"type":"object"}`, FitEqual, ""},
		{"a pattern of the agent", one(`{"type":"string","pattern":"^a"}`), one(`{"type":"string"}`), FitCompatible, "/properties/x/pattern"},
		{"an enum of the agent", one(`{"enum":["a","b"]}`), one(`{"type":"string"}`), FitCompatible, "/properties/x/enum"},
		{"a range of the agent", one(`{"type":"integer","minimum":1,"maximum":7}`), one(`{"type":"number"}`), FitCompatible, "/properties/x/maximum"},
		{"an optional parameter more", city, `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`, FitCompatible, "/properties/days"},
		{"the agent always gives what is optional", city, cityOptional, FitCompatible, "/required"},
		{"a union of the tool", one(`{"type":"string"}`), one(`{"type":["string","null"]}`), FitCompatible, "/properties/x/type"},
		{"closed objects of the agent", one(`{"type":"object","properties":{"a":{"type":"string"}}}`), one(`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`), FitCompatible, "additionalProperties"},
		{"a closed tool", city, `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`, FitCompatible, "additionalProperties"},

		{"another type", one(`{"type":"integer"}`), one(`{"type":"string"}`), "", "/properties/x"},
		{"a number for an integer", one(`{"type":"number"}`), one(`{"type":"integer"}`), "", "/properties/x"},
		{"another name", city, `{"type":"object","properties":{"town":{"type":"string"}},"required":["town"]}`, "", `"town" is required`},
		{"a parameter that the tool does not have", `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`, city, "", `"days"`},
		{"a required parameter that the agent leaves out", city, `{"type":"object","properties":{"city":{"type":"string"},"key":{"type":"string"}},"required":["city","key"]}`, "", `"key" is required`},
		{"what the agent can leave out", cityOptional, city, "", `"city" is required`},
		{"what the agent can leave out and has a default", `{"type":"object","properties":{"city":{"type":"string","default":"Rome"}},"required":[]}`, city, "", `"city" is required`},
		{"an enum of the tool", one(`{"type":"string"}`), one(`{"enum":["a","b"]}`), "", "/properties/x"},
		{"a value that the tool lacks", one(`{"enum":["a","b"]}`), one(`{"enum":["a"]}`), "", "/properties/x"},
		{"a limit of the tool", one(`{"type":"string"}`), one(`{"type":"string","maxLength":5}`), "", "/properties/x"},
		{"a field that the tool lacks", one(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`), one(`{"type":"object","properties":{"a":{"type":"string"}}}`), "", `"b"`},

		{"two patterns", one(`{"type":"string","pattern":"^a"}`), one(`{"type":"string","pattern":"^[a-z]"}`), FitUnproven, "/properties/x/pattern"},
		{"a negation", one(`{"type":"string"}`), one(`{"type":"string","not":{"const":"a"}}`), FitUnproven, "/properties/x/not"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			made, err := NewTool(ToolConfig{Name: "t", Description: "d", Input: json.RawMessage(tt.tool), Execute: returns("1")})
			if err != nil {
				t.Fatal(err)
			}
			b, err := bindOne(t, made, tt.contract, "", nil)
			if tt.fit == "" {
				if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), tt.contains) {
					t.Errorf("error %v, want one with %s", err, tt.contains)
				}
				return
			}
			if err != nil || b.Fit != tt.fit || !strings.Contains(strings.Join(b.Differences, "\n"), tt.contains) {
				t.Errorf("fit %q, differences %q, error %v; want %q with %s", b.Fit, b.Differences, err, tt.fit, tt.contains)
			}
			if _, err := bindOne(t, made, tt.contract, "", &BindOptions{Mode: BindStrict}); (err == nil) != (tt.fit == FitEqual) {
				t.Errorf("strict: %v", err)
			}
			if _, err := bindOne(t, made, tt.contract, "", &BindOptions{Mode: BindName}); err != nil {
				t.Errorf("by name: %v", err)
			}
		})
	}
}

// TestACallIsHeldToBothSchemas shows what reaches a tool that differs from its
// contract: what the contract allows and declares.
func TestACallIsHeldToBothSchemas(t *testing.T) {
	got := ""
	keep := func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
		got = string(args)
		return json.RawMessage("1"), nil
	}
	one := func(schema string) string { return `{"type":"object","properties":{"x":` + schema + `}}` }
	tests := []struct {
		name, contract, tool, args, reaches string // "" where the call is refused
	}{
		{"the contract refuses", one(`{"type":"string","pattern":"^a"}`), one(`{"type":"string"}`), `{"x":"b"}`, ""},
		{"the contract allows", one(`{"type":"string","pattern":"^a"}`), one(`{"type":"string"}`), `{"x":"ab"}`, `{"x":"ab"}`},
		{"the tool refuses what is not proven", one(`{"type":"string","pattern":"^a"}`), one(`{"type":"string","pattern":"b$"}`), `{"x":"ac"}`, ""},
		{"both allow what is not proven", one(`{"type":"string","pattern":"^a"}`), one(`{"type":"string","pattern":"b$"}`), `{"x":"ab"}`, `{"x":"ab"}`},
		{"the default of the contract", one(`{"type":"integer","default":3,"minimum":1}`), one(`{"type":"integer"}`), `{}`, `{"x":3}`},
		{"the default of the tool", `{"type":"object","properties":{}}`, one(`{"type":"integer","default":4}`), `{}`, `{"x":4}`},
		{"an undeclared argument", one(`{"type":"integer","minimum":0}`), `{"type":"object","properties":{"x":{"type":"integer"},"force":{"type":"boolean"}}}`, `{"force":true,"x":1}`, `{"x":1}`},
		{"an undeclared argument of equal schemas", one(`{"type":"integer"}`), one(`{"type":"integer"}`), `{"x":1,"y":2}`, `{"x":1}`},
		{"an undeclared field", one(`{"type":"array","items":{"type":"object","properties":{"a":{}}}}`), one(`{"type":"array","items":{"type":"object","properties":{"a":{}}}}`), `{"x":[{"a":1,"b":2},{"b":3}]}`, `{"x":[{"a":1},{}]}`},
		{"a map stays whole", one(`{"type":"object","additionalProperties":{"type":"integer"}}`), one(`{"type":"object","additionalProperties":{"type":"integer"}}`), `{"x":{"k":1}}`, `{"x":{"k":1}}`},
		{"any object stays whole", one(`{"type":"object"}`), one(`{"type":"object"}`), `{"x":{"k":1}}`, `{"x":{"k":1}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			made, err := NewTool(ToolConfig{Name: "t", Description: "d", Input: json.RawMessage(tt.tool), Execute: keep})
			if err != nil {
				t.Fatal(err)
			}
			b, err := bindOne(t, made, tt.contract, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			got = ""
			if _, err := b.Invoke(t.Context(), json.RawMessage(tt.args), 0); (err == nil) != (tt.reaches != "") || got != tt.reaches {
				t.Errorf("the tool got %s, error %v; want %s", got, err, tt.reaches)
			}
		})
	}
}

func TestATypedFunctionFitsAContractThatSaysMore(t *testing.T) {
	type order struct {
		ISBN   string
		Copies int
		Gift   *bool
		Notes  []string
	}
	got := order{}
	made, err := Implement("order", func(_ context.Context, in order) (int, error) { got = in; return in.Copies, nil })
	if err != nil {
		t.Fatal(err)
	}
	const contract = `{"type":"object","properties":{"isbn":{"type":"string","pattern":"^978"},"copies":{"type":"integer","minimum":1,"default":2},"notes":{"type":"array","items":{"type":"string"}}},"required":["isbn"]}`
	b, err := bindOne(t, made, contract, `{"type":"integer","maximum":5}`, nil)
	if err != nil || b.Fit != FitCompatible || b.Description() != "d" {
		t.Fatalf("fit %q, description %q, error %v", b.Fit, b.Description(), err)
	}
	if _, err := b.Invoke(t.Context(), json.RawMessage(`{"isbn":"978-1"}`), 0); err != nil || !reflect.DeepEqual(got, order{ISBN: "978-1", Copies: 2}) {
		t.Errorf("the function got %+v, error %v", got, err)
	}
	if _, err := b.Invoke(t.Context(), json.RawMessage(`{"isbn":"979"}`), 0); err == nil {
		t.Error("the pattern of the contract is not enforced")
	}
	if _, err := b.Invoke(t.Context(), json.RawMessage(`{"isbn":"978-1","copies":6}`), 0); err == nil {
		t.Error("the result is not held to the contract")
	}
	if _, err := bindOne(t, made, contract, `{"type":"object"}`, nil); err == nil || !strings.Contains(err.Error(), "the tool returns integer, but the agent expects object") {
		t.Errorf("another result: %v", err)
	}
	type bare struct{ ISBN, Notes string }
	lacking, err := Implement("order", func(context.Context, bare) (int, error) { return 0, nil })
	if err != nil {
		t.Fatal(err)
	}
	optional := `{"type":"object","properties":{"isbn":{"type":"string"},"notes":{"type":"string"}},"required":["isbn"]}`
	if _, err := bindOne(t, lacking, optional, "", nil); err == nil || !strings.Contains(err.Error(), `"notes" is required (a Go field that can be absent is a pointer)`) {
		t.Errorf("an optional string: %v", err)
	}
	if _, err := Func("order", "", func(context.Context, order) (int, error) { return 0, nil }); err == nil {
		t.Error("an empty description is registered")
	}
}

func TestAcceptIsAskedOfToolsWithSchemasToo(t *testing.T) {
	const own = `{"type":"object","properties":{}}`
	made, err := NewTool(ToolConfig{
		Name: "read", Description: "Reads", Input: json.RawMessage(own), Execute: returns(`"text"`),
		Accept: func(Contract) error { return errors.New("the program is not there") },
	})
	if err != nil {
		t.Fatal(err)
	}
	contract := Contract{Name: "read", Description: "Reads", Input: json.RawMessage(own)}
	if _, err := library(t, made).Bind([]Contract{contract}, nil); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "the program is not there") {
		t.Errorf("%v", err)
	}
	if _, err := library(t, made).Bind([]Contract{contract}, &BindOptions{Mode: BindName}); err != nil {
		t.Errorf("by name alone: %v", err)
	}
}

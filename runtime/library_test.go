package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const helloSchema = `{"type":"object","properties":{"personName":{"type":"string","default":"world"}},"required":[]}`

var helloContract = Contract{
	Name: "sayHello", Description: "Greets", Input: json.RawMessage(helloSchema), Output: json.RawMessage(`{"type":"string"}`),
}

func hello(t *testing.T, change ...func(*ToolConfig)) Tool {
	t.Helper()
	return tool(t, returns(`"hi"`), append([]func(*ToolConfig){func(c *ToolConfig) {
		c.Name, c.Description, c.Input = "sayHello", "Greets", json.RawMessage(helloSchema)
	}}, change...)...)
}

func library(t *testing.T, tools ...Tool) Library {
	t.Helper()
	var lib Library
	for _, tool := range tools {
		var err error
		if lib, err = lib.Add(tool.Name(), tool); err != nil {
			t.Fatal(err)
		}
	}
	return lib
}

func TestLibraryIsAValue(t *testing.T) {
	var empty Library
	one := library(t, hello(t))
	two, err := one.Add("other", tool(t, returns("1"), func(c *ToolConfig) { c.Name = "other" }))
	if err != nil {
		t.Fatal(err)
	}
	got := [][]string{empty.Names(), one.Names(), two.Names()}
	if diff := cmp.Diff([][]string{nil, {"sayHello"}, {"other", "sayHello"}}, got); diff != "" {
		t.Error(diff)
	}
	if _, ok := one.Lookup("other"); ok {
		t.Error("adding a tool changed the old library")
	}
}

func TestLibraryAdd(t *testing.T) {
	t.Run("replaces", func(t *testing.T) {
		lib := library(t, hello(t), hello(t, func(c *ToolConfig) { c.Description = "new" }))
		if got, _ := lib.Lookup("sayHello"); got.Description() != "new" {
			t.Errorf("description is %q", got.Description())
		}
	})
	tests := []struct {
		name, as string
		tool     Tool
		code     Reason
		mentions []string
	}{
		{"another name", "sayHello", tool(t, returns("1"), func(c *ToolConfig) { c.Name = "greet" }), ReasonNameMismatch, []string{"sayHello", "greet"}},
		{"empty name", "", hello(t), ReasonEmptyName, nil},
		{"zero tool", "x", Tool{}, ReasonEmptyName, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Library{}.Add(tt.as, tt.tool)
			var def *BindError
			if !errors.As(err, &def) || def.Reason != tt.code {
				t.Fatalf("error %v, want code %s", err, tt.code)
			}
			for _, word := range tt.mentions {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q does not mention %s", err, word)
				}
			}
		})
	}
}

func TestBindFindsAToolForEachContract(t *testing.T) {
	other := tool(t, returns("1"), func(c *ToolConfig) { c.Name = "other" })
	lib := library(t, hello(t), other)
	contracts := []Contract{{Name: "other", Description: "d", Input: json.RawMessage(`{"required":[],"type":"object"}`)}, helloContract}
	for range 2 { // the second time from memory
		tools, err := lib.Bind(contracts, nil)
		if err != nil || len(tools) != 2 || tools[0].Name() != "other" || tools[1].Name() != "sayHello" {
			t.Errorf("bound %v, %v", tools, err)
		}
	}
	if tools, err := (Library{}).Bind(nil, nil); err != nil || len(tools) != 0 {
		t.Errorf("an agent without tools: %v, %v", tools, err)
	}
}

func TestBindNamesEveryFailure(t *testing.T) {
	lib := library(t, hello(t, func(c *ToolConfig) {
		c.Description = "other"
		c.Input = json.RawMessage(object(`"personName":{"type":"integer"}`, ""))
	}))
	_, err := lib.Bind([]Contract{{Name: "sayHallo"}, helloContract, {}}, nil)
	var all BindErrors
	if !errors.As(err, &all) {
		t.Fatalf("error is %T", err)
	}
	var reasons []Reason
	for _, e := range all {
		reasons = append(reasons, e.Reason)
	}
	want := []Reason{ReasonNotFound, ReasonDescriptionMismatch, ReasonSchemaMismatch, ReasonEmptyName}
	if !slices.Equal(reasons, want) {
		t.Errorf("reasons %v, want %v", reasons, want)
	}
	if !errors.Is(err, ErrToolNotFound) || !errors.Is(err, ErrMismatch) {
		t.Error("errors.Is does not find both classes")
	}
	wantText := `tool "sayHallo": tool-not-found: no such tool; known tools: sayHello; did you mean "sayHello"?; ` +
		`tool "sayHello": description-mismatch: the description is "Greets" in the agent, but "other" in the library; ` +
		`tool "sayHello": schema-mismatch: the tool does not take every call of the agent: /properties/personName: string is not allowed; ` +
		`tool "": empty-tool-name: the name is empty`
	if diff := cmp.Diff(wantText, err.Error()); diff != "" {
		t.Error(diff)
	}
}

func TestBindClassesDoNotOverlap(t *testing.T) {
	_, err := Library{}.Bind([]Contract{helloContract}, nil)
	if !errors.Is(err, ErrToolNotFound) || errors.Is(err, ErrMismatch) {
		t.Errorf("a missing tool counts as a mismatch: %v", err)
	}
}

func TestAdoptAndNameOnlyTakeTheContract(t *testing.T) {
	wrong := json.RawMessage(`{"personName":7}`)
	tests := []struct {
		name    string
		tool    Tool
		options *BindOptions
	}{
		{"adopt", tool(t, returns(`"hi"`), func(c *ToolConfig) {
			c.Name, c.Description, c.Input, c.Adopt = "sayHello", "", nil, true
		}), nil},
		{"name only", tool(t, returns(`"hi"`), func(c *ToolConfig) { c.Name = "sayHello" }), &BindOptions{Mode: BindName}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tools, err := library(t, tt.tool).Bind([]Contract{helloContract}, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			if bound := tools[0]; bound.Description() != "Greets" || string(bound.Input()) != helloSchema {
				t.Errorf("bound tool has %q and %s", bound.Description(), bound.Input())
			}
			if tools[0].in.ValidateArgs(wrong) == nil {
				t.Error("the schema of the contract is not enforced")
			}
			if tt.tool.in.ValidateArgs(wrong) != nil {
				t.Error("binding changed the tool")
			}
		})
	}
}

func TestBindIsDoneAnewForAnotherContract(t *testing.T) {
	lib := library(t, tool(t, returns("1"), func(c *ToolConfig) { c.Adopt = true }))
	for _, kind := range []string{"string", "integer", "integer"} {
		c := Contract{Name: "t", Description: "d", Input: json.RawMessage(object(`"a":{"type":"`+kind+`"}`, ""))}
		tools, err := lib.Bind([]Contract{c}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := tools[0].in.ValidateArgs(json.RawMessage(`{"a":1}`)) == nil; got != (kind == "integer") {
			t.Errorf("an integer for a %s: accepted is %t", kind, got)
		}
	}
}

func TestBindDoesNotMixUpWhatItRemembers(t *testing.T) {
	own := tool(t, returns("7"), func(c *ToolConfig) { c.Description = "own" })
	c := Contract{Name: "t", Description: "other", Input: own.Input()}
	lib := library(t, own)
	if _, err := lib.Bind([]Contract{c}, &BindOptions{Mode: BindName}); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Bind([]Contract{c}, nil); !errors.Is(err, ErrMismatch) {
		t.Errorf("strict after name only: %v", err)
	}
	for _, ok := range []bool{true, false} {
		c.Output = json.RawMessage(`{"type":"integer"}`)
		if !ok {
			c.Output = json.RawMessage(`{"type":"object"}`)
		}
		tools, err := lib.Bind([]Contract{c}, &BindOptions{Mode: BindName})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tools[0].Invoke(t.Context(), json.RawMessage(`{}`), 0); (err == nil) != ok {
			t.Errorf("result 7 for %s: %v", c.Output, err)
		}
	}
}

func TestBindRefusesContractsThatCannotBeAdopted(t *testing.T) {
	lib := library(t, tool(t, returns("1"), func(c *ToolConfig) { c.Adopt = true }))
	tests := []struct {
		name     string
		contract Contract
		want     Reason
	}{
		{"no description", Contract{Name: "t", Input: json.RawMessage(`{}`)}, ReasonEmptyDescription},
		{"no schema", Contract{Name: "t", Description: "d"}, ReasonInvalidSchema},
		{"bad schema", Contract{Name: "t", Description: "d", Input: json.RawMessage(`{"type":1}`)}, ReasonInvalidSchema},
		{"bad output", Contract{Name: "t", Description: "d", Input: json.RawMessage(`{}`), Output: json.RawMessage(`{"type":1}`)}, ReasonInvalidSchema},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := lib.Bind([]Contract{tt.contract}, nil)
			var all BindErrors
			if !errors.As(err, &all) || len(all) != 1 || all[0].Reason != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

func TestBindDecidesHowResultsAreChecked(t *testing.T) {
	object := json.RawMessage(`{"type":"object"}`)
	text := json.RawMessage(`{"type":"string","description":"a greeting"}`)
	short := json.RawMessage(`{"type":"string","maxLength":1}`)
	tests := []struct {
		name          string
		own, contract json.RawMessage
		result        string
		ok            bool
	}{
		{"text is no promise of the contract", nil, text, `{"a":1}`, true},
		{"nothing is promised", nil, nil, `7`, true},
		{"the contract says more than text", nil, short, `"long"`, false},
		{"the contract asks for an object", nil, object, `"text"`, false},
		{"the contract comes first", json.RawMessage(`{}`), object, `{}`, true},
		{"the tool's own stays", object, text, `"text"`, false},
		{"the tool's own text stays", text, text, `7`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			own := tool(t, returns(tt.result), func(c *ToolConfig) { c.Output = tt.own })
			c := Contract{Name: "t", Description: "d", Input: own.Input(), Output: tt.contract}
			tools, err := library(t, own).Bind([]Contract{c}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tools[0].Invoke(t.Context(), json.RawMessage(`{}`), 0); (err == nil) != tt.ok {
				t.Errorf("result %s: error %v", tt.result, err)
			}
		})
	}
}

func TestToolNotFoundHelps(t *testing.T) {
	known := []string{"calculate", "sayHello"}
	tests := []struct{ name, want string }{
		{"SayHello", `did you mean "sayHello"?`},
		{"functions.sayHello", `did you mean "sayHello"?`},
		{"calc", `known tools: calculate, sayHello`},
		{"calculat0r", `did you mean "calculate"?`},
		{strings.Repeat("x", 160_000), `…": no such tool; known tools: calculate, sayHello`},
		{"", `tool "": no such tool; known tools: calculate, sayHello`},
	}
	for _, tt := range tests {
		got := ToolNotFound(tt.name, known).Error()
		if !strings.HasSuffix(got, tt.want) || len(got) > 200 {
			t.Errorf("%.20q: %s", tt.name, got)
		}
	}
}

func TestAToolMayChooseItsHandlerByContract(t *testing.T) {
	answer := func(result string) Handler {
		return func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(result), nil }
	}
	tool, err := NewTool(ToolConfig{
		Name: "count", Adopt: true, Execute: answer(`"unbound"`),
		For: func(c Contract) Handler {
			if c.WantsMoreThanText() {
				return answer(`1`)
			}
			return answer(`"one"`)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	lib, err := Library{}.Add("count", tool)
	if err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]string{``: `"one"`, `{"type":"string"}`: `"one"`, `{"type":"integer"}`: `1`} {
		c := Contract{Name: "count", Description: "Counts", Input: json.RawMessage(`{"type":"object"}`), Output: json.RawMessage(output)}
		tools, err := lib.Bind([]Contract{c}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tools[0].Invoke(t.Context(), json.RawMessage(`{}`), 0); err != nil || string(got) != want {
			t.Errorf("%q: got %s, %v; want %s", output, got, err, want)
		}
	}
	if got, err := tool.Invoke(t.Context(), json.RawMessage(`{}`), 0); err != nil || string(got) != `"unbound"` {
		t.Errorf("got %s, %v", got, err)
	}
}

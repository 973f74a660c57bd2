package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

type person struct {
	Name    string   `json:"name" jsonschema:"description=Full name,minLength=1"`
	Age     *int     `json:"age"`
	Mood    string   `json:"mood" jsonschema:"default=good"`
	Aliases []string `json:"aliases,omitempty"`
	Home    address  `json:"home"`
}

type address struct {
	City string `json:"city"`
	Zip  any    `json:"zip,omitempty"`
}

type tree struct {
	Value int    `json:"value"`
	Kids  []tree `json:"kids,omitempty"`
}

type based struct {
	address
	Since time.Time `json:"since"`
}

func schemaOf[In any](t *testing.T) string {
	t.Helper()
	made, err := Func("t", "d", func(context.Context, In) (string, error) { return "", nil })
	if err != nil {
		t.Fatal(err)
	}
	return string(made.Input())
}

func TestFuncTakesItsSchemaFromTheGoTypes(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"fields", schemaOf[person](t), object(`"name":{"type":"string","minLength":1,"description":"Full name"},
			"age":{"type":"integer"},"mood":{"type":"string","default":"good"},
			"aliases":{"type":"array","items":{"type":"string"}},
			"home":{"type":"object","properties":{"city":{"type":"string"},"zip":{}},"required":["city"]}`, "name home")},
		{"no fields", schemaOf[struct{}](t), object("", "")},
		{"pointer to a struct", schemaOf[*address](t), object(`"city":{"type":"string"},"zip":{}`, "city")},
		{"embedded", schemaOf[based](t), object(
			`"city":{"type":"string"},"zip":{},"since":{"type":"string","format":"date-time"}`, "city since")},
		{"map", schemaOf[map[string]int](t),
			`{"type":"object","properties":{},"required":[],"additionalProperties":{"type":"integer"}}`},
		{"free map", schemaOf[map[string]any](t), object("", "")},
		{"field of any type", schemaOf[struct{ A any }](t), object(`"A":{}`, "A")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := jsonschema.Diff(json.RawMessage(tt.want), json.RawMessage(tt.got)); diff != nil {
				t.Errorf("%s\n%s", tt.got, strings.Join(diff, "\n"))
			}
			for _, word := range []string{"$ref", "$schema", "$id", "true", "additionalProperties\":false"} {
				if strings.Contains(tt.got, word) {
					t.Errorf("%s contains %s", tt.got, word)
				}
			}
			if !strings.Contains(tt.got, `"required":`) {
				t.Errorf("%s has no required list", tt.got)
			}
		})
	}
}

func TestFuncOfATypeThatContainsItself(t *testing.T) {
	made, err := Func("t", "d", func(_ context.Context, in tree) (tree, error) { return in, nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := made.in.ValidateArgs(json.RawMessage(`{"value":1,"kids":[{"value":2,"kids":[{}]}]}`)); err == nil ||
		err.Error() != `/kids/0/kids/0/value: missing required field "value"` {
		t.Errorf("error %v\n%s", err, made.Input())
	}
}

func TestFuncRefusesWhatIsNotJSON(t *testing.T) {
	_, number := Func("t", "d", func(context.Context, int) (string, error) { return "", nil })
	_, date := Func("t", "d", func(context.Context, time.Time) (string, error) { return "", nil })
	_, channel := Func("t", "d", func(context.Context, struct{ C chan int }) (string, error) { return "", nil })
	_, result := Func("t", "d", func(context.Context, struct{}) (func(), error) { return nil, nil })
	_, nothing := Func[struct{}, string]("t", "d", nil)
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"a number", number, `tool "t": invalid-schema: the input: must be a struct or a map with string keys, not int`},
		{"a date", date, `tool "t": invalid-schema: the input: time.Time is written as JSON string, but arguments are an object`},
		{"a channel", channel, `tool "t": invalid-schema: the input: struct { C chan int } has no JSON schema: unsupported type chan int`},
		{"a function as result", result, `tool "t": invalid-schema: the result: func() has no JSON schema: unsupported type func()`},
		{"nothing to execute", nothing, `tool "t": no-handler: the tool has no function to execute`},
	}
	for _, tt := range tests {
		var def *BindError
		if !errors.As(tt.err, &def) || tt.err.Error() != tt.want {
			t.Errorf("%s: error %v, want %s", tt.name, tt.err, tt.want)
		}
	}
}

func invoke[In, Out any](t *testing.T, args string, fn func(context.Context, In) (Out, error)) string {
	t.Helper()
	made, err := Func("t", "d", fn)
	if err != nil {
		t.Fatal(err)
	}
	result, err := made.Invoke(t.Context(), json.RawMessage(args), 0)
	if err != nil {
		return "error: " + err.Error()
	}
	return string(result)
}

func TestFuncCarriesValues(t *testing.T) {
	type ints struct {
		N int64 `json:"n"`
		F float64
	}
	n := func(_ context.Context, in ints) (int64, error) { return in.N, nil }
	tests := []struct{ name, got, want string }{
		{"text becomes a JSON string", invoke(t, `{}`, func(context.Context, struct{}) (string, error) { return "a \"b\"", nil }), `"a \"b\""`},
		{"above 2^53", invoke(t, `{"n":9007199254740993,"F":1}`, n), `9007199254740993`},
		{"42.0 for an int", invoke(t, `{"n":42.0,"F":2.5}`, n), `42`},
		{"4.2e1 for an int", invoke(t, `{"F":1.0,"n":4.2e1}`, n), `42`},
		{"does not fit an int", invoke(t, `{"n":1e30,"F":1}`, n),
			`error: invalid arguments: json: cannot unmarshal number 1e30 into Go struct field ints.n of type int64`},
		{"a field in the wrong case", invoke(t, `{"n":1,"F":1,"N":2}`, n),
			`error: invalid arguments: /N: unknown field "N"; did you mean "n"?`},
		{"deeper", invoke(t, `{"value":1,"kids":[{"value":2,"KIDS":[]}]}`, func(context.Context, tree) (string, error) { return "", nil }),
			`error: invalid arguments: /kids/0/KIDS: unknown field "KIDS"; did you mean "kids"?`},
		{"in a map", invoke(t, `{"x":{"city":"U","City":"V"}}`, func(context.Context, map[string]address) (string, error) { return "", nil }),
			`error: invalid arguments: /x/City: unknown field "City"; did you mean "city"?`},
		{"default", invoke(t, `{"name":"A","home":{"city":"U"}}`, func(_ context.Context, in person) (string, error) {
			return in.Mood, nil
		}), `"good"`},
		{"nil slice", invoke(t, `{}`, func(context.Context, struct{}) ([]string, error) { return nil, nil }), `[]`},
		{"nil map", invoke(t, `{}`, func(context.Context, struct{}) (map[string]int, error) { return nil, nil }), `{}`},
		{"nil pointer", invoke(t, `{}`, func(context.Context, struct{}) (*person, error) { return nil, nil }), `null`},
		{"raw JSON", invoke(t, `{}`, func(context.Context, struct{}) (json.RawMessage, error) { return json.RawMessage(`{"a": 1}`), nil }), `{"a":1}`},
		{"error", invoke(t, `{}`, func(context.Context, struct{}) (string, error) { return "", errors.New("no") }), `error: no`},
		{"result that JSON cannot hold", invoke(t, `{}`, func(context.Context, struct{}) (any, error) { return func() {}, nil }),
			`error: the result cannot be written as JSON: json: unsupported type: func()`},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, tt.got, tt.want)
		}
	}
}

func TestFuncMatchesTheSchemaOfASignature(t *testing.T) {
	// (personName::String {default:"world"})==>(::String)
	lib, err := AddFunc(Library{}, "sayHello", "Greets", func(_ context.Context, in struct {
		PersonName string `json:"personName" jsonschema:"default=world"`
	}) (string, error) {
		return "Hello, " + in.PersonName, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := lib.Bind([]Contract{helloContract}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := tools[0].Invoke(t.Context(), json.RawMessage(`{}`), 0); string(got) != `"Hello, world"` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestAddFuncKeepsTheLibraryOnError(t *testing.T) {
	lib, err := AddFunc(library(t, hello(t)), "", "d", func(context.Context, struct{}) (int, error) { return 0, nil })
	if err == nil || len(lib.Names()) != 1 {
		t.Errorf("library has %v, error %v", lib.Names(), err)
	}
}
